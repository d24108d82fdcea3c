"""ActionSpace: kinds of action <-> ids.

A block is one kind of action with its numbers, such as `Block("exchange", NUM_COLORS, NUM_COLORS)`:
give this color, take that. Blocks follow each other, so an id is `start of the block + position in
the block`, the last number changing fastest:

    block            shape       ids
    pass             ()          0
    exchange         (7, 7)      1 ... 49       exchange(give, take) = 1 + 7 * give + take
    ...
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from lampion.core.types import Action


class Block:
    """One kind of action. `rule` is the rule to name when such an action is refused; the texts of a
    `secret` kind are shown to their owner alone, and to others as the game's `hidden_text`: for
    good, or until the trail has the event `shown_by` of the same player. What only chance does is
    marked `by_chance`, and comes after all that players do.

    For games that write no notation (see `core.plain`), `names` holds what each of the
    numbers is called, and `text` puts the names together, such as `"{1}{0}"`; by default the
    name of the block comes first.
    """

    def __init__(
        self,
        name: str,
        *shape: int,
        rule: str,
        secret: bool = False,
        shown_by: int | None = None,
        by_chance: bool = False,
        names: Sequence[Sequence[str]] = (),
        text: str = "",
    ) -> None:
        self.name, self.shape, self.rule = name, shape, rule
        self.secret, self.shown_by, self.by_chance = secret, shown_by, by_chance
        self.names = names or [[str(number) for number in range(limit)] for limit in shape]
        self.text = text or " ".join([name, *(f"{{{place}}}" for place in range(len(shape)))])
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
        of_players = [not block.by_chance for block in blocks]
        assert of_players == sorted(of_players, reverse=True), (
            "what chance does comes after what players do"
        )
        self.num_moves: Action = sum(block.size for block in blocks if not block.by_chance)
        """The ids below are the players', those from there on are outcomes of chance."""

    def __getitem__(self, name: str) -> Block:
        return self._by_name[name]

    def block_of(self, action: Action) -> Block:
        assert 0 <= action < self.size, f"{action} is not an action id"
        return self.blocks[bisect(self._starts, action) - 1]

    def decode(self, action: Action) -> Decoded:
        block = self.block_of(action)
        return Decoded(block, block.numbers(action))
