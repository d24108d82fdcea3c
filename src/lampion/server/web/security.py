"""Who asks, from where: cookies, tokens, the exact Origin, security headers."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lampion.server.config import Config
from lampion.server.errors import Forbidden

COOKIE_NAME = "lampion"
YEAR = 365 * 24 * 3600
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; media-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def headers_of(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def key_of(headers: Mapping[str, str]) -> str | None:
    """The key in the cookie, or the token of a program."""
    authorization = headers.get("authorization", "")
    if authorization.startswith("Bearer "):
        return authorization.removeprefix("Bearer ").strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE_NAME)
    except CookieError:
        return None
    return cookie.value if cookie else None


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "local"


def check_origin(headers: Mapping[str, str], config: Config) -> None:
    """Only our own pages may send commands with a cookie. A program sends a token and no Origin."""
    if headers.get("authorization", "").startswith("Bearer "):
        return
    origin = headers.get("origin")
    allowed = {config.origin} if config.public_url else {f"http://{headers.get('host', '')}", f"https://{headers.get('host', '')}"}
    if origin is not None and origin not in allowed:
        raise Forbidden("this page may not talk to this server", code="wrong-origin", where="Origin")
    if origin is None and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("this page may not talk to this server", code="wrong-origin", where="Sec-Fetch-Site")


def cookie_header(key: str, config: Config, max_age: int = YEAR) -> str:
    secure = "; Secure" if config.is_secure else ""
    return f"{COOKIE_NAME}={key}; Path=/; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}"


class SecurityHeaders:
    """Puts the security headers on every reply."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self.app = app
        self.headers = dict(HEADERS)
        if config.is_secure:
            self.headers["Strict-Transport-Security"] = f"max-age={YEAR}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
