"""How a server is set up: flags of `lampion serve`, each also an environment variable."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Config:
    database: str
    """A file, sqlite:///file, or postgresql://..."""
    public_url: str = ""
    """Where people reach the server when it stands behind another one, such as https://lampion.example."""
    bot_threads: int = 2
    bot_pause: float = 0.7
    """Seconds that a bot's move takes at least, so that people can follow."""
    limit_scale: float = 1.0
    sockets_per_person: int = 10
    sockets_per_address: int = 60

    @property
    def is_secure(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def origin(self) -> str:
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}" if self.public_url else ""
