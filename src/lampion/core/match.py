"""Match: a position, the log that led to it, and the only gate between them.

The log is the game; the position is a cache of it. Everything that changes a match, a live move, a
line of a file, a draw of chance, passes the same check, which asks the rules for the legal actions
and takes nothing else. The source of chance is fixed when the match is created.

The attributes are read-only, and the state cannot be written to."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from lampion.core import shown
from lampion.core.errors import IllegalAction, InvalidOptions, NotYourTurn, Refused
from lampion.core.events import Telling, told
from lampion.core.fairness import Chance
from lampion.core.game import Components, Game, find_game
from lampion.core.gamelog import FORMAT, Continued, Fairness, GameRecord, checked_names, log_name
from lampion.core.log import Entry, Log
from lampion.core.position import Position
from lampion.core.record import Record
from lampion.core.types import CHANCE, SPECTATOR, Action, IntArray, Json, Player, Rng
from lampion.core.variants import start_state

_UNDO_TEXT = re.compile(r"undo (0|[1-9][0-9]{0,8})", re.ASCII)

Tell = Callable[[Entry], None]


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
        fairness: Fairness | None = None,
        deals: bool = True,
        start: Record | None = None,
        first_ply: int = 0,
    ) -> None:
        """`chance` plays the outcomes of chance as soon as they are due; without it they are
        submitted like any action. With `deals` false the first ones wait for `play_chance` or for a
        log to be replayed. `fairness` is the promise of a match whose seed is not known. `start` is
        a state to begin with instead of the set-up; such a match has no record. The entries before
        `first_ply` come from the game that this one continues, and so do their draws.
        """
        _check_players(game, players)
        self._game, self._players = game, players
        self._options = dict(options or {})
        self._components = components or game.read_components(None)
        self._names = checked_names(names, players)
        self._chance = chance
        self._fairness = fairness or (Fairness.of(chance) if chance else None)
        self._begins_later, self._first_ply = start is not None, first_ply
        self._start = start.copy() if start is not None else self._set_up()
        self._position, self._log = Position(game, players, self._start), Log()
        self._known_effects: dict[tuple[Player, int], shown.KnownEffects] = {}
        """The last effects that were computed, by player and limit."""
        if deals:
            self.play_chance()

    def _set_up(self) -> Record:
        return start_state(self._game, self._players, self._options, self._components)

    # --- what it is made of ---

    @property
    def game(self) -> Game:
        return self._game

    @property
    def players(self) -> int:
        return self._players

    @property
    def options(self) -> Mapping[str, str]:
        return self._options

    @property
    def components(self) -> Components:
        return self._components

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def chance(self) -> Chance | None:
        """Where outcomes of chance come from; None when they are submitted."""
        return self._chance

    @property
    def fairness(self) -> Fairness | None:
        """How outcomes of chance can be checked. The seed is in it only if it came with a
        record."""
        return self._fairness

    @property
    def state(self) -> Record:
        """The record, for reading; writing to it raises."""
        return self._position.state

    @property
    def log(self) -> Log:
        return self._log

    @property
    def ply(self) -> int:
        """How many entries the log has."""
        return len(self._log)

    @property
    def first_ply(self) -> int:
        """The first entry of this game; those before it come from the one that it continues."""
        return min(self._first_ply, self.ply)

    def rename(self, names: Sequence[str]) -> None:
        self._names = checked_names(names, self._players)

    # --- questions ---

    @property
    def to_act(self) -> Player:
        """The player to act (the first in canonical order of several), CHANCE or GAME_OVER."""
        return self._position.to_act

    @property
    def is_over(self) -> bool:
        return self._position.is_over

    def may_act(self, player: Player) -> bool:
        return self._position.may_act(player)

    @property
    def actors(self) -> list[Player]:
        """All players who may act now."""
        return self._position.actors

    def _or_next(self, player: Player | None) -> Player:
        return self._position.to_act if player is None else player

    def legal_ids(self, player: Player | None = None) -> IntArray:
        """The ids of all legal actions, ascending: the twin of `legal_actions` for loops."""
        return self._position.legal_ids(self._or_next(player))

    def legal_actions(self, player: Player | None = None) -> list[str]:
        """All legal actions of a player (by default the one to act), in notation."""
        return self._position.legal_actions(self._or_next(player))

    def action_text(self, action: Action, player: Player | None = None) -> str:
        """The notation of an action, given by its id."""
        return self._position.action_text(self._or_next(player), action)

    def chance_weights(self) -> IntArray:
        """The weights of the outcomes in `legal_ids(CHANCE)`."""
        return self._position.chance_weights()

    @property
    def scores(self) -> list[int]:
        """Each player's score as it stands."""
        return self._position.scores

    @property
    def placements(self) -> list[int]:
        """Each player's place as it stands, tie-breaks included."""
        return self._position.placements

    @property
    def winners(self) -> list[Player]:
        """The winners, once the game is over; several share a victory."""
        return self._position.winners

    # --- the gate ---

    def submit(
        self, action: str | Action, player: Player | None = None, *, tell: Tell | None = None
    ) -> Entry:
        """Perform an action, given in notation or as an id, for a player (by default the one to
        act).

        Anything that is not legal raises `Refused` and changes nothing. If this match has a source
        of chance, it then draws what is due. `tell` is called with every entry, draws included, as
        soon as it is in the log and before the next one.
        """
        position = self._position
        player = position.to_act if player is None else player
        entry = self._push(player, self._checked(action, player))
        if tell:
            tell(entry)
        if position.to_act == CHANCE:
            self.play_chance(tell)
        return entry

    def play_chance(self, tell: Tell | None = None) -> None:
        """Draw all outcomes of chance that are due, if this match has a source."""
        while self._chance and self._position.to_act == CHANCE:
            entry = self._push(CHANCE, self.due_outcome())
            if tell:
                tell(entry)

    def due_outcome(self) -> Action:
        """The outcome that the source of chance draws now."""
        assert self._chance, "this match has no source of chance"
        return self._position.outcome(self._chance, self._log.num_draws)

    def replay(self, actor: Player, text: str) -> Entry:
        """Submit a line of a log: an action or an undo. Nothing is drawn automatically."""
        undo = _UNDO_TEXT.fullmatch(text)
        if undo and 0 <= actor < self._players:
            return self.undo_to(int(undo[1]), actor)
        return self._push(actor, self._checked(text, actor))

    def _checked(self, action: str | Action, player: Player) -> Action:
        """The id of an action, or `Refused`."""
        position = self._position
        if not position.may_act(player):
            raise self._not_your_turn(player)
        wanted = self._parsed(action, player) if isinstance(action, str) else action
        if not position.is_legal(player, wanted):
            raise self._here(position.why_illegal(player, wanted))
        return wanted

    def _parsed(self, text: str, player: Player) -> Action:
        try:
            return self._position.parsed(player, text)
        except Refused as refused:
            raise self._here(refused) from None

    def _push(self, player: Player, action: Action) -> Entry:
        game, position = self._game, self._position
        state, block = position.state, game.ACTIONS.block_of(action)
        text, hidden, owner = game.action_text(state, player, action), "", SPECTATOR
        if block.secret:
            hidden, owner = game.hidden_text(state, player, action), game.owner(state, player)
        trail = position.advance(player, action)
        self._forget_effects(player)
        entry = Entry(player, text, action, owner, hidden, trail, block.shown_by)
        self._log.enter(entry)
        return entry

    def _forget_effects(self, player: Player) -> None:
        """Drop the cached effects of a choice that has been made: thousands of lists for each table
        would slow the garbage collector."""
        for which in [which for which in self._known_effects if which[0] == player]:
            del self._known_effects[which]

    def _not_your_turn(self, player: Player) -> Refused:
        if self.is_over:
            return self._here(NotYourTurn("the game is over", code="game-over"))
        names = [self._names[actor] for actor in self.actors]
        waiting = "chance" if self.to_act == CHANCE else ", ".join(names)
        who = self._names[player] if 0 <= player < self._players else "this actor"
        message = f"{who} is not to act; waiting for {waiting}"
        return self._here(NotYourTurn(message, who=who, waiting=waiting))

    def _here(self, refused: Refused) -> Refused:
        """Add to the error where in the game it was refused."""
        refused.where = f"ply {self.ply} ({self._position.text})"
        return refused

    # --- undo ---

    def undo(self, player: Player | None = None) -> Entry:
        """Take back the last decision of a player (by default of any player) and everything after
        it. The gate accepts every undo; whether the others must agree is up to the table, and
        `Log.reveals_since` helps it decide.
        """
        last = self._log.last_decision(player)
        if last is None:
            raise self._nothing_to_undo("there is nothing to take back")
        return self.undo_to(last, player)

    def undo_to(self, ply: int, player: Player | None = None) -> Entry:
        """Go back to where log entry `ply`, a decision that stands, had not happened yet."""
        if not self._log.is_decision(ply):
            raise self._nothing_to_undo(f"entry {ply} is not a decision that stands")
        by = self._log[ply].actor if player is None else player
        entry = self._log.strike(ply, by)
        self._position = self._position_after(self._log)
        return entry

    def _nothing_to_undo(self, message: str) -> Refused:
        return self._here(IllegalAction(message, code="nothing-to-undo"))

    # --- other matches ---

    def at(self, ply: int) -> Match:
        """The match as it was when its log had `ply` entries, without a source of chance."""
        assert 0 <= ply <= self.ply, f"ply {ply} is not between 0 and {self.ply}"
        log = self._log.until(ply)
        return self._twin(_position=self._position_after(log), _log=log, _chance=None)

    def walk(self) -> Iterator[tuple[int, Entry, Position]]:
        """The standing entries, each with its ply and the position before it. The position changes
        as the iteration continues: copy what you want to keep."""
        position = Position(self._game, self._players, self._start)
        for ply in self._log.standing_plies:
            entry = self._log[ply]
            yield ply, entry, position
            position.advance(entry.actor, entry.action)

    def _position_after(self, log: Log) -> Position:
        position = Position(self._game, self._players, self._start)
        for entry in log.standing:
            position.advance(entry.actor, entry.action)
        return position

    def copy(self) -> Match:
        return self._twin(_position=self._position.copy(), _log=self._log.copy())

    def with_chance(self, chance: Chance | None) -> Match:
        """A copy that takes its future outcomes of chance from another source."""
        return self._twin(_position=self._position.copy(), _log=self._log.copy(), _chance=chance)

    def guess(self, seat: Player, rng: Rng, chance: Chance | None = None) -> Match:
        """A match that this seat cannot tell from this one. What the seat may not know is guessed,
        and log entries that could reveal it are left out, so nothing in the copy can be undone."""
        guessed = self._position.guess(seat, rng)
        return self._twin(
            _position=guessed,
            _log=self._log.told_to(seat),
            _chance=chance,
            _start=guessed.state.copy(),
            _begins_later=True,
        )

    def _twin(self, **different: object) -> Match:
        twin = object.__new__(Match)
        vars(twin).update(vars(self) | {"_known_effects": {}} | different)
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Match:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        """Games are modules, which cannot be pickled; the name is enough."""
        state = self.state.copy()
        shown_before: dict[tuple[Player, int], shown.KnownEffects] = {}
        return {
            **vars(self),
            "_game": self._game.NAME,
            "_position": state,
            "_known_effects": shown_before,
        }

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        game = find_game(attributes["_game"])
        position = Position(game, attributes["_players"], attributes["_position"])
        vars(self).update(attributes | {"_game": game, "_position": position})

    # --- what a seat is shown (see `core.shown`) ---

    def seen_from(self, seat: Player) -> Record:
        """The redacted record of a seat (or of SPECTATOR): all that a screen or a bot receives."""
        return self._position.seen_from(seat)

    def view(self, seat: Player = SPECTATOR) -> dict[str, Json]:
        """The table as a seat sees it, ready for JSON: `game.View`."""
        return self.views([seat])[0]

    def views(self, seats: Iterable[Player]) -> list[dict[str, Json]]:
        """The views of several seats. They share parts: changing one may change all."""
        return shown.views(self._position, self._names, self.ply, seats)

    @property
    def start(self) -> Record:
        """The state before the first outcome of chance, for reading: the pieces of the match."""
        return self._start

    def events(self, ply: int = -1, seat: Player = SPECTATOR) -> list[dict[str, Json]]:
        """What log entry `ply` (by default the last) did, in order, as a seat may know it."""
        return told(self._game, Telling(self._start), self._log[ply], seat)

    def preview(self, action: str | Action, player: Player | None = None) -> list[dict[str, Json]]:
        """The events that a legal action would have, as far as its player can know."""
        player = self._or_next(player)
        assert player != CHANCE, "a preview is for a player: chance knows everything"
        return shown.preview(
            self._position, player, self._checked(action, player), self.view(player)
        )

    def previews(self, player: Player | None = None) -> dict[str, list[dict[str, Json]]]:
        """The previews of all legal actions of a player, by text, in the order of
        `legal_actions`."""
        player = self._or_next(player)
        texts = self.legal_actions(player) if player >= 0 else []
        effects = shown.effects(self._position, player, self.view(player)) if texts else ()
        return dict(zip(texts, effects, strict=True))

    def all_effects(
        self, player: Player, view: Mapping[str, Json], most_bytes: int
    ) -> shown.Effects | None:
        """The previews as a server sends them, for callers that have the player's view; None if
        they are longer than that."""
        return shown.in_full(self.effects_in_steps(player, view, most_bytes))

    def effects_in_steps(
        self, player: Player, view: Mapping[str, Json], most_bytes: int
    ) -> Generator[None, None, shown.Effects | None]:
        """`all_effects`, with pauses in which the caller can do something else. The match may even
        go on meanwhile: the effects are those of the first step."""
        which = (player, most_bytes)
        before = self._known_effects.get(which)
        known = yield from shown.effects_in_steps(self._position, player, view, most_bytes, before)
        self._known_effects[which] = known
        return known.effects

    def draw(self, seat: Player = SPECTATOR) -> str:
        """The table in plain text as a seat sees it."""
        return self._game.draw_text(self.view(seat))

    def svg(self, seat: Player = SPECTATOR) -> str:
        """The table as an SVG picture as a seat sees it."""
        return self._game.draw_svg(self.view(seat))

    def __str__(self) -> str:
        return self.draw(max(self.to_act, SPECTATOR))

    def _repr_svg_(self) -> str:
        return self.svg(max(self.to_act, SPECTATOR))

    def __repr__(self) -> str:
        return f"<Match of {self._game.NAME}, {self._players} players, ply {self.ply}>"

    def to_record(self, *, reveal_seed: bool | None = None) -> GameRecord:
        """The match as a record. It contains the seed once the game is over, or if the caller asks
        for it, to save a private game."""
        assert not self._begins_later, "a record tells a game from its set-up; this one began later"
        reveal = self.is_over if reveal_seed is None else reveal_seed
        fairness = deepcopy(self._fairness)
        if fairness and reveal and self._chance:
            fairness.seed = self._chance.seed.hex()
        return GameRecord(
            FORMAT, self._game.NAME, self._game.RULES_VERSION, self._players, dict(self._options),
            list(self._names), fairness,
            log=[(log_name(entry.actor), entry.text) for entry in self._log],
            scores=self.scores if self.is_over else None,
            winners=self.winners if self.is_over else None,
            components=None if self._components.is_standard else self._components.hash,
            continued=Continued(self.first_ply) if self.first_ply else None,
        )  # fmt: skip


def _check_players(game: Game, players: int) -> None:
    if players not in game.NUM_PLAYERS:
        allowed = f"{game.NUM_PLAYERS[0]} to {game.NUM_PLAYERS[-1]}"
        raise InvalidOptions(
            f"{game.TITLE} is for {allowed} players, not {players}",
            code="invalid-players",
            where="players",
            title=game.TITLE,
            allowed=allowed,
            players=players,
        )
