"""What the commands share: options and files."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click
import msgspec

from lampion.core.errors import InvalidOptions, InvalidRecord
from lampion.core.game import Components, Game, find_game, game_names
from lampion.core.gamelog import GameRecord, read_record

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def game_argument(function: Decorated) -> Decorated:
    return click.argument("game", metavar="GAME", shell_complete=lambda *_: game_names())(function)


def match_options(function: Decorated) -> Decorated:
    """The options that say which game is to be played."""
    function = click.option(
        "--players", "-p", type=int, default=None, help="Number of players [default: 3]."
    )(function)
    function = click.option(
        "--option",
        "--options",
        "-o",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option or variant of the game, as `lampion games` lists them; may be repeated.",
    )(function)
    file = click.Path(dir_okay=False)
    return click.option(
        "--components", type=file, default=None, help="Play with the pieces in this file."
    )(function)


def parse_options(options: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE, several of them separated by commas or given one by one."""
    parsed: dict[str, str] = {}
    for part in ",".join(options).split(",") if options else []:
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InvalidOptions(
                f"{part[:60]!r} is not of the form NAME=VALUE", code="bad-option", where="--option"
            )
        parsed[name.strip()] = value.strip()
    return parsed


def default_players(game: Game, players: int | None) -> int:
    if players is not None:
        return players
    return 3 if 3 in game.NUM_PLAYERS else game.NUM_PLAYERS[0]


def read_components(game: str, path: str | None) -> Components | None:
    return None if path is None else find_game(game).read_components(Path(path).read_bytes(), path)


def read_records(path: str) -> Iterator[tuple[str, GameRecord]]:
    """The records in a file, one per line or one JSON document over several lines, each with its place; `-` is standard input."""
    for where, data in read_documents(path):
        yield where, read_record(data, where)


def read_documents(path: str) -> Iterator[tuple[str, bytes]]:
    """The JSON documents in a file, as `read_records` takes them."""
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    if _is_one_document(data):
        yield path, data
        return
    lines = [(number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    if not lines:
        raise InvalidRecord("there is no record in this file", code="empty-file", where=path)
    for number, line in lines:
        yield f"{path}, line {number}", line


def _is_one_document(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def read_one_record(path: str, line: int) -> GameRecord:
    for number, (_, record) in enumerate(read_records(path), 1):
        if number == line:
            return record
    raise InvalidRecord(
        f"there is no record number {line} in this file", code="no-such-record", where=path
    )


@contextmanager
def output(path: str | None) -> Iterator[IO[str]]:
    """Standard output, or a file that appears only when it is complete."""
    if path is None or path == "-":
        yield sys.stdout
        return
    folder, name = os.path.split(os.path.abspath(path))
    handle, unfinished = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        os.chmod(unfinished, 0o666 & ~_umask())
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
