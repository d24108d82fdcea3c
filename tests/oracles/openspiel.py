"""OpenSpiel's C++ games as oracles of the example games: written by others, and proof that the benchmarks compare the same game."""

from __future__ import annotations

from typing import Any


class OpenSpielOracle:
    """A game of OpenSpiel in the words of our tests; `cells` are the texts of its actions, by id."""

    def __init__(self, name: str, cells: list[str]) -> None:
        import pyspiel

        self.state: Any = pyspiel.load_game(name).new_initial_state()
        self.cells = cells

    def facts(self) -> dict[str, Any]:
        """Its drawing without the layout: the signs of all places, row by row from the top. Capitals and the like show connections."""
        signs = {
            "x": "x",
            "X": "x",
            "y": "x",
            "z": "x",
            "o": "o",
            "O": "o",
            "p": "o",
            "q": "o",
            ".": ".",
        }
        return {"board": "".join(signs[sign] for sign in str(self.state) if not sign.isspace())}

    def to_act(self) -> int | None:
        return None if self.state.is_terminal() else int(self.state.current_player())

    def may_act(self) -> list[int]:
        return [] if self.state.is_terminal() else [int(self.state.current_player())]

    def legal(self, player: int) -> dict[str, int]:
        return {self.cells[action]: 1 for action in self.state.legal_actions(player)}

    def apply(self, player: int, text: str) -> None:
        self.state.apply_action(self.cells.index(text))

    def scores(self) -> list[int]:
        return [int(value > 0) for value in self.state.returns()]

    def winners(self) -> list[int]:
        best = max(self.state.returns())
        return [player for player, value in enumerate(self.state.returns()) if value == best]
