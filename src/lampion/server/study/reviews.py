"""The review of a record: its ledger at once, its decisions a few at a time.

This and the puzzles are the only parts of the server that know the reviews, whose value function
sees all hands; games that still run get nothing from here.
"""

from __future__ import annotations

from typing import Any

from lampion.bots.weighing import JudgementTasks
from lampion.core.errors import LampionError
from lampion.core.match import Match
from lampion.core.sentences import Reader, sentences
from lampion.core.types import CHANCE, Action
from lampion.reviews.coach import told as why
from lampion.reviews.elsewhere import judged_from, tasks_for
from lampion.reviews.judging import decisions_of
from lampion.reviews.ledger import DEAL, DRAWS, OTHERS, OWN, REMAINDER, Ledger, ledger_of
from lampion.reviews.reviewing import Decision, in_hindsight, judged_decisions
from lampion.reviews.values import PLACE, VERSION, WIN
from lampion.server import wire
from lampion.server.study.replay import ended_game

REVIEW_SECONDS, JUDGEMENT_SECONDS = 0.5, 0.1
"""What a ledger, and the judgment of one decision, are expected to take of a core."""
MOST_CURVE = 400
"""Longer curves are thinned out: a screen has no more points to show them with."""


def review(wanted: wire.ReviewRequest) -> wire.GameReview:
    """Every entry goes through the gate again."""
    record, match = ended_game(wanted.record)
    ledger, left_out = ledger_of(match, decided=record.decided), {*(record.substituted or ())}
    return wire.GameReview(
        match.ply,
        ledger.is_finished,
        ledger.is_trained,
        VERSION,
        [_account(ledger, seat, left_out) for seat in range(match.players)],
        _curve(ledger),
        [
            one
            for one in _decisions(match)
            if one.ply not in left_out and one.ply >= record.first_ply
        ],
    )


def _account(ledger: Ledger, seat: int, left_out: set[int]) -> wire.ReviewAccount:
    parts = ledger.parts[seat, :, PLACE]
    return wire.ReviewAccount(
        start=float(ledger.start[seat, PLACE]),
        deal=float(parts[DEAL]),
        draws=float(parts[DRAWS]),
        own=float(parts[OWN]),
        others=float(parts[OTHERS]),
        remainder=float(parts[REMAINDER]),
        result=float(ledger.result[seat, PLACE]),
        substituted=sum(step.actor == seat for step in ledger.steps if step.ply in left_out),
    )


def _curve(ledger: Ledger) -> list[wire.ReviewMoment]:
    steps = [(0, ledger.start), *((step.ply + 1, step.after) for step in ledger.steps)]
    steps[-1] = (steps[-1][0], ledger.result)  # a clock may have decided otherwise
    moments = [
        wire.ReviewMoment(ply, [round(chance, 4) for chance in values[:, WIN].tolist()])
        for ply, values in steps
    ]
    every = -(-len(moments) // MOST_CURVE)
    return [*moments[:-1:every], moments[-1]]


def _decisions(match: Match) -> list[wire.ReviewDecision]:
    """Those that were not forced."""
    found = []
    earlier = match.at(0)
    for ply in match.log.standing_plies:
        entry = match.log[ply]
        if entry.actor != CHANCE and len(earlier.legal_ids(entry.actor)) > 1:
            found.append(wire.ReviewDecision(ply, entry.actor))
        earlier.replay(entry.actor, entry.text)
    return found


# --- judgments ------------------------------------------------------------------------------------


def judgements(record: dict[str, Any], plies: list[int]) -> list[Decision]:
    """Of the decisions at these plies, in the order of the log."""
    return judged_decisions(_with_decisions(record, plies), plies)


def _with_decisions(record: dict[str, Any], plies: list[int]) -> Match:
    """The match of a record in which these entries are decisions that stand."""
    _, match = ended_game(record)
    unknown = {*plies} - {*decisions_of(match)}
    if unknown:
        raise LampionError(
            f"entry {min(unknown)} is not a decision, or it was taken back",
            code="invalid-query",
            where="plies",
        )
    return match


def tasks(wanted: wire.JudgementTaskRequest) -> JudgementTasks:
    """The searches of these decisions, for the reader's own machine."""
    return tasks_for(_with_decisions(wanted.record, wanted.plies), wanted.plies)


def judgements_from(wanted: wire.JudgementRequest) -> wire.Judgements:
    """What follows from the searches that a browser made. Only its reader sees it."""
    match = _with_decisions(wanted.record, [one.ply for one in wanted.found])
    found = in_hindsight(match, judged_from(match, wanted.found))
    return wire.Judgements([_told(match, one, wanted.language) for one in found])


def told(record: dict[str, Any], found: list[Decision], language: str) -> wire.Judgements:
    """Judgments with their words, which have the names and the language of their reader."""
    _, match = ended_game(record)
    return wire.Judgements([_told(match, one, language) for one in found])


def _told(match: Match, decision: Decision, language: str) -> wire.Judged:
    judgement, played, best = decision.judgement, "", ""
    if judgement.verdict in ("unclear", "mistake"):
        earlier = match.at(judgement.ply)
        played = does(earlier, judgement.seat, judgement.chosen, language)
        best = does(earlier, judgement.seat, judgement.preferred, language)
    return wire.Judged(
        judgement.ply,
        judgement.seat,
        judgement.verdict,
        judgement.cost,
        judgement.interval,
        judgement.is_exact,
        judgement.played,
        judgement.best,
        played,
        best,
        why(judgement.reasons, Reader(match.game.NAME, match.names, language)),
        decision.hindsight,
    )


def does(match: Match, seat: int, action: str | Action, language: str) -> str:
    """What an action would do, in words, as far as the seat can know."""
    reader = Reader(match.game.NAME, match.names, language)
    return ". ".join(sentences(match.preview(action, seat), reader))
