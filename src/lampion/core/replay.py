"""From a record back to a match: every entry goes through the gate, and every chance
outcome can be worked out again."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from lampion.core.errors import InvalidRecord, Refused, UnfairRecord
from lampion.core.game import Components, find_game
from lampion.core.gamelog import CHANCE_ACTOR, GameRecord
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.types import CHANCE


def match_from_record(record: GameRecord, *, components: Components | None = None) -> Match:
    """Replay a record and check every entry. `InvalidRecord` names the first
    entry that cannot be played.

    With its seed, an unfinished match can be resumed; without it,
    chance must be submitted.
    """
    game = find_game(record.game)
    if record.rules != game.RULES_VERSION:
        message = f"this record was played by version {record.rules} of the rules, this is version {game.RULES_VERSION}"
        raise InvalidRecord(
            message, code="other-rules", where="rules", found=record.rules, known=game.RULES_VERSION
        )
    _check_components(record, components)
    match = Match(
        game,
        record.players,
        record.options,
        names=record.names,
        components=components,
        chance=record.fairness.chance if record.fairness else None,
        fairness=deepcopy(record.fairness),
        deals=False,
        first_ply=record.first_ply,
    )
    for ply, (actor, text) in enumerate(record.log):
        try:
            match.replay(CHANCE if actor == CHANCE_ACTOR else int(actor), text)
        except Refused as refused:
            message, where = (
                f"entry {ply} cannot be played: {refused.message}",
                f"log[{ply}], {refused.where}",
            )
            raise InvalidRecord(
                message,
                code="bad-entry",
                where=where,
                rule=refused.rule,
                entry=ply,
                problem=refused,
            ) from refused
    _check_result(record, match)
    _check_substituted(record)
    _check_decided(record)
    _check_continued(record)
    return match


def _check_components(record: GameRecord, components: Components | None) -> None:
    given = None if components is None or components.is_standard else components.hash
    if given != record.components:
        wanted = (
            f"the components {record.components[:12]}..."
            if record.components
            else "the published components"
        )
        raise InvalidRecord(
            f"this record was played with {wanted}",
            code="other-components",
            where="components",
            wanted=wanted,
        )


def _check_result(record: GameRecord, match: Match) -> None:
    for name, told, found in (
        ("scores", record.scores, match.scores),
        ("winners", record.winners, match.winners),
    ):
        if told is not None and told != (found if match.is_over else None):
            raise InvalidRecord(
                f"the record says {name} {told}, its log gives {found}",
                code="wrong-result",
                where=name,
            )


def _check_substituted(record: GameRecord) -> None:
    for ply in record.substituted or ():
        if ply >= len(record.log) or record.log[ply][0] == CHANCE_ACTOR:
            message = f"entry {ply} was not made by a player"
            raise InvalidRecord(message, code="bad-entry", where="substituted", entry=ply)


def _check_decided(record: GameRecord) -> None:
    """Every seat has a place, and a player lost early."""
    told = record.decided
    if told is None:
        return
    seats = range(record.players)
    fits = len(told.places) == record.players and 1 in told.places
    if not fits or max(told.places) > record.players or not set() < told.forfeited <= {*seats}:
        message = f"these are not the places of {record.players} players"
        raise InvalidRecord(message, code="wrong-result", where="decided")


def _check_continued(record: GameRecord) -> None:
    """The entries from the earlier game are all there, and none of them is taken back."""
    first = record.first_ply
    undone = (text for _, text in record.log[first:] if text.startswith("undo "))
    if first > len(record.log) or any(int(text.split()[1]) < first for text in undone):
        raise InvalidRecord(
            f"the log is shorter than {first} entries, or takes back one of the first {first}",
            code="bad-entry",
            where="continued",
            entry=first,
        )


def verify_fairness(record: GameRecord, match: Match) -> int:
    """Recompute every chance outcome of a finished record; return how many there were, or raise
    `UnfairRecord`. Outcomes that come from a game that this one continues have another seed and are
    not among them (`GameRecord.first_ply`)."""
    told = record.fairness
    if told is None or told.seed is None:
        raise UnfairRecord(
            "this record has no seed, so its chance outcomes cannot be checked",
            code="no-seed",
            where="fairness",
        )
    chance = told.chance
    assert chance, "it has its seed"
    if chance.commitment != told.commitment:
        raise UnfairRecord(
            "the seed is not the one that was promised",
            code="wrong-seed",
            where="fairness.commitment",
        )
    again, checked = match.at(0).with_chance(chance), 0
    for ply, entry in enumerate(match.log):
        if entry.actor == CHANCE and ply >= record.first_ply:
            due = again.due_outcome()
            if due != entry.action:
                text = again.action_text(due, CHANCE)
                message = f"entry {ply} is {entry.text}, but the seed gives {text}"
                raise UnfairRecord(message, where=f"log[{ply}]", found=entry.text, due=text)
            checked += 1
        again.replay(entry.actor, entry.text)
    return checked


def positions(match: Match) -> Iterator[tuple[Match, Entry]]:
    """Each log entry with the match as it was just before; one match is moved
    along, so do not keep it."""
    earlier = match.at(0)
    for entry in match.log:
        yield earlier, entry
        earlier.replay(entry.actor, entry.text)
