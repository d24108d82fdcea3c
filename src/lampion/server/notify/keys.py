"""The secrets that notifications need, made at the first start and kept in the database: the key
that push services know us by, and the one that signs links in e-mails."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lampion.server.store.base import Store

VAPID, SIGNING = "vapid_key", "notify_secret"
"""Names of settings."""
KEY_BYTES = 32


class Keys:
    def __init__(self, vapid: ec.EllipticCurvePrivateKey, signing: bytes) -> None:
        self.vapid = vapid
        self._signing = signing

    @property
    def push_key(self) -> str:
        """For `applicationServerKey` in browsers. Public."""
        point = self.vapid.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64url(point)

    def sign(self, text: str) -> str:
        return base64url(hmac.digest(self._signing, text.encode(), "sha256"))

    def is_signed(self, text: str, signature: str) -> bool:
        return hmac.compare_digest(self.sign(text).encode(), signature.encode())


async def load_keys(store: Store) -> Keys:
    """All processes of a database have the same keys, whichever starts first."""
    fresh = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    number = await store.setting_or(VAPID, fresh.to_bytes(KEY_BYTES).hex())
    signing = await store.setting_or(SIGNING, secrets.token_hex(KEY_BYTES))
    return Keys(ec.derive_private_key(int(number, 16), ec.SECP256R1()), bytes.fromhex(signing))


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
