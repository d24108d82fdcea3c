"""E-mail: plain text and HTML, with a link that unsubscribes by one click (RFC 8058)."""

from __future__ import annotations

import hashlib
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import cached_property
from html import escape

import aiosmtplib

from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.errors import TableError
from lampion.server.notify.keys import Keys
from lampion.server.notify.outgoing import InDoubt, NotDelivered
from lampion.server.notify.quiet import moment
from lampion.server.notify.texts import HOME, Message, Send, say
from lampion.server.store.base import WayRow

SECONDS = 15.0
UNSUBSCRIBE = "unsubscribe"
GMAIL = ("gmail.com", "googlemail.com")
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)
LONGEST_ADDRESS, LONGEST_LOCAL = 254, 64
POLICY = SMTP.clone(cte_type="7bit")
"""Every mail server takes it."""


def checked_address(text: str) -> str:
    """An address as it is stored; `TableError` unless it is a plain one. What could end a header
    or name a second receiver does not pass. In lower case: phones write the first letter large, and
    an address must be found again however it was typed."""
    local = text.rpartition("@")[0]
    if not _ADDRESS.fullmatch(text) or len(text) > LONGEST_ADDRESS or len(local) > LONGEST_LOCAL:
        raise TableError("not a valid e-mail address", code="bad-address", where="address")
    return text.lower()


def mailbox(address: str) -> str:
    """What to count letters by: `ada+anything@mail.example` ends up in Ada's mailbox as well, and
    Gmail, which has two names, does not mind dots."""
    local, _, domain = address.strip().lower().rpartition("@")
    local = local.partition("+")[0]
    if domain in GMAIL:
        local, domain = local.replace(".", ""), GMAIL[0]
    return f"{local}@{domain}"


class MailSender:
    def __init__(self, config: Config, keys: Keys, clock: Clock) -> None:
        self._config = config
        self._keys = keys
        self._clock = clock

    @asynccontextmanager
    async def line(self, way: WayRow) -> AsyncIterator[Send]:
        """The mail server has agreed to take a letter for this address; nothing of it is sent."""
        async with self._connected() as server:
            with _told():
                await server.mail(self._config.smtp_from)
                await server.rcpt(way.address)

            async def send(message: Message) -> None:
                with _told(InDoubt):
                    await server.data(self.letter(way, message).as_bytes())

            yield send

    async def send_code(self, way: WayRow, code: str, language: str) -> None:
        """Before an address is confirmed it gets this one letter, with nothing in it that a person
        could have written."""
        site = self._config.public_url
        text = say("mail.code.body", language, code=code, site=site)
        letter = self._envelope(way, say("mail.code", language, code=code), f"code.{way.id}")
        letter.set_content(text)
        shown = _paragraphs(text).replace(code, f'<strong style="font-size: 24px">{code}</strong>')
        letter.add_alternative(_html(language, letter["Subject"], shown), subtype="html")
        await self._send(letter)

    async def send_link(self, way: WayRow, name: str, code: str, language: str) -> None:
        """A link that signs in one browser. Every one is another letter."""
        link = f"{self._config.site}/claim#{code}"
        text = say("mail.link.body", language, name=name, link=link)
        digest = hashlib.sha256(code.encode()).hexdigest()
        letter = self._envelope(way, say("mail.link", language), f"link.{digest}")
        letter.set_content(text)
        go = _button(link, say("mail.link.open", language))
        before, after = map(_paragraphs, text.split(link))
        shown = f"{before}\n{go}\n{after}"
        letter.add_alternative(_html(language, letter["Subject"], shown), subtype="html")
        await self._send(letter)

    def unsubscribe_link(self, way: WayRow) -> str:
        """Signed: nobody can unsubscribe a way whose letters they have not got."""
        signed = self._keys.sign(f"{UNSUBSCRIBE} {way.id}")
        return f"{self._config.site}/api/unsubscribe/{way.id}/{signed}"

    def letter(self, way: WayRow, message: Message) -> EmailMessage:
        link, out = self._config.site + message.path, self.unsubscribe_link(way)
        letter = self._envelope(way, f"Lampion: {message.title}", message.id)
        letter["List-Unsubscribe"] = f"<{out}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        where = "mail.open" if message.path != HOME else "mail.home"
        go, leave = say(where, message.language), say("mail.leave", message.language)
        letter.set_content(
            f"{message.title}\n\n{message.body}\n\n{go}:\n{link}\n\n--\n{leave}:\n{out}\n"
        )
        shown = f"{_paragraphs(message.body)}\n{_button(link, go)}\n{_footer(out, leave)}"
        letter.add_alternative(_html(message.language, message.title, shown), subtype="html")
        return letter

    def _envelope(self, way: WayRow, subject: str, name: str) -> EmailMessage:
        """The same name at every try gives the same Message-ID: a mail program shows it once."""
        letter = EmailMessage(policy=POLICY)
        sender = self._config.smtp_from
        letter["From"] = Address("Lampion", addr_spec=sender)
        letter["To"] = Address(addr_spec=way.address)
        letter["Subject"] = subject
        letter["Date"] = format_datetime(moment(self._clock.now_ms()))
        host = sender.rpartition("@")[2]
        digest = hashlib.sha256(f"{way.id} {name}".encode()).hexdigest()[:32]
        letter["Message-ID"] = f"<{digest}@{host}>"
        letter["Auto-Submitted"] = "auto-generated"
        return letter

    async def _send(self, letter: EmailMessage) -> None:
        async with self._connected() as server:
            with _told():
                await server.send_message(letter)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[aiosmtplib.SMTP]:
        config = self._config
        is_plain = config.smtp_security == "none"
        server = aiosmtplib.SMTP(
            hostname=config.smtp_host,
            port=config.smtp_port,
            username=config.smtp_user or None,
            password=config.smtp_password or None,
            use_tls=config.smtp_security == "tls",
            start_tls=config.smtp_security == "starttls",
            tls_context=None if is_plain else self._tls,
            timeout=SECONDS,
        )
        with _told():
            await server.connect()
        async with server:  # says goodbye at the end, and does not mind if nobody listens
            yield server

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Reading all certificates takes a while: once, and not before the first letter."""
        return ssl.create_default_context()


@contextmanager
def _told(unanswered: type[NotDelivered] = NotDelivered) -> Iterator[None]:
    """What can go wrong with a mail server, as `NotDelivered`; silence or a lost connection as an
    exception of the given kind."""
    try:
        yield
    except OSError as problem:
        raise unanswered(f"mail server: {_reason(problem)}") from None
    except aiosmtplib.SMTPException as problem:
        raise NotDelivered(f"mail server: {_reason(problem)}") from None


def _reason(problem: Exception) -> str:
    """Never what the server said: it may quote an address."""
    code = problem.code if isinstance(problem, aiosmtplib.SMTPResponseException) else ""
    return f"{type(problem).__name__} {code}".strip()


def _html(language: str, title: str, shown: str) -> str:
    return f"""<!doctype html>
<html lang="{escape(language)}">
<head><meta charset="utf-8"><title>{escape(title)}</title></head>
<body style="font-family: Georgia, serif; color: #1d2440; background: #f6f2e8; padding: 24px">
<h1 style="font-size: 20px">{escape(title)}</h1>
{shown}
</body>
</html>
"""


def _paragraphs(text: str) -> str:
    """Plain text with empty lines between its paragraphs."""
    found = (escape(part).replace("\n", "<br>") for part in text.strip().split("\n\n"))
    return "\n".join(f'<p style="font-size: 16px">{part}</p>' for part in found)


def _button(link: str, go: str) -> str:
    return f"""<p><a href="{escape(link)}" style="display: inline-block; padding: 12px 20px;
background: #2b3468; color: #ffffff; text-decoration: none; border-radius: 8px">{escape(go)}</a></p>"""


def _footer(out: str, leave: str) -> str:
    link = f'<a href="{escape(out)}" style="color: #2b3468">{escape(leave)}</a>'
    return f'<p style="font-size: 13px">{link}</p>'
