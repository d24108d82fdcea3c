"""Lanterns Dice for the tests of all games: combinations of options, and a position in the form of
the oracle's `facts`."""

from __future__ import annotations

from typing import Any

from lampion.games.lanterns_dice.actions import PLACEMENT_POOLS, PLACEMENT_SHAPES
from lampion.games.lanterns_dice.components import (
    COLOR_LETTERS,
    NUM_HALVES,
    NUM_SHAPES,
    POOL_NAMES,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
)
from lampion.games.lanterns_dice.notation import area_text
from lampion.games.lanterns_dice.rules_scoring import boats_honor, second_group
from lampion.games.lanterns_dice.rules_shading import completed_pools
from lampion.games.lanterns_dice.state import (
    ALL_POOLS,
    NO_CARD,
    NO_POOL,
    NOT_TURNED,
    NOTHING,
    POOL_BIT,
    SHEETS,
    State,
    pools_in,
)


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return [
        {"lakes": "four", "fireworks": "X5 I3 V3 S4"},
        {"setup": "first", "emperor": "BBB"},
    ]


def facts(state: State) -> dict[str, Any]:
    players = range(state.num_players)
    is_dealt = state.chance_owes != SHEETS
    shapes = [int(shape) for shape in state.shapes if shape >= 0]
    return {
        "sheets": "".join(SHEET_LETTERS[state.sheets[player]] for player in players)
        if is_dealt
        else "",
        "fireworks": [SHAPE_NAMES[shape] for shape in shapes],
        "emperor": "".join(SIDE_LETTERS[side] for side in state.card_sides if side >= 0),
        "dice": "".join(COLOR_LETTERS[color] for color in state.dice if color >= 0),
        "turned": None if state.tray == NOT_TURNED else state.tray,
        "active": state.active,
        "turn": min(state.turn + 1, state.num_turns),
        "shaded": [_shaded(state, player) for player in players],
        "gifts": [int(state.gifts[player]) for player in players],
        "stacks": {SHAPE_NAMES[shape]: _stack(state, shape) for shape in shapes},
        "launched": [
            [_tile(state, player, k) for k in range(state.num_launched[player])]
            for player in players
        ],
        "parts": [_parts(state, player) for player in players],
    }


def check_nothing_lost(state: State) -> None:
    """Tiles are in their stacks or on lakes, on completed pools of their
    own; gifts are never owed."""
    launched: list[list[int]] = [[] for _ in range(NUM_SHAPES)]
    for player in range(state.num_players):
        covered = 0
        for k in range(state.num_launched[player]):
            placement = state.launched[player, k]
            launched[PLACEMENT_SHAPES[placement]].append(int(state.launched_honor[player, k]))
            assert covered & PLACEMENT_POOLS[placement] == 0, "tiles do not overlap"
            covered |= int(PLACEMENT_POOLS[placement])
        assert covered == state.covered[player]
        assert covered & ~completed_pools(state, player) == 0
        assert state.honor[player] == sum(
            state.launched_honor[player, : state.num_launched[player]]
        )
        check_step(state, player)
    for shape, honors in enumerate(launched):
        assert (
            sorted(honors, reverse=True)
            == state.tile_honor[shape, : state.tiles_taken[shape]].tolist()
        )
    assert (state.gifts >= 0).all() and (state.tiles_taken <= state.stack_size).all()
    assert (state.shaded & ~ALL_POOLS == 0).all()


def check_step(state: State, player: int) -> None:
    """Nobody is in the middle of anything between two turns, and a bonus is
    due at a completed platform."""
    if state.chance_owes != NOTHING or state.is_over:
        assert state.bonus_pool[player] == NO_POOL and state.bought[player] == NO_CARD
    if state.bonus_pool[player] != NO_POOL:
        platforms = state.platforms[state.sheets[player]] & completed_pools(state, player)
        assert platforms & POOL_BIT[state.bonus_pool[player]]


def _shaded(state: State, player: int) -> list[str]:
    return sorted(
        area_text(half, pool)
        for half in range(NUM_HALVES)
        for pool in pools_in(state.shaded[player, half])
    )


def _stack(state: State, shape: int) -> list[int]:
    left = state.tile_honor[shape, state.tiles_taken[shape] : state.stack_size[shape]]
    return [int(honor) for honor in left]


def _tile(state: State, player: int, k: int) -> list[Any]:
    placement = state.launched[player, k]
    pools = sorted(POOL_NAMES[pool] for pool in pools_in(PLACEMENT_POOLS[placement]))
    return [SHAPE_NAMES[PLACEMENT_SHAPES[placement]], int(state.launched_honor[player, k]), pools]


def _parts(state: State, player: int) -> list[int]:
    """Fireworks, second group, boats."""
    parts = (
        state.honor[player],
        second_group(completed_pools(state, player)),
        boats_honor(state, player),
    )
    return [int(part) for part in parts]
