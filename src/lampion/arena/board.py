"""A leaderboard: one file of JSON lines that holds every game of every entry, so that anybody can
check and rate it again.

    board        the protocol: game, players, deals, budget
    commitment   the hash of a secret seed, and of all lines before: published before the next entry is known
    entry        a bot, bound to that seed
    game ...     the entry against each earlier one, on the deals of that seed, from every seat
    revealed     the seed
    commitment   for the next entry, and so on

The seed of a round lies in a file beside the board (`secret_file`) until it is revealed. No deal is
played by two entries, so nobody can prepare for one.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from lampion.arena.lines import add_line, whole_lines
from lampion.arena.schedule import rotations
from lampion.arena.submissions import bot_of, files_of
from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidOptions, InvalidRecord
from lampion.core.fairness import commitment, new_seed
from lampion.core.game import find_game
from lampion.core.gamelog import MAX_NAME, GameRecord
from lampion.core.match import Match

FORMAT: Literal["lampion-board/1"] = "lampion-board/1"
_HEX = re.compile("[0-9a-f]{64}")
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f|]*$")]


class BoardHead(msgspec.Struct, tag="board", frozen=True, forbid_unknown_fields=True):
    """What is played, and how."""

    format: Literal["lampion-board/1"]
    game: str
    rules: int
    """RULES_VERSION of the game."""
    players: int
    options: dict[str, str]
    deals: Annotated[int, Meta(ge=1)]
    """For each entry; every deal is played against each earlier entry from every seat."""
    iterations: Annotated[int, Meta(ge=1)] | None = None
    """The budget of a decision: tries of a search,"""
    seconds: Annotated[float, Meta(gt=0)] | None = None
    """or seconds of processor time."""

    def check(self) -> None:
        if (self.iterations is None) == (self.seconds is None):
            message = "a board has a budget of iterations or of seconds"
            raise InvalidOptions(message, code="bad-option", where="--iterations")
        Match(find_game(self.game), self.players, self.options)


class Commitment(msgspec.Struct, tag="commitment", forbid_unknown_fields=True):
    number: int
    commitment: str
    """SHA-256 of the seed of this round."""
    before: str
    """SHA-256 of all lines before this one: publishing it fixes them, too."""


class Entrant(msgspec.Struct, tag="entry", forbid_unknown_fields=True):
    number: int
    name: Name
    spec: str
    """A bot, as `arena.submissions` takes it."""
    files: dict[str, str]
    """SHA-256 of the files that it names: its program, its checkpoint."""
    sources: str
    """A hash of the rules and the bots of this package (`bots.sources`)."""


class PlayedGame(msgspec.Struct, tag="game", forbid_unknown_fields=True):
    entry: int
    """The round."""
    deal: int
    seats: list[int]
    """The entry in each seat."""
    places: list[int]
    scores: list[int]
    luck: list[float]
    """By seat, what chance gave, in places from 0 to 1 (`reviews.ledger`); its mean is 0."""
    spent: list[float]
    """Seconds of processor time, by seat."""
    failures: dict[int, str]
    """Seats whose bots failed: they share the last places, whatever was scored."""
    record: GameRecord


class Revealed(msgspec.Struct, tag="revealed", forbid_unknown_fields=True):
    number: int
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


Line: TypeAlias = BoardHead | Commitment | Entrant | PlayedGame | Revealed
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class Wanted(NamedTuple):
    """A game that belongs to a round."""

    deal: int
    seats: tuple[int, ...]


@dataclass
class Round:
    """An entry and its games."""

    commitment: Commitment
    entry: Entrant
    games: list[PlayedGame]
    seed: str | None = None


class Rounds:
    """What the lines of a board say, in their order; a line out of order is refused."""

    def __init__(self) -> None:
        self.head: BoardHead | None = None
        self.rounds: list[Round] = []
        self.waiting: Commitment | None = None
        """A seed that no entry has yet."""

    def take(self, line: Line) -> bool:
        """Take the next line; whether it may stand there."""
        number, last = len(self.rounds), self.rounds[-1] if self.rounds else None
        is_open = last is not None and last.seed is None
        if isinstance(line, BoardHead):
            fits, self.head = self.head is None, line
        elif isinstance(line, Commitment):
            fits = (
                bool(self.head) and self.waiting is None and not is_open and line.number == number
            )
            self.waiting = line
        elif isinstance(line, Entrant):
            fits = self.waiting is not None and line.number == number
            fits = fits and line.name not in {one.entry.name for one in self.rounds}
            if self.waiting:
                self.rounds.append(Round(self.waiting, line, []))
            self.waiting = None
        elif last is None or not is_open:
            fits = False
        elif isinstance(line, PlayedGame):
            fits = line.entry == last.entry.number
            last.games.append(line)
        else:
            fits, last.seed = line.number == last.entry.number, line.seed
        return fits


class Board:
    """A board in its file."""

    def __init__(self, path: Path) -> None:
        self.path, self._told, found = path, hashlib.sha256(), Rounds()
        self.hashes: list[str] = []
        """Of all lines before each."""
        self.lines: list[Line] = []
        for number, text in enumerate(whole_lines(path), 1):
            self.hashes.append(self._told.hexdigest())
            self._take(found, text, f"{path}, line {number}")
        if found.head is None:
            raise InvalidRecord("this is no leaderboard", where=str(path))
        self.head, self._found = found.head, found

    def _take(self, found: Rounds, text: bytes, where: str) -> None:
        try:
            line = _decoder.decode(text)
        except msgspec.DecodeError as problem:
            raise InvalidRecord(f"not a line of a leaderboard: {problem}", where=where) from None
        if not found.take(line):
            raise InvalidRecord("this line cannot stand here", where=where)
        self.lines.append(line)
        self._told.update(text + b"\n")

    @classmethod
    def create(cls, path: Path, head: BoardHead) -> Board:
        head.check()
        if path.exists():
            message = "this file exists; a board is never overwritten"
            raise InvalidOptions(message, code="file-exists", where=str(path))
        add_line(path, msgspec.json.encode(head))
        board = cls(path)
        board.commit()
        return board

    def add(self, line: Line) -> None:
        text = msgspec.json.encode(line)
        self._take(self._found, text, str(self.path))
        add_line(self.path, text)

    # --- rounds ---

    @property
    def rounds(self) -> list[Round]:
        return self._found.rounds

    @property
    def waiting(self) -> Commitment | None:
        """A promised seed that no entry has yet."""
        return self._found.waiting

    @property
    def entries(self) -> list[Entrant]:
        return [one.entry for one in self.rounds]

    @property
    def open_round(self) -> Round | None:
        """The round whose games are being played."""
        last = self.rounds[-1] if self.rounds else None
        return last if last and last.seed is None else None

    @property
    def secret_file(self) -> Path:
        return self.path.with_name(f"{self.path.name}.secret")

    def commit(self) -> None:
        """Draw a seed for the next entry and publish its hash, unless that is done."""
        if self.waiting or self.open_round:
            return
        seed, unfinished = new_seed(), self.secret_file.with_suffix(".new")
        with os.fdopen(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"
        ) as file:
            file.write(seed.hex())
        os.replace(unfinished, self.secret_file)
        self.add(Commitment(len(self.rounds), commitment(seed), self._told.hexdigest()))

    def secret(self) -> bytes:
        """The seed of the open round."""
        assert self.open_round
        told = self.secret_file.read_text("utf-8").strip() if self.secret_file.exists() else ""
        seed = bytes.fromhex(told) if _HEX.fullmatch(told) else b""
        if commitment(seed) != self.open_round.commitment.commitment:
            message = "the file with the seed of this round is missing, or another"
            raise InvalidOptions(message, code="no-secret", where=str(self.secret_file))
        return seed

    def admit(self, name: str, spec: str) -> Round:
        """Begin the round of a new entry, or continue it."""
        going_on = self.open_round
        if going_on and (going_on.entry.name, going_on.entry.spec) != (name, spec):
            told = going_on.entry
            message = f"the games of {told.name} ({told.spec}) are not finished: add it again first"
            raise InvalidOptions(message, code="open-round", where=str(self.path))
        bot_of(spec, self.head)
        files, sources = files_of(spec), sources_of(self.head.game)
        if going_on:
            if (files, sources) != (going_on.entry.files, going_on.entry.sources):
                message = f"{name} is not what it was when its games began"
                raise InvalidOptions(message, code="open-round", where=str(self.path))
            return going_on
        if name in {entry.name for entry in self.entries}:
            message = f"there is an entry {name!r}; give another --name"
            raise InvalidOptions(message, code="same-name", where="--name")
        self.commit()
        try:
            entry = msgspec.convert(Entrant(len(self.rounds), name, spec, files, sources), Entrant)
            msgspec.json.decode(msgspec.json.encode(entry), type=Entrant)
        except msgspec.ValidationError:
            message = f"a name has 1 to {MAX_NAME} characters and no bar"
            raise InvalidOptions(message, code="invalid-names", where="--name") from None
        self.add(entry)
        return self.rounds[-1]

    def reveal(self) -> None:
        """All games of the open round are there: publish its seed, and commit to the next."""
        assert self.open_round
        self.add(Revealed(self.open_round.entry.number, self.secret().hex()))
        self.commit()


def wanted_games(head: BoardHead, entry: int) -> Iterator[Wanted]:
    """All games of a round. Where there are more seats than two, the others are copies of one
    opponent; the deals are the same for all opponents."""
    for deal in range(head.deals):
        for opponent in range(entry):
            line_up = (entry, *[opponent] * (head.players - 1))
            for seats in rotations(line_up):
                yield Wanted(deal, seats)


def derived(seed: bytes, *about: object) -> bytes:
    """A part of a round's randomness. No part tells anything about the seed or another part."""
    return hmac.digest(seed, " ".join(map(str, about)).encode(), "sha256")
