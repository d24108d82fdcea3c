"""What notifications are sent to, on this machine: an HTTP receiver that keeps what it gets, a
browser that decrypts push messages, and a mail server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import socket
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The receiving end of RFC 8291, from the text of the RFC and on primitives alone."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = secrets.token_bytes(16)
        self._point = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    def subscription(self, endpoint: str, **more: Any) -> dict[str, Any]:
        keys = {"p256dh": base64url(self._point), "auth": base64url(self._auth)}
        return {"endpoint": endpoint, **keys, **more}

    def decrypt(self, body: bytes) -> dict[str, Any]:
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, records = body[21 : 21 + length], body[21 + length :]
        assert len(records) <= size, "one record"
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self._point + sender
        secret = _hmac(_hmac(self._auth, shared), info + b"\1")
        pseudo = _hmac(salt, secret)
        key = _hmac(pseudo, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _hmac(pseudo, b"Content-Encoding: nonce\0\1")[:12]
        plain = AESGCM(key).decrypt(nonce, records, None)
        text, delimiter, padding = plain.rpartition(b"\2")
        assert delimiter and not padding.strip(b"\0"), "the last record ends with 2"
        found: dict[str, Any] = json.loads(text)
        return found


def _hmac(key: bytes, data: bytes) -> bytes:
    digest = HMAC(key, hashes.SHA256())
    digest.update(data)
    return digest.finalize()


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Receiver:
    """A push service or webhook. `status` is what it answers from now on; one that is `silent` or
    `hangs_up` takes everything and never answers, with or without the line open."""

    port: int = 0
    status: int = 201
    location: str = ""
    silent: bool = False
    hangs_up: bool = False
    slow: dict[str, float] = field(default_factory=dict)
    """Paths that answer so many seconds after they have taken a message."""
    got: list[Received] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError), contextlib.closing(writer):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            lines = (line.partition(": ") for line in head[1:] if line)
            headers = {name.lower(): value for name, _, value in lines}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.got.append(Received(head[0].split(" ")[1], headers, body, time.time()))
            await asyncio.sleep(self.slow.get(head[0].split(" ")[1], 0))
            if self.silent:
                await reader.read()
            if self.silent or self.hangs_up:
                return
            more = f"Location: {self.location}\r\n" if self.location else ""
            answer = f"HTTP/1.1 {self.status} X\r\n{more}Content-Length: 2\r\n\r\nok"
            writer.write(answer.encode())
            await writer.drain()


@contextlib.asynccontextmanager
async def receiving(receiver: Receiver | None = None) -> AsyncIterator[Receiver]:
    receiver = receiver or Receiver()
    server = await asyncio.start_server(receiver.take, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()


@contextlib.contextmanager
def receiving_in_a_thread() -> Iterator[Receiver]:
    """For tests whose server is another process."""
    receiver, loop, ready = Receiver(), asyncio.new_event_loop(), threading.Event()

    is_over = asyncio.Event()

    async def serve() -> None:
        async with receiving(receiver):
            ready.set()
            await is_over.wait()

    def run() -> None:
        with contextlib.closing(loop):
            loop.run_until_complete(serve())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield receiver
    finally:
        loop.call_soon_threadsafe(is_over.set)
        thread.join()


Letter = tuple[list[str], EmailMessage, float]
"""Receivers, content, and when it came."""


class Postbox:
    """A real SMTP server, for one user with a password if they are given; `refuses` is what it
    answers to a letter instead of taking it. One that is `silent` or `hangs_up` takes letters and
    never answers, with or without the line open."""

    def __init__(self, user: str = "", password: str = "") -> None:
        self.user, self.password = user, password
        self.letters: list[Letter] = []
        self.refuses = ""
        self.silent = self.hangs_up = False
        self.slow: dict[str, float] = {}
        """Addresses whose letters are acknowledged so many seconds later."""
        more: dict[str, Any] = {}
        if user:
            more = {"authenticator": self._is_user, "auth_require_tls": False}
        self._controller = Controller(self, hostname="127.0.0.1", port=_free_port(), **more)

    def _is_user(
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        mechanism: str,
        given: LoginPassword,
    ) -> AuthResult:
        told = (given.login.decode(), given.password.decode())
        return AuthResult(success=told == (self.user, self.password), handled=False)

    @property
    def port(self) -> int:
        return self._controller.port

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.refuses:
            return self.refuses
        if self.user and not session.authenticated:
            return "530 5.7.0 Authentication required"
        assert isinstance(envelope.content, bytes)
        letter = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(letter, EmailMessage)
        self.letters.append((envelope.rcpt_tos, letter, time.time()))
        await asyncio.sleep(max(self.slow.get(to, 0) for to in envelope.rcpt_tos))
        if self.silent:
            await asyncio.Event().wait()  # the server ends this when the connection is lost
        if self.hangs_up:
            assert server.transport is not None
            server.transport.close()
        return "250 OK"

    def __enter__(self) -> Postbox:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    @property
    def flags(self) -> list[str]:
        """For `lampion serve`."""
        login = ["--smtp-user", self.user, "--smtp-password", self.password] if self.user else []
        return ["--smtp-host", "127.0.0.1", "--smtp-port", str(self.port), "--smtp-security",
                "none", "--smtp-from", "lampion@lampion.example", *login]  # fmt: skip


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
