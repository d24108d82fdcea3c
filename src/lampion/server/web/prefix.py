"""The path prefix: the same server under https://example.org/lampion/."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class PathPrefix:
    """Tells the routes below which part of the path is not theirs.

    A proxy may pass `/lampion/api/...` on as it came, or cut the prefix off first; both arrive
    here as the same thing. So do the checks of a monitor that asks the process itself for `/live`.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app, self.prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            path = scope["path"]
            is_inside = path == self.prefix or path.startswith(f"{self.prefix}/")
            scope = dict(scope)
            scope["root_path"] = self.prefix
            scope["path"] = path if is_inside else self.prefix + path
        await self.app(scope, receive, send)
