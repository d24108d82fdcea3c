"""One seat for an agent from outside, at a table of bots.

An agent is not trusted: every text goes through the gate of the match, and nothing that it does can
hold up or change more than its own seat. A game ends for it in one of these ways:

    finished        the game was played to its end
    resigned        the agent gave up
    out-of-time     it did not act within the time for a decision
    refused         it sent too many actions that the rules do not allow
    disconnected    its connection ended in the middle of the game
    absent          it did not ask for the game in time

In all but the first case the agent takes the last place. That is kept at once; then a bot plays its
seat to the end, so that the others have a result that counts. A bot that fails is replaced, too.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lampion.bots.external import BotFailed, ExternalBot
from lampion.bots.levels import BotPlayer, make_player
from lampion.core.errors import InvalidOptions, Refused
from lampion.core.fairness import Chance
from lampion.core.game import find_game
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.messages import DEFAULT
from lampion.core.rng import new_rng
from lampion.core.sentences import Reader, sentences
from lampion.core.types import CHANCE, Action, Player, Rng
from lampion.mcp.results import (
    ABSENT,
    DISCONNECTED,
    FINISHED,
    OUT_OF_TIME,
    REFUSED,
    RESIGNED,
    Line,
    Result,
    Started,
    check_lines,
    last_results,
    left_behind,
)
from lampion.mcp.terms import Terms

STAND_IN = "greedy"
"""The bot that plays on for an agent who is out of the game, and for a bot that failed."""
MOST_TEXT = 200
"""Characters of an action; the longest notation of any game has fewer."""
DISGUISED = "The pieces of this game have other colors, names or numbers than the rulebook's tables say: look shows them.\n\n"
_RULE = re.compile(r"[A-Z][0-9]{1,2}")


@dataclass
class _Game:
    """A running game."""

    number: int
    match: Match
    dice: Rng
    disguise: int | None
    told: int = 0
    """The entries of the log that the agent has been told about."""
    decisions: int = 0
    refusals: int = 0
    substituted: list[int] = field(default_factory=list)
    replaced: dict[Player, str] = field(default_factory=dict)
    ended: str | None = None
    """How the agent got out; from then on its seat is a bot's."""
    last: Result | None = None
    """What is kept if the agent is out now, made when it was its turn: the host need not wait until
    bots have thought."""


class AgentSeat:
    """The games of one agent, one after the other. All methods may be called from any thread."""

    def __init__(
        self,
        terms: Terms,
        clock: Callable[[], float],
        keep: Callable[[Line], None] = lambda line: None,
        earlier: Iterable[Line] = (),
    ) -> None:
        """`clock` gives seconds; `keep` is given every new line of the file of results; `earlier`
        are its lines from before the agent came back: no deal is played twice."""
        terms.check()
        self.terms = terms
        self._clock, self._keep = clock, keep
        self._lock = threading.RLock()
        """Held while a game changes, also while bots think."""
        self._book = threading.RLock()
        """Held for moments only: while results are written. Taken after `_lock`, never before."""
        self._game: _Game | None = None
        self._gone = False
        self.results: list[Result] = []
        self._take_over(list(earlier))
        self._bots = terms.bots()
        self._stand_in = make_player(STAND_IN)
        self._deadline = clock() + terms.wait

    def _take_over(self, earlier: list[Line]) -> None:
        started = check_lines([(f"line {number}", line) for number, line in enumerate(earlier, 1)])
        if started and not started[0].terms.agree(self.terms):
            message = "these results were played under other terms"
            raise InvalidOptions(message, code="other-run", where="results")
        for last in last_results(earlier):
            result = last if isinstance(last, Result) else left_behind(last)
            self.results.append(result)
            if result is not last:
                self._keep(result)

    # --- what the agent asks ---

    def new_game(self) -> str:
        """Deal the next game and show it."""
        with self._lock:
            self._check_time()
            if self._game is not None:
                return f"A game is running: finish it or resign first.\n\n{self._shown()}"
            if not self._deal():
                return f"All {self.terms.games} games are over.\n{self.summary()}"
            self._go_on()
            return self._shown()

    def look(self) -> str:
        """The table as the seat sees it, and what has happened since it last acted."""
        with self._lock:
            return self._over() or self._shown()

    def act(self, action: str) -> str:
        """Do something; the rules decide whether it is allowed."""
        with self._lock:
            if (over := self._over()) or self._game is None:
                return over
            game = self._game
            before = game.match.ply
            try:
                self._submit(game, action.strip())
            except Refused as refused:
                return self._refuse(game, refused)
            game.told = before
            self._go_on()
            return self._shown()

    def _submit(self, game: _Game, action: str) -> None:
        with self._book:
            if game.ended:
                return
            if len(action) > MOST_TEXT:
                raise Refused(f"an action has at most {MOST_TEXT} characters", code="too-long")
            game.match.submit(action, self.terms.seat)
            game.decisions += 1
            self._note(game)

    def legal_actions(self) -> str:
        """Everything that may be done now, if the terms allow to ask."""
        with self._lock:
            if (over := self._over()) or self._game is None:
                return over
            return "\n".join(self._game.match.legal_actions(self.terms.seat))

    def resign(self) -> str:
        with self._lock:
            return self._over() or self._end(RESIGNED)

    def rules(self, rule: str = "") -> str:
        """The rulebook, or one of its numbered rules."""
        folder = Path(find_game(self.terms.game).__file__).parent / "rulebook"
        file = folder / f"{DEFAULT}.md"
        book = file.read_text("utf-8") if file.exists() else "This game has no rulebook."
        if not _RULE.fullmatch(rule):
            return DISGUISED + book if self.terms.disguise else book
        found = re.search(rf"^#+ {rule} · .*?(?=^##|\Z)", book, re.MULTILINE | re.DOTALL)
        return found[0].strip() if found else f"There is no rule {rule}."

    def summary(self) -> str:
        """How the games ended so far. Waits for nobody: results are only added or replaced."""
        lines = [
            f"Game {result.number}: {result.ended}, place {result.place} of "
            f"{self.terms.players}, scores {', '.join(map(str, result.scores))}"
            for result in tuple(self.results)
        ]
        return "\n".join(lines) or "No game is over yet."

    # --- what the host asks ---

    def check_clock(self) -> None:
        """End a game whose agent has not acted in time, or not asked for it. The host asks now and
        then: an agent that never says anything again gets its results all the same."""
        with self._lock:
            self._check_time()

    def leave(self) -> None:
        """The agent is gone: a running game is lost. Waits for no bot, so that a host that is about
        to be killed can still call it."""
        with self._book:
            self._gone = True
            self._forfeit(DISCONNECTED)

    def play_out(self) -> None:
        """Let the others finish a game that the agent has left."""
        with self._lock:
            if self._game is not None and self._game.ended:
                self._go_on()

    def close(self) -> None:
        """End the programs among the bots."""
        for player in self._bots.values():
            if isinstance(player.bot, ExternalBot):
                player.bot.close()

    # --- the game ---

    def _deal(self) -> bool:
        """Start the next game, unless there is none. Its start is kept before anybody sees it."""
        terms = self.terms
        with self._book:
            number = len(self.results)
            if self._gone or number >= terms.games:
                return False
            chance = Chance(terms.seed_of(number))
            match = Match(
                find_game(terms.game), terms.players, terms.options, names=terms.names(),
                components=terms.pieces_of(number), chance=chance,
            )  # fmt: skip
            dice = new_rng(terms.seed + number)
            game = _Game(number, match, dice, terms.disguise_of(number))
            self._note(game)
            self._keep(Started(number, terms, chance.commitment))
            self._game = game
            return True

    def _check_time(self) -> None:
        if self._clock() <= self._deadline:
            return
        if self._game is not None:
            self._end(OUT_OF_TIME)
        elif self._deal():
            self._end(ABSENT)

    def _over(self) -> str:
        """Empty while the agent is in a game and has time."""
        was_playing = self._game is not None
        self._check_time()
        if self._game is not None:
            return ""
        return self._told_end() if was_playing else f"No game is running. {self.summary()}"

    def _go_on(self) -> None:
        """The others act until it is the agent's turn, or to the end if the agent is out."""
        game = self._game
        assert game is not None
        while not game.match.is_over and (game.ended or game.match.to_act != self.terms.seat):
            self._let_act(game, game.match.to_act)
        if game.match.is_over:
            self._finish(game)
            return
        with self._book:
            self._note(game)
        self._deadline = self._clock() + self.terms.seconds
        if game.ended:  # It left just now.
            self._go_on()

    def _let_act(self, game: _Game, seat: Player) -> None:
        is_own = seat in self._bots and seat not in game.replaced
        action = None
        if is_own:
            try:
                action = self._choice(game, seat, self._bots[seat])
            except BotFailed as failed:
                game.replaced[seat] = str(failed)
        if action is None:
            game.substituted.append(game.match.ply)
            action = self._choice(game, seat, self._stand_in)
        game.match.submit(action, seat)

    def _choice(self, game: _Game, seat: Player, player: BotPlayer) -> Action:
        seen, legal = game.match.seen_from(seat), game.match.legal_ids(seat)
        return player.bot.choose(seen, seat, legal, player.budget, game.dice)

    def _refuse(self, game: _Game, refused: Refused) -> str:
        with self._book:
            game.refusals += 1
            if game.last and not game.ended:
                game.last.refusals = game.refusals
        left = self.terms.refusals - game.refusals
        if left < 0:
            return f"Refused: {refused}\n\n{self._end(REFUSED)}"
        return f"Refused: {refused}\nNothing has changed. {left} more may be refused in this game."

    # --- results ---

    def _end(self, ended: str) -> str:
        """The agent is out, and the others play on."""
        self._forfeit(ended)
        self._go_on()
        return self._told_end()

    def _told_end(self) -> str:
        result = self.results[-1]
        place = f"place {result.place} of {self.terms.players}"
        return f"The game is over: {result.ended}, {place}.\n{self.summary()}"

    def _note(self, game: _Game) -> None:
        """What is kept if the agent is out now."""
        if not game.ended:
            game.last = self._result(game, "", self.terms.players)

    def _forfeit(self, ended: str) -> None:
        with self._book:
            game = self._game
            if game is None or game.ended:
                return
            game.ended = ended
            assert game.last
            game.last.ended = ended
            self._enter(game.last)

    def _finish(self, game: _Game) -> None:
        with self._book:
            seat, players = self.terms.seat, self.terms.players
            place = players if game.ended else game.match.placements[seat]
            game.ended = game.ended or FINISHED
            self._enter(self._result(game, game.ended, place))
            self._game = None
            self._deadline = self._clock() + self.terms.wait

    def _enter(self, result: Result) -> None:
        self.results[result.number :] = [result]
        self._keep(result)

    def _result(self, game: _Game, ended: str, place: int) -> Result:
        return Result(
            self.terms.game, game.number, self.terms.seat, ended, place, game.match.scores,
            game.decisions, game.refusals, game.disguise, self._record(game), dict(game.replaced),
        )  # fmt: skip

    def _record(self, game: _Game) -> GameRecord:
        record = game.match.to_record(reveal_seed=True)
        record.substituted = list(game.substituted) or None
        return record

    # --- words ---

    def _shown(self) -> str:
        game = self._game
        if game is None:
            return f"The game is over.\n{self.summary()}"
        match, seat = game.match, self.terms.seat
        reader = Reader(self.terms.game, match.names, seat=seat)
        told = [
            sentence
            for ply in range(game.told, match.ply)
            if match.log[ply].actor != CHANCE or game.told
            for sentence in sentences(match.events(ply, seat), reader)
        ]
        happened = "".join(f"- {sentence}\n" for sentence in told)
        turn = f"You sit in seat {seat}. It is your turn: send an action in the notation of the rulebook."
        return f"{happened}\n{match.draw(seat)}\n\n{turn}".strip("\n")
