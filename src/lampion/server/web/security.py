"""Who asks, from where: cookies, tokens, the exact Origin, security headers."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import cookie_parser
from starlette.types import Scope

from lampion.server.config import Config
from lampion.server.errors import Forbidden
from lampion.server.people.keys import Key
from lampion.server.people.origins import group_of
from lampion.server.store.base import TokenKind

COOKIE_NAME = "lampion"
BEARER = "Bearer "
YEAR = 365 * 24 * 3600
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; media-src 'self' data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""WebAssembly counts as a script that is evaluated; it is only ever fetched from this site."""
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def security_headers(config: Config) -> dict[str, str]:
    if config.is_secure:
        return HEADERS | {"Strict-Transport-Security": f"max-age={YEAR}"}
    return HEADERS


def headers_of(scope: Scope) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
    }


def bearer_of(headers: Mapping[str, str]) -> str | None:
    authorization = headers.get("authorization", "")
    return authorization.removeprefix(BEARER).strip() if authorization.startswith(BEARER) else None


def key_of(headers: Mapping[str, str]) -> Key | None:
    """The key in the cookie, or the token of a program. Each kind is taken from its own place
    only. Cookies of other applications on the same host may look like anything: they must not
    hide ours."""
    token = bearer_of(headers)
    if token is not None:
        return Key(token, TokenKind.BOT)
    secret = cookie_parser(headers.get("cookie", "")).get(COOKIE_NAME)
    return Key(secret, TokenKind.COOKIE) if secret else None


def address_of(scope: Scope) -> str:
    """The address group that asks: an IPv4 address, or an IPv6 network of one customer."""
    client = scope.get("client")
    return group_of(str(client[0])) if client else "local"


def check_origin(headers: Mapping[str, str], config: Config) -> None:
    """Only our own pages may send commands with a cookie. A program sends a token and no Origin."""
    if bearer_of(headers) is not None:
        return
    origin, host = headers.get("origin"), headers.get("host", "")
    allowed = {config.origin} if config.public_url else {f"http://{host}", f"https://{host}"}
    if origin is not None and origin not in allowed:
        raise Forbidden(
            "this page may not talk to this server", code="wrong-origin", where="Origin"
        )
    if origin is None and headers.get("sec-fetch-site", "same-origin") not in (
        "same-origin",
        "none",
    ):
        raise Forbidden(
            "this page may not talk to this server", code="wrong-origin", where="Sec-Fetch-Site"
        )


def cookie_header(secret: str, config: Config, max_age: int = YEAR) -> str:
    secure = "; Secure" if config.is_secure else ""
    return f"{COOKIE_NAME}={secret}; Path={config.base}; Max-Age={max_age}; HttpOnly; SameSite=Lax{secure}"
