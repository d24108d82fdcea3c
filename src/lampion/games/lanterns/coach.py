"""Why a decision in Lanterns was worse than another: cards, favors and sets that one brings and the
other does not (see `core.comparison`).

Everything compared here is on the table or in the player's own hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lampion.core.comparison import Comparison, Reason, Topic, first_of_each
from lampion.core.types import Action, IntArray, Player
from lampion.games.lanterns.actions import (
    DEDICATE_FOUR,
    DEDICATE_PAIRS,
    DEDICATE_SEVEN,
    DISCARD,
    EXCHANGE,
    PASS,
    PLACE,
    placed_on,
    placed_rotation,
    placed_slot,
)
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    COLOR_LETTERS,
    FOUR_OF_A_KIND,
    NUM_COLORS,
    NUM_SIDES,
    NUM_STACKS,
    PAIRS_IN_A_SET,
    SEVEN_UNIQUE,
    STACK_NAMES,
    THREE_PAIRS,
    Color,
    Stack,
)
from lampion.games.lanterns.rules_cards import stack_pays
from lampion.games.lanterns.rules_lake import (
    facing_color,
    laid_tile,
    matching_tile,
    side_color,
)
from lampion.games.lanterns.state import NO_TILE, State

NEAR = 2
"""A player who lacks so few cards for a set is near it."""


def reasons(compared: Comparison) -> Iterator[Reason]:
    """The weightiest first."""
    return first_of_each(TOPICS, compared)


# --- what an action is ----------------------------------------------------------------------------


def is_placing(action: Action) -> bool:
    return action >= PLACE


def dedicated(action: Action) -> Stack | None:
    """The stack of a dedication."""
    if not DEDICATE_FOUR <= action < DISCARD:
        return None
    if action < DEDICATE_PAIRS:
        return FOUR_OF_A_KIND
    return THREE_PAIRS if action < DEDICATE_SEVEN else SEVEN_UNIQUE


def laid_by(c: Comparison, action: Action) -> tuple[int, int]:
    """The tile of a placement as it lies, and its cell."""
    tile = int(c.before.hand[c.seat, placed_slot(action)])
    return laid_tile(tile, placed_rotation(action)), int(c.before.frontier[placed_on(action)])


def matched_sides(state: State, laid: int, cell: int) -> int:
    return sum(matching_tile(state, cell, laid, side) != NO_TILE for side in range(NUM_SIDES))


# --- sets -----------------------------------------------------------------------------------------


def missing(cards: IntArray, stack: Stack) -> int:
    """How many cards a hand lacks for a set of that stack."""
    if stack == FOUR_OF_A_KIND:
        return max(0, CARDS_FOUR - int(cards.max()))
    if stack == SEVEN_UNIQUE:
        return NUM_COLORS - int((cards > 0).sum())
    pairs = np.sort(np.minimum(cards, CARDS_PAIR))[-PAIRS_IN_A_SET:]
    return PAIRS_IN_A_SET * CARDS_PAIR - int(pairs.sum())


def lacks(state: State, player: Player, stack: Stack) -> int:
    return missing(state.lanterns[player], stack)


def holds(state: State, player: Player, stack: Stack) -> bool:
    return lacks(state, player, stack) == 0


def by_pay(state: State) -> list[Stack]:
    """The stacks, those that pay most first."""
    return sorted(range(NUM_STACKS), key=lambda stack: -stack_pays(state, stack))


def pay_after_next(state: State, stack: Stack) -> int:
    """What a stack pays when one more token is gone."""
    taken = int(state.tokens_taken[stack]) + 1
    if taken < state.stack_size[stack]:
        return int(state.stack_honor[stack, taken])
    return int(state.generic_honor)


# --- dedications ----------------------------------------------------------------------------------


def last_chance(c: Comparison) -> Reason | None:
    """L14: who passes has no turn left."""
    stack = dedicated(c.best)
    if stack is None or c.played != PASS:
        return None
    return _dedication("last_chance", c, stack)


def stack_drops(c: Comparison) -> Reason | None:
    """Another player holds the same set, and the token below pays less."""
    stack = dedicated(c.best)
    if stack is None or dedicated(c.played) is not None:
        return None
    now, later = int(stack_pays(c.before, stack)), pay_after_next(c.before, stack)
    rival = next((other for other in c.others if holds(c.before, other, stack)), None)
    if rival is None or later >= now:
        return None
    values = {"player": rival, "stack": STACK_NAMES[stack], "count": now, "next": later}
    return Reason("stack_drops", values)


def dedicate_now(c: Comparison) -> Reason | None:
    stack = dedicated(c.best)
    if stack is None or dedicated(c.played) is not None:
        return None
    return _dedication("dedicate_now", c, stack)


def _dedication(kind: str, c: Comparison, stack: Stack) -> Reason:
    return Reason(kind, {"stack": STACK_NAMES[stack], "count": int(stack_pays(c.before, stack))})


def worse_dedication(c: Comparison) -> Reason | None:
    played, best = dedicated(c.played), dedicated(c.best)
    if played is None or best is None:
        return None
    paid, better = int(stack_pays(c.before, played)), int(stack_pays(c.before, best))
    return Reason("worse_dedication", {"count": paid, "best": better}) if paid < better else None


def set_broken(c: Comparison) -> Reason | None:
    """A set that was held, was not dedicated, and is gone."""
    for stack in by_pay(c.before):
        is_kept = holds(c.better, c.seat, stack) and not holds(c.after, c.seat, stack)
        if is_kept and holds(c.before, c.seat, stack) and stack != dedicated(c.played):
            return Reason("set_broken", {"stack": STACK_NAMES[stack]})
    return None


def set_completed(c: Comparison) -> Reason | None:
    for stack in by_pay(c.better):
        is_new = holds(c.better, c.seat, stack) and not holds(c.before, c.seat, stack)
        if is_new and not holds(c.after, c.seat, stack):
            pays = int(stack_pays(c.better, stack))
            return Reason("set_completed", {"stack": STACK_NAMES[stack], "count": pays})
    return None


def closer(c: Comparison) -> Reason | None:
    """The better action leaves fewer cards to go to a set."""
    if (dedicated(c.played) is None) != (dedicated(c.best) is None):
        return None
    found = None
    for stack in by_pay(c.before):
        left, best = lacks(c.after, c.seat, stack), lacks(c.better, c.seat, stack)
        if 0 < best < left and (found is None or best < found.values["best"]):
            found = Reason("closer", {"stack": STACK_NAMES[stack], "count": left, "best": best})
    return found


# --- what the others get --------------------------------------------------------------------------


def gave_set(c: Comparison) -> Reason | None:
    """The card that faces another player completes a set of theirs."""
    if not is_placing(c.played):
        return None
    laid, _ = laid_by(c, c.played)
    for other in c.others:
        color = facing_color(c.before, laid, other)
        if not gains(c, other, color):
            continue
        for stack in by_pay(c.before):
            is_new = holds(c.after, other, stack) and not holds(c.before, other, stack)
            if is_new and not holds(c.better, other, stack):
                return _given("gave_set", other, color, stack)
    return None


def gains(c: Comparison, player: Player, color: Color) -> bool:
    """Whether the played action gives a player a card of that color."""
    return bool(c.after.lanterns[player, color] > c.before.lanterns[player, color])


def _given(kind: str, player: Player, color: Color, stack: Stack) -> Reason:
    values = {"player": player, "color": COLOR_LETTERS[color], "stack": STACK_NAMES[stack]}
    return Reason(kind, values)


def gave_closer(c: Comparison) -> Reason | None:
    """A card that brings another player near a set."""
    if not is_placing(c.played):
        return None
    for other in c.others:
        for stack in by_pay(c.before):
            now, best = lacks(c.after, other, stack), lacks(c.better, other, stack)
            if 0 < now <= NEAR and now < min(best, lacks(c.before, other, stack)):
                values = {"player": other, "stack": STACK_NAMES[stack], "count": now, "best": best}
                return Reason("gave_closer", values)
    return None


def gave_cards(c: Comparison) -> Reason | None:
    """Where piles run out, not everybody gets a card."""
    if not (is_placing(c.played) and is_placing(c.best)):
        return None
    more = sum(
        int(c.after.num_lanterns[other] - c.better.num_lanterns[other]) for other in c.others
    )
    return Reason("gave_cards", {"count": more}) if more > 0 else None


# --- cards and favors -----------------------------------------------------------------------------


def no_match(c: Comparison) -> Reason | None:
    """L10: a side that matches brings a card, and favors for platforms."""
    if not (is_placing(c.played) and is_placing(c.best)):
        return None
    played, best = (matched_sides(c.before, *laid_by(c, action)) for action in (c.played, c.best))
    return Reason("no_match", {"count": best}) if best > played == 0 else None


def fewer_cards(c: Comparison) -> Reason | None:
    if not (is_placing(c.played) and is_placing(c.best)):
        return None
    before = int(c.before.num_lanterns[c.seat])
    got, best = (int(each.num_lanterns[c.seat]) - before for each in (c.after, c.better))
    return Reason("fewer_cards", {"count": got, "best": best}) if got < best else None


def fewer_favors(c: Comparison) -> Reason | None:
    """L10: platforms."""
    if not (is_placing(c.played) and is_placing(c.best)):
        return None
    more = int(c.better.favors[c.seat] - c.after.favors[c.seat])
    return Reason("fewer_favors", {"count": more}) if more > 0 else None


def enough_favors(c: Comparison) -> Reason | None:
    """L6: an exchange needs so many."""
    cost, favors = int(c.before.exchange_cost), int(c.better.favors[c.seat])
    is_enough = int(c.after.favors[c.seat]) < cost <= favors
    return Reason("enough_favors", {"count": favors}) if is_enough else None


def exchange_spent(c: Comparison) -> Reason | None:
    """An exchange that completes nothing, where none was needed."""
    is_only_played = EXCHANGE <= c.played < DEDICATE_FOUR <= c.best
    if not is_only_played or any(holds(c.after, c.seat, stack) for stack in range(NUM_STACKS)):
        return None
    return Reason("exchange_spent", {"count": int(c.before.exchange_cost)})


def pile_empty(c: Comparison) -> Reason | None:
    """L12: a pile that has run out gives nothing."""
    if not (is_placing(c.played) and is_placing(c.best)):
        return None
    played, best = (_unpaid(c, action) for action in (c.played, c.best))
    if played is None or best is not None:
        return None
    return Reason("pile_empty", {"color": COLOR_LETTERS[played]})


def _unpaid(c: Comparison, action: Action) -> Color | None:
    """A color that a placement would bring the player if its pile were not empty."""
    laid, cell = laid_by(c, action)
    matched = (
        side_color(c.before, laid, side)
        for side in range(NUM_SIDES)
        if matching_tile(c.before, cell, laid, side) != NO_TILE
    )
    due = (facing_color(c.before, laid, c.seat), *matched)
    return next((int(color) for color in due if c.before.supply[color] == 0), None)


def over_limit(c: Comparison) -> Reason | None:
    """L8: too many cards to place the next tile, if there is one."""
    limit = int(c.before.card_limit)
    count, best = (int(each.num_lanterns[c.seat]) for each in (c.after, c.better))
    if not is_placing(c.played) or c.after.hand_size[c.seat] == 0 or not best <= limit < count:
        return None
    return Reason("over_limit", {"count": count, "limit": limit})


def next_match(c: Comparison) -> Reason | None:
    """How many sides the tiles left in hand can match, as the lake lies now."""
    if not (is_placing(c.played) and is_placing(c.best)) or c.after.hand_size[c.seat] == 0:
        return None
    count, best = (most_matches(each, c.seat) for each in (c.after, c.better))
    return Reason("next_match", {"count": count, "best": best}) if count < best else None


def most_matches(state: State, player: Player) -> int:
    tiles = [int(tile) for tile in state.hand[player] if tile != NO_TILE]
    cells = [int(cell) for cell in state.frontier[: state.num_frontier]]
    return max(
        matched_sides(state, laid_tile(tile, turn), cell)
        for tile in tiles
        for turn in range(int(state.tile_rotations[tile]))
        for cell in cells
    )


TOPICS: tuple[Topic, ...] = (
    (last_chance, stack_drops, dedicate_now, worse_dedication),
    (gave_set,),
    (set_completed, set_broken),
    (over_limit,),
    (exchange_spent,),
    (no_match, fewer_cards),
    (fewer_favors,),
    (closer,),
    (gave_closer,),
    (pile_empty,),
    (gave_cards,),
    (enough_favors,),
    (next_match,),
)
