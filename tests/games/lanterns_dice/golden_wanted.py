"""What the golden records of Lanterns Dice show: every way a game can end, every option, and the
rare things on the way."""

from __future__ import annotations

from lampion.core.match import Match
from tests.support import Wanted


def _leaders(match: Match) -> list[int]:
    return [player for player, score in enumerate(match.scores) if score == max(match.scores)]


def won_by_honor(match: Match) -> bool:
    return len(_leaders(match)) == 1


def won_by_fireworks(match: Match) -> bool:
    return len(_leaders(match)) > 1 and len(match.winners) == 1


def shared(match: Match) -> bool:
    return len(match.winners) > 1


def all_parts_score(match: Match) -> bool:
    """A player has honor from fireworks, the second group and a boat."""
    return any(
        min(seat["score"][part] for part in ("fireworks", "second_group", "boats")) > 0
        for seat in match.view()["seats"]
    )


def chain_of_two(match: Match) -> bool:
    """A platform's bonus completes another platform, which gives a bonus again (D12)."""
    for ply in range(match.ply):
        told = {event["event"]: event for event in match.events(ply)}
        if "bonus_due" in told and told["area_shaded"]["by"] == "platform_bonus":
            return True
    return False


WANTED: Wanted = {
    "won_by_honor_2p": (2, {}, won_by_honor),
    "won_by_honor_4p_first": (4, {"setup": "first"}, won_by_honor),
    "won_by_fireworks_3p": (3, {}, won_by_fireworks),
    "shared_2p": (2, {}, shared),
    "all_parts_2p_four_lakes": (2, {"lakes": "four"}, all_parts_score),
    "chain_2p": (2, {}, chain_of_two),
    "given_shapes_and_cards_3p": (3, {"fireworks": "I3 O4 S4 X5", "emperor": "BBB"}, won_by_honor),
}
