"""Games know themselves: nothing outside a game's package and its folder in the client names a
game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lampion.core.game import find_game
from tests.support import EXAMPLES, OWN

ROOT = Path(__file__).parent.parent
SOURCES = (
    "src/lampion",
    "web/src",
    "web/scripts",
    "web/index.html",
    "web/vite.config.ts",
    "hatch_build.py",
)
ENDINGS = {".py", ".h", ".toml", ".md", ".ts", ".svelte", ".mjs", ".js", ".json", ".css", ".html"}
MADE = ("src/lampion/server/documentation/", "src/lampion/server/static", "src/lampion/compiled")
HOMES = ("src/lampion/games/{game}", "web/src/boards/{game}")
ART = ("src/lampion/games/art.py", "web/src/art")
"""Drawings share their lanterns, a piece of wood and paper that happens to be called like a game."""
ART_MODULE = "$art/lanterns"
NUMBERS = {"hex"}
"""Numbers to the base 16 are written everywhere; the title of the game is looked for all the same."""
TESTS = (".test.ts",)


def names_of(game: str) -> set[str]:
    """How a game may be called: `my_game`, `my-game`, `MyGame` and the first words of its title."""
    title = find_game(game).TITLE.split(":")[0]
    words = game.split("_")
    names = {game, "-".join(words), "".join(word.capitalize() for word in words), title}
    return names - NUMBERS


def is_art(path: str) -> bool:
    return path.startswith(ART)


def sources() -> list[Path]:
    found = []
    for name in SOURCES:
        place = ROOT / name
        found += (
            [place]
            if place.is_file()
            else [one for one in place.rglob("*") if one.suffix in ENDINGS]
        )
    homes = tuple(home.format(game=game) + "/" for home in HOMES for game in OWN)
    shown = {one: one.relative_to(ROOT).as_posix() for one in found}
    return sorted(
        one
        for one, path in shown.items()
        if not path.startswith((*MADE, *homes)) and not path.endswith(TESTS)
    )


def found_in(path: str, text: str, games: list[str]) -> list[str]:
    """Every line of a source that names a game, with its place."""
    names = sorted({name for game in games for name in names_of(game)}, key=len, reverse=True)
    # A path or an identifier of several words counts as well: `lumens_tour`, `view-lumens`, `LumensGame`.
    pattern = re.compile("|".join(rf"(?<![A-Za-z]){re.escape(name)}(?![a-z])" for name in names))
    lines = text.replace(ART_MODULE, "").splitlines()
    if is_art(path):
        lines = [re.sub(r"\blanterns\b|\bLanterns\b", "", line) for line in lines]
    return [
        f"{path}:{number}: {line.strip()}"
        for number, line in enumerate(lines, 1)
        if pattern.search(line)
    ]


def test_no_source_outside_a_game_names_it() -> None:
    games = [*OWN, *EXAMPLES]
    named = [
        place
        for one in sources()
        for place in found_in(one.relative_to(ROOT).as_posix(), one.read_text("utf-8"), games)
    ]
    assert not named, "\n".join(named)


def test_no_file_outside_a_game_is_called_like_one() -> None:
    called = [
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if any(name in path.stem.split(".")[0] for game in OWN for name in names_of(game))
    ]
    assert [path for path in called if not is_art(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        'TUNED = {"lumens": 1}',
        'if game == "lanterns":',
        "class LanternsDiceGame(Base):",
        'import tour from "./lumens_tour";',
        '  "option.lanterns_dice.lakes": "Lakes",',
        'from "../boards/lanterns_dice/view"',
        "Three games: Lanterns, Lanterns Dice and Lumens",
        "connect_four = 4",
    ],
)
def test_a_name_would_be_found(line: str) -> None:
    assert found_in("src/lampion/bots/search.py", line, [*OWN, *EXAMPLES])


def test_a_paper_lantern_is_not_a_game() -> None:
    assert not found_in("web/src/art/Lantern.svelte", 'from "./lanterns"; // many lanterns', OWN)
    assert found_in("web/src/art/GamePicture.svelte", 'game === "lanterns_dice"', OWN)
