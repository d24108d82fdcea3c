"""Makes compiled rules: for a wheel, for the browser, or here when they are first needed."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lampion.core.compile import MODE, game_of
from lampion.core.game import find_game, own_game_names
from lampion.core.native import compilers
from lampion.core.native.doors import Module
from lampion.core.native.library import COMPILED, DOORS, STUDY_DOORS, WEB, Library, cache_root
from lampion.core.native.refusal import Untranslatable
from lampion.core.native.targets import Target, here, wanted
from lampion.core.native.variants import CHECKED

A_MONTH = 30 * 24 * 3600
MADE_FOR = "target.txt"
"""The note beside the modules of a wheel that says which machines they run on."""


def make_here(library: Library, variant: str) -> Path | None:
    """Make a module in the cache, and say so: it takes a moment."""
    compiler = compilers.find()
    if compiler is None:
        _say_once(
            "no C compiler found, so rules run as plain Python, slowly; `pip install ziglang` brings one (or install gcc or clang)"
        )
        return None
    folder = _writable_cache()
    made = folder / library.file_name(variant)
    try:
        with _alone(folder / f".{library.name}-{variant}.lock"):
            if not made.exists():
                _say(f"compiling the rules of {library.game.title}, once ...")
                make(library, variant, folder, compiler, here())
            return made
    except Exception as problem:  # whatever it is: plain Python still plays
        if MODE == CHECKED:
            raise  # a test that was to check something would check nothing
        _say(
            f"{library.game.title} runs as plain Python, slowly, because its rules could not be compiled: {_reason(problem)}"
        )
        return None


def _reason(problem: Exception) -> str:
    if isinstance(problem, subprocess.CalledProcessError):
        return str(problem.stderr)
    if isinstance(problem, Untranslatable):
        return str(problem)
    return f"{type(problem).__name__}: {problem} (please report this)"


def make(
    library: Library, variant: str, folder: Path, compiler: compilers.Compiler, target: Target
) -> Path:
    """Translate and compile one module into a folder."""
    checked = variant == CHECKED
    translated = Module(library.game.title, library.game.dtype, library.entries(), checked)
    _check_stamped(library, translated)
    file_name = library.file_name(variant, target)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as work:
        source = Path(work) / f"{library.name}.c"
        source.write_text(translated.extension(library.stamp(variant)), encoding="utf-8")
        made = compiler.shared_library(source, Path(work) / file_name, variant, target)
        os.replace(made, folder / file_name)
    return folder / file_name


def _check_stamped(library: Library, translated: Module) -> None:
    """Refuse rules from a file that the name of the module does not depend on: after an edit there
    the old module would be loaded."""
    sources = {path.resolve() for path in library.sources()}
    for function in translated.program.functions.values():
        python = function.rule.function
        if getattr(python, "written_source", "") or _file_of(python) in sources:
            continue
        problem = f"the rule `{python.__name__}` is outside {library.game.folder}"
        instead = "rules belong into the folder of their game, or a package inside it"
        raise Untranslatable(str(_file_of(python)), function.line, problem, instead)


def _file_of(python: Callable[..., object]) -> Path:
    return Path(python.__code__.co_filename).resolve()


def make_all(
    libraries: Iterable[Library], folder: Path, compiler: compilers.Compiler, target: Target
) -> None:
    """What a wheel carries: every library in every variant for a target. All others are removed:
    modules for two systems can have the same name."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = {
        library.file_name(variant, target): (library, variant)
        for library in libraries
        for variant in target.variants
    }
    note = folder / MADE_FOR
    is_other = note.is_file() and note.read_text() != str(target)
    for path in folder.iterdir():
        if is_other or path.name not in {*jobs, MADE_FOR}:
            path.unlink()
    missing = [job for name, job in jobs.items() if not (folder / name).exists()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: make(job[0], job[1], folder, compiler, target), missing))
    note.write_text(str(target))


def make_package() -> None:
    """All games of the package, for a wheel or for the sources of a checkout."""
    compiler = compilers.find()
    if compiler is None:
        sys.exit("no C compiler found: install ziglang, gcc or clang")
    libraries = [*_own_libraries(DOORS), *_own_libraries(STUDY_DOORS)]
    make_all(libraries, COMPILED, compiler, wanted())


def make_for_web(folder: Path) -> None:
    """The rules and the search of all games as WebAssembly, for the client; a note beside them holds their stamps."""
    compiler = compilers.find()
    if compiler is None or not compiler.is_zig:
        sys.exit("WebAssembly needs ziglang")
    folder.mkdir(parents=True, exist_ok=True)
    for library in _own_libraries(DOORS):
        _make_web_module(library, folder, compiler)


def _make_web_module(library: Library, folder: Path, compiler: compilers.Compiler) -> None:
    made, note = folder / f"{library.game.name}.wasm", folder / f"{library.game.name}.stamp"
    stamp = library.stamp(WEB)
    if made.exists() and note.exists() and note.read_text() == stamp:
        return
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / f"{library.game.name}.c"
        translated = Module(library.game.title, library.game.dtype, library.entries())
        source.write_text(translated.web_assembly(), encoding="utf-8")
        compiler.web_assembly(source, made)
    note.write_text(stamp)


def _own_libraries(modules: tuple[str, ...]) -> list[Library]:
    found = [game_of(find_game(name).State.dtype) for name in own_game_names()]
    return [Library(game, modules) for game in found if game]


def _say(words: str) -> None:
    print(f"lampion: {words}", file=sys.stderr, flush=True)


@functools.cache
def _say_once(words: str) -> None:
    _say(words)


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process makes a module, and others that need it wait instead of making it, too."""
    try:
        import fcntl
    except ImportError:  # Windows: each makes it, and the last one stays
        yield
        return
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


# --- the cache ---------------------------------------------------------------------------------------


def _temporary_cache() -> Path:
    """One folder per user. A user who can write there decides what this process runs, so a folder that
    others can write to is not used; then this process has one of its own, as long as it runs."""
    user = os.getuid() if hasattr(os, "getuid") else None
    folder = Path(tempfile.gettempdir()) / ("lampion" if user is None else f"lampion-{user}")
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        is_ours = user is None or (found.st_uid == user and not found.st_mode & 0o022)
        if stat.S_ISDIR(found.st_mode) and is_ours:
            return folder
    own = Path(tempfile.mkdtemp(prefix="lampion-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return own


@functools.cache
def _writable_cache() -> Path:
    """The cache, made if need be; modules older than a month are removed. Where nothing can be
    written, a folder among the temporary ones that all processes of this user share."""
    folder = cache_root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        folder = _temporary_cache()
    for path in folder.iterdir():
        if path.suffix == here().suffix and path.stat().st_mtime < time.time() - A_MONTH:
            path.unlink(missing_ok=True)
        elif (
            path.is_dir()
            and path.name.startswith(".making-")
            and path.stat().st_mtime < time.time() - A_MONTH
        ):
            shutil.rmtree(path, ignore_errors=True)
    return folder
