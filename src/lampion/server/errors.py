"""What the server refuses, as exceptions; `web.problems` gives each its HTTP status."""

from __future__ import annotations

from lampion.core.errors import LampionError


class TableError(LampionError):
    """A command or request that cannot be carried out; nothing has changed."""

    code = "refused"


class CorruptLog(LampionError):
    """A log that cannot be folded. Its table is quarantined; the others go on."""

    code = "corrupt-log"


class UpdateNeeded(LampionError):
    """A log written by a newer Lampion. Nothing is wrong with it: this server is too old to read
    it."""

    code = "update-server"


class Forbidden(LampionError):
    code = "forbidden"


class TooMany(LampionError):
    """A limit was reached. `seconds` says when to try again."""

    code = "rate-limited"

    @property
    def retry_after(self) -> float:
        return float(str(self.values["seconds"]))
