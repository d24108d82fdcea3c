"""The claims of the coach of Lanterns, by the oracle."""

from __future__ import annotations

from typing import Any

from tests.oracles.lanterns import SIDES, STACK_OF
from tests.reviews.claims import Check, Claim

Cell = tuple[int, int]


def lacks(oracle: Any, player: int, stack: str) -> int:
    """Cards that a player lacks for a set, counted on the fingers."""
    counts: list[int] = sorted(oracle.cards[player].values(), reverse=True)
    if stack == "four_of_a_kind":
        return max(4 - counts[0], 0)
    if stack == "three_pairs":
        return sum(max(2 - count, 0) for count in counts[:3])
    return counts.count(0)


def pays(oracle: Any, stack: str) -> int:
    left = oracle.stacks[stack]
    return int(left[0] if left else oracle.components["generic_dedication_honor"])


def stack_of(text: str) -> str | None:
    return STACK_OF.get(text[:2])


def cell_of(text: str) -> Cell | None:
    """Where a placement lays its tile."""
    if "@" not in text:
        return None
    x, y = text.split("@")[1].split(",")
    return int(x), int(y)


def matches(oracle: Any, cell: Cell) -> int:
    return sum(oracle.matches(cell, side) for side in SIDES)


def most_matches(oracle: Any, player: int) -> int:
    """Every tile in hand, tried everywhere."""
    most = 0
    for tile in oracle.hands[player]:
        for rotation in range(4):
            for cell in oracle.free_cells():
                oracle.lake[cell] = (tile, rotation)
                most = max(most, matches(oracle, cell))
                del oracle.lake[cell]
    return most


def gained(c: Claim, oracle: Any, player: int) -> int:
    return int(oracle.card_count(player) - c.before.card_count(player))


def honor_of(c: Claim, oracle: Any) -> int:
    return int(oracle.honor[c.seat] - c.before.honor[c.seat])


def last_chance(c: Claim) -> bool:
    is_last = c.before.phase == "final" and c.played == "pass"
    is_paid = stack_of(c.best) == c.values["stack"] and honor_of(c, c.better) == c.values["count"]
    return is_last and is_paid


def stack_drops(c: Claim) -> bool:
    stack, rival = c.values["stack"], c.values["player"]
    return (
        rival != c.seat
        and lacks(c.before, rival, stack) == 0
        and stack_of(c.best) == stack
        and stack_of(c.played) is None
        and pays(c.before, stack) == c.values["count"] > c.values["next"] == pays(c.better, stack)
    )


def dedicate_now(c: Claim) -> bool:
    paid, nothing = honor_of(c, c.better), honor_of(c, c.after)
    return stack_of(c.best) == c.values["stack"] and (paid, nothing) == (c.values["count"], 0)


def worse_dedication(c: Claim) -> bool:
    paid = honor_of(c, c.after), honor_of(c, c.better)
    return paid == (c.values["count"], c.values["best"]) and paid[0] < paid[1]


def set_broken(c: Claim) -> bool:
    stack = c.values["stack"]
    held, kept, left = (lacks(each, c.seat, stack) for each in (c.before, c.better, c.after))
    return held == kept == 0 < left and stack_of(c.played) != stack


def set_completed(c: Claim) -> bool:
    stack = c.values["stack"]
    before, better, after = (lacks(each, c.seat, stack) for each in (c.before, c.better, c.after))
    return better == 0 < min(before, after) and pays(c.better, stack) == c.values["count"]


def gave_set(c: Claim) -> bool:
    rival, color, stack = c.values["player"], c.values["color"], c.values["stack"]
    is_new = lacks(c.after, rival, stack) == 0 < lacks(c.before, rival, stack)
    is_given = c.after.cards[rival][color] == c.before.cards[rival][color] + 1
    is_alone = gained(c, c.after, rival) == 1
    return (
        rival != c.seat and is_new and is_given and is_alone and lacks(c.better, rival, stack) > 0
    )


def over_limit(c: Claim) -> bool:
    limit = c.before.components["card_limit_before_placing"]
    count = c.after.card_count(c.seat)
    is_over = c.better.card_count(c.seat) <= limit == c.values["limit"] < count
    return bool(is_over and count == c.values["count"] and c.after.hands[c.seat])


def exchange_spent(c: Claim) -> bool:
    has_set = any(lacks(c.after, c.seat, stack) == 0 for stack in STACK_OF.values())
    paid = c.before.favors[c.seat] - c.after.favors[c.seat]
    return c.played[0] == "x" and c.best[0] != "x" and not has_set and paid == c.values["count"]


def no_match(c: Claim) -> bool:
    played, best = cell_of(c.played), cell_of(c.best)
    assert played and best
    return (matches(c.after, played), matches(c.better, best)) == (0, c.values["count"])


def fewer_cards(c: Claim) -> bool:
    got, best = gained(c, c.after, c.seat), gained(c, c.better, c.seat)
    return (got, best) == (c.values["count"], c.values["best"]) and got < best


def fewer_favors(c: Claim) -> bool:
    return bool(c.better.favors[c.seat] - c.after.favors[c.seat] == c.values["count"] > 0)


def closer(c: Claim) -> bool:
    left, best = (lacks(each, c.seat, c.values["stack"]) for each in (c.after, c.better))
    return (left, best) == (c.values["count"], c.values["best"]) and left > best


def gave_closer(c: Claim) -> bool:
    rival, stack = c.values["player"], c.values["stack"]
    before, left, best = (lacks(each, rival, stack) for each in (c.before, c.after, c.better))
    is_true = (left, best) == (c.values["count"], c.values["best"])
    return rival != c.seat and is_true and left < min(best, before)


def pile_empty(c: Claim) -> bool:
    cell, color = cell_of(c.played), c.values["color"]
    assert cell
    due = {c.after.color_at(cell, c.before.seats[c.seat])}
    due |= {c.after.color_at(cell, side) for side in SIDES if c.after.matches(cell, side)}
    has_none = c.before.supply[color] == 0
    return (
        color in due and has_none and c.after.cards[c.seat][color] == c.before.cards[c.seat][color]
    )


def gave_cards(c: Claim) -> bool:
    others = [player for player in range(c.before.players) if player != c.seat]
    given, best = (sum(gained(c, each, other) for other in others) for each in (c.after, c.better))
    return bool(given - best == c.values["count"] > 0)


def enough_favors(c: Claim) -> bool:
    cost = c.before.components["exchange_cost_favors"]
    return bool(c.better.favors[c.seat] == c.values["count"] >= cost > c.after.favors[c.seat])


def next_match(c: Claim) -> bool:
    count, best = most_matches(c.after, c.seat), most_matches(c.better, c.seat)
    return (count, best) == (c.values["count"], c.values["best"]) and count < best


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        last_chance, stack_drops, dedicate_now, worse_dedication, set_broken, set_completed,
        gave_set, over_limit, exchange_spent, no_match, fewer_cards, fewer_favors, closer,
        gave_closer, pile_empty, gave_cards, enough_favors, next_match,
    )
}  # fmt: skip
