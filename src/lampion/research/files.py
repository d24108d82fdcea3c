"""Files of games: one record per line of JSON (`.jsonl`), or one per row (`.parquet`). Both hold the same and read the same.

column       type             record
game         string           game
rules        int32            rules
players      int8             players
options      string           options, as JSON
names        list<string>     names
fairness     string, or null  fairness, as JSON
actors       list<int8>       log: who acted; -1 is chance
actions      list<string>     log: what, in notation
scores       list<int32>      scores
winners      list<int8>       winners
components   string, or null  components
ids          list<int32>      log: the same actions as ids, for `research.tensors`
visits       list<list<int32>>   decisions, or null: a list for each decision of a player, and in it a
values       list<list<float>>   number for each action that was legal, in ascending order of ids
priors       list<list<float>>
iterations   list<int32>      decisions: the budget, null where it is in seconds
seconds      list<double>     decisions: the budget, null where it is in tries
spent        list<double>     decisions: processor time in seconds, null if it was not noted

Data sets (`reviews.dataset`) have more columns; records do not hold them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from lampion.core.errors import InvalidRecord
from lampion.core.gamelog import (
    CHANCE_ACTOR,
    FORMAT,
    Fairness,
    Findings,
    GameRecord,
    read_record,
    write_record,
)
from lampion.core.replay import match_from_record
from lampion.core.types import CHANCE
from lampion.research.extras import extra

Column = tuple[str, Any]
"""Its name, and its type as Arrow says it."""
PARQUET = ".parquet"
ROWS_PER_GROUP = 1000


def read_games(path: str | Path) -> Iterator[GameRecord]:
    """The records in a file, in order, read as they are asked for."""
    path = Path(path)
    if path.suffix == PARQUET:
        yield from _read_parquet(path)
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield read_record(line, f"{path}, line {number}")


def write_games(path: str | Path, records: Iterable[GameRecord]) -> None:
    """Write a whole file; its ending says which form."""
    path = Path(path)
    if path.suffix == PARQUET:
        write_rows(path, map(row_of, records))
        return
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{write_record(record)}\n" for record in records)


def read_finished_lines(path: Path) -> list[GameRecord]:
    """The records in a file of lines that a writer may have left unfinished: an incomplete last line is left out."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [read_record(line, str(path)) for line in lines if line.endswith(b"\n")]


# --- Parquet ----------------------------------------------------------------------------------------------------------------------


def _schema(more: Sequence[Column] = ()) -> Any:
    with extra("research"):
        import pyarrow as pa
    texts, small = pa.list_(pa.string()), pa.list_(pa.int8())
    targets = pa.list_(pa.list_(pa.float32()))
    return pa.schema(
        [
            ("game", pa.string()), ("rules", pa.int32()), ("players", pa.int8()), ("options", pa.string()), ("names", texts),
            ("fairness", pa.string()), ("actors", small), ("actions", texts), ("scores", pa.list_(pa.int32())), ("winners", small),
            ("components", pa.string()), ("ids", pa.list_(pa.int32())), ("visits", pa.list_(pa.list_(pa.int32()))),
            ("values", targets), ("priors", targets), ("iterations", pa.list_(pa.int32())), ("seconds", pa.list_(pa.float64())),
            ("spent", pa.list_(pa.float64())), *more,
        ],
        metadata={"format": FORMAT, "lampion": version("lampion")},
    )  # fmt: skip


def write_rows(path: Path, rows: Iterable[dict[str, Any]], more: Sequence[Column] = ()) -> None:
    """Write a whole Parquet file of rows that `row_of` made, with more columns or without."""
    schema = _schema(more)
    import pyarrow as pa
    from pyarrow import parquet

    left = iter(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(islice(left, ROWS_PER_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))


def parquet_batches(path: Path, rows: int) -> Iterator[Any] | None:
    """Some rows at a time, as columns; nothing if the file has rows without ids, such as games in which something was taken
    back, or is of an older version."""
    _schema()
    import pyarrow.compute as pc

    for batch in _batches(path, ROWS_PER_GROUP, ["ids"]):
        if not batch.num_columns or pc.min(pc.list_value_length(batch.column("ids"))).as_py() == 0:
            return None
    return _batches(path, rows, _FOR_ARRAYS)


def _batches(path: Path, rows: int, columns: list[str] | None) -> Iterator[Any]:
    from pyarrow import ArrowInvalid, parquet

    try:
        with parquet.ParquetFile(path) as file:
            if (file.schema_arrow.metadata or {}).get(b"format") != FORMAT.encode():
                raise InvalidRecord(f"this file has no {FORMAT} in it", where=str(path))
            yield from file.iter_batches(rows, columns=columns)
    except ArrowInvalid as problem:
        raise InvalidRecord(f"not a Parquet file: {problem}", where=str(path)) from None


def _read_parquet(path: Path) -> Iterator[GameRecord]:
    _schema()  # says which extra is missing
    for batch in _batches(path, ROWS_PER_GROUP, None):
        yield from map(_from_row, batch.to_pylist())


_OF_A_DECISION = ("visits", "values", "priors", "iterations", "seconds", "spent")


_FOR_ARRAYS = [
    "game",
    "rules",
    "players",
    "options",
    "actors",
    "ids",
    *_OF_A_DECISION,
    "luck",
    "regret",
]
"""What `research.tensors` reads; only data sets have the last two."""


def ids_of(record: GameRecord) -> list[int]:
    """The log as ids; every entry goes through the gate. An undo has no id, so such games have none."""
    entries = match_from_record(record).log
    return [] if any(entry.is_undo for entry in entries) else [entry.action for entry in entries]


def row_of(record: GameRecord) -> dict[str, Any]:
    """A record as a row of Parquet."""
    decisions = record.decisions
    return {
        "ids": ids_of(record) if record.components is None else [],
        **{
            name: decisions and [getattr(one, name) for one in decisions] for name in _OF_A_DECISION
        },
        "game": record.game,
        "rules": record.rules,
        "players": record.players,
        "options": msgspec.json.encode(record.options).decode(),
        "names": record.names,
        "fairness": record.fairness and msgspec.json.encode(record.fairness).decode(),
        "actors": [CHANCE if actor == CHANCE_ACTOR else actor for actor, _ in record.log],
        "actions": [text for _, text in record.log],
        "scores": record.scores,
        "winners": record.winners,
        "components": record.components,
    }


def _from_row(row: dict[str, Any]) -> GameRecord:
    actors = [CHANCE_ACTOR if actor == CHANCE else actor for actor in row["actors"]]
    return GameRecord(
        FORMAT,
        row["game"],
        row["rules"],
        row["players"],
        msgspec.json.decode(row["options"], type=dict[str, str]),
        row["names"],
        row["fairness"] and msgspec.json.decode(row["fairness"], type=Fairness),
        log=list(zip(actors, row["actions"], strict=True)),
        scores=row["scores"],
        winners=row["winners"],
        components=row["components"],
        decisions=_decisions(row),
    )


def _decisions(row: dict[str, Any]) -> list[Findings] | None:
    """Files of an older version have no such columns."""
    if row.get("visits") is None:
        return None
    columns = [row[name] for name in _OF_A_DECISION]
    return [Findings(*one) for one in zip(*columns, strict=True)]
