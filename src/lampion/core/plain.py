"""What a game need not write itself; see docs/add_a_game.md.

    complete(__name__)

at the end of a package gives it everything that `core.game.Game` names and the package does not
have: notation from the blocks of actions, a view from the fields of the record, events from the
trail, drawings from the view. The rules are given the verbs that they lack. Whatever a game writes
itself, it keeps.

From the game: NAME, TITLE, DESIGNER, NUM_PLAYERS, ACTIONS and State, the rules `legal_actions`,
`apply` and `scores`, and as a rule `set_up(state)` and EVENTS. A game with chance that is not even
writes `chance_weights`, one with secrets writes `determinize` and `owner`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lampion.core.actions import ActionSpace
from lampion.core.compile import rule
from lampion.core.components import FORMAT, ComponentsFile
from lampion.core.errors import InvalidAction, InvalidComponents
from lampion.core.game import chance_weights as ask_chance_weights
from lampion.core.game import legal_actions, no_owner, rules_of, scores
from lampion.core.game import to_act as ask_to_act
from lampion.core.messages import has_reason
from lampion.core.options import Option
from lampion.core.plain_drawing import draw_svg, draw_text
from lampion.core.plain_views import event_type, plain_events, plain_view, shown_fields, view_type
from lampion.core.record import Record
from lampion.core.rng import random_below
from lampion.core.types import CHANCE, GAME_OVER, Action, IntArray, Player, Rng

# --- the package ----------------------------------------------------------------------------------


def complete(package: str) -> None:
    """Give a package, by its name, everything of a game that it lacks."""
    game: Any = sys.modules[package]
    rules = rules_of(game)
    given = {**vars(rules), **vars(game)}
    assert not given["State"].has_secrets or {"determinize", "owner"} <= given.keys(), (
        f"{package} has secrets: its rules guess them in `determinize` and say whose they are in `owner`"
    )
    assert "sample_chance" in given or given["ACTIONS"].size <= MOST_OUTCOMES, (
        f"{package} has too many actions for the default of `sample_chance`"
    )
    for name, default in _VERBS.items():
        vars(rules).setdefault(name, default)
    for name in _FROM_RULES & given.keys():
        setattr(game, name, given[name])
    for name, value in _defaults(given).items():
        vars(game).setdefault(name, value)


_FROM_RULES = {
    "ACTIONS", "COMPONENTS", "NUM_PLAYERS", "OPTIONS", "State", "new_state", "owner", "refusal",
}  # fmt: skip
"""What a package may leave in its rules."""


def _defaults(given: Mapping[str, Any]) -> dict[str, Any]:
    actions, state, kinds = given["ACTIONS"], given["State"], given.get("EVENTS", ())
    by_player = [name for name, field in shown_fields(state).items() if field.by_player]
    return {
        "RULES_VERSION": 1,
        "COMPONENTS": NoComponents,
        "OPTIONS": (),
        "View": view_type(state, kinds),
        "Event": event_type(kinds),
        "read_components": read_components,
        "new_state": partial(new_state, state, given.get("set_up")),
        "action_text": partial(action_text, actions),
        "hidden_text": partial(hidden_text, actions),
        "owner": no_owner,
        "parse_action": partial(parse_action, actions),
        "refusal": partial(refusal, actions, Path(given["__file__"]).parent),
        "position_text": position_text,
        "view": plain_view,
        "own_view": lambda public, seen, seat: plain_view(seen, seat),
        "events": partial(plain_events, state, kinds, given.get("tell")),
        "draw_text": partial(draw_text, by_player),
        "draw_svg": partial(draw_svg, by_player),
    }


class NoComponents(ComponentsFile):
    """The pieces of a game that has only the published ones."""

    @property
    def is_standard(self) -> bool:
        return True


COMPONENTS = NoComponents
OPTIONS: Sequence[Option] = ()


def read_components(source: bytes | None, name: str = "components") -> NoComponents:
    if source is not None:
        problem = "this game has no pieces that could be changed"
        raise InvalidComponents(problem, where=name, problem=problem)
    return NoComponents(FORMAT)


def new_state(
    state_type: type[Record],
    set_up: Callable[[Any], None] | None,
    players: int,
    options: Mapping[str, str],
    components: Any,
) -> Record:
    """A record of zeros with the number of players, and what the rules set up in it."""
    state: Any = state_type()
    state.num_players = players
    if set_up:
        set_up(state)
    return state


# --- notation -------------------------------------------------------------------------------------


def action_text(actions: ActionSpace, state: Any, player: Player, action: Action) -> str:
    """The names of its numbers, as the block puts them together."""
    block, numbers = actions.decode(action)
    names = (words[number] for words, number in zip(block.names, numbers, strict=True))
    return block.text.format(*names)


def hidden_text(actions: ActionSpace, state: Any, player: Player, action: Action) -> str:
    block = actions.block_of(action)
    return block.text.format(*"?" * len(block.shape))


def parse_action(actions: ActionSpace, state: Any, player: Player, text: str) -> Action:
    texts = _texts_of(actions)
    if text not in texts:
        raise InvalidAction.unreadable(text, example=next(iter(texts)))
    return texts[text]


@functools.cache
def _texts_of(actions: ActionSpace) -> dict[str, Action]:
    texts = {action_text(actions, None, 0, action): action for action in range(actions.size)}
    assert len(texts) == actions.size, "two actions have the same text"
    return texts


def refusal(
    actions: ActionSpace, folder: Path, state: Any, player: Player, action: Action
) -> tuple[str, str]:
    """The rule of the block, and the reason under the block's name in
    the catalog if there is one."""
    block = actions.block_of(action)
    return block.rule, block.name if has_reason(folder, block.name) else "not-now"


def position_text(state: Any) -> str:
    actor = ask_to_act(state)
    if actor == GAME_OVER:
        return "the game is over"
    return "chance is to act" if actor == CHANCE else f"player {actor}'s turn"


# --- the rules ------------------------------------------------------------------------------------

MOST_OUTCOMES = 256
"""As many actions may a game have that does not write `sample_chance`."""


@rule
def to_act(state: Any) -> Player:
    return state.active


@rule
def may_act(state: Any, player: Player) -> bool:
    """One at a time."""
    return player == ask_to_act(state) and player != GAME_OVER


@rule
def placements(state: Any, out: IntArray) -> None:
    """By the scores: a player's place is one more than how many have more."""
    points = np.zeros(state.num_players, np.int32)
    scores(state, points)
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += points[other] > points[player]


@rule
def chance_weights(state: Any, out: IntArray) -> int:
    """All outcomes are equally likely."""
    count = legal_actions(state, CHANCE, out)
    for k in range(count):
        out[k] = 1
    return count


@rule
def sample_chance(state: Any, rng: Rng) -> Action:
    """By the weights."""
    numbers = np.zeros(MOST_OUTCOMES, np.int32)
    count = ask_chance_weights(state, numbers)
    total = 0
    for k in range(count):
        total += numbers[k]
    left = int(random_below(rng, total))
    chosen = 0
    while left >= numbers[chosen]:
        left -= numbers[chosen]
        chosen += 1
    legal_actions(state, CHANCE, numbers)
    return numbers[chosen]


@rule
def determinize(seen: Any, seat: Player, rng: Rng) -> None:
    """Everybody sees everything: there is nothing to guess."""


_VERBS = {
    "to_act": to_act,
    "may_act": may_act,
    "placements": placements,
    "chance_weights": chance_weights,
    "sample_chance": sample_chance,
    "determinize": determinize,
}
