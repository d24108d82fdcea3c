"""Lanterns Dice as a seat sees it, ready for JSON. Everything is public,
so all seats see the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from lampion.core.types import NO_PLAYER, Player
from lampion.games.lanterns_dice.actions import PLACEMENT_POOLS, PLACEMENT_SHAPES, Placement
from lampion.games.lanterns_dice.components import (
    ANY_COLOR,
    CARD_ACTIONS,
    COLOR_LETTERS,
    DIAGONAL,
    LOWER,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_COLORS,
    POOL_NAMES,
    SHAPE_NAMES,
    SHAPES,
    UPPER,
    Color,
    ColorLetter,
    Shape,
    Sheet,
    SheetLetter,
    SideLetter,
)
from lampion.games.lanterns_dice.notation import placement_text
from lampion.games.lanterns_dice.rules_scoring import boats_honor, surrounded_boats
from lampion.games.lanterns_dice.rules_shading import (
    card_colors,
    completed_pools,
    die_color,
    empty_pools,
    is_bonus_due,
)
from lampion.games.lanterns_dice.rules_turn import takes_step, turns_taken
from lampion.games.lanterns_dice.state import (
    CARD_STEP,
    DIE_STEP,
    DONE,
    EMPEROR,
    FIREWORKS,
    LAUNCH_STEP,
    NEIGHBORS,
    NO_CARD,
    NO_CARD_SIDE,
    NO_COLOR,
    NO_SHAPE,
    NOT_TURNED,
    NOTHING,
    PLATFORM_BONUS,
    ROLL,
    SHEETS,
    TRAY_STEP,
    TURN_BONUS_STEP,
    State,
)
from lampion.games.lanterns_dice.view_pools import (
    NO_ROOM,
    Room,
    area_names,
    group_names,
    lake_rows,
    pool_names,
    pool_numbers,
    rooms,
    size_of_second_group,
)
from lampion.games.lanterns_dice.view_types import (
    Boat,
    Card,
    ChoiceName,
    GameView,
    PhaseName,
    Reach,
    Score,
    Seat,
    Stack,
    Tile,
)

CHOICE_NAMES: tuple[ChoiceName, ...] = get_args(ChoiceName)
"""By step; the last stands in the place of DONE, as PLATFORM_BONUS does in the trail."""
_DUE_NAMES: dict[int, PhaseName] = {
    SHEETS: "sheets",
    FIREWORKS: "fireworks",
    EMPEROR: "emperor",
    ROLL: "roll",
}
_NEIGHBORS: list[int] = NEIGHBORS.tolist()
_COLORS: tuple[ColorLetter, ...] = get_args(ColorLetter)
_SHEETS: tuple[SheetLetter, ...] = get_args(SheetLetter)
_SIDES: tuple[SideLetter, ...] = get_args(SideLetter)


def view(seen: State, seat: Player) -> GameView:
    data = seen.tobytes()
    seen = seen.unpacked()
    stacks = _stacks(seen)
    return {
        "turn": {
            "number": min(seen.turn + 1, seen.num_turns),
            "of": seen.num_turns,
            "active": seen.active,
            "active_steps": _steps(seen, seen.active),
            "other_steps": _steps(seen, NO_PLAYER),
            "phase": _phase(seen),
        },
        "dice": None if seen.dice[0] == NO_COLOR else _letters(seen.dice.tolist()),
        "tray": None if seen.tray == NOT_TURNED else seen.tray,
        "reroll_cost": seen.reroll_cost,
        "stacks": stacks,
        "emperor": _emperor(seen),
        "seats": [_kept_seat(seen, data, player, stacks) for player in range(seen.num_players)],
    }


def _phase(seen: State) -> PhaseName:
    """What the table is doing: the work of chance, `tray`, `act` for everybody at once, and in the
    end `last_launch` and `over`."""
    if seen.is_over:
        return "over"
    if seen.chance_owes != NOTHING:
        return _DUE_NAMES[seen.chance_owes]
    if seen.turn == seen.num_turns:
        return "last_launch"
    return "tray" if seen.step[seen.active] == TRAY_STEP else "act"


def _steps(seen: State, player: Player) -> list[ChoiceName]:
    """The steps of a turn that are a player's; shading for a card is part of buying it."""
    steps = (TRAY_STEP, DIE_STEP, TURN_BONUS_STEP, CARD_STEP, LAUNCH_STEP)
    return [CHOICE_NAMES[step] for step in steps if takes_step(seen, player, step)]


def _letters(colors: list[Color]) -> str:
    return "".join([COLOR_LETTERS[color] for color in colors])


def _stacks(seen: State) -> list[Stack]:
    """The stacks of fireworks; `honors` are those of the tiles left, from the top."""
    taken = seen.tiles_taken.tolist()
    return [
        stack_of(seen, shape, taken[shape]) for shape in seen.shapes.tolist() if shape != NO_SHAPE
    ]


def stack_of(pieces: State, shape: Shape, taken: int) -> Stack:
    """A stack of which some tiles are taken."""
    honors = pieces.tile_honor[shape, taken : pieces.stack_size[shape]].tolist()
    return {
        "shape": SHAPE_NAMES[shape],
        "rows": [*SHAPES[SHAPE_NAMES[shape]]],
        "honors": honors,
        "pays": honors[0] if honors else None,
    }


def _emperor(seen: State) -> list[Card]:
    costs, sides, actions = (
        seen.card_costs.tolist(),
        seen.card_sides.tolist(),
        seen.card_actions.tolist(),
    )
    return [
        {
            "card": card + 1,
            "cost": costs[card],
            "side": None if side == NO_CARD_SIDE else _SIDES[side],
            "action": None if side == NO_CARD_SIDE else CARD_ACTIONS[actions[card][side]],
        }
        for card, side in enumerate(sides)
    ]


# --- seats ----------------------------------------------------------------------------------------


_PLAYERS_OWN = [
    *("tray_seats", "sheets", "shaded", "covered", "gifts", "launched", "launched_honor"),
    *("num_launched", "honor", "step", "bonus_pool", "bought", "second_color"),
]
"""Fields with a row for each player, of which a seat shows no other player's."""
_PLACES = [State.places_without_others(player, _PLAYERS_OWN) for player in range(MAX_PLAYERS)]
_seats: dict[bytes, Seat] = {}
MOST_KEPT_SEATS = 4096


def _kept_seat(seen: State, data: bytes, player: Player, stacks: list[Stack]) -> Seat:
    """Most actions change one sheet. A seat that did not change is the same object in the next
    view, which is neither written nor compared again; it follows from `data`, the bytes of the
    record, without the rows of the other players."""
    key = b"%d%b" % (player, b"".join([data[place] for place in _PLACES[player]]))
    found = _seats.get(key)
    if found is None:
        if len(_seats) >= MOST_KEPT_SEATS:
            _seats.clear()
        found = _seats[key] = _seat(seen, player, stacks)
    return found


def _seat(seen: State, player: Player, stacks: list[Stack]) -> Seat:
    is_turned, is_dealt = seen.tray != NOT_TURNED, seen.chance_owes != SHEETS
    sheet, bought = seen.sheets.item(player), seen.bought.item(player)
    upper, lower = seen.shaded[player].tolist()
    return {
        "sheet": _SHEETS[sheet] if is_dealt else None,
        "tray_seat": seen.tray_seats.item(player),
        "die": _COLORS[die_color(seen, player, 0)] if is_turned else None,
        "diagonal_die": _COLORS[die_color(seen, player, DIAGONAL)] if is_turned else None,
        "turn_bonuses": turn_bonuses(seen, sheet) if is_dealt else None,
        "turns_taken": int(turns_taken(seen, player)),
        "card_colors": [
            _card_colors(seen, player, card) if is_turned else "" for card in range(NUM_CARDS)
        ],
        "choice": _choice(seen, player),
        "bonus_pool": POOL_NAMES[seen.bonus_pool[player]] if is_bonus_due(seen, player) else None,
        "card": None if bought == NO_CARD else bought + 1,
        "gifts": seen.gifts.item(player),
        "lake": [*lake_rows(seen, sheet)] if is_dealt else None,
        "shaded": [*area_names(UPPER, upper), *area_names(LOWER, lower)],
        "tiles": _tiles(seen, player),
        "groups": [[*group] for group in group_names(upper & lower)],
        "scoring_group": 1 if size_of_second_group(upper & lower) else None,
        "boats": _boats(seen, player, sheet) if is_dealt else [],
        "reach": _reach(stacks, rooms(upper, lower, seen.covered.item(player))),
        "score": _score(seen, player),
    }


def turn_bonuses(pieces: State, sheet: Sheet) -> str:
    """The color of each turn's bonus, in order."""
    return _letters(pieces.turn_bonuses[sheet, : pieces.num_turns].tolist())


def _card_colors(seen: State, player: Player, card: int) -> str:
    colors = int(card_colors(seen, player, seen.card_actions[card, seen.card_sides[card]]))
    if colors == ANY_COLOR:
        return ""
    return _letters([color for color in range(NUM_COLORS) if colors >> color & 1])


def _choice(seen: State, player: Player) -> ChoiceName | None:
    """What the player is asked, or None; the names are those of the steps, and `platform_bonus`."""
    if seen.is_over or seen.chance_owes != NOTHING:
        return None
    if is_bonus_due(seen, player):
        return CHOICE_NAMES[PLATFORM_BONUS]
    step = seen.step.item(player)
    return None if step == DONE else CHOICE_NAMES[step]


def _tiles(seen: State, player: Player) -> list[Tile]:
    """In the order of launching."""
    count = seen.num_launched.item(player)
    launched = zip(
        seen.launched[player, :count].tolist(),
        seen.launched_honor[player, :count].tolist(),
        strict=True,
    )
    return [launched_tile(placement, honor) for placement, honor in launched]


def launched_tile(placement: Placement, honor: int) -> Tile:
    return {
        "launch": placement_text(placement),
        "shape": SHAPE_NAMES[PLACEMENT_SHAPES[placement]],
        "pools": [*pool_names(PLACEMENT_POOLS.item(placement))],
        "honor": honor,
    }


# --- what it is worth, and what is near -----------------------------------------------------------


def _boats(seen: State, player: Player, sheet: int) -> list[Boat]:
    """`missing` are the neighbors that are not completed yet; `lost` means that its
    own pool is shaded (D13)."""
    completed, empty = int(completed_pools(seen, player)), int(empty_pools(seen, player))
    surrounded = int(surrounded_boats(seen, player))
    return [
        {
            "pool": POOL_NAMES[pool],
            "lost": not empty >> pool & 1,
            "surrounded": bool(surrounded >> pool & 1),
            "missing": [*pool_names(_NEIGHBORS[pool] & ~completed)],
        }
        for pool in pool_numbers(seen.boats.item(sheet))
    ]


def _reach(stacks: list[Stack], found: Mapping[str, Room]) -> list[Reach]:
    """Where a tile of each stack fits now; one that is gone fits nowhere."""
    near = [found[stack["shape"]] if stack["honors"] else NO_ROOM for stack in stacks]
    return [
        {"shape": stack["shape"], "launches": [*room.launches], "missing": room.missing}
        for stack, room in zip(stacks, near, strict=True)
    ]


def _score(seen: State, player: Player) -> Score:
    """D17, as it stands."""
    fireworks, boats = seen.honor.item(player), int(boats_honor(seen, player))
    second = size_of_second_group(int(completed_pools(seen, player)))
    return {
        "fireworks": fireworks,
        "second_group": second,
        "boats": boats,
        "total": fireworks + second + boats,
    }
