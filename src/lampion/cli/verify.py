"""`lampion verify`: are records legal and fair?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from lampion.cli.common import read_components, read_documents
from lampion.core.errors import InvalidRecord
from lampion.core.game import Components
from lampion.core.gamelog import GameRecord, read_record
from lampion.core.match import Match
from lampion.core.replay import match_from_record, verify_fairness
from lampion.mcp.results import (
    DISCONNECTED,
    Line,
    Result,
    Started,
    check_lines,
    check_result,
    last_results,
    read_line,
)
from lampion.research.dataset import game_files
from lampion.research.files import PARQUET, read_games
from lampion.terminal import note


class Claim(NamedTuple):
    """A record, its pieces if the file says which, and what else the file says about the game."""

    where: str
    record: GameRecord
    components: Components | None = None
    check: Callable[[Match], None] = lambda match: None


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the records were played with.",
)
def verify(file: str, components: str | None) -> None:
    """Replay every record in a file, check each move, and recompute each chance outcome from the seed.

    Prints one JSON object per record. A record without a seed (a game that is still running) is
    checked for legality only; of a game that continues another one, only its own draws are checked.
    The first record that is not legal or not fair ends the command with exit code 1.

    FILE holds records as JSON, rows of Parquet, or the results of `lampion mcp`, whose terms, places, scores and disguises must also
    be those of the records; or it is a folder of `lampion selfplay --shards`, whose files must also have the hashes in its manifest.

    \b
    Examples:
      lampion verify game.json
      lampion verify games.parquet
      lampion simulate {game} --games 100 | lampion verify -
    """
    count = unchecked = 0
    for where, record, pieces, check in _claims(file):
        match = match_from_record(
            record, components=pieces or read_components(record.game, components)
        )
        has_seed = record.fairness is not None and record.fairness.seed is not None
        outcomes = verify_fairness(record, match) if has_seed else None
        check(match)
        is_whole = has_seed and not record.continued
        result = {
            "record": where,
            "game": record.game,
            "plies": match.ply,
            "legal": True,
            "fair": is_whole or None,
            "outcomes": outcomes,
        }
        if record.continued:
            result["continued"] = record.first_ply
        click.echo(json.dumps(result))
        count, unchecked = count + 1, unchecked + (not is_whole)
    fair = f"{count - unchecked} fair" + (
        f", {unchecked} without a seed for every draw" if unchecked else ""
    )
    note(f"{count} record{'s' if count != 1 else ''}: all legal, {fair}.")


def _claims(file: str) -> Iterator[Claim]:
    path = Path(file)
    if path.is_dir():
        for one in game_files(path):
            yield from _claims(str(one))
    elif path.suffix == PARQUET:
        for number, record in enumerate(read_games(path)):
            yield Claim(f"{path}, game {number}", record)
    else:
        documents = list(read_documents(file))
        lines = [(where, read_line(data)) for where, data in documents]
        if any(line for _, line in lines):
            yield from _results(lines)
        else:
            for where, data in documents:
                yield Claim(where, read_record(data, where))


def _results(lines: list[tuple[str, Line | None]]) -> Iterator[Claim]:
    """The results of an agent, with the terms that they must fit."""
    told = [(where, line) for where, line in lines if line is not None]
    for where, line in lines:
        if line is None:
            raise InvalidRecord("not a line of results", where=where)
    started = check_lines(told)
    for where, line in told:
        if isinstance(line, Started):
            continue
        terms = started[line.number].terms
        if line.record is None:
            check_result(terms, line, None, where)
            continue
        check = partial(check_result, terms, line, where=where)
        yield Claim(where, line.record, terms.pieces_of(line.number), check)
    terms, last = next(iter(started.values())).terms, last_results(line for _, line in told)
    ended = Counter(line.ended if isinstance(line, Result) else DISCONNECTED for line in last)
    counts = ", ".join(f"{count} {how}" for how, count in ended.items())
    note(f"{len(started)} games of an agent at {', '.join(terms.names())}: {counts}.")
