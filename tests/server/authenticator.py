"""A passkey made of software, which can also do what real ones never would."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, HAS_KEY = 1, 4, 64
Json = dict[str, Any]


def text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def content(of: str) -> bytes:
    return urlsafe_b64decode(of + "=" * (-len(of) % 4))


@dataclass
class Authenticator:
    origin: str
    host: str = "127.0.0.1"
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    count: int = 0
    user: str = ""
    flags: int = PRESENT | VERIFIED

    def __post_init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())

    def register(self, options: Json) -> Json:
        self.user = options["user"]["id"]
        client = self._client("webauthn.create", options["challenge"])
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + self._public()
        data = self._data(HAS_KEY) + attested
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential(clientDataJSON=text(client), attestationObject=text(statement))

    def sign(self, options: Json) -> Json:
        client = self._client("webauthn.get", options["challenge"])
        data = self._data()
        signed = data + hashlib.sha256(client).digest()
        signature = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._credential(
            clientDataJSON=text(client),
            authenticatorData=text(data),
            signature=text(signature),
            userHandle=self.user,
        )

    def _credential(self, **response: str) -> Json:
        name = text(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int = 0) -> bytes:
        head = hashlib.sha256(self.host.encode()).digest()
        return head + bytes([self.flags | flags]) + self.count.to_bytes(4)

    def _public(self) -> bytes:
        """As COSE writes it: an elliptic curve key for ES256 on P-256."""
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32) for number in (numbers.x, numbers.y))
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
