"""A decision of a bot together with what it found out: the targets of training."""

from __future__ import annotations

import time

import numpy as np

from lampion.bots.levels import BotPlayer
from lampion.bots.search import Search, Thought
from lampion.core.gamelog import Findings
from lampion.core.match import Match
from lampion.core.types import Action, IntArray, Rng


def decide(
    match: Match, player: BotPlayer, rng: Rng, *, times: bool = True
) -> tuple[Action, Findings]:
    """What the bot does whose turn it is, and why. A search uses up its budget: one that stops when
    the choice is clear would leave out part of what it could find."""
    seat, budget = match.to_act, player.budget
    seen, legal = match.seen_from(seat), match.legal_ids(seat)
    before = time.process_time()
    if isinstance(player.bot, Search) and len(legal) > 1:
        *_, thought = player.bot.think(seen, seat, legal, budget, rng)
        action, decision = thought.moves[0].action, _findings(thought, legal)
    else:
        action, decision = player.bot.choose(seen, seat, legal, budget, rng), Findings()
    if times:
        decision.spent = time.process_time() - before
    decision.iterations, decision.seconds = budget.iterations, budget.seconds
    return action, decision


def _findings(thought: Thought, legal: IntArray) -> Findings:
    """In the order of the legal actions, which ascends."""
    found = {move.action: move for move in thought.moves}
    moves = [found[action] for action in legal.tolist()]
    return Findings(
        [move.visits for move in moves],
        [_rounded(move.value) if thought.is_known(move) else None for move in moves],
        [_rounded(move.prior) for move in moves],
    )


def _rounded(number: float) -> float:
    """As 32 bits hold it: a file of lines then says the same as a column of Parquet."""
    return float(np.float32(number))
