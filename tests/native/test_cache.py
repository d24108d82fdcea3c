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
from lampion.core.compile import MOST_TYPES
from lampion.core.native import build


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
