"""`lampion verify`: are records legal and fair?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from lampion.cli.common import read_components, read_documents
from lampion.core.game import Components
from lampion.core.gamelog import GameRecord, read_record
from lampion.core.replay import match_from_record, verify_fairness
from lampion.mcp.disguise import disguised
from lampion.research.dataset import game_files
from lampion.research.files import PARQUET, read_games
from lampion.terminal import note


class Kept(msgspec.Struct):
    """A line of `lampion mcp --out`: a record, and the number that its pieces were made from."""

    record: msgspec.Raw
    disguise: int | None = None


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the records were played with.",
)
def verify(file: str, components: str | None) -> None:
    """Play every record of a file again through the gate, and work every chance outcome out from its seed.

    Prints one JSON object per record. A record without a seed (a game still running) is checked for legality alone. The first
    record that is not legal or not fair ends the command with exit code 1.

    FILE holds records as JSON, rows of Parquet, or the results of `lampion mcp`; or it is a folder of `lampion selfplay --shards`,
    whose files must also have the hashes in its manifest.

    \b
    Examples:
      lampion verify game.json
      lampion verify games.parquet
      lampion simulate {game} --games 100 | lampion verify -
    """
    count = unchecked = 0
    for where, record, pieces in _records(file):
        match = match_from_record(
            record, components=pieces or read_components(record.game, components)
        )
        has_seed = record.fairness is not None and record.fairness.seed is not None
        outcomes = verify_fairness(record, match) if has_seed else None
        result = {
            "record": where,
            "game": record.game,
            "plies": match.ply,
            "legal": True,
            "fair": has_seed or None,
            "outcomes": outcomes,
        }
        click.echo(json.dumps(result))
        count, unchecked = count + 1, unchecked + (not has_seed)
    fair = f"{count - unchecked} fair" + (f", {unchecked} without a seed" if unchecked else "")
    note(f"{count} record{'s' if count != 1 else ''}: all legal, {fair}.")


def _records(file: str) -> Iterator[tuple[str, GameRecord, Components | None]]:
    """Every record, where it is, and its pieces if the file says which."""
    path = Path(file)
    if path.is_dir():
        for one in game_files(path):
            yield from _records(str(one))
    elif path.suffix == PARQUET:
        for number, record in enumerate(read_games(path)):
            yield f"{path}, game {number}", record, None
    else:
        for where, data in read_documents(file):
            yield where, *_unwrapped(data, where)


def _unwrapped(data: bytes, where: str) -> tuple[GameRecord, Components | None]:
    try:
        kept = msgspec.json.decode(data, type=Kept)
    except msgspec.DecodeError:
        return read_record(data, where), None
    record = read_record(bytes(kept.record), where)
    return record, None if kept.disguise is None else disguised(record.game, kept.disguise)
