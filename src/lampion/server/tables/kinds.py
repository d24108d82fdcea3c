"""The kinds of event in the log of a table."""

from __future__ import annotations

from enum import StrEnum

from lampion.core.types import Player

NOBODY: Player = -2
"""The actor of an event that no seat and no chance brought about."""


LOST = "lost"
"""The payload of a time-out that the seat cannot come back from: a clock decides. Older logs have
the level of a bot there in every case, and were played to their end."""


class EventKind(StrEnum):
    CONTINUED = "continued"
    """Payload: the entries of a finished game from which this one goes on. Before the start."""
    START = "start"
    """Payload: the nonces of the seats. Outcomes of chance follow as acts."""
    ACT = "act"
    """Payload: notation, or `undo 12`. A decision, or an outcome of chance (actor -1); checked
    by the gate, always."""
    SEATED = "seated"
    """Payload: the nonce of the seat. A person sat down or stood up; who, is not in the log."""
    READY = "ready"
    """Payload: `yes` or `no`. Before a game with a clock, everybody says so; a new player at the
    table takes all of it back."""
    ASK = "ask"
    """Payload: what, ply, who must agree. A question to the people at the table."""
    ANSWER = "answer"
    """Payload: `yes` or `no`, to the open question."""
    RESIGN = "resign"
    LEAVE = "leave"
    """Payload: the level of the bot that stands in."""
    RETURN = "return"
    TIMEOUT = "timeout"
    """Payload: the level of the bot that stands in, or `LOST` if the seat has lost by it."""
    DECIDED = "decided"
    """The game ends as it stands: one seat at most is left in it, or no person is."""
    STOP = "stop"
    """The game ends without a result: by consent, or by the operator."""
    RESUME = "resume"
    """Payload: for how many milliseconds the server was away (empty in old logs: since the last
    move). No seat pays for that time."""
    PAUSE = "pause"
    """By consent: no clock runs and nobody can act until the game goes on."""
    GO_ON = "go-on"
    """The end of a pause."""
    SAID = "said"
    """Payload: the number of the chat line; its words are not in the log."""
