"""What compiled rules leave behind: folders of modules, and types that doors remember."""

from __future__ import annotations

import os
import pickle
import stat
import sys
import tempfile
from pathlib import Path

import pytest

import lampion
from lampion.core import play
from lampion.core.compile import MOST_TYPES, GameSources
from lampion.core.native import build, compilers
from lampion.core.native.library import DOORS, Library
from lampion.core.native.refusal import Untranslatable
from lampion.core.native.targets import here
from lampion.core.native.variants import best_variant


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose cache cannot be written to: the folder for temporary files is what is left."""
    nowhere, temporary = tmp_path / "a_file" / "cache", tmp_path / "tmp"
    nowhere.parent.write_text("")
    temporary.mkdir()
    monkeypatch.setattr(build, "cache_root", lambda: nowhere)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return temporary


def test_processes_without_a_cache_share_one_folder(temporary: Path) -> None:
    folders = {build._writable_cache.__wrapped__() for _ in range(3)}
    assert folders == set(temporary.iterdir()) and len(folders) == 1
    assert not stat.S_IMODE(next(iter(folders)).stat().st_mode) & 0o077


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no modes here")
def test_a_folder_that_others_can_write_to_is_not_trusted(temporary: Path) -> None:
    shared = build._writable_cache.__wrapped__()
    shared.chmod(0o777)
    assert build._writable_cache.__wrapped__() != shared
    shared.rmdir()
    shared.symlink_to(temporary)
    assert build._writable_cache.__wrapped__() != shared


def test_a_door_forgets_the_types_of_arrays_that_came_and_went() -> None:
    data = pickle.dumps(lampion.new("lumens", 2, seed=1).state.batch)
    first = pickle.loads(data)
    before = sys.getrefcount(first.dtype)
    play.to_act_at(first, 0)
    remembered = sys.getrefcount(first.dtype)
    for _ in range(2 * MOST_TYPES):
        play.to_act_at(pickle.loads(data), 0)
    forgotten = sys.getrefcount(first.dtype)
    assert remembered > before, "it remembers the type that it has just seen"
    assert forgotten == before


@pytest.fixture
def third_party(tmp_path: Path) -> GameSources:
    """A game that keeps some rules in a package inside its own."""
    inner = tmp_path / "my_game" / "cards" / "hands"
    inner.mkdir(parents=True)
    for path in (tmp_path / "my_game", tmp_path / "my_game/cards", inner):
        (path / "__init__.py").write_text("")
    (inner / "rules.py").write_text("WORTH = 1\n")
    dtype = lampion.new("lumens", 2, seed=1).state.dtype
    return GameSources("my_game", "My Game", dtype, tmp_path / "my_game")


def test_an_edit_in_a_package_inside_a_game_changes_its_stamp(third_party: GameSources) -> None:
    library = Library(third_party, DOORS)
    before = library.stamp("x86_64")
    (third_party.folder / "cards" / "hands" / "rules.py").write_text("WORTH = 2\n")
    assert library.stamp("x86_64") != before


def test_a_folder_that_is_no_package_is_not_searched_below(third_party: GameSources) -> None:
    (third_party.folder / "__init__.py").unlink()
    assert "rules.py" not in {path.name for path in Library(third_party, DOORS).sources()}


def test_rules_from_files_that_no_stamp_covers_are_refused(
    third_party: GameSources, tmp_path: Path
) -> None:
    """These are the records of Lumens, whose rules are not in the folder of this game."""
    compiler = compilers.find() or compilers.Compiler(("cc",), is_zig=False)
    library = Library(third_party, DOORS)
    with pytest.raises(Untranslatable, match=r"outside .*my_game; rules belong into"):
        build.make(library, best_variant(), tmp_path, compiler, here())


def test_whatever_stops_the_translator_plain_python_plays_and_says_why(
    third_party: GameSources,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("an array of nothing")

    monkeypatch.setattr(build, "make", fail)
    monkeypatch.setattr(build, "MODE", "1")
    monkeypatch.setattr(build, "_writable_cache", lambda: tmp_path)
    monkeypatch.setattr(compilers, "find", lambda: compilers.Compiler(("cc",), is_zig=False))
    assert build.make_here(Library(third_party, DOORS), "x86_64") is None
    assert "My Game runs as plain Python, slowly" in (said := capsys.readouterr().err)
    assert "KeyError: 'an array of nothing' (please report this)" in said
