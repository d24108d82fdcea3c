"""What the golden records of Lanterns show: every way a game can end, and
the rare things on the way."""

from __future__ import annotations

from lampion.core.match import Match
from tests.support import Wanted


def _leaders(match: Match) -> list[int]:
    return [player for player, score in enumerate(match.scores) if score == max(match.scores)]


def _favors(match: Match, player: int) -> int:
    return int(match.view()["seats"][player]["favors"])


def _is_tied_on_favors(match: Match) -> bool:
    best = max(_favors(match, player) for player in _leaders(match))
    return sum(_favors(match, player) == best for player in _leaders(match)) > 1


def won_by_honor(match: Match) -> bool:
    return len(_leaders(match)) == 1


def won_by_favors(match: Match) -> bool:
    return len(_leaders(match)) > 1 and not _is_tied_on_favors(match)


def won_by_cards(match: Match) -> bool:
    return len(_leaders(match)) > 1 and _is_tied_on_favors(match) and len(match.winners) == 1


def shared(match: Match) -> bool:
    return len(match.winners) > 1


def has_text(start: str, match: Match) -> bool:
    return any(entry.text.startswith(start) for entry in match.log)


WANTED: Wanted = {
    "won_by_honor_2p": (2, {}, won_by_honor),
    "won_by_honor_4p": (4, {}, won_by_honor),
    "won_by_favors_3p": (3, {}, won_by_favors),
    "won_by_cards_3p": (3, {}, won_by_cards),
    "shared_2p": (2, {}, shared),
    "shared_4p": (4, {}, shared),
    "exchange_and_discard_3p": (
        3,
        {},
        lambda match: has_text("x", match) and has_text("-", match) and has_text("d7", match),
    ),
}
