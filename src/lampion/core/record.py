"""Record: a class body becomes one NumPy record, and every field says who sees it.

    class State(Record):
        supply: IntArray = array(NUM_COLORS, seen_by=ALL)            # the same for everybody
        hand: IntArray = array(MAX_PLAYERS, HAND_SIZE, seen_by=OWNER)  # row p is for player p alone
        unseen: IntArray = array(NUM_TILES, seen_by=NOBODY)          # the engine's own knowledge
        draft: IntArray = array(MAX_PLAYERS, seen_by=OWNER, open_if="is_open")  # everybody's where is_open is not 0
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
from collections.abc import Iterator
from enum import Enum
from typing import Any, ClassVar, Self, cast

import numpy as np
import numpy.typing as npt

from lampion.core.types import SPECTATOR, Batch, Player

HIDDEN = -99
"""What a redacted record holds wherever its seat may not look; no rule ever stores it. It fits every integer type."""


def record_type(fields: list[tuple[str, str]]) -> np.dtype[Any]:
    """A type of records laid out as C does, whose elements have their fields as attributes."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


class SeenBy(Enum):
    ALL = "all"
    OWNER = "owner"  # the first axis is the player, and each sees one row
    NOBODY = "nobody"


ALL, OWNER, NOBODY = SeenBy.ALL, SeenBy.OWNER, SeenBy.NOBODY


class Field:
    """One field of a record, and the attribute through which an instance reads and writes it."""

    def __init__(
        self,
        shape: tuple[int, ...],
        seen_by: SeenBy,
        dtype: npt.DTypeLike,
        transient: bool,
        open_if: str = "",
    ) -> None:
        assert seen_by is not OWNER or shape, (
            "a field seen by its owner needs the player as its first axis"
        )
        self.shape, self.seen_by, self.dtype, self.transient = (
            shape,
            seen_by,
            np.dtype(dtype),
            transient,
        )
        self.open_if = open_if
        """The field that opens this one to everybody unless it is 0; empty: nothing does."""
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
) -> Any:
    """A field of that shape. `transient` leaves it out of comparisons: it tells about the last
    action, not about the position.

    `open_if` names a number in the same record, seen by all: where it is not 0, everybody sees this
    field, too.
    """
    return Field(shape, seen_by, dtype, transient, open_if)


def scalar(*, seen_by: SeenBy, dtype: npt.DTypeLike = np.int32, transient: bool = False) -> Any:
    """A field of a single number, an int for whoever reads it."""
    return Field((), seen_by, dtype, transient)


class Record:
    """A window on element `index` of the array `batch`."""

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[dict[str, Field]]
    has_secrets: ClassVar[bool]
    """Whether anybody sees less than everything."""
    _Unpacked: ClassVar[Any]
    _blank: ClassVar[bytes]
    _switches: ClassVar[dict[str, slice]]
    """The fields that open others, and where their bytes are."""
    _visible: ClassVar[dict[tuple[Player, tuple[str, ...]], list[slice]]]

    def __init_subclass__(cls) -> None:
        cls.fields = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        cls.has_secrets = any(field.seen_by is not ALL for field in cls.fields.values())
        layout = [(name, field.dtype, field.shape) for name, field in cls.fields.items()]
        cls.dtype = np.dtype((np.record, np.dtype(layout, align=True)))
        cls._Unpacked = namedtuple("_Unpacked", cls.fields)  # type: ignore[misc]
        cls._switches = cls._find_switches()
        cls._blank = cls._blank_bytes()
        cls._visible = {}

    def __init__(self, batch: Batch = None, index: int = 0) -> None:
        self.batch: Batch = np.zeros(1, self.dtype) if batch is None else batch
        self.index = index
        self._columns: dict[str, npt.NDArray[Any]] = {}

    def column(self, name: str) -> npt.NDArray[Any]:
        """One field of the whole batch. Kept, because looking a field up by name costs more than reading it."""
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self.batch[name]
        return column

    def unpacked(self) -> Self:
        """All fields read at once, for those who read many: a tuple with the same names, each an int or an array."""
        return cast(Self, self._Unpacked._make(self.batch.item(self.index)))

    def copy(self) -> Self:
        return self.frombytes(self.tobytes())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def tobytes(self) -> bytes:
        return bytes(self.batch[self.index : self.index + 1].tobytes())

    @classmethod
    def frombytes(cls, data: bytes) -> Self:
        """Byte for byte: NumPy's own copy would leave whatever was in memory in the gaps that align the fields."""
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
        """What a seat may know: `HIDDEN` everywhere, then what it sees. SPECTATOR sees what everybody sees."""
        own, seen = self.tobytes(), bytearray(self._blank)
        for part in self._visible_to(seat, self._switched_on(own)):
            seen[part] = own[part]
        return type(self)(np.frombuffer(seen, self.dtype))

    def is_open_to_all(self, name: str) -> bool:
        """Whether everybody sees that field of this record."""
        field = self.fields[name]
        return field.seen_by is ALL or bool(field.open_if and getattr(self, field.open_if))

    @classmethod
    def _switched_on(cls, own: bytes) -> tuple[str, ...]:
        return tuple(name for name, place in cls._switches.items() if any(own[place]))

    @classmethod
    def _find_switches(cls) -> dict[str, slice]:
        names = {field.open_if for field in cls.fields.values() if field.open_if}
        for name in names:
            switch = cls.fields[name]
            assert switch.seen_by is ALL and not switch.shape, (
                f"{name} opens other fields, so it is one number that all see"
            )
        layout = cls.dtype.fields
        assert layout is not None
        places = {name: (layout[name][1], layout[name][0].itemsize) for name in sorted(names)}
        return {name: slice(start, start + size) for name, (start, size) in places.items()}

    @classmethod
    def _blank_bytes(cls) -> bytes:
        """The bytes of a record with nothing but HIDDEN in it."""
        blank = cls()
        for name in cls.fields:
            blank.column(name)[:] = HIDDEN
        return blank.tobytes()

    @classmethod
    def _visible_to(cls, seat: Player, switched_on: tuple[str, ...]) -> list[slice]:
        """The parts of a record's bytes that a seat may see."""
        key = (seat, switched_on)
        if key not in cls._visible:
            edges = np.flatnonzero(
                np.diff(cls._visible_bytes(seat, switched_on), prepend=False, append=False)
            ).tolist()
            cls._visible[key] = [
                slice(start, stop) for start, stop in zip(edges[::2], edges[1::2], strict=True)
            ]
        return cls._visible[key]

    @classmethod
    def _visible_bytes(cls, seat: Player, switched_on: tuple[str, ...]) -> npt.NDArray[np.bool_]:
        """Made through the fields of a record, so that it agrees with the layout by construction."""
        mark = cls()
        for name, field in cls.fields.items():
            column = mark.column(name)
            marked = np.frombuffer(b"\xff" * column.nbytes, field.dtype).reshape(column.shape)
            if field.seen_by is ALL or field.open_if in switched_on:
                column[:] = marked
            elif field.seen_by is OWNER and seat != SPECTATOR:
                column[0, seat] = marked[0, seat]
        return np.not_equal(np.frombuffer(mark.tobytes(), np.uint8), 0)
