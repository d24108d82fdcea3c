"""The tables of docs/research.md: what stands where in an observation, and which id is which action. Made from the code alone."""

from __future__ import annotations

from collections.abc import Iterator

from lampion.core.game import find_game
from lampion.core.observation import Observation, compact_of, observation_of


def observation_table(game: str) -> str:
    """The parts of an observation as a Markdown table."""
    return "\n".join(_observation_rows(observation_of(find_game(game)).OBSERVATION))


def compact_table(game: str) -> str:
    """The same of the compact observation."""
    return "\n".join(_observation_rows(compact_of(find_game(game)).COMPACT))


def _observation_rows(layout: Observation) -> Iterator[str]:
    yield "| part | shape | numbers | values | meaning |"
    yield "|---|---|---|---|---|"
    for part in layout.parts:
        shape = " × ".join(str(length) for length in part.shape)
        kind = "code" if part.is_code else "amount"
        yield f"| `{part.name}` | {shape} | {_span(part.start, part.size)} | {kind}, 0 … {part.high} | {part.meaning} |"


def action_table(game: str) -> str:
    """The kinds of action of the players as a Markdown table."""
    return "\n".join(_action_rows(game))


def _action_rows(game: str) -> Iterator[str]:
    actions = find_game(game).ACTIONS
    yield "| kind | numbers | ids | rule |"
    yield "|---|---|---|---|"
    for block in actions.blocks:
        if not block.by_chance:
            shape = " × ".join(str(length) for length in block.shape) or "none"
            yield f"| `{block.name}` | {shape} | {_span(block.start, block.size)} | {block.rule} |"


def _span(start: int, size: int) -> str:
    return str(start) if size == 1 else f"{start} … {start + size - 1}"
