"""Devices and ways back: what lets a device act for a person, or come back as them."""

from __future__ import annotations

from urllib.parse import urlsplit

from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.notify.mail import mailbox
from lampion.server.people.keys import device_id
from lampion.server.people.passkeys import Site
from lampion.server.store.base import PersonRow, TokenKind
from lampion.server.tables.merging import merge
from lampion.server.web import limits
from lampion.server.web.endpoints.people import signed_in
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.limits import Who
from lampion.server.web.security import cookie_header

ME = "/api/me"


async def access(ask: Ask) -> wire.Access:
    return await access_of(ask, ask.own_browser())


async def access_of(ask: Ask, person: PersonRow) -> wire.Access:
    services, own = ask.services, ask.key.hash if ask.key else ""
    phrase = await services.store.recovery_of(person.id)
    return wire.Access(
        [
            wire.Device(
                device_id(token.hash),
                "browser" if token.kind == TokenKind.COOKIE else "program",
                token.label or "",
                token.created_ms,
                token.seen_ms or token.created_ms,
                token.hash == own,
            )
            for token in await services.people.devices(person)
        ],
        [
            wire.Passkey(row.id, row.label, row.created_ms, row.used_ms)
            for row in await services.store.passkeys(person.id)
        ],
        phrase.created_ms if phrase else None,
        phrase is not None and phrase.kept_ms is not None,
        await services.ways.mailboxes(person.id),
    )


async def sign_out_device(ask: Ask) -> wire.Access:
    person, device = ask.own_browser(), str(ask.path["device"])
    await ask.services.ways.sign_out(person.id, device)
    revoked = await ask.services.people.sign_out_device(person, device)
    if ask.key and revoked == ask.key.hash:
        ask.cookie = cookie_header("", ask.services.config, max_age=0)
    return await access_of(ask, person)


# --- the phrase ---


async def new_phrase(ask: Ask) -> wire.RecoveryPhrase:
    return wire.RecoveryPhrase(await ask.services.recovery.new_phrase(ask.own_browser()))


async def keep_phrase(ask: Ask) -> wire.Access:
    person = ask.own_browser()
    if not await ask.services.store.keep_recovery(person.id, ask.services.clock.now_ms()):
        raise TableError("there is no recovery phrase; make one", code="no-phrase")
    return await access_of(ask, person)


async def recover(ask: Ask) -> wire.SignedIn:
    """Counted by address alone: fifteen guest names are still one visitor who guesses."""
    body: wire.Recover = ask.body
    ask.services.limiter.spend(limits.RECOVERIES, Who(None, ask.who.address))
    ask.services.limiter.spend(limits.ALL_RECOVERIES, limits.EVERYBODY)
    return await _come_back(ask, await ask.services.recovery.use(body.phrase))


async def recover_by_mail(ask: Ask) -> dict[str, str]:
    """Every address is counted before it is looked at, so that no refusal tells that it is known."""
    body: wire.RecoverByMail = ask.body
    address, limiter = body.address.strip(), ask.services.limiter
    limiter.spend(limits.MAIL_RECOVERIES, Who(None, ask.who.address))
    limiter.spend(limits.MAIL_RECOVERIES, limits.mailbox(mailbox(address)))
    limiter.spend(limits.letters(ask.services.config.mails_per_hour), limits.EVERYBODY)
    ask.services.come_back.ask(address, body.language)
    return {}


async def _come_back(ask: Ask, person: PersonRow) -> wire.SignedIn:
    ask.services.sanctions.check_not_banned(person.id, ask.who.address)
    secret = await ask.services.people.add_key(person, TokenKind.COOKIE, ask.device)
    return await signed_in(ask, person, secret)


# --- passkeys ---


def _site(ask: Ask) -> Site:
    """The site as its own pages see it: by its public address, or by the one that was asked for."""
    origin = ask.services.config.origin if ask.services.config.public_url else ""
    origin = origin or ask.request.headers.get("origin") or str(ask.request.base_url)
    parts = urlsplit(origin)
    return Site(parts.hostname or "", f"{parts.scheme}://{parts.netloc}")


async def adding_passkey(ask: Ask) -> wire.PasskeyOptions:
    return wire.PasskeyOptions(await ask.services.passkeys.adding(ask.own_browser(), _site(ask)))


async def add_passkey(ask: Ask) -> wire.Access:
    body: wire.AddPasskey = ask.body
    person = ask.own_browser()
    await ask.services.passkeys.add(person, _site(ask), body.credential, ask.device)
    return await access_of(ask, person)


async def drop_passkey(ask: Ask) -> wire.Access:
    person, passkey = ask.own_browser(), str(ask.path["passkey"])
    if not await ask.services.store.drop_passkey(person.id, passkey):
        raise TableError("there is no such passkey", code="no-passkey", where=passkey[:40])
    return await access_of(ask, person)


async def signing_in(ask: Ask) -> wire.PasskeyOptions:
    return wire.PasskeyOptions(await ask.services.passkeys.signing_in(_site(ask)))


async def sign_in(ask: Ask) -> wire.SignedIn:
    body: wire.UsePasskey = ask.body
    return await _come_back(ask, await ask.services.passkeys.use(_site(ask), body.credential))


# --- the guest of a second device ---


async def merge_guest(ask: Ask) -> wire.Me:
    body: wire.Merge = ask.body
    person, services = ask.own_browser(), ask.services
    guest = await services.people.guest_of(body.code)
    if guest is None:
        raise TableError("this code has been used or is too old", code="link-expired")
    await merge(services.rooms, services.people, guest, person)
    return wire.Me(person.id, person.name)


ENDPOINTS = (
    Endpoint("GET", f"{ME}/access", "List devices and ways to recover the account", access, wire.Access),
    Endpoint("DELETE", f"{ME}/devices/{{device:str}}", "Sign out one device", sign_out_device, wire.Access),
    Endpoint("POST", f"{ME}/recovery", "Create a recovery phrase and void the older one", new_phrase, wire.RecoveryPhrase,
             limit=limits.NEW_PEOPLE),
    Endpoint("POST", f"{ME}/recovery/kept", "Confirm that the phrase was written down", keep_phrase, wire.Access),
    Endpoint("POST", "/api/recover", "Sign in with a recovery phrase, which works once", recover, wire.SignedIn,
             wire.Recover),
    Endpoint("POST", "/api/recover/mail", "Send a sign-in link to a confirmed e-mail address",
             recover_by_mail, dict[str, str], wire.RecoverByMail),
    Endpoint("POST", f"{ME}/passkeys/options", "Start adding a passkey", adding_passkey, wire.PasskeyOptions,
             limit=limits.PASSKEYS),
    Endpoint("POST", f"{ME}/passkeys", "Add a passkey", add_passkey, wire.Access, wire.AddPasskey,
             limit=limits.PASSKEYS),
    Endpoint("DELETE", f"{ME}/passkeys/{{passkey:str}}", "Remove a passkey", drop_passkey, wire.Access),
    Endpoint("POST", "/api/passkeys/options", "Begin to sign in by a passkey", signing_in, wire.PasskeyOptions,
             limit=limits.PASSKEYS),
    Endpoint("POST", "/api/passkeys", "Sign in by a passkey", sign_in, wire.SignedIn, wire.UsePasskey,
             limit=limits.PASSKEYS),
    Endpoint("POST", f"{ME}/merge", "Take over the tables of the guest that this browser was", merge_guest, wire.Me,
             wire.Merge, limit=limits.NEW_PEOPLE),
)  # fmt: skip
