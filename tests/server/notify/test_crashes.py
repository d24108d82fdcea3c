"""Notifications over HTTP, and through hard kills of the server; `benchmarks.notifications` does the
same in number."""

from __future__ import annotations

import contextlib
import sqlite3
from base64 import b64encode
from pathlib import Path

from lampion.server.notify.keys import SIGNING, VAPID, base64url
from tests.server.notify.crashes import crash
from tests.server.notify.receivers import Browser, Postbox, receiving_in_a_thread
from tests.server.support import Person, Server, wait_for


def test_every_call_arrives_through_two_kills_and_none_twice(tmp_path: Path) -> None:
    report = crash(str(tmp_path / "lampion.db"), tmp_path, pairs=3, kills=2, seconds=2.0)
    assert len(report.delays) > 2 and not report.lost and not report.twice, report.tell()
    assert report.reminders == 1


def test_the_ways_out_over_http(tmp_path: Path) -> None:
    user, password = "lampion", "correct-horse-battery"
    with receiving_in_a_thread() as receiver, Postbox(user, password) as postbox:
        log = tmp_path / "log"
        server = Server(str(tmp_path / "lampion.db"), log=log)
        server.flags = ("--notify-hosts", f"127.0.0.1:{receiver.port}", "--public-url", server.base,
                        "--log-level", "debug", *postbox.flags)  # fmt: skip
        with server.start():
            ada, eve = Person(server, "Ada"), Person(server, "Eve")
            api = "/api/me/notifications"
            stranger = Person(server).call("GET", api)
            assert stranger["mail"] and stranger["ways"] == [] and len(stranger["push_key"]) == 87
            for url in ("https://127.0.0.1/x", "https://[::1]/", "http://10.0.0.1/"):
                assert ada.problem("POST", f"{api}/webhook", {"url": url})["code"] == "bad-address"
            pushed = eve.call("POST", f"{api}/push", Browser().subscription(receiver.url("/push")))
            eve.call("POST", f"{api}/ways/{pushed['id']}/test")
            assert receiver.got[-1].headers["authorization"].startswith("vapid t=")
            made = ada.call(
                "POST",
                f"{api}/webhook",
                {"url": receiver.url("/hook"), "preset": "ntfy", "language": "it"},
            )
            ada.call("POST", f"{api}/ways/{made['way']['id']}/test")
            assert b'"topic":"hook"' in receiver.got[-1].body and receiver.got[-1].path == "/"
            receiver.status = 500
            test = f"{api}/ways/{made['way']['id']}/test"
            assert ada.problem("POST", test)["code"] == "not-delivered"
            assert eve.problem("POST", test)["code"] == "no-way"

            ada.call("POST", f"{api}/mail", {"address": "ada@mail.example"})
            wait_for(lambda: postbox.letters)
            way = ada.call("GET", api)["ways"][1]
            code = str(postbox.letters[-1][1]["Subject"]).rpartition(" ")[2]
            ada.call("POST", f"{api}/mail/confirm", {"way": way["id"], "code": code})
            ada.call("POST", f"{api}/ways/{way['id']}/test")
            letter = postbox.letters[-1][1]
            assert letter["Subject"] == "Lampion: Lampion può raggiungerti"
            link = str(letter["List-Unsubscribe"]).strip("<>").removeprefix(server.base)
            nobody = Person(server).web
            assert nobody.get(link).status_code == 200 and len(ada.call("GET", api)["ways"]) == 2
            assert nobody.post(link[:-1] + "_", content="x").status_code == 403
            one_click = {"List-Unsubscribe": "One-Click"}
            assert "Lampion" in nobody.post(link, data=one_click).text
            silent = {one["kind"]: one["silent"] for one in ada.call("GET", api)["ways"]}
            assert silent == {"webhook": False, "mail": True}
            known = len(postbox.letters)
            ada.call("POST", "/api/recover/mail", {"address": "ada@mail.example"})
            wait_for(lambda: len(postbox.letters) > known)
            plain = postbox.letters[-1][1].get_body(("plain",)).get_content()  # type: ignore[union-attr]
            link_code = plain.partition("#")[2].split()[0]
            postbox.password = "changed"
            ada.call("POST", "/api/recover/mail", {"address": "ada@mail.example"})
            wait_for(lambda: "SMTPAuthenticationError" in log.read_text())

            table = ada.table("me", "open", pace={"kind": "days", "days": 2})
            eve.join(table)
            ada.call("PUT", f"/api/me/tables/{table['id']}/mute", {"muted": True})
            assert ada.info(table)["muted"] and not eve.info(table)["muted"]
            mute = f"/api/me/tables/{table['id']}/mute"
            assert (
                Person(server, "X").problem("PUT", mute, {"muted": True})["code"] == "not-your-seat"
            )
            ada.call("PUT", mute, {"muted": False})
            assert not ada.info(table)["muted"]
            bad = {"first": "2020-01-01", "last": "2020-01-02"}
            assert ada.problem("POST", "/api/me/vacations", bad)["code"] == "bad-vacation"
        text = log.read_text()
        login = b64encode(f"\0{user}\0{password}".encode()).decode()
        for each in (password, login, b64encode(password.encode()).decode(), link_code):
            assert each not in text
        assert made["secret"] not in text and code not in text
        with contextlib.closing(sqlite3.connect(tmp_path / "lampion.db")) as db:
            kept = dict(db.execute("SELECT name, value FROM setting").fetchall())
        for name in (VAPID, SIGNING):
            secret = bytes.fromhex(kept[name])
            assert kept[name] not in text and base64url(secret) not in text
            assert str(int.from_bytes(secret)) not in text
