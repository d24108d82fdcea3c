"""Requests to addresses that people have given us. They must never reach the operator's own
network.

    https only · no name or password in the address · resolved once, every address public ·
    the connection goes to the address that was checked · no redirects · little time, few bytes ·
    not too many to one host from all people together: nobody can flood a stranger through us

A line is opened first and used later: what a notice needs until it can go out takes most of the
time, and nothing is in doubt before the first byte of it.

Hosts that the operator names (`notify_hosts`) are exempt, such as a push service of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import time
from collections import OrderedDict
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

import h11

from lampion.server.errors import TableError
from lampion.server.store.base import WayRow

SECONDS = 10.0
LOOKUPS_AT_ONCE = 16
MOST_ADDRESSES = 6
"""Of one host, tried one after the other."""
MOST_BYTES = 16 * 1024
LONGEST_URL = 1000
_PRINTABLE = re.compile(r"[!-~]+")
_EMBEDDING = tuple(
    IPv6Network(net)
    for net in (
        "::ffff:0:0/96",
        "::/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2002::/16",
        "2001::/32",
    )
)
"""IPv6 networks whose addresses stand for IPv4 ones: mapped, compatible, NAT64, 6to4, Teredo. No
public service needs them."""

SHARED = (
    "discord.com",
    "discordapp.com",
    "fcm.googleapis.com",
    "notify.windows.com",
    "ntfy.sh",
    "push.apple.com",
    "push.services.mozilla.com",
)
"""Services that many people use, with their subdomains: there each address has its own limit."""
MOST_RECEIVERS = 10_000

Resolve = Callable[[str, int], Awaitable[list[str]]]


class NotDelivered(Exception):
    """Another try may work."""


class InDoubt(NotDelivered):
    """The message went out, and the receiver did not say whether it took it. Another try too soon
    would show it twice."""


class Gone(Exception):
    """The receiver says that this way no longer exists."""


class Target(NamedTuple):
    host: str
    port: int
    path: str
    is_https: bool
    is_named: bool
    """Whether the operator has named the host."""

    @property
    def origin(self) -> str:
        scheme, usual = ("https", 443) if self.is_https else ("http", 80)
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}" + ("" if self.port == usual else f":{self.port}")


class Rate(NamedTuple):
    burst: float
    per_hour: float


PER_HOST, PER_ADDRESS = Rate(100, 600), Rate(60, 120)
"""Requests of one process: from all people to a host, or to an address of a shared service."""


class Receivers:
    """How much each receiver has got from all people, whether or not it was delivered."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, host: str, address: str) -> None:
        """`NotDelivered` if this receiver has got enough for now."""
        is_shared = any(host == one or host.endswith(f".{one}") for one in SHARED)
        name, rate = (address, PER_ADDRESS) if is_shared else (host, PER_HOST)
        now = self._now()
        left, at = self._left.get(name, (rate.burst, now))
        left = min(rate.burst, left + (now - at) * rate.per_hour / 3600)
        if left < 1:
            raise NotDelivered("this receiver has got too many messages; later again")
        self._left[name] = (left - 1, now)
        self._left.move_to_end(name)
        while len(self._left) > MOST_RECEIVERS:
            self._left.popitem(last=False)


@dataclass
class Reply:
    status: int = 0
    """0 until the receiver has said one."""
    body: bytes = b""


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet at large."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None or parsed.is_site_local:
            return False
        if any(parsed in network for network in _EMBEDDING):
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def system_resolve(lane: str) -> Resolve:
    """By the system, with threads of its own for each lane: a name server that does not answer must
    not hold up what else needs a thread."""
    threads = ThreadPoolExecutor(LOOKUPS_AT_ONCE, thread_name_prefix=f"lampion-names-{lane}")

    async def resolve(host: str, port: int) -> list[str]:
        ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(threads, ask)
        return list(dict.fromkeys(str(info[4][0]) for info in found))

    return resolve


class Outgoing:
    def __init__(
        self,
        named: tuple[str, ...] = (),
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Names are looked up by the system, unless another way is given."""
        self._receivers = Receivers(now)
        self._named = frozenset(name.lower() for name in named)
        self._given_resolve = resolve
        self._resolves: dict[str, Resolve] = {}
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Reading all certificates takes a while: not before the first message goes out."""
        return self._given_tls or ssl.create_default_context()

    def target(self, url: str) -> Target:
        """Where a URL leads; `TableError` if a request may not go there."""
        if len(url) > LONGEST_URL or not _PRINTABLE.fullmatch(url):
            raise _refused("not a valid address")
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise _refused("not a valid address") from None
        is_https = parts.scheme == "https"
        if parts.scheme not in ("https", "http") or not host:
            raise _refused("not a valid address")
        if parts.username is not None or parts.password is not None or parts.fragment:
            raise _refused("an address must have no name, password or fragment in it")
        port = port or (443 if is_https else 80)
        is_named = host in self._named or f"{host}:{port}" in self._named
        if not is_https and not is_named:
            raise _refused("an address must begin with https://")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(host, port, path, is_https, is_named)

    def _resolve(self, lane: str) -> Resolve:
        if self._given_resolve is not None:
            return self._given_resolve
        if lane not in self._resolves:
            self._resolves[lane] = system_resolve(lane)
        return self._resolves[lane]

    async def addresses(self, target: Target, lane: str = "check") -> list[str]:
        """The addresses of a host, all of them public; `TableError` if one is not. Lookups of one
        lane do not wait for those of another."""
        try:
            async with asyncio.timeout(SECONDS):
                found = await self._resolve(lane)(target.host, target.port)
        except TimeoutError:
            raise NotDelivered("cannot find the host: no answer in time") from None
        except (OSError, UnicodeError) as problem:
            raise NotDelivered(f"cannot find the host: {_why(problem)}") from None
        if not target.is_named and not all(map(is_public, found)):
            raise _refused("this host is not on the public internet")
        if not found:
            raise NotDelivered("cannot find the host")
        return found

    @contextlib.asynccontextmanager
    async def line(
        self, url: str, lane: str = "check", *, receiver: str = ""
    ) -> AsyncIterator[Line]:
        """A connection to an address that was checked; the name is only for the certificate.
        `NotDelivered` if there is none. The receiver is what to count by where many use one
        address."""
        target = self.target(url)
        if not target.is_named:
            self._receivers.spend(target.host, receiver or url)
        with _told():
            async with asyncio.timeout(SECONDS):
                addresses = await self.addresses(target, lane)
                reader, writer = await self._connect(target, addresses[:MOST_ADDRESSES])
        try:
            yield Line(target, reader, writer)
        finally:
            writer.close()

    async def _connect(
        self, target: Target, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """To the first that answers. One that does not leaves time for the others."""
        *others, last = addresses
        for address in others:
            with contextlib.suppress(OSError):
                async with asyncio.timeout(SECONDS / len(addresses)):
                    return await self._connect_to(target, address)
        return await self._connect_to(target, last)

    async def _connect_to(
        self, target: Target, address: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            address,
            target.port,
            ssl=self._tls if target.is_https else None,
            server_hostname=target.host if target.is_https else None,
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """The reply, whatever its status; `NotDelivered` if there is none."""
        async with self.line(url) as line:
            return await line.post(headers, body)


class Line:
    """Good for one request."""

    def __init__(
        self, target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._target, self._reader, self._writer = target, reader, writer

    async def post(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """The reply, whatever its status; `NotDelivered` if nothing went out, `InDoubt` if no
        status came back."""
        talk, reply = h11.Connection(h11.CLIENT), Reply()
        with _told():
            request = self._request(talk, headers, body)
        try:
            with _told(InDoubt):
                async with asyncio.timeout(SECONDS):
                    self._writer.write(request)
                    await self._writer.drain()
                    await _read(reply, talk, self._reader)
        except InDoubt:
            if not reply.status:
                raise
        return reply

    def _request(self, talk: h11.Connection, headers: Mapping[str, str], body: bytes) -> bytes:
        fields = {
            "Host": self._target.origin.partition("://")[2],
            "User-Agent": "Lampion",
            "Connection": "close",
            **headers,
            "Content-Length": str(len(body)),
        }
        request = h11.Request(method="POST", target=self._target.path, headers=list(fields.items()))
        parts = (request, h11.Data(body), h11.EndOfMessage())
        return b"".join(talk.send(part) or b"" for part in parts)


def _why(problem: Exception) -> str:
    return str(problem.strerror) if isinstance(problem, OSError) else "not a valid name"


@contextlib.contextmanager
def _told(kind: type[NotDelivered] = NotDelivered) -> Iterator[None]:
    """What can go wrong on a line, as an exception of that kind."""
    try:
        yield
    except TimeoutError:
        raise kind("no answer in time") from None
    except (OSError, EOFError, h11.ProtocolError) as problem:
        raise kind(f"no connection: {type(problem).__name__}") from None


async def _read(reply: Reply, talk: h11.Connection, reader: asyncio.StreamReader) -> None:
    """Into the reply as it comes: a status counts even if the rest never does."""
    while len(reply.body) < MOST_BYTES:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            talk.receive_data(await reader.read(4096))
        elif isinstance(event, h11.Response):
            reply.status = event.status_code
        elif isinstance(event, h11.Data):
            reply.body += event.data
        elif isinstance(event, h11.EndOfMessage | h11.ConnectionClosed):
            return


def lane_of(way: WayRow) -> str:
    """Ways of one kind, apart from those that have failed."""
    return f"{way.kind}-failed" if way.problem is not None else str(way.kind)


def check(reply: Reply, gone: Collection[int]) -> None:
    """Raises unless the receiver has taken the message; `Gone` at one of those statuses. Redirects
    are not followed."""
    if reply.status in gone:
        raise Gone(f"status {reply.status}")
    if not 200 <= reply.status < 300:
        raise NotDelivered(f"status {reply.status}")


def _refused(message: str) -> TableError:
    return TableError(message, code="bad-address", where="url")
