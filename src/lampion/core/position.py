"""Position: a state and the rules that hold in it. It has no history.

Rules write to the state in place, so the owner of a position owns its record: `state` is a window
that reads it and cannot write. Only `Match` advances a position (`tests/test_gate.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.core import play
from lampion.core.errors import InvalidAction, Refused
from lampion.core.fairness import Chance
from lampion.core.game import Game, action_texts
from lampion.core.messages import illegal
from lampion.core.record import Record
from lampion.core.types import CHANCE, GAME_OVER, Action, IntArray, Player, Rng

Trail = npt.NDArray[np.int32]
"""What the rules noted while doing one action (see `core.trail`)."""


class Position:
    """The legal actions of a state, and what follows from them."""

    def __init__(self, game: Game, players: int, state: Record) -> None:
        """Keeps a copy of the state."""
        self._game, self._players = game, players
        self._legal = np.empty(game.ACTIONS.size, np.int32)
        self._own(state.copy())

    def _own(self, state: Record) -> None:
        self._batch = state.batch
        self._events, self._num_events = self._batch["events"][0], self._batch["num_events"]
        window = self._batch.view()
        window.flags.writeable = False
        self._state = type(state)(window)
        self._actor = int(play.to_act_at(self._batch, 0))
        self._actors: list[Player] | None = None
        """The legal actions of this state, computed on first use."""

    @property
    def game(self) -> Game:
        return self._game

    @property
    def players(self) -> int:
        return self._players

    @property
    def state(self) -> Record:
        """The record, for reading; writing to it raises."""
        return self._state

    # --- questions ---

    @property
    def to_act(self) -> Player:
        """The player to act (the first in canonical order of several), CHANCE or GAME_OVER."""
        return self._actor

    @property
    def is_over(self) -> bool:
        return self._actor == GAME_OVER

    def may_act(self, player: Player) -> bool:
        return player != GAME_OVER and bool(play.may_act_at(self._batch, 0, player))

    @property
    def actors(self) -> list[Player]:
        """All players who may act now."""
        if self._actors is None:
            out = np.empty(self._players, np.int32)
            self._actors = out[: play.actors_at(self._batch, 0, out)].tolist()
        return [*self._actors]

    def legal_ids(self, player: Player) -> IntArray:
        """The ids of all legal actions, ascending."""
        if not self.may_act(player):
            return self._legal[:0].copy()
        return self._legal[: play.legal_at(self._batch, 0, player, self._legal)].copy()

    def legal_actions(self, player: Player) -> list[str]:
        return action_texts(self._game, self._state, player, self.legal_ids(player).tolist())

    def is_legal(self, player: Player, action: Action) -> bool:
        """Whether the action is legal for that player."""
        return bool(play.is_legal_at(self._batch, 0, player, action, self._legal))

    def action_text(self, player: Player, action: Action) -> str:
        return self._game.action_text(self._state, player, action)

    def parsed(self, player: Player, text: str) -> Action:
        """The id of an action in notation; `Refused` if it is none here."""
        return self._game.parse_action(self._state, player, text)

    def why_illegal(self, player: Player, action: Action) -> Refused:
        """What to raise for an action that is not in the list."""
        if not 0 <= action < self._game.ACTIONS.size:
            return InvalidAction(f"{action} is not an action id", text=action)
        rule, key = self._game.refusal(self._state, player, action)
        return illegal(self._game.NAME, self.action_text(player, action), rule, key)

    @property
    def text(self) -> str:
        """Where the game is, for messages: a turn, a phase."""
        return self._game.position_text(self._state)

    def chance_weights(self) -> IntArray:
        """The weights of the outcomes in `legal_ids(CHANCE)`."""
        return self._legal[: play.weights_at(self._batch, 0, self._legal)].copy()

    def outcome(self, chance: Chance, number: int) -> Action:
        """Outcome `number` of that source, here. Every draw of every match is made by this line."""
        picked = chance.pick(number, self.chance_weights().tolist())
        return int(self.legal_ids(CHANCE)[picked])

    @property
    def scores(self) -> list[int]:
        """Each player's score as it stands."""
        return self._per_player(play.scores_at)

    @property
    def placements(self) -> list[int]:
        """Each player's place as it stands, tie-breaks included."""
        return self._per_player(play.placements_at)

    @property
    def winners(self) -> list[Player]:
        """The players in place 1 once the game is over; several share a victory."""
        places = self.placements if self.is_over else []
        return [player for player, place in enumerate(places) if place == 1]

    def _per_player(self, ask: Any) -> list[int]:
        out = np.zeros(self._players, np.int32)
        ask(self._batch, 0, out)
        numbers: list[int] = out.tolist()
        return numbers

    # --- what a seat may know ---

    def seen_from(self, seat: Player) -> Record:
        """The redacted record of a seat, or of SPECTATOR."""
        return self._state.redacted(seat)

    def guess(self, seat: Player, rng: Rng) -> Position:
        """A position that this seat cannot tell from this one, made from its redacted record."""
        seen = self.seen_from(seat)
        play.determinize_at(seen.batch, 0, seat, rng)
        return Position(self._game, self._players, seen)

    # --- moving on ---

    def advance(self, player: Player, action: Action) -> Trail:
        """Perform a legal action and return its trail. Trusts its caller: `Match` is the gate."""
        play.apply_at(self._batch, 0, player, action)
        self._actor, self._actors = int(play.to_act_at(self._batch, 0)), None
        trail: Trail = self._events[: self._num_events.item(0)].copy()
        return trail

    def copy(self) -> Position:
        return Position(self._game, self._players, self._state)
