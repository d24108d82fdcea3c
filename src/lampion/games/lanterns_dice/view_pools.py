"""Sets of pools in words, for the view. An action changes one set or two of one sheet, so what was
found for a set is kept."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from lampion.games.lanterns_dice.actions import PLACEMENT_POOLS, PLACEMENT_SHAPES
from lampion.games.lanterns_dice.components import (
    BOAT,
    COLOR_LETTERS,
    LOWER,
    MAX_SHAPE_POOLS,
    NO_FEATURE,
    NUM_COLUMNS,
    NUM_HALVES,
    NUM_POOLS,
    NUM_ROWS,
    NUM_SHAPES,
    PAVILION_LOWER,
    PAVILION_UPPER,
    PLATFORM,
    POOL_NAMES,
    SHAPE_NAMES,
    UPPER,
    Half,
    Pool,
)
from lampion.games.lanterns_dice.notation import area_text, placement_text
from lampion.games.lanterns_dice.rules_scoring import group_of_lowest, second_group
from lampion.games.lanterns_dice.state import PoolSet, State, pools_in

_kept = functools.lru_cache(maxsize=4096)


@_kept
def pool_numbers(pools: PoolSet) -> tuple[Pool, ...]:
    return tuple(pools_in(pools))


@_kept
def pool_names(pools: PoolSet) -> tuple[str, ...]:
    return tuple(POOL_NAMES[pool] for pool in pools_in(pools))


@_kept
def area_names(half: Half, pools: PoolSet) -> tuple[str, ...]:
    return tuple(area_text(half, pool) for pool in pools_in(pools))


@_kept
def group_names(pools: PoolSet) -> tuple[tuple[str, ...], ...]:
    """The groups that pools form, the largest first."""
    found = []
    while pools:
        group = group_of_lowest(pools)
        pools ^= group
        found.append(pool_names(group))
    return tuple(sorted(found, key=len, reverse=True))


@_kept
def size_of_second_group(completed: PoolSet) -> int:
    return second_group(completed)


# --- where fireworks fit --------------------------------------------------------------------------


class Room(NamedTuple):
    """Where a tile of one shape fits, and how many areas are missing to the nearest place (None:
    there is no room left)."""

    launches: tuple[str, ...]
    missing: int | None


NO_ROOM = Room((), None)


_FIRST_PLACEMENTS = np.searchsorted(PLACEMENT_SHAPES, np.arange(NUM_SHAPES))
_COVERED = NUM_HALVES * MAX_SHAPE_POOLS + 1
"""Stands for the areas missing where a tile lies already: more than there can be."""


@_kept
def rooms(upper: PoolSet, lower: PoolSet, covered: PoolSet) -> dict[str, Room]:
    """By shape. The sets are the pools whose upper and lower areas are
    shaded, and those under tiles."""
    unshaded = np.bitwise_count(PLACEMENT_POOLS & ~upper) + np.bitwise_count(
        PLACEMENT_POOLS & ~lower
    )
    missing = np.where(PLACEMENT_POOLS & covered, _COVERED, unshaded)
    nearest = np.minimum.reduceat(missing, _FIRST_PLACEMENTS).tolist()
    launches: list[list[str]] = [[] for _ in range(NUM_SHAPES)]
    for placement in np.flatnonzero(missing == 0).tolist():
        launches[PLACEMENT_SHAPES[placement]].append(placement_text(placement))
    found = zip(SHAPE_NAMES, launches, nearest, strict=True)
    return {
        name: NO_ROOM if near == _COVERED else Room(tuple(fits), near) for name, fits, near in found
    }


# --- lakes ----------------------------------------------------------------------------------------


def lake_rows(seen: State, sheet: int) -> tuple[str, ...]:
    """The rows of a lake from the top, written as in a components file."""
    features = (*seen.pavilions[sheet].tolist(), int(seen.platforms[sheet]), int(seen.boats[sheet]))
    return _lake_rows(tuple(map(tuple, seen.color_areas[sheet].tolist())), features)


@_kept
def _lake_rows(
    color_areas: tuple[tuple[PoolSet, PoolSet], ...], features: tuple[PoolSet, ...]
) -> tuple[str, ...]:
    codes = [["", "", NO_FEATURE] for _ in range(NUM_POOLS)]
    for letter, areas in zip(COLOR_LETTERS, color_areas, strict=True):
        for half in (UPPER, LOWER):
            for pool in pools_in(areas[half]):
                codes[pool][half] = letter
    for feature, pools in zip(
        (PAVILION_UPPER, PAVILION_LOWER, PLATFORM, BOAT), features, strict=True
    ):
        for pool in pools_in(pools):
            codes[pool][-1] = feature
    rows = [codes[NUM_COLUMNS * row : NUM_COLUMNS * (row + 1)] for row in reversed(range(NUM_ROWS))]
    return tuple(" ".join("".join(code) for code in row) for row in rows)
