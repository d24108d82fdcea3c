"""Oracle for Kuhn poker: OpenSpiel's. Its returns are coins won, ours are coins in hand."""

from __future__ import annotations

from typing import Any

MOVES = ["pass", "bet"]
RANKS = "JQK"
START = 2


class Oracle:
    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        import pyspiel

        self.state: Any = pyspiel.load_game("kuhn_poker").new_initial_state()

    def facts(self) -> dict[str, Any]:
        history = self.state.history()
        cards = [*history[:2], -1, -1][:2]
        pot = 2 + history[2:].count(MOVES.index("bet"))
        return {"cards": cards, "pot": 0 if self.state.is_terminal() else pot}

    def to_act(self) -> int | str | None:
        if self.state.is_chance_node():
            return "c"
        return None if self.state.is_terminal() else int(self.state.current_player())

    def may_act(self) -> list[int]:
        actor = self.to_act()
        return [actor] if isinstance(actor, int) else []

    def legal(self, player: int | str) -> dict[str, int]:
        actions = self.state.legal_actions()
        if player == "c":
            return {f"deal {RANKS[card]}": 1 for card in actions}
        return {MOVES[action]: 1 for action in actions}

    def apply(self, player: int | str, text: str) -> None:
        names = RANKS if player == "c" else MOVES
        self.state.apply_action(names.index(text.removeprefix("deal ")))

    def scores(self) -> list[int]:
        if self.state.is_terminal():
            return [START + int(won) for won in self.state.returns()]
        bets = [0, 0]
        for turn, action in enumerate(self.state.history()[2:]):
            bets[turn % 2] += action
        return [START - 1 - bet for bet in bets]

    def winners(self) -> list[int]:
        scores = self.scores()
        return [player for player, score in enumerate(scores) if score == max(scores)]
