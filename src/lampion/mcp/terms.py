"""What is agreed before an agent sits down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lampion.bots.levels import BotPlayer, make_player
from lampion.core.errors import InvalidOptions
from lampion.core.fairness import seed_from_number
from lampion.core.game import Components, find_game
from lampion.core.gamelog import MAX_NAME
from lampion.core.match import Match
from lampion.core.types import Player
from lampion.mcp.disguise import disguised


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
    wait: float = 3600.0
    """Seconds for the agent to ask for its next game."""

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

    def agree(self, other: Terms) -> bool:
        """Whether results under both may stand in one file: more games may be played."""
        return replace(self, games=other.games) == other

    def bots(self) -> dict[Player, BotPlayer]:
        """Who sits in the other seats."""
        others = self.players - 1
        names = (*self.opponents, *self.opponents[-1:] * others)[:others]
        seats = [(self.seat + k) % self.players for k in range(1, self.players)]
        return {seat: make_player(name, self.game) for seat, name in zip(seats, names, strict=True)}

    def names(self) -> list[str]:
        """How the players are called in records."""
        called = {seat: bot.name[:MAX_NAME] for seat, bot in self.bots().items()}
        return [called.get(seat, "You") for seat in range(self.players)]

    def seed_of(self, number: int) -> bytes:
        return seed_from_number(self.seed + number)

    def disguise_of(self, number: int) -> int | None:
        """What the pieces of that game are made from."""
        return self.seed + number if self.disguise else None

    def pieces_of(self, number: int) -> Components | None:
        """The pieces of that game, unless they are the published ones."""
        return disguised(self.game, self.seed + number) if self.disguise else None
