"""Why a decision in Lumens was worse than another: rooms, tokens and squares in reach (see
`core.comparison`).

Everything compared here is on the board. What another player holds is never used.
"""

from __future__ import annotations

from collections.abc import Iterator

from lampion.core.comparison import Comparison, Reason, Topic, first_of_each
from lampion.core.types import Action, Player
from lampion.games.lumens.actions import (
    CHOOSE_START,
    placed_face,
    placed_square,
    square_name,
)
from lampion.games.lumens.components import MAX_ROOMS, ROOM_LETTERS, Face, Room
from lampion.games.lumens.rules_board import STEPS
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    EMPTY,
    NO_ROOM,
    NO_SQUARE,
    NUM_DIRECTIONS,
    NUM_WORDS,
    PASSAGE,
    SQUARES_PER_WORD,
    START_RIGHT,
    State,
)

FEW_SQUARES = 2
"""A smaller difference in reach is not worth a sentence."""


def reasons(compared: Comparison) -> Iterator[Reason]:
    """The weightiest first."""
    is_start = compared.played >= CHOOSE_START
    return first_of_each(START_TOPICS if is_start else TOPICS, compared)


# --- what the board shows -------------------------------------------------------------------------


def squares_in_reach(state: State, player: Player) -> set[int]:
    """U5 to U7: where a player could place a token now."""
    return {
        SQUARES_PER_WORD * word + bit
        for word in range(NUM_WORDS)
        for bit in range(SQUARES_PER_WORD)
        if int(state.targets[player, word]) >> bit & 1
    }


def reach(state: State, player: Player) -> int:
    return sum(int(word).bit_count() for word in state.targets[player])


def can_go_to(state: State, player: Player, square: int) -> bool:
    """Whether a player with a token in hand could place it there."""
    return bool(state.ways[player, square] and state.hand_size[player] and not state.is_out[player])


def rivals_pips(state: State, seat: Player, room: Room) -> dict[Player, int]:
    players = range(int(state.num_players))
    return {other: int(state.room_pips[room, other]) for other in players if other != seat}


def has_start_right(state: State, player: Player) -> bool:
    """U7."""
    return bool(state.ways[player, state.starts[player]] & START_RIGHT)


# --- rooms ----------------------------------------------------------------------------------------


def better_room(c: Comparison) -> Reason | None:
    """U11: the room in which the better action earns more, if it earns more in all."""
    if c.better.points[c.seat] <= c.after.points[c.seat]:
        return None
    more = c.better.room_points[:, c.seat] - c.after.room_points[:, c.seat]
    room = int(more.argmax())
    points, instead = (int(each.room_points[room, c.seat]) for each in (c.better, c.after))
    own, best = int(c.better.room_pips[room, c.seat]), rivals_pips(c.better, c.seat, room)
    top = max(best.values())
    kind = "room_won" if own > top else "room_tied" if own == top else "room_second"
    return Reason(kind, {"room": ROOM_LETTERS[room], "count": points, "instead": instead})


def rival_points(c: Comparison) -> Reason | None:
    """What the better action takes from another player in a room."""
    for other in c.others:
        if c.after.points[other] <= c.better.points[other]:
            continue
        room = int((c.after.room_points[:, other] - c.better.room_points[:, other]).argmax())
        points, instead = (int(each.room_points[room, other]) for each in (c.after, c.better))
        values = {"player": other, "room": ROOM_LETTERS[room], "count": points, "instead": instead}
        return Reason("rival_points", values)
    return None


def center(c: Comparison) -> Reason | None:
    """U12: pips in the center room break ties."""
    room = int(c.before.center)
    pips, best = (int(each.room_pips[room, c.seat]) for each in (c.after, c.better))
    return Reason("center", {"pips": pips, "best": best}) if pips < best else None


def fewer_pips(c: Comparison) -> Reason | None:
    """A room in which another player has pips, too."""
    found, most = None, 0
    for room in range(MAX_ROOMS):
        pips, best = (int(each.room_pips[room, c.seat]) for each in (c.after, c.better))
        rivals = rivals_pips(c.better, c.seat, room)
        rival = max(rivals, key=lambda player: rivals[player])
        if best - pips > most and rivals[rival] > 0:
            values = {"player": rival, "room": ROOM_LETTERS[room], "pips": pips, "best": best}
            found, most = Reason("fewer_pips", values), best - pips
    return found


def passage(c: Comparison) -> Reason | None:
    """U11: pips on a passage count in no room."""
    played, best = (int(c.before.room[placed_square(each)]) for each in (c.played, c.best))
    is_wasted = played == PASSAGE != best
    return Reason("passage", {"face": placed_face(c.played)}) if is_wasted else None


# --- tokens ---------------------------------------------------------------------------------------


def covered(c: Comparison, action: Action) -> tuple[Player, Face] | None:
    """Whose token a placement covers, and the face of it."""
    token = int(c.before.top[placed_square(action)])
    return None if token == EMPTY else (token_owner(token), token_face(token))


def not_covered(c: Comparison) -> Reason | None:
    """The better action covers a token of another player, and the one that was played none."""
    played, best = covered(c, c.played), covered(c, c.best)
    if best is None or best[0] == c.seat or (played is not None and played[0] != c.seat):
        return None
    square = square_name(placed_square(c.best))
    return Reason("not_covered", {"player": best[0], "face": best[1], "square": square})


def covered_own(c: Comparison) -> Reason | None:
    played, best = covered(c, c.played), covered(c, c.best)
    if played is None or played[0] != c.seat or (best is not None and best[0] == c.seat):
        return None
    square = square_name(placed_square(c.played))
    return Reason("covered_own", {"face": played[1], "square": square})


def exposed(c: Comparison) -> Reason | None:
    """U6: another player can cover the new token before the player's next turn."""
    played, best = placed_square(c.played), placed_square(c.best)
    if any(can_go_to(c.better, other, best) for other in c.others):
        return None
    rival = next((other for other in c.others if can_go_to(c.after, other, played)), None)
    if rival is None:
        return None
    values = {"player": rival, "face": placed_face(c.played), "square": square_name(played)}
    return Reason("exposed", values)


# --- reach ----------------------------------------------------------------------------------------


def reach_lost(c: Comparison) -> Reason | None:
    count, best = reach(c.after, c.seat), reach(c.better, c.seat)
    is_worth_telling = best - count >= FEW_SQUARES or count == 0 < best
    return Reason("reach_lost", {"count": count, "best": best}) if is_worth_telling else None


def rival_stuck(c: Comparison) -> Reason | None:
    """U8: a player without a square is out."""
    for other in c.others:
        is_cut = reach(c.better, other) == 0 < reach(c.after, other)
        if is_cut and c.better.hand_size[other] and not c.before.is_out[other]:
            return Reason("rival_stuck", {"player": other})
    return None


def rival_reach(c: Comparison) -> Reason | None:
    """Lines that the better action cuts, of the player who loses most by it."""
    playing = [other for other in c.others if not c.before.is_out[other]]
    cut = {other: reach(c.after, other) - reach(c.better, other) for other in playing}
    rival = max(cut, key=lambda other: cut[other], default=None)
    if rival is None or cut[rival] < FEW_SQUARES or reach(c.better, rival) == 0:
        return None
    count, best = reach(c.after, rival), reach(c.better, rival)
    return Reason("rival_reach", {"player": rival, "count": count, "best": best})


def start_spent(c: Comparison) -> Reason | None:
    """U7: the way back to the start marker, once per game."""
    is_spent = has_start_right(c.better, c.seat) and not has_start_right(c.after, c.seat)
    return Reason("start_spent") if is_spent else None


def room_opened(c: Comparison) -> Reason | None:
    """A room in which the player earns nothing yet, and which only the better action has in
    reach."""
    now, then = (_rooms_in_reach(each, c.seat) for each in (c.after, c.better))
    new = [room for room in sorted(then - now) if c.before.room_points[room, c.seat] == 0]
    return Reason("room_opened", {"room": ROOM_LETTERS[new[0]]}) if new else None


def _rooms_in_reach(state: State, player: Player) -> set[Room]:
    rooms = {int(state.room[square]) for square in squares_in_reach(state, player)}
    return rooms - {PASSAGE, NO_ROOM}


# --- the start token ------------------------------------------------------------------------------


def start_face(action: Action) -> Face:
    return action - CHOOSE_START + 1


def rooms_from_start(state: State, player: Player, face: Face) -> set[Room]:
    """U5: into which rooms a start token counts when all start tokens lie on the board."""
    starts = {int(square) for square in state.starts if square != NO_SQUARE}
    home, found = int(state.starts[player]), set()
    for direction in range(NUM_DIRECTIONS):
        line = [home + int(STEPS[direction]) * step for step in range(1, face + 1)]
        is_on_board = all(state.room[square] != NO_ROOM for square in line)
        if is_on_board and not starts & {*line}:
            found.add(int(state.room[line[-1]]))
    return found - {PASSAGE}


def start_rooms(c: Comparison) -> Reason | None:
    face, better = start_face(c.played), start_face(c.best)
    rooms, best = (rooms_from_start(c.before, c.seat, each) for each in (face, better))
    new = sorted(best - rooms)
    if not new or rooms - best:
        return None
    return Reason("start_rooms", {"face": face, "better": better, "room": ROOM_LETTERS[new[0]]})


def start_pips(c: Comparison) -> Reason | None:
    face, better = start_face(c.played), start_face(c.best)
    room = int(c.before.room[c.before.starts[c.seat]])
    if better <= face or room == PASSAGE:
        return None
    return Reason("start_pips", {"room": ROOM_LETTERS[room], "pips": face, "best": better})


TOPICS: tuple[Topic, ...] = (
    (better_room,),
    (rival_points,),
    (covered_own, not_covered),
    (start_spent,),
    (rival_stuck,),
    (exposed,),
    (reach_lost,),
    (rival_reach,),
    (passage,),
    (fewer_pips, center),
    (room_opened,),
)
START_TOPICS: tuple[Topic, ...] = ((start_rooms,), (start_pips,))
