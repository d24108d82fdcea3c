"""One seat for an agent from outside, at a table of bots.

An agent is not trusted: every text goes through the gate of the match, and nothing that it does can
hold up or change more than its own seat. A game ends for it in one of these ways:

    finished        the game was played to its end
    resigned        the agent gave up
    out-of-time     it did not act within the time for a decision
    refused         it sent too many actions that the rules do not allow
    disconnected    its connection ended in the middle of the game

In all but the first case the agent takes the last place, and a bot plays its seat to the end, so that
the others have a result that counts.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lampion.bots.levels import make_player
from lampion.core.errors import InvalidOptions, InvalidRecord, Refused
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.messages import DEFAULT
from lampion.core.rng import new_rng
from lampion.core.sentences import Reader, sentences
from lampion.core.types import CHANCE, Player
from lampion.mcp.disguise import disguised

FINISHED, RESIGNED, OUT_OF_TIME, REFUSED = "finished", "resigned", "out-of-time", "refused"
DISCONNECTED = "disconnected"
STAND_IN = "greedy"
"""The bot that plays on for an agent who is out of the game."""
MOST_TEXT = 200
"""Characters of an action; the longest notation of any game has fewer."""
_RULE = re.compile(r"[A-Z][0-9]{1,2}")


@dataclass(frozen=True)
class Terms:
    """What is played, and what the agent may do."""

    game: str
    players: int
    seat: Player = 0
    opponents: tuple[str, ...] = ("planner",)
    """Bots for the other seats, in turn order from the agent's; the last is taken for the rest."""
    options: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    games: int = 1
    seconds: float = 300.0
    """For each decision of the agent."""
    refusals: int = 20
    """So many actions of a game may be refused; one more loses it."""
    shows_legal: bool = False
    disguise: bool = False
    """Other colors and numbers for the pieces in every game, so that nothing can be remembered."""

    def check(self) -> None:
        """Refuse bad terms before anybody sits down."""
        Match(find_game(self.game), self.players, self.options)
        if not 0 <= self.seat < self.players:
            message = f"there is no seat {self.seat} among {self.players}"
            raise InvalidOptions(message, code="bad-seat", where="seat")
        for name in self.opponents:
            make_player(name)
        if self.disguise:
            disguised(self.game, 0)


class Result(msgspec.Struct):
    """How one game ended for the agent."""

    game: str
    number: int
    seat: int
    ended: str
    place: int
    """1 is the best; an agent who is out of the game comes last."""
    scores: list[int]
    decisions: int
    refusals: int
    disguise: int | None
    """The number that the pieces were made from (`lampion.mcp.disguise`), unless they were the published ones."""
    record: GameRecord
    """The whole game; after the agent was out, a bot played its seat."""


def read_results(path: Path) -> list[Result]:
    """The results in a file with one on each line; a last line without end is left out."""
    lines = path.read_bytes().splitlines(keepends=True)
    try:
        return [msgspec.json.decode(line, type=Result) for line in lines if line.endswith(b"\n")]
    except msgspec.DecodeError as problem:
        message = f"not a file of results: {problem}"
        raise InvalidRecord(message, where=str(path)) from None


def _check_earlier(terms: Terms, number: int, result: Result) -> None:
    deal, fairness = seed_from_number(terms.seed + number).hex(), result.record.fairness
    played = (result.game, result.number, result.seat, fairness and fairness.seed)
    if played != (terms.game, number, terms.seat, deal):
        message = "these are results of other games, deals or seats"
        raise InvalidOptions(message, code="other-run", where=f"result {number}")


class AgentSeat:
    """The games of one agent, one after the other. All methods may be called from any thread."""

    def __init__(
        self,
        terms: Terms,
        clock: Callable[[], float],
        keep: Callable[[Result], None] = lambda result: None,
        earlier: Iterable[Result] = (),
    ) -> None:
        """`clock` gives seconds; `keep` is given every new result; `earlier` are the results of the
        same agent before it came back: no deal is played twice."""
        terms.check()
        self.terms, self.results = terms, list(earlier)
        for number, result in enumerate(self.results):
            _check_earlier(terms, number, result)
        self._clock, self._keep, self._lock = clock, keep, threading.RLock()
        self._match: Match | None = None
        self._deadline, self._told = 0.0, 0
        self._decisions = self._refusals = 0
        self._disguise: int | None = None
        others = terms.players - 1
        names = (*terms.opponents, *terms.opponents[-1:] * others)[:others]
        bots = iter([make_player(name, terms.game) for name in names])
        order = [(terms.seat + k) % terms.players for k in range(terms.players)]
        self._bots = {seat: next(bots) for seat in order[1:]}
        self._dice = new_rng(0)

    # --- what the agent asks ---

    def new_game(self) -> str:
        """Deal the next game and show it."""
        with self._lock:
            if self._match is not None:
                return f"A game is running: finish it or resign first.\n\n{self._shown()}"
            if len(self.results) >= self.terms.games:
                return f"All {self.terms.games} games are over.\n{self.summary()}"
            number = self.terms.seed + len(self.results)
            self._disguise = number if self.terms.disguise else None
            pieces = disguised(self.terms.game, number) if self.terms.disguise else None
            names = [self._bots[seat].name if seat in self._bots else "You" for seat in self._seats]
            chance = Chance(seed_from_number(number))
            self._match = Match(
                find_game(self.terms.game), self.terms.players, self.terms.options,
                names=names, components=pieces, chance=chance,
            )  # fmt: skip
            self._dice = new_rng(number)
            self._decisions = self._refusals = self._told = 0
            self._go_on()
            return self._shown()

    def look(self) -> str:
        """The table as the seat sees it, and what has happened since it last acted."""
        with self._lock:
            return self._now() or self._shown()

    def act(self, action: str) -> str:
        """Do something; the rules decide whether it is allowed."""
        with self._lock:
            if (over := self._now()) or self._match is None:
                return over
            before = self._match.ply
            try:
                if len(action) > MOST_TEXT:
                    raise Refused(f"an action has at most {MOST_TEXT} characters", code="too-long")
                self._match.submit(action.strip(), self.terms.seat)
            except Refused as refused:
                return self._refuse(refused)
            self._decisions += 1
            self._told = before
            self._go_on()
            return self._now() or self._shown()

    def legal_actions(self) -> str:
        """Everything that may be done now, if the terms allow to ask."""
        with self._lock:
            if (over := self._now()) or self._match is None:
                return over
            return "\n".join(self._match.legal_actions(self.terms.seat))

    def resign(self) -> str:
        with self._lock:
            return self._now() or self._end(RESIGNED)

    def rules(self, rule: str = "") -> str:
        """The rulebook, or one of its numbered rules."""
        folder = Path(find_game(self.terms.game).__file__).parent / "rulebook"
        file = folder / f"{DEFAULT}.md"
        book = file.read_text("utf-8") if file.exists() else "This game has no rulebook."
        if not _RULE.fullmatch(rule):
            return book
        found = re.search(rf"^#+ {rule} · .*?(?=^##|\Z)", book, re.MULTILINE | re.DOTALL)
        return found[0].strip() if found else f"There is no rule {rule}."

    def summary(self) -> str:
        """How the games ended so far."""
        with self._lock:
            lines = [
                f"Game {result.number}: {result.ended}, place {result.place} of "
                f"{self.terms.players}, scores {', '.join(map(str, result.scores))}"
                for result in self.results
            ]
            return "\n".join(lines) or "No game is over yet."

    # --- what the host asks ---

    def check_clock(self) -> None:
        """End a game whose agent has not acted in time. The host asks now and then: an agent that
        never says anything again gets its result all the same."""
        with self._lock:
            self._now()

    def leave(self) -> None:
        """End a running game, because the agent is gone."""
        with self._lock:
            if self._match is not None:
                self._end(DISCONNECTED)

    # --- the game ---

    @property
    def _seats(self) -> range:
        return range(self.terms.players)

    def _now(self) -> str:
        """Empty while the agent is in a game and has time."""
        if self._match is None:
            return f"No game is running. {self.summary()}"
        return self._end(OUT_OF_TIME) if self._clock() > self._deadline else ""

    def _go_on(self) -> None:
        """The others act until it is the agent's turn."""
        assert self._match is not None
        self._play_others(self._match, {self.terms.seat})
        if self._match.is_over:
            self._end(FINISHED)
        self._deadline = self._clock() + self.terms.seconds

    def _play_others(self, match: Match, waiting: set[Player]) -> None:
        while not match.is_over and match.to_act not in waiting:
            seat = match.to_act
            player = self._bots[seat] if seat in self._bots else make_player(STAND_IN)
            seen, legal = match.seen_from(seat), match.legal_ids(seat)
            match.submit(player.bot.choose(seen, seat, legal, player.budget, self._dice), seat)

    def _refuse(self, refused: Refused) -> str:
        self._refusals += 1
        left = self.terms.refusals - self._refusals
        if left < 0:
            return f"Refused: {refused}\n\n{self._end(REFUSED)}"
        return f"Refused: {refused}\nNothing has changed. {left} more may be refused in this game."

    def _end(self, ended: str) -> str:
        match = self._match
        assert match is not None
        self._match = None
        self._play_others(match, set())
        seat, players = self.terms.seat, self.terms.players
        place = match.placements[seat] if ended == FINISHED else players
        result = Result(
            self.terms.game, len(self.results), seat, ended, place, match.scores,
            self._decisions, self._refusals, self._disguise, match.to_record(),
        )  # fmt: skip
        self.results.append(result)
        self._keep(result)
        return f"The game is over: {ended}, place {place} of {players}.\n{self.summary()}"

    # --- words ---

    def _shown(self) -> str:
        match = self._match
        if match is None:
            return f"The game is over.\n{self.summary()}"
        seat = self.terms.seat
        reader = Reader(self.terms.game, match.names, seat=seat)
        told = [
            sentence
            for ply in range(self._told, match.ply)
            if match.log[ply].actor != CHANCE or self._told
            for sentence in sentences(match.events(ply, seat), reader)
        ]
        happened = "".join(f"- {sentence}\n" for sentence in told)
        turn = f"You sit in seat {seat}. It is your turn: send an action in the notation of the rulebook."
        return f"{happened}\n{match.draw(seat)}\n\n{turn}".strip("\n")
