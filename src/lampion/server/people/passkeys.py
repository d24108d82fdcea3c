"""Passkeys: a key pair in a phone or computer that signs a challenge, instead of a password.

    add        challenge for this person -> the device makes a pair -> we keep the public half
    sign in    challenge for nobody      -> the device signs        -> whose key it is says who comes

A challenge is good for one answer within five minutes, in whichever process it arrives. The library
checks signatures, origin, site, presence and verification of the user; we see to the rest: that a
challenge is ours and fresh, that a counter never stands still (a copied key), and whose key it is.
"""

from __future__ import annotations

import json
import logging
import secrets
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from lampion.server.clock import Clock
from lampion.server.errors import TableError
from lampion.server.people.keys import hash_of
from lampion.server.store.base import ChallengeRow, PasskeyRow, PersonRow, Store

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

log = logging.getLogger("lampion.people")
CHALLENGE_MS = 5 * 60 * 1000
MOST_PASSKEYS = 10
ADD, SIGN_IN = "add", "sign-in"


class Site(NamedTuple):
    """Where the browser thinks it is."""

    host: str
    """Passkeys belong to a name without a port; addresses in numbers have none."""
    origin: str


class Passkeys:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def adding(self, person: PersonRow, site: Site) -> dict[str, Any]:
        """What the browser needs to make a passkey for this person."""
        # Imported late: cryptography takes long to load, and most processes never need it.
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import base64url_to_bytes, structs

        known = await self._known(person)
        options = generate_registration_options(
            rp_id=site.host,
            rp_name="Lampion",
            user_id=person.id.encode(),
            user_name=person.name,
            challenge=await self._challenge(ADD, person.id),
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(row.id))
                for row in known
            ],
        )
        return _as_json(options_to_json(options))

    async def add(
        self, person: PersonRow, site: Site, credential: dict[str, Any], label: str
    ) -> None:
        challenge, row = await self._answered(ADD, credential)
        if row.person_id != person.id:
            _refuse("the challenge was another person's")
        await self._known(person)  # there may be more by now
        verified = _registration(credential, challenge, site)
        passkey = PasskeyRow(
            _text(verified.credential_id),
            person.id,
            _text(verified.credential_public_key),
            verified.sign_count,
            label,
            self._clock.now_ms(),
        )
        if not await self._store.add_passkey(passkey):
            _refuse("it is known already")

    async def _known(self, person: PersonRow) -> list[PasskeyRow]:
        """Those that the person has, if there is room for another."""
        known = await self._store.passkeys(person.id)
        if len(known) >= MOST_PASSKEYS:
            message = f"you have {MOST_PASSKEYS} passkeys already; remove one first"
            raise TableError(message, code="too-many-passkeys")
        return known

    async def signing_in(self, site: Site) -> dict[str, Any]:
        """What the browser needs to ask for any passkey that it has for this site."""
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers import structs

        options = generate_authentication_options(
            rp_id=site.host,
            challenge=await self._challenge(SIGN_IN, None),
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        )
        return _as_json(options_to_json(options))

    async def use(self, site: Site, credential: dict[str, Any]) -> PersonRow:
        """Who signs in."""
        challenge, _ = await self._answered(SIGN_IN, credential)
        row = await self._store.passkey(str(credential.get("id")))
        if row is None:
            raise TableError("this passkey is not known here", code="unknown-passkey")
        verified = _authentication(credential, challenge, site, row)
        if _handle(credential) not in (None, row.person_id):
            _refuse("it is another person's")
        if not await self._store.use_passkey(row, verified.new_sign_count, self._clock.now_ms()):
            _refuse("it was used twice at once")
        person = await self._store.person(row.person_id)
        if person is None:
            raise TableError("this passkey is not known here", code="unknown-passkey")
        return person

    async def _challenge(self, purpose: str, person: str | None) -> bytes:
        challenge = secrets.token_bytes(32)
        expires_ms = self._clock.now_ms() + CHALLENGE_MS
        row = ChallengeRow(hash_of(_text(challenge)), purpose, person, expires_ms)
        await self._store.add_challenge(row)
        return challenge

    async def _answered(
        self, purpose: str, credential: dict[str, Any]
    ) -> tuple[bytes, ChallengeRow]:
        """The challenge to which this is the answer; it is used up, whatever comes of it."""
        from webauthn.helpers import base64url_to_bytes

        try:
            told = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
            challenge = base64url_to_bytes(told["challenge"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            _refuse("it cannot be read")
        now_ms = self._clock.now_ms()
        row = await self._store.take_challenge(hash_of(_text(challenge)), purpose, now_ms)
        if row is None:
            message = "that took too long, or was answered before; try again"
            raise TableError(message, code="challenge-expired")
        return challenge, row


def _registration(credential: dict[str, Any], challenge: bytes, site: Site) -> VerifiedRegistration:
    from webauthn import verify_registration_response

    try:
        return verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except Exception as problem:  # three libraries read what a stranger sent: any of them may fail
        _refuse(str(problem))


def _authentication(
    credential: dict[str, Any], challenge: bytes, site: Site, row: PasskeyRow
) -> VerifiedAuthentication:
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    try:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    except Exception as problem:  # as above
        _refuse(str(problem))


def _handle(credential: dict[str, Any]) -> str | None:
    """Whose key the device says it is."""
    from webauthn.helpers import base64url_to_bytes

    handle = credential["response"].get("userHandle")
    return base64url_to_bytes(handle).decode(errors="replace") if handle else None


def _as_json(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _refuse(why: str) -> NoReturn:
    log.info("passkey refused", extra={"problem": why[:200]})
    raise TableError("this passkey was not accepted", code="passkey-refused")
