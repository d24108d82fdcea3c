"""What the golden records of Lumens show: every way a game can end, and
the rare things on the way."""

from __future__ import annotations

from lampion.core.match import Match
from tests.support import Wanted


def _leaders(match: Match) -> list[int]:
    return [player for player, score in enumerate(match.scores) if score == max(match.scores)]


def won_by_points(match: Match) -> bool:
    return len(_leaders(match)) == 1


def center_room_decides(match: Match) -> bool:
    return len(_leaders(match)) > 1 and len(match.winners) == 1


def center_room_leaves_two_of_three(match: Match) -> bool:
    return len(_leaders(match)) == 3 and len(match.winners) == 2


def center_of_others_counts_nothing(match: Match) -> bool:
    """U12: a player has more pips in the center room than the others who are
    tied, and does not win for it."""
    center = [seat["center_pips"] for seat in match.view()["seats"]]
    return center_room_decides(match) and max(center) > center[match.winners[0]]


def shared_victory(match: Match) -> bool:
    return len(match.winners) > 1


def blocked_player(match: Match) -> bool:
    return any(seat["is_out"] for seat in match.view()["seats"])


WANTED: Wanted = {
    "won_by_points_2p": (2, {}, won_by_points),
    "won_by_points_4p": (4, {}, won_by_points),
    "center_room_decides_2p": (2, {}, center_room_decides),
    "center_room_leaves_two_of_three_3p": (3, {}, center_room_leaves_two_of_three),
    "center_of_others_counts_nothing_4p": (4, {}, center_of_others_counts_nothing),
    "shared_victory_2p": (2, {}, shared_victory),
    "shared_victory_3p_balanced": (3, {"starts": "balanced"}, shared_victory),
    "blocked_player_4p": (4, {}, blocked_player),
}
