"""Everything that can go wrong with input from outside.

LampionError                 code, message, where, rule
 ├─ UnknownGame              no game of that name
 ├─ InvalidOptions           options, players or names that a game does not take
 ├─ InvalidComponents        a components file that cannot be played with
 ├─ InvalidRecord            a record that cannot be read, or an entry in it that cannot be played
 ├─ UnfairRecord             a record whose chance outcomes do not follow from its seed
 └─ Refused                  an action turned away by the gate; the match is as it was
     ├─ InvalidAction        not notation of this game
     ├─ IllegalAction        notation, but not allowed here
     └─ NotYourTurn          another player is to act, or the game is over

`code` is for programs and for the message catalogs, `where` is the place in a file or the
position on the table, `rule` is the number of the rule in the rulebook. Wrong use of the library by
a programmer is an assertion with a sentence, not one of these.
"""

_QUOTED = 40
"""How much of a text that cannot be read an error repeats."""


class LampionError(Exception):
    code = "error"

    def __init__(
        self, message: str, *, code: str = "", where: str = "", rule: str = "", **values: object
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.where = where
        self.rule = rule
        self.values = values
        """What the sentence for this code in a message catalog needs."""

    def __str__(self) -> str:
        """One line: what is wrong, by which rule, where, and the code."""
        rule = f" (rule {self.rule})" if self.rule else ""
        where = f" at {self.where}" if self.where else ""
        return f"{self.message}{rule}{where} [{self.code}]"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.__dict__)


def _rebuild(kind: type[LampionError], message: str, attributes: dict[str, object]) -> LampionError:
    """Exceptions cross process borders by pickling; the keyword arguments
    would be lost on the way."""
    error = kind(message)
    error.__dict__.update(attributes)
    return error


class UnknownGame(LampionError):
    code = "unknown-game"


class InvalidOptions(LampionError):
    code = "invalid-options"


class InvalidComponents(LampionError):
    code = "invalid-components"


class InvalidRecord(LampionError):
    code = "invalid-record"


class UnfairRecord(LampionError):
    code = "unfair-record"


class Refused(LampionError):
    code = "refused"


class InvalidAction(Refused):
    code = "invalid-action"

    @classmethod
    def unreadable(cls, text: str, example: str) -> "InvalidAction":
        """A text that means no action anywhere in the game, with what would. A long text is cut."""
        shown = text[:_QUOTED]
        message = f"{shown!r} is not valid notation; expected something like {example}"
        return cls(message, text=shown)


class IllegalAction(Refused):
    code = "illegal-action"


class NotYourTurn(Refused):
    code = "not-your-turn"
