"""Starting, loading, saving and checking matches: what most programs do with a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from lampion.core.errors import InvalidComponents
from lampion.core.fairness import Chance, new_seed, seed_from_number
from lampion.core.game import Components, find_game
from lampion.core.gamelog import GameRecord, read_record, write_record
from lampion.core.match import Match
from lampion.core.replay import match_from_record, verify_fairness


def new(
    game: str,
    players: int,
    *,
    seed: int | bytes | None = None,
    options: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
    components: str | PathLike[str] | None = None,
) -> Match:
    """Start a match. Chance follows from the seed: a number for experiments, 32 secret bytes, or by default a fresh secret."""
    rules = find_game(game)
    source = (
        new_seed() if seed is None else seed_from_number(seed) if isinstance(seed, int) else seed
    )
    return Match(
        rules,
        players,
        options,
        names=names,
        components=_components(game, components),
        chance=Chance(source),
    )


def load(
    record: str | bytes | GameRecord, *, components: str | PathLike[str] | None = None
) -> Match:
    """Continue or look at a match from its record: the JSON text, its bytes, or what `Match.to_record` gave."""
    read = record if isinstance(record, GameRecord) else read_record(record)
    return match_from_record(read, components=_components(read.game, components))


def dump(match: Match, *, reveal_seed: bool | None = None) -> str:
    """The record of a match as one line of JSON."""
    return write_record(match.to_record(reveal_seed=reveal_seed))


def verify(
    record: str | bytes | GameRecord, *, components: str | PathLike[str] | None = None
) -> int:
    """Check that a record is legal and its chance outcomes follow from its seed; return how many outcomes were checked.
    Those before `record.first_ply` come from another game and are not."""
    read = record if isinstance(record, GameRecord) else read_record(record)
    return verify_fairness(read, load(read, components=components))


def _components(game: str, path: str | PathLike[str] | None) -> Components | None:
    if path is None:
        return None
    try:
        source = Path(path).read_bytes()
    except OSError as problem:
        raise InvalidComponents(
            f"cannot read it: {problem.strerror}", code="unreadable", where=str(path)
        ) from None
    return find_game(game).read_components(source, str(path))
