"""How I am notified: ways out, quiet hours, vacations, muted tables; and the link that ends it."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse, Response

from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.notify.mail import mailbox
from lampion.server.notify.texts import say
from lampion.server.peers import NewsKind
from lampion.server.store.base import Mark
from lampion.server.tables.reminders import remind_of_turn
from lampion.server.web import limits
from lampion.server.web.http import Ask, Endpoint

MINE = "/api/me/notifications"
UNSUBSCRIBE = "/api/unsubscribe/{way:str}/{signature:str}"


def _base(ask: Ask) -> str:
    """Where the site is for the browser that asks; `check_origin` has looked at both headers."""
    config = ask.services.config
    if config.public_url:
        return config.site
    own = f"{ask.request.url.scheme}://{ask.request.url.netloc}"
    return ask.request.headers.get("origin", own) + config.path_prefix


async def notifications(ask: Ask) -> wire.Notifications:
    return await ask.services.ways.shown(ask.who.person, ask.device_id)


async def add_push(ask: Ask) -> wire.Way:
    person, base = await ask.somebody(), _base(ask)
    return await ask.services.ways.add_push(person.id, ask.body, base, ask.device_id, ask.device)


async def add_mail(ask: Ask) -> wire.Way:
    body: wire.NewMail = ask.body
    limiter, most = ask.services.limiter, ask.services.config.mails_per_hour
    limiter.spend(limits.MAILBOX_CODES, limits.mailbox(mailbox(body.address)))
    limiter.spend(limits.letters(most), limits.EVERYBODY)
    return await ask.services.ways.add_mail((await ask.somebody()).id, body)


async def confirm_mail(ask: Ask) -> wire.Way:
    return await ask.services.ways.confirm(ask.known().id, ask.body)


async def add_webhook(ask: Ask) -> wire.NewSecret:
    return await ask.services.ways.add_webhook((await ask.somebody()).id, ask.body, _base(ask))


async def drop_way(ask: Ask) -> wire.Notifications:
    await ask.services.ways.drop(ask.known().id, str(ask.path["way"]))
    return await notifications(ask)


async def silence_way(ask: Ask) -> wire.Notifications:
    body: wire.Silence = ask.body
    await ask.services.ways.silence(ask.known().id, str(ask.path["way"]), body.silent)
    return await notifications(ask)


async def test_way(ask: Ask) -> dict[str, str]:
    """Letters to one mailbox, and of one visitor, are counted before they take from those of
    all."""
    person, way, limiter = ask.known(), str(ask.path["way"]), ask.services.limiter
    if address := await ask.services.ways.address_of(person.id, way):
        letters = limits.letters(ask.services.config.mails_per_hour)
        limiter.spend(limits.MAIL_TESTS, ask.who)
        limiter.spend(limits.MAIL_TESTS, limits.mailbox(mailbox(address)))
        limiter.spend(letters, limits.EVERYBODY)
    await ask.services.ways.test(person.id, way)
    return {}


async def wish(ask: Ask) -> wire.Notifications:
    await ask.services.ways.wish((await ask.somebody()).id, ask.body)
    return await notifications(ask)


async def add_vacation(ask: Ask) -> wire.Notifications:
    await ask.services.ways.add_vacation((await ask.somebody()).id, ask.body)
    return await notifications(ask)


async def drop_vacation(ask: Ask) -> wire.Notifications:
    await ask.services.ways.drop_vacation(ask.known().id, int(ask.path["from_ms"]))
    return await notifications(ask)


async def mute(ask: Ask) -> dict[str, str]:
    body: wire.Mute = ask.body
    services, person = ask.services, ask.known().id
    async with services.rooms.at(ask.table) as room:
        if not room.table.seats_of(person):
            raise TableError("you do not sit at this table", code="not-your-seat", where=ask.table)
    change = services.store.mark if body.muted else services.store.unmark
    await change(ask.table, person, Mark.MUTED)
    await services.rooms.refresh(ask.table)
    await services.store.tell([(NewsKind.TABLE, ask.table, "")])
    if not body.muted:
        await remind_of_turn(services.rooms, ask.table, person)
    return {}


async def ask_unsubscribe(ask: Ask) -> Response:
    """Looking at the link changes nothing: programs that check mail open every link in it."""
    way, ways = str(ask.path["way"]), ask.services.ways
    if not ways.is_unsubscribe_link(way, str(ask.path["signature"])):
        raise _bad_link()
    language = await ways.language_of(way)
    button = escape(say("mail.leave", language))
    form = f'<form method="post"><button style="font: inherit">{button}</button></form>'
    return _page(say("mail.leave.sure", language), form, language)


async def unsubscribe(ask: Ask) -> Response:
    """By the form above, or by a mail program with one click (RFC 8058): no cookie, no Origin. Ends
    notifications; the address can still be used to sign in."""
    way, ways = str(ask.path["way"]), ask.services.ways
    language = await ways.language_of(way)
    if not await ways.unsubscribe(way, str(ask.path["signature"])):
        raise _bad_link()
    return _page(say("mail.left", language), "", language)


def _bad_link() -> TableError:
    return TableError("this link is not complete, or not ours", code="bad-link")


def _page(text: str, more: str, language: str) -> Response:
    return HTMLResponse(
        f"""<!doctype html>
<html lang="{escape(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Lampion</title></head>
<body style="font: 1.1rem/1.5 Georgia, serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem">
<h1>Lampion</h1><p>{escape(text)}</p>{more}
</body>
</html>
"""
    )


ENDPOINTS = (
    Endpoint("GET", MINE, "Return how I am notified", notifications, wire.Notifications),
    Endpoint("PUT", MINE, "Set language, quiet hours and kinds of notifications", wish, wire.Notifications, wire.Wishes),
    Endpoint("POST", f"{MINE}/push", "Send push messages to this device", add_push, wire.Way, wire.NewPush,
             limit=limits.NEW_WAYS),
    Endpoint("POST", f"{MINE}/mail", "Send a code to an e-mail address", add_mail, wire.Way, wire.NewMail,
             limit=limits.CODES),
    Endpoint("POST", f"{MINE}/mail/confirm", "Confirm an e-mail address by its code", confirm_mail, wire.Way,
             wire.MailCode, limit=limits.NEW_WAYS),
    Endpoint("POST", f"{MINE}/webhook", "Send notifications to a webhook", add_webhook, wire.NewSecret,
             wire.NewWebhook, limit=limits.NEW_WAYS),
    Endpoint("DELETE", f"{MINE}/ways/{{way:str}}", "Drop a way to notify me", drop_way, wire.Notifications),
    Endpoint("PUT", f"{MINE}/ways/{{way:str}}/silent", "Keep an e-mail address only to sign in by it, or send there again",
             silence_way, wire.Notifications, wire.Silence),
    Endpoint("POST", f"{MINE}/ways/{{way:str}}/test", "Send a test message", test_way, dict[str, str],
             limit=limits.NEW_WAYS),
    Endpoint("POST", "/api/me/vacations", "Announce days on which my clocks stand still", add_vacation,
             wire.Notifications, wire.NewVacation),
    Endpoint("DELETE", "/api/me/vacations/{from_ms:int}", "Cancel a vacation, or end it now", drop_vacation,
             wire.Notifications),
    Endpoint("PUT", "/api/me/tables/{table:str}/mute", "Get no notifications about a table, or get them again", mute,
             dict[str, str], wire.Mute),
    Endpoint("GET", UNSUBSCRIBE, "Show the page of an unsubscribe link", ask_unsubscribe, str, media_type="text/html"),
    Endpoint("POST", UNSUBSCRIBE, "Unsubscribe from e-mails by a signed link", unsubscribe, str,
             media_type="text/html", takes_form=True),
)  # fmt: skip
