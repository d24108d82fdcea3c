"""Record: a class body becomes one NumPy record, and every field says who sees it.

    class State(Record):
        supply: IntArray = array(NUM_COLORS, seen_by=ALL)            # the same for everybody
        hand: IntArray = array(MAX_PLAYERS, HAND_SIZE, seen_by=OWNER)  # row p is for player p alone
        unseen: IntArray = array(NUM_TILES, seen_by=NOBODY)          # the engine's own knowledge
        draft: IntArray = array(MAX_PLAYERS, seen_by=OWNER, open_if="is_open")  # everybody's where is_open is not 0
        card: IntArray = array(MAX_PLAYERS, seen_by=OWNER, names="JQK")  # called J, Q and K where it is shown
        active: Player = scalar(seen_by=ALL)

An instance reads like a dataclass but is only a window on one element of an array: `State.dtype` is
the type of that element, compiled rules work on it directly, a copy is one memory copy and a
thousand games are one array.

Redaction is written here, once, for all games: a redacted record starts with `HIDDEN` in every
field and receives what its seat may see. A field that nobody thought about cannot leak, because
`seen_by` has no default.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, ClassVar, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from lampion.core.types import SPECTATOR, Batch, Player

HIDDEN = -99
"""What a redacted record holds wherever its seat may not look; no rule ever stores it.
It fits every integer type."""


def record_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """A type of records laid out as C does, whose elements have their fields as attributes."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


class SeenBy(Enum):
    ALL = "all"
    OWNER = "owner"  # the first axis is the player, and each sees one row
    NOBODY = "nobody"


ALL = SeenBy.ALL
"""`seen_by` of a field that everybody sees."""
OWNER = SeenBy.OWNER
"""`seen_by` of a field with a row for each player, who sees only their own."""
NOBODY = SeenBy.NOBODY
"""`seen_by` of a field that no seat sees, such as what chance has yet to show."""

Switch: TypeAlias = tuple[str, int]
"""A field that opens others, and which row of them."""
EVERY_ROW = -1


class Field:
    """One field of a record, and the attribute through which an instance reads and writes it."""

    def __init__(
        self,
        shape: tuple[int, ...],
        seen_by: SeenBy,
        dtype: npt.DTypeLike,
        *,
        transient: bool,
        open_if: str = "",
        by_player: bool = False,
        names: Sequence[str] = (),
        in_view: bool = True,
    ) -> None:
        assert seen_by is not OWNER or shape, (
            "a field seen by its owner needs the player as its first axis"
        )
        self.shape, self.seen_by, self.dtype = shape, seen_by, np.dtype(dtype)
        self.transient = transient
        """Whether it tells about the last action, and not about the position."""
        self.open_if = open_if
        """The field that opens this one to everybody unless it is 0; empty: nothing does."""
        self.by_player = by_player or seen_by is OWNER
        """Whether its first axis is the player."""
        self.names = names
        """What its numbers are called where they are shown; a number below 0 is nothing."""
        self.in_view = in_view
        """Whether a view that nobody writes has it; what a seat may know is not asked here."""
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        assert not hasattr(np.record, name), (
            f"a field cannot be called {name!r}: NumPy's own attribute would hide it"
        )
        self.name = name

    def __get__(self, record: Record | None, owner: type) -> Any:
        if record is None:
            return self
        column = record.column(self.name)
        return column[record.index] if self.shape else column.item(record.index)

    def __set__(self, record: Record, value: object) -> None:
        record.column(self.name)[record.index] = value


def array(
    *shape: int,
    seen_by: SeenBy,
    dtype: npt.DTypeLike = np.int32,
    transient: bool = False,
    open_if: str = "",
    by_player: bool = False,
    names: Sequence[str] = (),
    in_view: bool = True,
) -> Any:
    """A field of that shape. `transient` leaves it out of comparisons: it tells about the last
    action, not about the position.

    `open_if` names a number in the same record, seen by all: where it is not 0, everybody sees this
    field, too. If it names an array with a number for each player, everybody sees the rows of those
    players where it is not 0.

    `by_player`, `names` and `in_view` are for views that nobody writes (see `core.plain_views`).
    """
    return Field(
        shape,
        seen_by,
        dtype,
        transient=transient,
        open_if=open_if,
        by_player=by_player,
        names=names,
        in_view=in_view,
    )


def scalar(
    *,
    seen_by: SeenBy,
    dtype: npt.DTypeLike = np.int32,
    transient: bool = False,
    names: Sequence[str] = (),
    in_view: bool = True,
) -> Any:
    """A field of a single number; reading it gives an int."""
    return Field((), seen_by, dtype, transient=transient, names=names, in_view=in_view)


class Record:
    """A window on element `index` of the array `batch`."""

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[dict[str, Field]]
    has_secrets: ClassVar[bool]
    """Whether anybody sees less than everything."""
    _Unpacked: ClassVar[Any]
    _blank: ClassVar[bytes]
    _switches: ClassVar[dict[Switch, slice]]
    """What opens fields, and where its bytes are."""
    _visible: ClassVar[dict[tuple[Player, tuple[Switch, ...]], list[slice]]]

    def __init_subclass__(cls) -> None:
        cls.fields = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        cls.has_secrets = any(field.seen_by is not ALL for field in cls.fields.values())
        cls.dtype = record_type(
            [(name, field.dtype, field.shape) for name, field in cls.fields.items()]
        )
        cls._Unpacked = namedtuple("_Unpacked", cls.fields)  # type: ignore[misc]
        cls._switches = cls._find_switches()
        cls._blank = cls._blank_bytes()
        cls._visible = {}

    def __init__(self, batch: Batch = None, index: int = 0) -> None:
        self.batch: Batch = np.zeros(1, self.dtype) if batch is None else batch
        self.index = index
        self._columns: dict[str, npt.NDArray[Any]] = {}

    def column(self, name: str) -> npt.NDArray[Any]:
        """One field of the whole batch. Kept, because looking a field up by name
        costs more than reading it."""
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self.batch[name]
        return column

    def unpacked(self) -> Self:
        """All fields read at once, for callers that read many: a tuple with the same
        names, each an int or an array."""
        return cast(Self, self._Unpacked._make(self.batch.item(self.index)))

    def copy(self) -> Self:
        return self.frombytes(self.tobytes())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def tobytes(self) -> bytes:
        batch = self.batch
        own = batch if len(batch) == 1 else batch[self.index : self.index + 1]
        return bytes(own.tobytes())

    @classmethod
    def frombytes(cls, data: bytes) -> Self:
        """Byte for byte: NumPy's own copy would leave whatever was in memory in the
        gaps that align the fields."""
        record = cls()
        record.batch.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        return record

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).frombytes, (self.tobytes(),)

    def __eq__(self, other: object) -> bool:
        """The same position: all fields equal, whatever the last action was."""
        return type(other) is type(self) and self.position() == other.position()

    __hash__ = None  # type: ignore[assignment]

    def position(self) -> bytes:
        """The bytes of the position, without what only tells about the last action."""
        lasting = [name for name, field in self.fields.items() if not field.transient]
        return b"".join(self.column(name)[self.index].tobytes() for name in lasting)

    def differences(self, other: Self) -> Iterator[str]:
        """The names of the fields in which two positions differ."""
        for name, field in self.fields.items():
            if not field.transient and not np.array_equal(
                getattr(self, name), getattr(other, name)
            ):
                yield name

    def redacted(self, seat: Player) -> Self:
        """What a seat may know: `HIDDEN` everywhere, then what it sees. SPECTATOR
        sees what everybody sees."""
        return self.redacted_for([seat])[0]

    def redacted_for(self, seats: Iterable[Player]) -> list[Self]:
        """The same for several seats. The record is read once for all of them."""
        own = self.tobytes()
        switched_on = self._switched_on(own) if self._switches else ()
        found = []
        for seat in seats:
            seen = bytearray(self._blank)
            for part in self._visible_to(seat, switched_on):
                seen[part] = own[part]
            found.append(type(self)(np.frombuffer(seen, self.dtype)))
        return found

    def is_open_to_all(self, name: str) -> bool:
        """Whether everybody sees that field of this record."""
        field = self.fields[name]
        if field.seen_by is ALL or not field.open_if:
            return field.seen_by is ALL
        switch = getattr(self, field.open_if)  # one number, or one for each player
        return all(switch.tolist()) if self.fields[field.open_if].shape else bool(switch)

    @classmethod
    def _switched_on(cls, own: bytes) -> tuple[Switch, ...]:
        return tuple([switch for switch, place in cls._switches.items() if any(own[place])])

    @classmethod
    def _find_switches(cls) -> dict[Switch, slice]:
        opened = [field for field in cls.fields.values() if field.open_if]
        for field in opened:
            switch = cls.fields[field.open_if]
            assert switch.seen_by is ALL and switch.shape in ((), field.shape[:1]), (
                f"{switch.name} opens other fields, so it is one number that all see, or one for each player"
            )
        places = [cls._places(name) for name in sorted({field.open_if for field in opened})]
        return {switch: place for each in places for switch, place in each}

    @classmethod
    def _places(cls, name: str) -> list[tuple[Switch, slice]]:
        """Where the bytes of a switch are, or those of the switches of all players."""
        layout = cls.dtype.fields
        assert layout is not None
        start, size = layout[name][1], cls.fields[name].dtype.itemsize
        rows = range(*cls.fields[name].shape) if cls.fields[name].shape else (EVERY_ROW,)
        return [
            ((name, row), slice(start + k * size, start + (k + 1) * size))
            for k, row in enumerate(rows)
        ]

    @classmethod
    def places_without_others(cls, player: Player, by_player: Collection[str]) -> list[slice]:
        """Where the bytes of a record are, without the rows of other players in these fields and
        without what only tells about the last action."""
        mark = cls()
        for name, field in cls.fields.items():
            column = mark.column(name)
            marked = np.frombuffer(b"\xff" * column.nbytes, field.dtype).reshape(column.shape)
            if name in by_player:
                column[0, player] = marked[0, player]
            elif not field.transient:
                column[:] = marked
        return _runs(np.not_equal(np.frombuffer(mark.tobytes(), np.uint8), 0))

    @classmethod
    def _blank_bytes(cls) -> bytes:
        """The bytes of a record with nothing but HIDDEN in it."""
        blank = cls()
        for name in cls.fields:
            blank.column(name)[:] = HIDDEN
        return blank.tobytes()

    @classmethod
    def _visible_to(cls, seat: Player, switched_on: tuple[Switch, ...]) -> list[slice]:
        """The parts of a record's bytes that a seat may see."""
        key = (seat, switched_on)
        if key not in cls._visible:
            cls._visible[key] = _runs(cls._visible_bytes(seat, switched_on))
        return cls._visible[key]

    @classmethod
    def _visible_bytes(cls, seat: Player, switched_on: tuple[Switch, ...]) -> npt.NDArray[np.bool_]:
        """Made through the fields of a record, so that it agrees with
        the layout by construction."""
        mark = cls()
        for name, field in cls.fields.items():
            column = mark.column(name)
            marked = np.frombuffer(b"\xff" * column.nbytes, field.dtype).reshape(column.shape)
            rows = [row for switch, row in switched_on if switch == field.open_if]
            if field.seen_by is OWNER and seat != SPECTATOR:
                rows.append(seat)
            if field.seen_by is ALL or EVERY_ROW in rows:
                column[:] = marked
            elif rows:
                column[0, rows] = marked[0, rows]
        return np.not_equal(np.frombuffer(mark.tobytes(), np.uint8), 0)


def _runs(marked: npt.NDArray[np.bool_]) -> list[slice]:
    """Where marked bytes follow each other."""
    edges = np.flatnonzero(np.diff(marked, prepend=False, append=False)).tolist()
    return [slice(start, stop) for start, stop in zip(edges[::2], edges[1::2], strict=True)]
