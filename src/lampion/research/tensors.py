"""From files to arrays: what the player to act saw, what it did, what its search found, and what became of it, for every decision.

for decisions in read_decisions("games.parquet"):          some games at a time
decisions.observations      (decisions, numbers)   uint8     as in docs/research.md
decisions.masks             (decisions, moves)     int8      1 for what was legal
decisions.actions           (decisions,)           int32     ids
decisions.seats             (decisions,)           int8      who acted
decisions.outcomes          (decisions,)           float32   reward by placement of the player who acted, -1 ... 1
decisions.games             (decisions,)           int32     number of the record
decisions.regrets           (decisions,)           float32   what the action cost, in the search's value; data sets alone have it
decisions.luck              (decisions,)           float32   what chance gave the player from here on, in the unit of outcomes
decisions.targets                                            what searches found, see `Targets`
decisions.policies(rows)    (rows, moves)          float32   shares of visits, for some rows
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from lampion.core import play
from lampion.core.errors import InvalidRecord
from lampion.core.game import Components, Game, find_game
from lampion.core.gamelog import Findings, GameRecord
from lampion.core.observation import Vector, observation_of
from lampion.core.replay import match_from_record
from lampion.core.types import CHANCE, GAME_OVER, IntArray
from lampion.core.variants import start_state
from lampion.research import stepping
from lampion.research.files import PARQUET, parquet_batches, read_games
from lampion.research.stepping import Mask

GAMES_AT_ONCE = 1000
Floats = npt.NDArray[np.float32]


@dataclass
class Targets:
    """What searches found. Findings d has the numbers `offsets[d]` to `offsets[d + 1]` of `visits`, `values` and `priors`: one
    for each legal action, in ascending order of ids, or none where the bot did not search."""

    offsets: npt.NDArray[np.int64]
    visits: IntArray
    values: Floats
    """Not a number where the search did not try an action."""
    priors: Floats
    """Not a number where the search did not say."""
    iterations: IntArray
    """The budget of each decision; -1 where it has none of that kind."""
    seconds: Floats
    """The budget; not a number where it has none of that kind."""
    spent: Floats
    """Processor time; not a number where it was not noted."""


@dataclass
class Decisions:
    """One row per decision. All arrays have the same length."""

    observations: Vector
    masks: Mask
    actions: IntArray
    seats: npt.NDArray[np.int8]
    outcomes: Floats
    games: IntArray
    regrets: Floats
    """What each action cost, as a data set judged it (docs/dataset.md). Not a number where there was
    nothing to decide, and in files that do not say."""
    luck: Floats
    """What later outcomes of chance gave the player: `outcomes - luck` is the outcome without it.
    Not a number in files that do not say."""
    targets: Targets

    def __len__(self) -> int:
        return len(self.actions)

    def policies(self, rows: Any = slice(None)) -> Floats:
        """The share of the visits of each action, for some rows: what a network should learn to play. Where the bot did not
        search, all of it is the action that it took."""
        chosen = np.arange(len(self))[rows]
        shares = np.zeros((len(chosen), self.masks.shape[1]), np.float32)
        first, last = self.targets.offsets[chosen], self.targets.offsets[chosen + 1]
        summed = np.concatenate([[0], np.cumsum(self.targets.visits)])
        totals = summed[last] - summed[first]
        searched = np.flatnonzero(totals)
        counts = (last - first)[searched]
        row, action = np.nonzero(self.masks[chosen[searched]].view(np.bool_))
        # The visits of the searched decisions lie one after the other, with gaps between decisions.
        gaps = first[searched] - _offsets(counts)[:-1]
        visits = self.targets.visits[np.arange(len(row)) + np.repeat(gaps, counts)]
        shares[searched[row], action] = visits / np.repeat(totals[searched], counts)
        other = np.flatnonzero(totals == 0)
        shares[other, self.actions[chosen[other]]] = 1.0
        return shares


def read_decisions(
    path: str | Path, *, games_at_once: int = GAMES_AT_ONCE, first: int = 0
) -> Iterator[Decisions]:
    """The decisions in a file of finished games of one kind, some games at a time; the games are
    numbered from `first` on. Every entry of every game is checked. A Parquet file of this version
    is read without its notation, ten times as fast as the records in it."""
    path, names = Path(path), set[str]()
    batches = parquet_batches(path, games_at_once) if path.suffix == PARQUET else None
    if batches is not None:
        for batch in batches:
            names.update(batch.column("game").unique().to_pylist())
            _check_one_game(names, str(path))
            yield _from_columns(batch, first, str(path))
            first += len(batch)
        return
    games = read_games(path)
    while records := list(islice(games, games_at_once)):
        names.update(record.game for record in records)
        _check_one_game(names, str(path))
        yield read_tensors(records, first=first)
        first += len(records)


# --- from records ---------------------------------------------------------------------------------


def read_tensors(
    records: Iterable[GameRecord], *, components: Components | None = None, first: int = 0
) -> Decisions:
    """All decisions of finished games of one kind, numbered from `first` on. Every record goes
    through the gate; what was taken back is left out."""
    records = list(records)
    assert records, "there are no records"
    _check_one_game({record.game for record in records}, f"games from {first} on")
    parts = [
        _decisions_of(number, record, components) for number, record in enumerate(records, first)
    ]
    columns = {
        one.name: _joined(parts, one.name) for one in fields(Decisions) if one.name != "targets"
    }
    return Decisions(**columns, targets=_joined_targets([part.targets for part in parts]))


def _joined(parts: list[Any], name: str) -> Any:
    return np.concatenate([getattr(part, name) for part in parts])


def _joined_targets(parts: list[Targets]) -> Targets:
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    rest = [_joined(parts, one.name) for one in fields(Targets) if one.name != "offsets"]
    return Targets(_offsets(counts), *rest)


def _decisions_of(number: int, record: GameRecord, components: Components | None) -> Decisions:
    match = match_from_record(record, components=components)
    assert match.is_over, f"record {number} is of a game that is not over"
    entries = match.log.standing
    actors = np.array([entry.actor for entry in entries], np.int32)
    actions = np.array([entry.action for entry in entries], np.int32)
    is_decision = actors != CHANCE
    count, told = int(is_decision.sum()), record.decisions or []
    # With an undo in the log it is no longer clear whose decisions are told.
    is_told = len(told) == count
    made = _empty(match.game, count, _targets_of(told if is_told else [Findings()] * count))
    start = start_state(match.game, match.players, match.options, match.components)
    legal = np.empty(match.game.ACTIONS.size, np.int32)
    stepping.observe_game(start.batch, actors, actions, legal, 0, made.masks, made.observations)
    made.actions[:], made.seats[:] = actions[is_decision], actors[is_decision]
    made.games[:], made.outcomes[:] = number, _rewards(start.batch, match.players)[made.seats]
    _check_targets(made, f"game {number}")
    return made


def _check_one_game(names: set[str], where: str) -> None:
    """The arrays are as wide as one game needs."""
    if len(names) > 1:
        listed = ", ".join(sorted(names))
        message = f"games of different kinds: {listed}; use one file for each game"
        raise InvalidRecord(message, code="mixed-games", where=where)


def _check_targets(made: Decisions, where: str) -> None:
    """A search says something about every legal action, or nothing at all."""
    counts = np.diff(made.targets.offsets)
    if counts.any() and (counts[counts > 0] != made.masks.sum(axis=1)[counts > 0]).any():
        message = "some decisions list more or fewer visits than there were legal actions"
        raise InvalidRecord(message, where=where)


def _empty(game: Game, count: int, targets: Targets) -> Decisions:
    return Decisions(
        np.empty((count, observation_of(game).OBSERVATION.size), np.uint8),
        np.empty((count, game.ACTIONS.num_moves), np.int8),
        np.empty(count, np.int32),
        np.empty(count, np.int8),
        np.empty(count, np.float32),
        np.empty(count, np.int32),
        np.full(count, np.nan, np.float32),
        np.full(count, np.nan, np.float32),
        targets,
    )


def _targets_of(told: list[Findings]) -> Targets:
    priors = [one.priors or [np.nan] * len(one.visits) for one in told]
    return Targets(
        _offsets([len(one.visits) for one in told]),
        np.array([visits for one in told for visits in one.visits], np.int32),
        np.array([value for one in told for value in one.values], np.float32),
        np.array([prior for one in priors for prior in one], np.float32),
        np.array([-1 if one.iterations is None else one.iterations for one in told], np.int32),
        np.array([np.nan if one.seconds is None else one.seconds for one in told], np.float32),
        np.array([np.nan if one.spent is None else one.spent for one in told], np.float32),
    )


def _offsets(counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _rewards(states: Any, players: int) -> Floats:
    """What a finished game pays to each player."""
    places, rewards = np.zeros(players, np.int32), np.zeros(players, np.float32)
    play.placements_at(states, 0, places)
    stepping.reward_places(places, rewards)
    return rewards


# --- from columns ---------------------------------------------------------------------------------


class GameKind(NamedTuple):
    """What games of a file have in common."""

    game: str
    rules: int
    players: int
    options: str

    def start(self, where: str) -> Any:
        """The state that they start with."""
        game = find_game(self.game)
        if self.rules != game.RULES_VERSION:
            message = f"these games were played by version {self.rules} of the rules, this is version {game.RULES_VERSION}"
            raise InvalidRecord(message, code="other-rules", where=where)
        options = msgspec.json.decode(self.options, type=dict[str, str])
        return start_state(game, self.players, options, game.read_components(None)).batch


def _from_columns(batch: Any, first: int, where: str) -> Decisions:
    """The decisions of some rows of a Parquet file."""
    told = [batch.column(name).to_pylist() for name in GameKind._fields]
    kinds = [GameKind(*row) for row in zip(*told, strict=True)]
    actions, ends = _flat(batch.column("ids"))
    actors, actor_ends = _flat(batch.column("actors"))
    if not np.array_equal(ends, actor_ends):
        raise InvalidRecord("some games have other numbers of actors and actions", where=where)
    is_decision = actors != CHANCE
    rows = np.concatenate([[0], np.cumsum(is_decision)])[ends]
    count = int(rows[-1])
    made = _empty(find_game(kinds[0].game), count, _targets_in(batch, count, where))
    made.actions[:], made.seats[:] = actions[is_decision], actors[is_decision]
    made.games[:] = first + np.repeat(np.arange(len(kinds)), np.diff(rows))
    if "luck" in batch.schema.names:
        _add_review(made, batch, actors, ends, where)
    replay = Replay(actors.astype(np.int32), actions.astype(np.int32), made)
    for number, kind in enumerate(kinds):
        place = f"{where}, game {first + number}"
        replay.play(kind, slice(ends[number], ends[number + 1]), int(rows[number]), place)
    _check_targets(made, where)
    return made


class Replay:
    """Plays the games of a file again, one after the other, each in the same work space."""

    def __init__(self, actors: IntArray, actions: IntArray, made: Decisions) -> None:
        self._actors, self._actions, self._made = actors, actions, made
        self._starts: dict[GameKind, tuple[Any, Any, IntArray]] = {}

    def play(self, kind: GameKind, log: slice, row: int, where: str) -> None:
        """Write what was seen in one game, and what it paid, from a row on."""
        if kind not in self._starts:
            start = kind.start(where)
            legal = np.empty(find_game(kind.game).ACTIONS.size, np.int32)
            self._starts[kind] = start, start.copy(), legal
        start, work, legal = self._starts[kind]
        work[:] = start
        made, actors, actions = self._made, self._actors[log], self._actions[log]
        entry = stepping.observe_game(
            work, actors, actions, legal, row, made.masks, made.observations
        )
        if entry < len(actors):
            raise InvalidRecord(f"entry {entry} is not legal", where=where)
        if play.to_act_at(work, 0) != GAME_OVER:
            raise InvalidRecord("this game is not over", where=where)
        rows = slice(row, row + int((actors != CHANCE).sum()))
        made.outcomes[rows] = _rewards(work, kind.players)[made.seats[rows]]


def _add_review(made: Decisions, batch: Any, actors: IntArray, ends: Any, where: str) -> None:
    """What a data set says about regret and luck; `ends` are those of the games."""
    regrets, told = batch.column("regret").flatten(), _flat(batch.column("luck").flatten())
    players, is_chance = batch.column("players").to_numpy(), actors == CHANCE
    by_entry = np.repeat(players, np.diff(ends))
    if len(regrets) != len(made) or not np.array_equal(np.diff(told[1]), by_entry[is_chance]):
        raise InvalidRecord("some games do not tell luck and regret of every entry", where=where)
    made.regrets[:] = regrets.to_numpy(zero_copy_only=False)
    # By entry and seat, in the unit of outcomes, which is twice as wide as places.
    given = np.zeros((len(actors), int(players.max())))
    given[is_chance[:, None] & (np.arange(given.shape[1]) < by_entry[:, None])] = 2 * told[0]
    so_far = np.concatenate([np.zeros((1, given.shape[1])), np.cumsum(given, axis=0)])
    at, seats = np.flatnonzero(~is_chance), made.seats
    last = np.repeat(ends[1:], np.diff(ends))[at]
    made.luck[:] = so_far[last, seats] - so_far[at, seats]


def _flat(column: Any) -> tuple[Any, npt.NDArray[np.int64]]:
    """The numbers of a column of lists, one after the other, and where each list ends."""
    ends = column.offsets.to_numpy().astype(np.int64)
    return column.flatten().to_numpy(zero_copy_only=False), ends - ends[0]


def _targets_in(batch: Any, count: int, where: str) -> Targets:
    if batch.column("visits").null_count == len(batch):
        return _targets_of([Findings()] * count)
    by_decision = {name: batch.column(name).flatten() for name in ("visits", "values", "priors")}
    if any(len(column) != count for column in by_decision.values()):
        raise InvalidRecord("some games do not tell about every decision", where=where)
    visits, ends = _flat(by_decision["visits"])
    values, value_ends = _flat(by_decision["values"])
    priors, prior_ends = _flat(by_decision["priors"])
    if not np.array_equal(ends, value_ends):
        raise InvalidRecord("some decisions have other numbers of visits and values", where=where)
    if not np.array_equal(ends, prior_ends):
        priors = np.full(len(values), np.nan, np.float32)
    iterations, seconds, spent = (
        batch.column(name).flatten() for name in ("iterations", "seconds", "spent")
    )
    return Targets(
        ends, visits.astype(np.int32), values, priors, iterations.fill_null(-1).to_numpy(),
        seconds.to_numpy(zero_copy_only=False).astype(np.float32),
        spent.to_numpy(zero_copy_only=False).astype(np.float32),
    )  # fmt: skip
