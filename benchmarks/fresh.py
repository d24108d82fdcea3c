"""How long a newcomer waits: from a fresh clone to the first answer of a bot in every game.

python -m benchmarks.fresh [--from REPOSITORY] [--json FILE]

Clones the project into an empty folder and runs what `make play` runs, with empty caches: uv and its
downloads, the packages, the client and the compiled rules. Then, as the page does, it makes a table
of each game at which a bot sits, and waits for the bot's first action. The seconds of each step are
those on the clock, so they mean something on a quiet machine only. Exits with 1 where an answer
takes longer than MOST_SECONDS, or where the clone compiled rules at run time.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from benchmarks.limits import Limit, judge
from lampion.terminal import note, show, table

MOST_SECONDS = 3.0
"""From the page being up to the first answer of a bot, in any game."""
PATIENCE = 1800.0
CACHES = ("UV_CACHE_DIR", "UV_PYTHON_INSTALL_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "npm_config_cache", "LAMPION_CACHE")  # fmt: skip


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def play_command(clone: Path, port: int) -> list[str]:
    """What `make play` runs there, on that port and without opening a browser."""
    words = next(
        line for line in (clone / "Makefile").read_text().splitlines() if "lampion serve" in line
    )
    command = words.strip().lstrip("@").replace("$(UV)", "scripts/uv").replace("--open", "")
    return [*command.split(), "--port", str(port), "--bot-pause", "0"]


def empty_environment(folder: Path) -> dict[str, str]:
    """Nothing that earlier runs left behind, and none of this Python's packages."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LAMPION_", "VIRTUAL_ENV", "PYTHONPATH"))
    }
    bare = [part for part in kept["PATH"].split(os.pathsep) if not part.startswith(sys.prefix)]
    caches = {name: str(folder / name.lower()) for name in CACHES}
    return kept | caches | {"PATH": os.pathsep.join(bare)}


def until(ready: Callable[[], bool], still_running: Callable[[], bool]) -> float:
    """How many seconds it takes until something is ready."""
    start = time.perf_counter()
    while not ready():
        waited = time.perf_counter() - start
        assert waited < PATIENCE, "nothing came"
        assert still_running(), "the server ended"
        time.sleep(0.05)
    return time.perf_counter() - start


def has_page(client: httpx.Client) -> bool:
    try:
        return client.get("/").status_code == 200
    except httpx.TransportError:
        return False


def has_answered(client: httpx.Client, made: str) -> bool:
    """Whether the bot in seat 0, which is to act from the start, has done so."""
    actors = client.get(f"/api/tables/{made}").raise_for_status().json()["actors"]
    return bool(actors) and 0 not in actors


def make_table(client: httpx.Client, game: str, level: str) -> str:
    seats = [{"kind": "bot", "level": level}, {"kind": "me"}]
    made = client.post("/api/tables", json={"game": game, "seats": seats})
    return str(made.raise_for_status().json()["id"])


@contextlib.contextmanager
def served(
    clone: Path, environment: dict[str, str], port: int
) -> Iterator[subprocess.Popen[bytes]]:
    output = clone / "served.txt"
    with output.open("wb") as written:
        process = subprocess.Popen(
            play_command(clone, port),
            cwd=clone,
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    except BaseException:
        print(output.read_text(errors="replace")[-3000:], file=sys.stderr)
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="lampion-fresh-"))
    try:
        yield folder
    finally:
        note("Removing the clone ...")
        shutil.rmtree(folder, ignore_errors=True)


def measure(repository: str, folder: Path) -> tuple[dict[str, float], bool]:
    """Seconds of each step, and whether rules were compiled at run time."""
    clone, found = folder / "lampion", dict[str, float]()
    environment, port = empty_environment(folder), free_port()
    start = time.perf_counter()
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", repository, str(clone)],
        env=environment,
        check=True,
    )
    found["clone"] = time.perf_counter() - start
    base = f"http://127.0.0.1:{port}"
    with (
        served(clone, environment, port) as process,
        httpx.Client(base_url=base, timeout=60, trust_env=False) as client,
    ):

        def is_running() -> bool:
            return process.poll() is None

        page = functools.partial(has_page, client)
        found["installation, until the page is there"] = until(page, is_running)
        catalogue = client.get("/api/catalogue").raise_for_status().json()
        for name in (game["name"] for game in catalogue["games"]):
            start = time.perf_counter()
            made = make_table(client, name, catalogue["default_level"])
            until(functools.partial(has_answered, client, made), is_running)
            found[f"first answer, {name}"] = time.perf_counter() - start
    return found, Path(environment["LAMPION_CACHE"]).exists()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    here = str(Path(__file__).parents[1])
    parser.add_argument("--from", dest="repository", default=here, help="what to clone")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    wanted = parser.parse_args()
    with empty_folder() as folder:
        found, is_compiled_here = measure(wanted.repository, folder)
        rows = [(name, f"{seconds:.2f}") for name, seconds in found.items()]
        show(table(("step", "seconds"), rows))
    if wanted.json:
        wanted.json.write_text(json.dumps(found, indent=1) + "\n")
    answers = {name: seconds for name, seconds in found.items() if name.startswith("first")}
    judge(
        [
            *(Limit(name, seconds, most=MOST_SECONDS) for name, seconds in answers.items()),
            Limit("modules compiled at run time", float(is_compiled_here), most=0.0),
        ]
    )


if __name__ == "__main__":
    main()
