"""Oracle for Leduc poker: OpenSpiel's, in which suits make no difference. Its amounts are half of
ours, and its money starts at 100.

OpenSpiel ends a hand with the last call. Here the cards are shown by an action of its own: until
then the oracle keeps the money of the moment before, with the call paid.
"""

from __future__ import annotations

import re
from typing import Any

MOVES = ["fold", "call", "raise"]
RANKS = "56789TJQK"
START, MONEY = 26, 100


class Oracle:
    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        import pyspiel

        name = f"leduc_poker(players={players},suit_isomorphism=True)"
        self.state: Any = pyspiel.load_game(name).new_initial_state()
        self.ranks = RANKS[len(RANKS) - 1 - players :]
        self.folded = [False] * players
        self.paid = [1] * players
        self.waits_for_show = False

    def _told(self, word: str) -> list[str]:
        """The numbers that OpenSpiel writes behind a word."""
        found = re.search(rf"{word} \(.*?\): (.*)", str(self.state))
        assert found
        return found[1].split()

    def _money(self) -> list[float]:
        if self.waits_for_show:
            return [MONEY - paid for paid in self.paid]
        return [float(money) for money in self._told("Money")]

    def facts(self) -> dict[str, Any]:
        table, *hands = (int(card) for card in self._told("Cards"))
        lowest = len(RANKS) - len(self.ranks)
        cards = [card + lowest if card >= 0 else -1 for card in (*hands, table)]
        return {"paid": [2 * paid for paid in self.paid], "cards": cards, "folded": self.folded}

    def to_act(self) -> int | str | None:
        if self.waits_for_show or self.state.is_chance_node():
            return "c"
        return None if self.state.is_terminal() else int(self.state.current_player())

    def may_act(self) -> list[int]:
        actor = self.to_act()
        return [actor] if isinstance(actor, int) else []

    def legal(self, player: int | str) -> dict[str, int]:
        if self.waits_for_show:
            return {"show": 1}
        if player != "c":
            return {MOVES[action]: 1 for action in self.state.legal_actions()}
        gone = self._told("Cards")
        kind = "deal" if gone[-1] == "-10000" else "turn"
        ranks = self.state.legal_actions()
        return {f"{kind} {self.ranks[rank]}": 2 - gone.count(str(rank)) for rank in ranks}

    def apply(self, player: int | str, text: str) -> None:
        if text == "show":
            self.waits_for_show = False
            return
        if isinstance(player, str):
            self.state.apply_action(self.ranks.index(text[-1]))
            return
        self.state.apply_action(MOVES.index(text))
        self.folded[player] = text == "fold"
        self.waits_for_show = self.state.is_terminal() and self.folded.count(False) > 1
        if text == "call":
            self.paid[player] = max(self.paid)
        elif text == "raise":
            self.paid[player] = MONEY - int(self._told("Money")[player])

    def scores(self) -> list[int]:
        return [int(START + 2 * (money - MONEY)) for money in self._money()]

    def winners(self) -> list[int]:
        money = self._money()
        return [player for player, has in enumerate(money) if has == max(money)]
