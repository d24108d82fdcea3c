"""Match: options + log + state, and the only gate.

The log is the game; the state is a cache of it. Everything that changes a match, a live move, a line of a file, a draw of chance,
goes through `submit`, which asks the rules for the legal actions and takes nothing else. Undo is a log entry too: `undo 12` takes
the match back to where entry 12 had not happened yet, and the log only ever grows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lampion.core import play
from lampion.core.errors import IllegalAction, InvalidAction, InvalidOptions, NotYourTurn, Refused
from lampion.core.events import Telling, told
from lampion.core.fairness import Chance
from lampion.core.game import Components, Game, action_texts, find_game
from lampion.core.gamelog import (
    FORMAT,
    ActorName,
    Fairness,
    GameRecord,
    actor_name,
    checked_names,
    log_name,
)
from lampion.core.messages import illegal
from lampion.core.record import Record
from lampion.core.types import CHANCE, GAME_OVER, SPECTATOR, Action, IntArray, Json, Player
from lampion.core.views import MatchView, previews

UNDO: Action = -1
_UNDO_TEXT = re.compile(r"undo (0|[1-9][0-9]{0,8})", re.ASCII)


class Entry(NamedTuple):
    """One line of the log."""

    actor: Player
    text: str
    action: Action
    owner: Player
    """Who alone may read `text`; NO_PLAYER (or anybody who is not a seat) when it is no secret."""
    hidden: str
    """What everybody else reads instead; empty when it is no secret."""
    trail: npt.NDArray[np.int32]
    """What the rules noted while doing it (see `core.trail`)."""

    @property
    def is_undo(self) -> bool:
        return self.action == UNDO

    def may_be_read_by(self, seat: Player) -> bool:
        return not self.hidden or seat == self.owner

    def seen_by(self, seat: Player) -> str:
        return self.text if self.may_be_read_by(seat) else self.hidden


class Match:
    """One game being played, from the set-up to the end."""

    def __init__(
        self,
        game: Game,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        names: Sequence[str] = (),
        components: Components | None = None,
        chance: Chance | None = None,
    ) -> None:
        """`chance` plays the outcomes of chance as soon as they are due; without it they are submitted like any action."""
        if players not in game.NUM_PLAYERS:
            allowed = f"{game.NUM_PLAYERS[0]} to {game.NUM_PLAYERS[-1]}"
            raise InvalidOptions(f"{game.TITLE} is for {allowed} players, not {players}", code="invalid-players", where="players",
                                 title=game.TITLE, allowed=allowed, players=players)  # fmt: skip
        self.game = game
        self.players = players
        self.options = dict(options or {})
        self.components = components or game.read_components(None)
        self.names = checked_names(names, players)
        self.log: list[Entry] = []
        self._start = game.new_state(players, self.options, self.components)
        self._line: list[int] = []  # the log entries that stand, in order
        self.fairness = (
            Fairness(chance.commitment, nonces=list(chance.nonces), match=chance.match)
            if chance
            else None
        )
        self.chance = chance
        self._legal = np.empty(game.ACTIONS.size, np.int32)
        self._rewind(0)
        self._play_chance()

    # --- questions ---

    @property
    def ply(self) -> int:
        """How many entries the log has."""
        return len(self.log)

    @property
    def to_act(self) -> Player:
        """The player to act (where several may, the first in canonical order), CHANCE or GAME_OVER."""
        return self._actor

    @property
    def is_over(self) -> bool:
        return self._actor == GAME_OVER

    def may_act(self, player: Player) -> bool:
        return bool(play.may_act_at(self.state.batch, 0, player))

    @property
    def actors(self) -> list[Player]:
        """All players who may act now."""
        players: list[Player] = self._legal[
            : play.actors_at(self.state.batch, 0, self.players, self._legal)
        ].tolist()
        return players

    def legal_ids(self, player: Player | None = None) -> IntArray:
        """The ids of all legal actions, ascending: the twin of `legal_actions` for loops."""
        player = self._actor if player is None else player
        if player == GAME_OVER or not self.may_act(player):
            return self._legal[:0].copy()
        return self._legal[: play.legal_at(self.state.batch, 0, player, self._legal)].copy()

    def legal_actions(self, player: Player | None = None) -> list[str]:
        """All legal actions of a player (by default of whoever is to act), in notation."""
        player = self._actor if player is None else player
        return action_texts(self.game, self.state, player, self.legal_ids(player).tolist())

    def chance_weights(self) -> IntArray:
        """The weights of the outcomes in `legal_ids(CHANCE)`."""
        return self._legal[: play.weights_at(self.state.batch, 0, self._legal)].copy()

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
        """Who has won, once the game is over; several share a victory."""
        return (
            [player for player, place in enumerate(self.placements) if place == 1]
            if self.is_over
            else []
        )

    def _per_player(self, ask: Any) -> list[int]:
        out = np.zeros(self.players, np.int32)
        ask(self.state.batch, 0, out)
        numbers: list[int] = out.tolist()
        return numbers

    # --- what a seat may know ---

    def seen_from(self, seat: Player) -> Record:
        """The redacted record of a seat (or of SPECTATOR): all that a screen or a bot is ever given."""
        return self.state.redacted(seat)

    def view(self, seat: Player = SPECTATOR) -> dict[str, Json]:
        """The table as a seat sees it, ready for JSON: `game.View`, the part that all games share and the game's own."""
        return self.views([seat])[0]

    def views(self, seats: Iterable[Player]) -> list[dict[str, Json]]:
        """The views of several seats. What they have in common is made once, so whoever changes one may change all."""
        common = self._common_view()
        public = self.game.view(self.seen_from(SPECTATOR), SPECTATOR)
        return [
            {**common, "seat": None if seat == SPECTATOR else seat, **self._table(public, seat)}
            for seat in seats
        ]

    def _table(self, public: Mapping[str, Json], seat: Player) -> Mapping[str, Json]:
        """The game's part of a view, with what the seat sees and nobody else."""
        sees_more = self.state.has_secrets and seat != SPECTATOR
        return self.game.own_view(public, self.seen_from(seat), seat) if sees_more else public

    def _common_view(self) -> MatchView:
        return {
            "game": self.game.NAME,
            "players": self.players,
            "names": list(self.names),
            "seat": None,
            "ply": self.ply,
            "to_act": actor_name(self._actor),
            "actors": self.actors,
            "scores": self.scores,
            "winners": self.winners,
        }

    def log_seen_by(self, seat: Player = SPECTATOR, since: int = 0) -> list[tuple[ActorName, str]]:
        """The log from entry `since` on as a seat may read it; secrets of others show as `+?`, until the game shows them."""
        shown = self._shown_entries(since)
        entries = enumerate(self.log[since:], since)
        return [
            (log_name(entry.actor), entry.text if ply in shown else entry.seen_by(seat))
            for ply, entry in entries
        ]

    def _shown_entries(self, since: int) -> set[int]:
        """The entries whose secret the rules have shown to all since then (see `Block.shown_by`); what was taken back is not."""
        standing = self._line[bisect_left(self._line, since) :]
        happened = {
            (kind, actor) for ply in standing for kind, actor, *_ in self.log[ply].trail.tolist()
        }
        block_of = self.game.ACTIONS.block_of
        return {
            ply
            for ply in standing
            if (block_of(self.log[ply].action).shown_by, self.log[ply].actor) in happened
        }

    @property
    def start(self) -> Record:
        """The state before the first outcome of chance; nothing in it is a secret."""
        return self._start

    def events(self, ply: int = -1, seat: Player = SPECTATOR) -> list[dict[str, Json]]:
        """What log entry `ply` (by default the last) did, in the order in which it happened, as a seat may know it."""
        return told(self.game, Telling(self._start), self.log[ply], seat)

    def preview(self, action: str | Action, player: Player | None = None) -> list[dict[str, Json]]:
        """The events that a legal action would have, without doing it."""
        player = self._actor if player is None else player
        action = self._checked(action, player)
        return next(iter(self._previews(player, np.array([action], np.int32)).values()))

    def previews(self, player: Player | None = None) -> dict[str, list[dict[str, Json]]]:
        """The events of every legal action of a player, by its text, in the order of `legal_actions`."""
        player = self._actor if player is None else player
        return self._previews(player, self.legal_ids(player))

    def _previews(self, player: Player, actions: IntArray) -> dict[str, list[dict[str, Json]]]:
        view = self.view(max(player, SPECTATOR)) if len(actions) else {}
        return previews(self.game, self._start, self.state, player, actions, view)

    # --- the gate ---

    def submit(self, action: str | Action, player: Player | None = None) -> Entry:
        """Do an action, given in notation or as an id, for a player (by default whoever is to act).

        Anything that is not legal raises `Refused` and changes nothing. Chance then plays what is due, if this match has a source.
        """
        player = self._actor if player is None else player
        entry = self._push(player, self._checked(action, player))
        if self._actor == CHANCE:
            self._play_chance()
        return entry

    def _checked(self, action: str | Action, player: Player) -> Action:
        """The id of an action, or `Refused`."""
        if player == GAME_OVER or not play.may_act_at(self.state.batch, 0, player):
            raise self._not_your_turn(player)
        wanted = self._parsed(action, player) if isinstance(action, str) else action
        if not play.is_legal_at(self.state.batch, 0, player, wanted, self._legal):
            raise self._illegal(player, wanted)
        return wanted

    def _parsed(self, text: str, player: Player) -> Action:
        try:
            return self.game.parse_action(self.state, player, text)
        except Refused as refused:
            refused.where = self._where()
            raise

    def _push(self, player: Player, action: Action) -> Entry:
        state = self.state
        text = self.game.action_text(state, player, action)
        is_secret = self.game.ACTIONS.block_of(action).secret
        hidden = self.game.hidden_text(state, player, action) if is_secret else ""
        owner = self.game.owner(state, player) if is_secret else SPECTATOR
        play.apply_at(state.batch, 0, player, action)
        entry = Entry(player, text, action, owner, hidden, _trail_of(state))
        self._line.append(len(self.log))
        self.log.append(entry)
        self._num_chance += player == CHANCE
        self._actor = int(play.to_act_at(state.batch, 0))
        return entry

    def _play_chance(self) -> None:
        while self._actor == CHANCE and self.chance:
            self._push(CHANCE, self.due_outcome(self.chance))

    @property
    def num_draws(self) -> int:
        """How many outcomes of chance stand; the number of the next one."""
        return self._num_chance

    def due_outcome(self, chance: Chance) -> Action:
        """The outcome that this source of chance gives now."""
        position = chance.pick(self._num_chance, self.chance_weights().tolist())
        return int(self.legal_ids(CHANCE)[position])

    def _not_your_turn(self, player: Player) -> NotYourTurn:
        if self.is_over:
            return NotYourTurn("the game is over", code="game-over", where=self._where())
        waiting = (
            "chance"
            if self._actor == CHANCE
            else ", ".join(self.names[actor] for actor in self.actors)
        )
        who = self.names[player] if 0 <= player < self.players else "this actor"
        return NotYourTurn(
            f"{who} is not to act; waiting for {waiting}",
            where=self._where(),
            who=who,
            waiting=waiting,
        )

    def _illegal(self, player: Player, action: Action) -> Refused:
        if not 0 <= action < self.game.ACTIONS.size:
            return InvalidAction(f"{action} is no action id", where=self._where(), text=action)
        rule, key = self.game.refusal(self.state, player, action)
        refused = illegal(
            self.game.NAME, self.game.action_text(self.state, player, action), rule, key
        )
        refused.where = self._where()
        return refused

    def _where(self) -> str:
        return f"ply {self.ply} ({self.game.position_text(self.state)})"

    # --- undo ---

    def undo(self, player: Player | None = None) -> Entry:
        """Take back the last decision of a player (by default of anybody) and all that followed it.

        The gate takes any undo; whether the others must agree is for the table to decide, and `reveals_since` helps.
        """
        last = self.last_decision(player)
        if last is None:
            raise IllegalAction(
                "there is nothing to take back", code="nothing-to-undo", where=self._where()
            )
        return self.undo_to(last, player)

    def last_decision(self, player: Player | None = None) -> int | None:
        """The entry of a player's (by default anybody's) last decision that stands."""
        decisions = (ply for ply in reversed(self._line) if self.log[ply].actor != CHANCE)
        return next((ply for ply in decisions if player in (None, self.log[ply].actor)), None)

    def undo_to(self, ply: int, player: Player | None = None) -> Entry:
        """Take the match back to where log entry `ply`, a decision that stands, had not happened yet."""
        if ply not in self._line or self.log[ply].actor == CHANCE:
            raise IllegalAction(
                f"entry {ply} is no decision that stands",
                code="nothing-to-undo",
                where=self._where(),
            )
        by = self.log[ply].actor if player is None else player
        entry = Entry(by, f"undo {ply}", UNDO, SPECTATOR, "", _trail_of(self._start))
        self._rewind(self._line.index(ply))
        self.log.append(entry)
        return entry

    def reveals_since(self, ply: int) -> bool:
        """Whether anything new was shown to anybody since log entry `ply`: an outcome of chance, or somebody else's decision."""
        actor = self.log[ply].actor
        return any(standing >= ply and self.log[standing].actor != actor for standing in self._line)

    def _rewind(self, length: int) -> None:
        """Set the state to what the first `length` standing entries give."""
        del self._line[length:]
        self.state = self._start.copy()
        self._num_chance = 0
        for ply in self._line:
            play.apply_at(self.state.batch, 0, self.log[ply].actor, self.log[ply].action)
            self._num_chance += self.log[ply].actor == CHANCE
        self._actor = int(play.to_act_at(self.state.batch, 0))

    def at(self, ply: int) -> Match:
        """The match as it was when its log had `ply` entries."""
        assert 0 <= ply <= self.ply, f"ply {ply} is not between 0 and {self.ply}"
        earlier = Match(
            self.game, self.players, self.options, names=self.names, components=self.components
        )
        earlier.fairness = self.fairness
        for entry in self.log[:ply]:
            earlier.replay(entry.actor, entry.text)
        return earlier

    # --- records ---

    def to_record(self, *, reveal_seed: bool | None = None) -> GameRecord:
        """The match as a record. The seed is in it once the game is over (or when told so, to save a private game)."""
        reveal = self.is_over if reveal_seed is None else reveal_seed
        fairness = deepcopy(self.fairness)
        if fairness and reveal and self.chance:
            fairness.seed = self.chance.seed.hex()
        return GameRecord(
            FORMAT, self.game.NAME, self.game.RULES_VERSION, self.players, self.options, list(self.names), fairness,
            log=[(log_name(entry.actor), entry.text) for entry in self.log],
            scores=self.scores if self.is_over else None, winners=self.winners if self.is_over else None,
            components=None if self.components.is_standard else self.components.hash,
        )  # fmt: skip

    def replay(self, actor: Player, text: str) -> None:
        """Submit a line of a log: an action, or an undo. Chance plays nothing by itself meanwhile."""
        undo = _UNDO_TEXT.fullmatch(text)
        if undo and 0 <= actor < self.players:
            self.undo_to(int(undo[1]), actor)
        else:
            self._push(actor, self._checked(text, actor))

    def copy(self) -> Match:
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, object]) -> Match:
        twin = object.__new__(Match)
        memo[id(self.log)] = list(self.log)  # entries never change, and are shared
        shared = ("game", "components")
        twin.__dict__ = {
            name: value if name in shared else deepcopy(value, memo)
            for name, value in self.__dict__.items()
        }
        return twin

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "game": self.game.NAME}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__ = {**attributes, "game": find_game(attributes["game"])}

    # --- pictures ---

    @property
    def _point_of_view(self) -> Player:
        """Whose eyes a drawing uses when nobody says: the player to act."""
        return self._actor if self._actor >= 0 else SPECTATOR

    def draw(self, seat: Player = SPECTATOR) -> str:
        """The table in plain text as a seat sees it."""
        return self.game.draw_text(self.view(seat))

    def svg(self, seat: Player = SPECTATOR) -> str:
        """The table as an SVG picture as a seat sees it."""
        return self.game.draw_svg(self.view(seat))

    def __str__(self) -> str:
        return self.draw(self._point_of_view)

    def _repr_svg_(self) -> str:
        return self.svg(self._point_of_view)

    def __repr__(self) -> str:
        return f"<Match of {self.game.NAME}, {self.players} players, ply {self.ply}>"


def _trail_of(state: Any) -> npt.NDArray[np.int32]:
    trail: npt.NDArray[np.int32] = state.events[: state.num_events].copy()
    return trail
