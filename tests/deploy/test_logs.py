"""Logs: JSON from the first line, no secret in any, no flood."""

from __future__ import annotations

import io
import json
import logging
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from lampion.server.logs import (
    MOST_KINDS,
    JsonLines,
    Masker,
    OncePerWindow,
    TextLines,
    _log_crash,
    _log_thread_crash,
)
from tests.server.support import Person, Server

PASSWORD = "hunter2-of-the-lake"


@pytest.fixture(autouse=True)
def _clean_up() -> None:
    """No proxies are needed here."""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Log:
    """A logger whose lines can be read, on a clock that is set by hand."""

    def __init__(self) -> None:
        self.output, self.clock = io.StringIO(), Clock()
        lines = logging.StreamHandler(self.output)
        lines.setFormatter(JsonLines(Masker([PASSWORD])))
        self.handler = OncePerWindow(lines, 10.0, self.clock)
        self.logger = logging.getLogger(f"test.{secrets.token_hex(4)}")
        self.logger.propagate = False
        self.logger.setLevel(logging.DEBUG)
        self.logger.addHandler(self.handler)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.output.getvalue().splitlines()]

    def fail(self, error: Exception) -> None:
        try:
            raise error
        except Exception:
            self.logger.exception("request failed")


@pytest.fixture
def log() -> Iterator[Log]:
    made = Log()
    yield made
    made.handler.close()


def test_a_repeated_error_is_logged_once_and_counted(log: Log) -> None:
    for _ in range(500):
        log.fail(ValueError("x"))
    assert len(log.lines()) == 1
    log.clock.now = 11
    log.logger.info("something else")
    first, repeated, other = log.lines()
    assert "ValueError" in str(first["exception"])
    assert repeated["repeated"] == 499
    assert repeated["message"] == "repeated 499 times: request failed"
    assert other["message"] == "something else"


def test_other_errors_and_plain_lines_are_not_held_back(log: Log) -> None:
    log.fail(ValueError("x"))
    log.fail(KeyError("x"))
    log.logger.warning("request failed")
    log.logger.info("said")
    log.logger.info("said")
    assert len(log.lines()) == 5


def test_after_the_window_the_error_is_told_in_full_again(log: Log) -> None:
    log.fail(ValueError("x"))
    log.clock.now = 10.5
    log.fail(ValueError("x"))
    assert ["exception" in line for line in log.lines()] == [True, True]


def test_a_count_is_not_lost_when_the_server_stops(log: Log) -> None:
    for _ in range(3):
        log.fail(ValueError("x"))
    log.handler.close()
    assert log.lines()[-1]["repeated"] == 2


def test_many_different_errors_are_not_all_remembered(log: Log) -> None:
    for k in range(3000):
        log.logger.error("error %d", k)
    assert len(log.lines()) == 3000
    assert len(log.handler._seen) <= 1000


def test_what_is_forgotten_among_many_errors_is_counted_first(log: Log) -> None:
    for _ in range(3):
        log.logger.error("the first")
    for k in range(MOST_KINDS):
        log.logger.error("error %d", k)
    (told,) = [line for line in log.lines() if "repeated" in line]
    assert (told["message"], told["repeated"]) == ("repeated 2 times: the first", 2)


def test_a_count_is_told_though_nothing_else_is_logged(log: Log) -> None:
    """By a timer, which is set again while there is something left to tell."""
    for _ in range(2):
        log.logger.error("the first")
    log.clock.now = 6
    for _ in range(2):
        log.logger.error("the second")
    log.clock.now = 11
    log.handler._tell_now()
    assert [line["message"] for line in log.lines() if "repeated" in line] == [
        "repeated once: the first"
    ]
    assert log.handler._timer
    log.clock.now = 17
    log.handler._tell_now()
    assert log.lines()[-1]["message"] == "repeated once: the second"
    assert log.handler._timer is None


def test_a_line_of_text_has_its_cause_without_secrets() -> None:
    try:
        raise ValueError(f"password={PASSWORD}")
    except ValueError as error:
        record = logging.LogRecord(
            "lampion", logging.ERROR, "", 0, "it failed", None, (ValueError, error, None)
        )
    record.duty = "bots"
    text = TextLines(Masker([PASSWORD])).format(record)
    assert "error   it failed duty=bots\nValueError: password=***" in text


def test_a_crash_is_a_line_like_any_other_and_an_interrupt_is_none(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What `set_up_logs` gives to Python for whatever nobody has caught."""
    _log_crash(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not caplog.records
    _log_crash(ValueError, ValueError("x"), None)

    def fail() -> None:
        raise KeyError("y")

    before, threading.excepthook = threading.excepthook, _log_thread_crash
    try:
        failing = threading.Thread(target=fail)
        failing.start()
        failing.join()
    finally:
        threading.excepthook = before
    crashes = [record for record in caplog.records if record.message == "the server crashed"]
    assert [record.exc_info and record.exc_info[0] for record in crashes] == [ValueError, KeyError]
    assert {record.levelname for record in crashes} == {"CRITICAL"}


KEY = secrets.token_urlsafe(32)
SECRETS = {
    "password": f"could not connect to postgresql://lampion:{PASSWORD}@db/lampion",
    "any password": "postgresql://u:S3cretWord@db/x is down",
    "key word": "conninfo host=db password=S3cretWord user=x",
    "token": f"Authorization: Bearer {KEY}",
    "cookie": f"cookie: lampion={KEY}; other=1",
    "bare key": f"no person has the key {KEY}",
    "invitation": "opened /t/abc123#S3cretWord",
    "seed": f"seed {secrets.token_hex(32)}",
}


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize("kind", [JsonLines, TextLines])
def test_what_looks_like_a_secret_is_masked(
    text: str, kind: type[JsonLines] | type[TextLines]
) -> None:
    try:
        raise ValueError(text)
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "%s", (text,), info)
    record.__dict__["where"] = {"nested": text}
    line = kind(Masker([PASSWORD])).format(record)
    hidden = text.split()[-1].rpartition("#")[2] if "seed" in text else ""
    for secret in (PASSWORD, "S3cretWord", KEY, *([hidden] if hidden else [])):
        assert secret not in line
    assert "***" in line


def test_ordinary_lines_are_left_alone() -> None:
    text = "table 5ptU9koqPVkd at http://127.0.0.1:8000/lampion/ in src/lampion/server/web/http.py"
    assert Masker([PASSWORD])(text) == text


def test_a_server_that_was_used_and_abused_logs_json_without_secrets(tmp_path: Path) -> None:
    log = tmp_path / "log"
    flags = ("--metrics-token", PASSWORD, "--log-level", "debug")
    with Server(str(tmp_path / "lampion.db"), *flags, log=log) as server:
        ada, ben = Person(server, "Ada Lovelace"), Person(server, "Ben")
        table = ada.table("me", "open", game="lumens", public=False)
        ben.join(table)
        code = ada.call("POST", "/api/me/link")["code"]
        token = ada.call("POST", "/api/bots", {"name": "Robot"})["token"]
        ada.command(table, "say", text="a word in private")
        cookie = ada.web.cookies["lampion"]
        for path in ("/%00", "/" + "a" * 300, "/assets/x", "/..%2f", "/a%5cb", "/api/x"):
            httpx.get(f"{server.base}{path}", headers={"Cookie": f"lampion={cookie}"})
            httpx.get(f"{server.base}{path}", headers={"Authorization": f"Bearer {PASSWORD}"})
        httpx.post(f"{server.base}/api/claim", json={"code": code})
        httpx.post(
            f"{server.base}/api/tables", content=b"{", headers={"Cookie": f"lampion={cookie}"}
        )
    text = log.read_text()
    assert text
    for line in text.splitlines():
        assert {"at", "level", "from", "message"} <= json.loads(line).keys()
    private = (cookie, code, token, table["invite"], PASSWORD, "a word in private", "Lovelace")
    for secret in private:
        assert secret not in text
