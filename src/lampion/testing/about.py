"""What the author of a game tells the suite: everything is optional."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from lampion.testing.cases import Case

OracleMaker = Callable[["Case"], Any]
"""Makes an oracle for a case; see `lampion.testing.oracle`."""


class About(NamedTuple):
    """What the suite knows about one game."""

    facts: Any
    oracle: OracleMaker | None

    def combinations_to_try(self, players: int) -> list[dict[str, str]]:
        """Options to try together, besides every single value."""
        found: list[dict[str, str]] = self._ask("combinations_to_try", players, [])
        return found

    def check_nothing_lost(self, state: Any) -> None:
        """Fails if a piece is there twice or nowhere."""
        self._ask("check_nothing_lost", state, None)

    def shows_secrets(self, state: Any) -> bool:
        """Whether the next action shows what was hidden by something else than `open_if`."""
        return bool(self._ask("shows_secrets", state, False))

    def position(self, state: Any) -> Any:
        """The position in the words of the oracle's `facts`."""
        return self._ask("facts", state, None)

    def _ask(self, name: str, question: Any, otherwise: Any) -> Any:
        answer = getattr(self.facts, name, None)
        return answer(question) if answer else otherwise


_told: dict[str, About] = {}


def tell(game: str, facts: Any = None, oracle: OracleMaker | None = None) -> None:
    """Tell the suite about a game.

    `facts` is a module, or anything else, with some of these functions:

        combinations_to_try(players)    sets of options to try, besides every single value
        check_nothing_lost(state)       asserts what never changes, such as the number of coins
        shows_secrets(state)            whether the next action shows what was hidden, where no
                                        field with `open_if` says so
        facts(state)                    the position in the words of the oracle

    `oracle` makes an oracle for a case: a second, slow and obvious version of the rules.
    """
    _told[game] = About(facts, oracle)


def about(game: str) -> About:
    return _told.get(game, About(None, None))
