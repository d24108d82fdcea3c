"""The room put together from the settings: only what is set up can be chosen."""

from __future__ import annotations

from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.notify.comeback import ComeBack
from lampion.server.notify.keys import load_keys
from lampion.server.notify.mail import MailSender
from lampion.server.notify.notifier import Notifier, Sender
from lampion.server.notify.outgoing import Outgoing
from lampion.server.notify.push import PushSender
from lampion.server.notify.ways import Ways
from lampion.server.notify.webhook import WebhookSender
from lampion.server.people.keys import People
from lampion.server.store.base import WayKind
from lampion.server.tables.rooms import Rooms

NO_CONTACT = "mailto:nobody@localhost"
"""For a server at home without a public address; most push services take it."""


async def open_ways(
    rooms: Rooms, notifier: Notifier, people: People, clock: Clock, config: Config
) -> tuple[Ways, ComeBack]:
    keys = await load_keys(rooms.store)
    outgoing = Outgoing(config.notify_hosts)
    mail = MailSender(config, keys, clock) if config.has_mail else None
    senders: dict[WayKind, Sender] = {}
    if config.push:
        contact = config.push_contact or (config.origin if config.is_secure else NO_CONTACT)
        senders[WayKind.PUSH] = PushSender(keys, outgoing, clock, contact)
    if config.webhooks:
        senders[WayKind.WEBHOOK] = WebhookSender(outgoing, clock)
    if mail is not None:
        senders[WayKind.MAIL] = mail
    notifier.senders = senders
    ways = Ways(rooms, notifier, keys, outgoing, mail, clock, config)
    return ways, ComeBack(rooms.store, people, mail)
