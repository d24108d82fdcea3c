"""The claims of the coach of Lumens, by the oracle."""

from __future__ import annotations

import copy
from typing import Any

from tests.oracles.lumens import PASSAGE, Square, Token
from tests.reviews.claims import Check, Claim


def placement(oracle: Any, text: str) -> tuple[Square, int]:
    name, face = text.split("=")
    return next(square for square in oracle.room_of if square.name() == name), int(face)


def square_of(c: Claim, text: str) -> Square:
    return placement(c.before, text)[0]


def others(c: Claim) -> list[int]:
    return [player for player in range(c.before.players) if player != c.seat]


def points(oracle: Any, room: str, player: int) -> int:
    return int(oracle._points(room)[player])


def pips(oracle: Any, room: str, player: int) -> int:
    return int(oracle._pips(room)[player])


def reach(oracle: Any, player: int) -> set[Square]:
    return set(oracle._targets(player))


def can_go(oracle: Any, player: int, square: Square) -> bool:
    is_playing = oracle.hand[player] is not None and not oracle.out[player]
    return is_playing and square in reach(oracle, player)


def ahead(c: Claim) -> tuple[int, int]:
    """How many others have more pips in the room after the better action, and how many as many."""
    found = c.better._pips(c.values["room"])
    own = found[c.seat]
    rivals = [found[other] for other in others(c)]
    return sum(rival > own for rival in rivals), rivals.count(own)


def earns_more(c: Claim) -> bool:
    best, played = (points(each, c.values["room"], c.seat) for each in (c.better, c.after))
    return (best, played) == (c.values["count"], c.values["instead"]) and best > played


def room_won(c: Claim) -> bool:
    return earns_more(c) and ahead(c) == (0, 0)


def room_tied(c: Claim) -> bool:
    return earns_more(c) and ahead(c)[0] == 0 < ahead(c)[1]


def room_second(c: Claim) -> bool:
    return earns_more(c) and ahead(c)[0] == 1


def rival_points(c: Claim) -> bool:
    rival, room = c.values["player"], c.values["room"]
    played, best = points(c.after, room, rival), points(c.better, room, rival)
    is_true = (played, best) == (c.values["count"], c.values["instead"])
    return rival != c.seat and is_true and played > best


def covered_own(c: Claim) -> bool:
    square = square_of(c, c.played)
    is_there = c.before.stacks[square] == [Token(c.seat, c.values["face"])]
    return bool(is_there and square.name() == c.values["square"])


def not_covered(c: Claim) -> bool:
    square, rival = square_of(c, c.best), c.values["player"]
    is_there = c.before.stacks[square] == [Token(rival, c.values["face"])]
    covered = [token.player for token in c.before.stacks[square_of(c, c.played)]]
    is_only_best = all(owner == c.seat for owner in covered)
    return is_there and rival != c.seat and is_only_best and square.name() == c.values["square"]


def start_spent(c: Claim) -> bool:
    spent = [each._start_spent(c.seat) for each in (c.before, c.after, c.better)]
    return spent == [False, True, False]


def rival_stuck(c: Claim) -> bool:
    rival = c.values["player"]
    is_playing = c.before.hand[rival] is not None and not c.before.out[rival]
    return (
        is_playing
        and rival != c.seat
        and not reach(c.better, rival)
        and bool(reach(c.after, rival))
    )


def exposed(c: Claim) -> bool:
    (square, face), better = placement(c.before, c.played), square_of(c, c.best)
    is_named = (square.name(), face) == (c.values["square"], c.values["face"])
    is_safe = not any(can_go(c.better, other, better) for other in others(c))
    return is_named and is_safe and can_go(c.after, c.values["player"], square)


def reach_lost(c: Claim) -> bool:
    count, best = len(reach(c.after, c.seat)), len(reach(c.better, c.seat))
    return (count, best) == (c.values["count"], c.values["best"]) and count < best


def rival_reach(c: Claim) -> bool:
    rival = c.values["player"]
    count, best = len(reach(c.after, rival)), len(reach(c.better, rival))
    is_true = (count, best) == (c.values["count"], c.values["best"])
    return rival != c.seat and is_true and count > best


def passage(c: Claim) -> bool:
    (played, face), best = placement(c.before, c.played), square_of(c, c.best)
    rooms = c.before.room_of
    return bool(face == c.values["face"] and rooms[played] == PASSAGE != rooms[best])


def fewer_pips(c: Claim) -> bool:
    rival, room = c.values["player"], c.values["room"]
    own, best = pips(c.after, room, c.seat), pips(c.better, room, c.seat)
    is_true = (own, best) == (c.values["pips"], c.values["best"]) and own < best
    return rival != c.seat and is_true and pips(c.better, room, rival) > 0


def center(c: Claim) -> bool:
    own, best = (pips(each, c.before.center, c.seat) for each in (c.after, c.better))
    return (own, best) == (c.values["pips"], c.values["best"]) and own < best


def room_opened(c: Claim) -> bool:
    played, best = (
        {c.before.room_of[square] for square in reach(each, c.seat)} for each in (c.after, c.better)
    )
    return c.values["room"] in best - played


def rooms_from_start(c: Claim, face: int) -> set[str]:
    """With every start token on the board; those of the others show any face."""
    shown = copy.deepcopy(c.before)
    for player, start in enumerate(shown.starts):
        shown.stacks[start] = [Token(player, face)]
    return {c.before.room_of[square] for square in shown._counted_squares(c.seat)} - {PASSAGE}


def start_rooms(c: Claim) -> bool:
    faces = [placement(c.before, text)[1] for text in (c.played, c.best)]
    rooms, best = (rooms_from_start(c, face) for face in faces)
    is_named = faces == [c.values["face"], c.values["better"]]
    return is_named and rooms < best and c.values["room"] in best - rooms


def start_pips(c: Claim) -> bool:
    faces = [placement(c.before, text)[1] for text in (c.played, c.best)]
    room = c.before.room_of[c.before.starts[c.seat]]
    return room == c.values["room"] and faces == [c.values["pips"], c.values["best"]]


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        room_won, room_tied, room_second, rival_points, covered_own, not_covered, start_spent,
        rival_stuck, exposed, reach_lost, rival_reach, passage, fewer_pips, center, room_opened,
        start_rooms, start_pips,
    )
}  # fmt: skip
