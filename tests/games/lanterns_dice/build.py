"""Positions of Lanterns Dice for tests, written as on the sheets."""

from __future__ import annotations

from lampion.core.events import event_kind
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.options import checked
from lampion.games.lanterns_dice.actions import LAUNCH
from lampion.games.lanterns_dice.components import (
    LOWER,
    NUM_COLUMNS,
    NUM_ROWS,
    POOL_NAMES,
    SHAPE_NAMES,
    SHEET_LETTERS,
    UPPER,
    LanternsDiceFile,
)
from lampion.games.lanterns_dice.notation import parse_action
from lampion.games.lanterns_dice.rules_chance import owe_next
from lampion.games.lanterns_dice.rules_fireworks import launch
from lampion.games.lanterns_dice.state import ROLL, State, pool_set

_HALVES = {".": (), "u": (UPPER,), "l": (LOWER,), "x": (UPPER, LOWER)}


def pool(row: int, column: int) -> str:
    """The name of a pool that is given by row and column from the top left."""
    return POOL_NAMES[(NUM_ROWS - 1 - row) * NUM_COLUMNS + column]


def position(
    players: int,
    *,
    lakes: list[str] | None = None,
    tiles: list[str] | None = None,
    taken: str = "",
    gifts: list[int] | None = None,
    active: int = 0,
    turn: int = 1,
    sheets: str = SHEET_LETTERS,
    setup: str = "first",
    components: LanternsDiceFile | None = None,
    **options: str,
) -> Match:
    """A match before the roll of a turn; chance is to be submitted.

    Lakes are drawn row by row from the top, `x` for a completed pool, `u` and `l` for a shaded
    area, or listed as areas `c4u e2l`. Tiles are launches, with the honor they brought
    (`T4o0@b2=5`); `taken` are shapes of which a tile has gone.
    """
    game = find_game("lanterns_dice")
    chosen = checked(game.TITLE, game.OPTIONS, players, {"setup": setup, **options})
    state = game.new_state(players, chosen, components or game.read_components(None))
    assert isinstance(state, State)
    state.sheets[:players] = [SHEET_LETTERS.index(letter) for letter in sheets[:players]]
    for player, lake in enumerate(lakes or []):
        shade_lake(state, player, lake)
    for player, launches in enumerate(tiles or []):
        for text in launches.split():
            launch_for(state, player, text)
    for shape in taken.split():
        state.tiles_taken[SHAPE_NAMES.index(shape)] += 1
    state.gifts[: len(gifts or [])] = gifts or []
    state.active, state.turn = active, turn - 1
    owe_next(state)
    return Match(game, players, chosen, components=components, start=state)


def after(match: Match, texts: str) -> Match:
    """Submit actions, each for the player to act; `1:c4u` is for player 1."""
    for text in texts.split():
        player, _, action = text.rpartition(":")
        match.submit(action, int(player) if player else None)
    return match


def at_the_die(match: Match, roll: str = "rRBOW", tray: str = "t0") -> Match:
    """Everybody is about to shade the color of their die."""
    assert isinstance(match.state, State)
    assert match.state.chance_owes == ROLL
    return after(match, f"{roll} {tray}")


def last_launches(match: Match) -> Match:
    """Skip everything that is left of the last turn."""
    after(match, "rRBOW t0")
    while match.to_act >= 0 and match.view()["turn"]["phase"] == "act":
        match.submit("skip")
    return match


def shade_lake(state: State, player: int, lake: str) -> None:
    is_drawn = lake and set(lake) <= {*_HALVES, " ", "\n"}
    for area in _drawn(lake) if is_drawn else lake.split():
        half = UPPER if area[2] == "u" else LOWER
        state.shaded[player, half] |= pool_set([POOL_NAMES.index(area[:2])])


def _drawn(lake: str) -> list[str]:
    rows = lake.split()
    assert [len(row) for row in rows] == [NUM_COLUMNS] * NUM_ROWS, (
        "a lake is drawn with six rows of nine pools"
    )
    return [
        pool(row, column) + "ul"[half]
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
        for half in _HALVES[mark]
    ]


def launch_for(state: State, player: int, text: str) -> None:
    """Put a tile on a lake; it is taken from the place in its stack
    where that honor comes first."""
    name, _, honor = text.partition("=")
    shape = SHAPE_NAMES.index(name[:2])
    if honor:
        state.tiles_taken[shape] = state.tile_honor[shape].tolist().index(int(honor))
    launch(state, player, parse_action(state, player, name) - LAUNCH)


def gifts(match: Match) -> list[int]:
    return [seat["gifts"] for seat in match.view()["seats"]]


def shaded(match: Match, player: int) -> set[str]:
    return set(match.view()["seats"][player]["shaded"])


def told(match: Match) -> list[str]:
    """The kinds of the events of the last action."""
    return [event_kind(event) for event in match.events()]
