"""What a value is, and how C calls it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Scalar:
    """A number. `rank` orders the kinds that mix by themselves: bool, int, float."""

    name: str
    c: str
    rank: int = -1

    def __str__(self) -> str:
        return self.name


BOOL = Scalar("bool", "bool", 0)
INT = Scalar("int", "int64_t", 1)
FLOAT = Scalar("float", "double", 2)
SINGLE = Scalar("np.float32", "float")
UNSIGNED = Scalar("np.uint64", "uint64_t")

_ELEMENTS = {
    "bool": ("bool", BOOL),
    "int8": ("int8_t", INT),
    "int16": ("int16_t", INT),
    "int32": ("int32_t", INT),
    "int64": ("int64_t", INT),
    "uint8": ("uint8_t", INT),
    "uint64": ("uint64_t", UNSIGNED),
    "float32": ("float", SINGLE),
    "float64": ("double", FLOAT),
}
ELEMENT_TYPES = tuple(_ELEMENTS)
"""The types that the elements of an array may have; doors number them in this order."""


@dataclass(frozen=True)
class Element:
    """What an array holds, when that is a number: stored narrow, read as a `scalar`."""

    name: str

    @property
    def c(self) -> str:
        return _ELEMENTS[self.name][0]

    @property
    def scalar(self) -> Scalar:
        return _ELEMENTS[self.name][1]

    @property
    def limits(self) -> tuple[int, int] | None:
        """The least and the greatest number that fits, where that is less than 64 bits."""
        if self.scalar is not INT or self.name == "int64":
            return None
        info = np.iinfo(self.name)
        return int(info.min), int(info.max)


def element_of(dtype: np.dtype[Any]) -> Element | None:
    return Element(dtype.name) if dtype.name in _ELEMENTS else None


@dataclass(frozen=True)
class Struct:
    """A record: a NumPy type with named fields, and a name for C."""

    name: str
    dtype: np.dtype[Any] = field(compare=False)

    @property
    def c(self) -> str:
        return self.name

    def field(self, name: str) -> tuple[Element, tuple[int, ...]] | None:
        """The element type and the shape of a field."""
        fields = self.dtype.fields
        if fields is None or name not in fields:
            return None
        base, shape = fields[name][0].subdtype or (fields[name][0], ())
        element = element_of(base)
        return (element, tuple(shape)) if element else None


@dataclass(frozen=True)
class Array:
    """Contiguous elements. An axis whose length is known when the rules are translated has it here."""

    element: Element | Struct
    shape: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.element.name}[{', '.join('' if n is None else str(n) for n in self.shape)}]"


@dataclass(frozen=True)
class Record:
    """One element of an array of structs."""

    struct: Struct

    def __str__(self) -> str:
        return self.struct.name


@dataclass(frozen=True)
class Several:
    """What a function returns that returns a tuple."""

    kinds: tuple[Scalar, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.kinds))})"


@dataclass(frozen=True)
class Nothing:
    def __str__(self) -> str:
        return "None"


NOTHING = Nothing()
Kind = Scalar | Array | Record | Several | Nothing


@dataclass(frozen=True)
class Value:
    """An expression in C: a number, the address of a record, or of the first element of an array.

    `is_narrow` says that C would compute with less than 64 bits: an element of an array, a field, a literal.
    `reads` and `writes` name what the expression looks at and changes in memory: Python has an order for
    that and C has none. `root` names what an array or a record is a part of: a parameter, or a local array.
    """

    kind: Kind
    code: str
    dims: tuple[str, ...] = ()
    constant: Any = None
    root: str | None = None
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    has_call: bool = False
    is_narrow: bool = False
