"""A review for a terminal."""

from __future__ import annotations

from lampion.core.match import Match
from lampion.core.messages import text
from lampion.core.sentences import Reader
from lampion.reviews.coach import told as why
from lampion.reviews.reviewing import Account, Decision, Review
from lampion.terminal import table

PARTS = ("start", "deal", "draws", "own", "others", "remainder", "result")


def review_text(review: Review, match: Match, language: str) -> str:
    """The ledger as a table, and the costliest decisions if they were judged."""
    lines = [
        text("review", "title", language, game=match.game.TITLE),
        "",
        _table(review, language),
        "",
        text("review", "unit", language),
    ]
    if not review.is_finished:
        lines.append(text("review", "unfinished", language))
    if not review.is_trained:
        lines.append(text("review", "untrained", language))
    for row in review.rows:
        if row.substituted:
            words = {"name": row.name, "count": row.substituted}
            lines.append(text("review", "substituted", language, **words))
    if review.decisions:
        lines += ["", *costliest_lines(review, language)]
    return "\n".join(lines)


def _table(review: Review, language: str) -> str:
    is_judged = bool(review.decisions)
    heads = ["player", *PARTS, *(("mistakes", "error") if is_judged else ())]
    rows = []
    for row in review.rows:
        judged = [f"{row.mistakes}/{row.decisions}", f"{100 * row.error:.1f}"] if is_judged else []
        rows.append([row.name, *_numbers(row.place), *judged])
    return table([text("review", head, language) for head in heads], rows)


def _numbers(account: Account) -> list[str]:
    first, *between, last = (100 * getattr(account, part) for part in PARTS)
    return [f"{first:.0f}", *(_signed(number) for number in between), f"{last:.0f}"]


def _signed(number: float) -> str:
    return "0" if abs(number) < 0.5 else f"{number:+.0f}"


def costliest_lines(review: Review, language: str) -> list[str]:
    """The costliest decisions with their reasons."""
    found = review.costliest
    if not found:
        return [text("review", "costliest.none", language)]
    lines = [line for decision in found for line in _lines(review, decision, language)]
    return [text("review", "costliest", language), *lines]


def _lines(review: Review, decision: Decision, language: str) -> list[str]:
    """What a decision cost, why, and what it was worth in hindsight."""
    told, lines = decision.judgement, [_line(review, decision, language)]
    reader = Reader(review.game, review.names, language)
    lines += [f"  {sentence}" for sentence in why(told.reasons, reader)]
    if decision.hindsight is not None:
        change = _signed(100 * decision.hindsight)
        lines.append(f"  {text('review', 'hindsight', language, change=change)}")
    return [f"  {line}" for line in lines]


def _line(review: Review, decision: Decision, language: str) -> str:
    told = decision.judgement
    return text(
        "review", "decision.exact" if told.is_exact else "decision", language,
        name=review.names[told.seat], ply=told.ply, played=told.played, best=told.best,
        cost=f"{100 * told.cost:.0f}", interval=f"{max(1, round(100 * told.interval))}",
    )  # fmt: skip
