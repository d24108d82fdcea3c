"""Find golden records: `python -m tests.golden.make GAME` plays random games until each thing to
show has happened. With `--retell` the records stay, and only what is told about them is written
again: after a change of views or events.

The records are committed; they must load, verify and end the same for ever (or RULES_VERSION
rises). Each game says what it wants to show in `tests/games/<game>/golden_wanted.py`: name ->
(players, options, predicate on the finished match).
"""

from __future__ import annotations

import importlib
import json
import sys
from random import Random

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE
from tests.support import GOLDEN, Wanted


def play(game: str, players: int, options: dict[str, str], seed: int) -> lampion.Match:
    """A game between beginners, who know what is good but misjudge it; players who may act at the same time do so in any order."""
    match, chooser, dice, bot = (
        lampion.new(game, players, seed=seed, options=options),
        Random(seed),
        new_rng(seed),
        Greedy(noise=0.1),
    )
    while not match.is_over:
        actor = chooser.choice(match.actors)
        match.submit(
            bot.choose(match.seen_from(actor), actor, match.legal_ids(actor), Budget(), dice), actor
        )
    return match


def make(game: str) -> None:
    wanted: Wanted = importlib.import_module(f"tests.games.{game}.golden_wanted").WANTED
    folder = GOLDEN / game
    folder.mkdir(exist_ok=True)
    for name, (players, options, shows) in wanted.items():
        seed = next(seed for seed in range(100_000) if shows(play(game, players, options, seed)))
        match = play(game, players, options, seed)
        (folder / f"{name}.json").write_text(lampion.dump(match) + "\n")
        (folder / f"{name}.txt").write_text(playthrough(match))
        print(f"{game}/{name}: seed {seed}, scores {match.scores}, winners {match.winners}")


def playthrough(match: lampion.Match) -> str:
    """The game told in full: who did what, how many choices there were, what happened, and the table at the end."""
    earlier = match.at(0)
    lines = []
    for ply, entry in enumerate(match.log):
        who = "c" if entry.actor == CHANCE else str(entry.actor)
        lines.append(
            f"{ply} {who} {entry.text} of {len(earlier.legal_ids(entry.actor))} | {json.dumps(match.events(ply))}"
        )
        earlier.replay(entry.actor, entry.text)
    views = [json.dumps(match.view(seat)) for seat in range(-1, match.players)]
    return "\n".join([*lines, *views]) + "\n"


def retell(game: str) -> None:
    for record in (GOLDEN / game).glob("*.json"):
        record.with_suffix(".txt").write_text(playthrough(lampion.load(record.read_text())))


if __name__ == "__main__":
    (retell if "--retell" in sys.argv else make)(sys.argv[1])
