"""The base install: what the wheel brings into an empty environment, and what can be done with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_PACKAGES = 6
MOST_BYTES = 80_000_000
MOST_MODULE_BYTES = 100_000
PLAYS = """
import lampion
from lampion.bots.levels import make_player
from lampion.core.rng import new_rng

match, player, rng = lampion.new("lumens", players=2, seed=1), make_player("greedy"), new_rng(1)
while not match.is_over:
    seat = match.to_act
    seen, legal = match.seen_from(seat), match.legal_ids(seat)
    match.submit(player.bot.choose(seen, seat, legal, player.budget, rng), seat)
print(lampion.verify(lampion.dump(match)) > 0)
"""


def uv(*words: str) -> str:
    """Runs where the lock file is, so that everything comes in the versions of the lock."""
    command = [str(ROOT / "scripts" / "uv"), *words]
    # The client is no part of what is tested here, and takes long to build.
    environment = {**os.environ, "SKIP_FRONTEND": "1", "UV_NO_PROGRESS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Environment:
    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        programs = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        self.python = programs / "python"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Python in the environment, far from the sources."""
        kept = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
        environment = kept | {"LAMPION_CACHE": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [str(self.python), *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def lampion(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "lampion", *words)


def test_the_base_install_is_small_and_plays(tmp_path: Path) -> None:
    """One test, because the wheel is built and installed once for all of it."""
    base = installed(tmp_path)
    check_it_is_small(base)
    check_all_commands_are_listed(base)
    check_a_bot_plays_on_the_command_line(base)
    check_a_bot_plays_in_python_with_the_rules_from_the_wheel(base)
    for words in ("serve", "admin status", "data backup games.db"):
        check_it_says_what_to_type(base, words)


def installed(folder: Path) -> Environment:
    """An environment with the wheel and what it needs, in the versions of the lock."""
    made = Environment(folder)
    uv("build", "--quiet", "--wheel", "--out-dir", str(folder))
    (wheel,) = folder.glob("*.whl")
    locked = folder / "locked.txt"
    locked.write_text(uv("export", "--frozen", "--no-dev", "--no-emit-project", "--no-hashes"))
    uv("venv", "--quiet", "--python", sys.executable, str(folder / "env"))
    where = ("--quiet", "--python", str(made.python), "--no-compile-bytecode")
    uv("pip", "install", *where, "--constraints", str(locked), str(wheel))
    return made


def check_it_is_small(base: Environment) -> None:
    listed = json.loads(uv("pip", "list", "--python", str(base.python), "--format", "json"))
    names = {package["name"] for package in listed}
    assert {"lampion", "numpy"} <= names
    assert len(names) <= MOST_PACKAGES, names
    files = [path for path in (base.folder / "env" / "lib").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES
    modules = {path.name: path.stat().st_size for path in files if path.parent.name == "compiled"}
    assert sum(name.startswith("lanterns_dice-") for name in modules) >= 2
    assert max(modules.values()) < MOST_MODULE_BYTES, modules


def check_a_bot_plays_on_the_command_line(base: Environment) -> None:
    words = ("play", "lanterns", "--players", "2", "--humans", "0", "--bot", "greedy")
    done = base.lampion(*words, "--save", "game.json")
    assert done.returncode == 0, done.stderr
    assert "The game is over" in done.stdout
    checked = base.lampion("verify", "game.json")
    assert checked.returncode == 0, checked.stderr
    rated = base.lampion("arena", "lanterns_dice", "greedy", "random", "-p", "2", "-n", "2")
    assert rated.returncode == 0, rated.stderr
    assert "greedy" in rated.stdout


def check_a_bot_plays_in_python_with_the_rules_from_the_wheel(base: Environment) -> None:
    done = base.run("-c", PLAYS)
    assert done.stdout == "True\n", done.stderr
    assert done.stderr == ""
    assert not base.cache.exists(), "nothing is compiled where the wheel was installed"


def check_it_says_what_to_type(base: Environment, words: str) -> None:
    done = base.lampion(*words.split())
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "pip install 'lampion[server]'" in done.stderr
    assert done.stderr.rstrip().endswith("[missing-extra]")


def check_all_commands_are_listed(base: Environment) -> None:
    done = base.lampion("--help")
    assert done.returncode == 0, done.stderr
    assert "Serve the games" in done.stdout
    assert "Look after a server" in done.stdout
