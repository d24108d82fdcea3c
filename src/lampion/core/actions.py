"""ActionSpace: kinds of action <-> ids.

A block is one kind of action with its numbers, such as `Block("exchange", NUM_COLORS, NUM_COLORS)`: give this colour, take that.
Blocks follow each other, so an id is `start of the block + position in the block`, the last number changing fastest:

    block            shape       ids
    pass             ()          0
    exchange         (7, 7)      1 ... 49       exchange(give, take) = 1 + 7 * give + take
    ...
"""

from __future__ import annotations

import math
from bisect import bisect
from typing import NamedTuple

from lampion.core.types import Action


class Block:
    """One kind of action. `rule` is the rule to name when such an action is refused; the texts of a `secret` kind are shown to
    their owner alone, and to others as the game's `hidden_text`: for good, or until the trail has the event `shown_by` of the
    same player."""

    def __init__(
        self, name: str, *shape: int, rule: str, secret: bool = False, shown_by: int | None = None
    ) -> None:
        self.name, self.shape, self.rule, self.secret, self.shown_by = (
            name,
            shape,
            rule,
            secret,
            shown_by,
        )
        self.size = math.prod(shape)
        self.start = 0

    def id(self, *numbers: int) -> Action:
        assert len(numbers) == len(self.shape), f"{self.name} takes {len(self.shape)} numbers"
        position = 0
        for number, limit in zip(numbers, self.shape, strict=True):
            assert 0 <= number < limit, f"{self.name}: {number} is not below {limit}"
            position = position * limit + number
        return self.start + position

    def numbers(self, action: Action) -> tuple[int, ...]:
        position, numbers = action - self.start, []
        for limit in reversed(self.shape):
            position, number = divmod(position, limit)
            numbers.append(number)
        return tuple(reversed(numbers))


class Decoded(NamedTuple):
    block: Block
    numbers: tuple[int, ...]


class ActionSpace:
    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self.size = 0
        self._by_name = {block.name: block for block in blocks}
        for block in blocks:
            block.start = self.size
            self.size += block.size
        self._starts = [block.start for block in blocks]

    def __getitem__(self, name: str) -> Block:
        return self._by_name[name]

    def block_of(self, action: Action) -> Block:
        assert 0 <= action < self.size, f"{action} is no action id"
        return self.blocks[bisect(self._starts, action) - 1]

    def decode(self, action: Action) -> Decoded:
        block = self.block_of(action)
        return Decoded(block, block.numbers(action))
