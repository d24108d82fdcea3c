"""`lampion serve`: where settings come from, what is refused, and how a failed start looks."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lampion.server import settings
from lampion.server.config import SETTINGS, BadConfig, Config

SECRET = "hunter2-of-the-lake"


def load(
    flags: Mapping[str, Any] | None = None,
    variables: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Config:
    return settings.load(flags or {}, variables or {}, str(file) if file else None).config


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "lampion.toml"


def test_a_flag_wins_over_a_variable_over_the_file_over_the_default(file: Path) -> None:
    file.write_text("port = 1001\nstreams_per_person = 3\nabandon_days = 7\n")
    variables = {"LAMPION_PORT": "1002", "LAMPION_STREAMS_PER_PERSON": "4"}
    config = load({"port": "1003"}, variables, file)
    assert (config.port, config.streams_per_person, config.abandon_days) == (1003, 4, 7)
    assert config.guest_days == 180


def test_every_setting_can_be_given_in_all_three_ways(file: Path) -> None:
    examples: dict[str, Any] = {
        "database": "x.db", "host": "::1", "public_url": "https://a.example/l", "path_prefix": "/l",
        "metrics_token": SECRET, "log_format": "json", "log_level": "debug",
        "trusted_proxies": ["10.0.0.0/8", "::1"], "admin": False,
        "push": False, "push_contact": "mailto:host@a.example", "webhooks": False,
        "notify_hosts": ["ntfy.home:8080"], "smtp_host": "mail.a.example", "smtp_security": "tls",
        "smtp_user": "lampion", "smtp_password": SECRET, "smtp_from": "lampion@a.example",
    }  # fmt: skip
    for setting in SETTINGS:
        if setting.kind in (int, float):
            examples[setting.name] = setting.kind(setting.option.least or 1)
    assert examples.keys() == settings.BY_NAME.keys()
    file.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in examples.items()))
    texts = {
        key: ",".join(value) if isinstance(value, list) else str(value)
        for key, value in examples.items()
    }
    variables = {settings.BY_NAME[key].variable: text for key, text in texts.items()}
    assert load(file=file) == load(variables=variables) == load(texts)
    assert load(texts).trusted_proxies == ("10.0.0.0/8", "::1")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("prot = 1", "prot .*did you mean port"),
        ("port = '1'", "port .*whole number from 0 to 65535"),
        ("port = true", "port .*whole number"),
        ("port = 1.5", "port .*whole number"),
        ("port = 70000", "port .*whole number from 0 to 65535"),
        ("bot_pause = nan", "bot_pause .*number from 0 to 10"),
        ("bot_pause = inf", "bot_pause .*number from 0 to 10"),
        ("log_format = 'xml'", "log_format .*one of text, json"),
        ("admin = 1", "admin .*true or false"),
        ("trusted_proxies = [1]", "trusted_proxies .*list of texts"),
        ("trusted_proxies = ['proxy']", "trusted_proxies .*network"),
        ("path_prefix = 'lampion'", "path_prefix .*something like /lampion"),
        ("path_prefix = '/a/../b'", "path_prefix .*something like /lampion"),
        ("path_prefix = '/\"><script>'", "path_prefix .*something like /lampion"),
        ("public_url = 'lampion.example'", "public_url .*https://lampion.example"),
        ("public_url = 'https://a.example/b'", "public_url .*path_prefix"),
        ("public_url = 'https://u:p@a.example'", "public_url .*https://lampion.example"),
        ("push_contact = 'me'", "push_contact .*mailto:you@example.org"),
        ("smtp_host = 'mail.a.example'", "smtp_host .*public_url"),
        ("public_url = 'https://[a'", "public_url .*https://lampion.example"),
        ("public_url = 'https://a.example/?x=1'", "public_url .*https://lampion.example"),
        ("[server]\nport = 1", "server .*not a setting"),
        ("port = ", "not a valid TOML file"),
    ],
)
def test_a_bad_line_is_refused_with_file_key_and_what_is_allowed(
    line: str,
    says: str,
    file: Path,
) -> None:
    file.write_text(line)
    with pytest.raises(BadConfig) as caught:
        load(file=file)
    assert str(file) in str(caught.value)

    where, message = caught.value.where, caught.value.message
    key = where.rpartition(": ")[2] if ": " in where else ""
    assert re.search(says, f"{key} {message}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "x"),
        ("PORT", "-1"),
        ("ADMIN", "perhaps"),
        ("LIMIT_SCALE", "0"),
        ("BOT_CORES", "1.5"),
        ("BOT_CORES", ""),
    ],
)
def test_a_bad_variable_is_refused_by_name_and_an_empty_one_is_none(name: str, text: str) -> None:
    variables = {f"LAMPION_{name}": text}
    if not text:
        assert load(variables=variables) == load()
        return
    with pytest.raises(BadConfig) as caught:
        load(variables=variables)
    assert caught.value.where == f"LAMPION_{name}"


def test_a_missing_file_is_refused_only_if_it_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="cannot read it"):
        load(file=tmp_path / "none.toml")


@pytest.mark.parametrize(
    "sender", ["", "lampion", "a b@c.example", "@c.example", "l\u00e4m@c.example"]
)
def test_letters_need_a_sender_that_mail_servers_take(sender: str) -> None:
    given = {"smtp_host": "mail.a.example", "public_url": "https://a.example", "smtp_from": sender}
    with pytest.raises(BadConfig) as caught:
        load(given)
    assert caught.value.where == "--smtp-from"


def test_a_file_may_hold_lists_as_text_and_whole_numbers_where_others_are_allowed(
    file: Path,
) -> None:
    file.write_text("trusted_proxies = '10.0.0.0/8, ::1'\nbot_pause = 1\n")
    config = load(file=file)
    assert config.trusted_proxies == ("10.0.0.0/8", "::1")
    assert config.trusts("10.1.2.3") and not config.trusts("192.0.2.1")
    assert not config.trusts("not an address")
    assert load({"trusted_proxies": "*"}).trusts("192.0.2.1")
    assert (config.bot_pause, type(config.bot_pause)) == (1.0, float)


def test_a_secret_may_be_in_a_file_of_its_own(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(f"{SECRET}\n")
    assert load(variables={"LAMPION_METRICS_TOKEN_FILE": str(token)}).metrics_token == SECRET
    for name, content in (("gone", None), ("bytes", b"\xff")):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(BadConfig, match="cannot read") as caught:
            load(variables={"LAMPION_METRICS_TOKEN_FILE": str(path)})
        assert caught.value.where == "LAMPION_METRICS_TOKEN_FILE"


def test_wrong_settings_are_told_in_the_format_that_they_ask_for(file: Path) -> None:
    file.write_text("log_format = 'json'\nport = 'x'\n")
    assert settings.log_format_of({}, str(file)) == "json"
    assert settings.log_format_of({"LAMPION_LOG_FORMAT": "text"}, str(file)) == "text"
    file.write_text("log_format = ")
    assert settings.log_format_of({}, str(file)) == "text"


def test_old_names_still_work() -> None:
    assert load(variables={"LAMPION_PROXIES": "10.0.0.1"}).trusted_proxies == ("10.0.0.1",)


def test_a_misspelled_variable_is_noticed() -> None:
    variables = {"LAMPION_PUBLC_URL": "x", "LAMPION_CACHE": "x", "LAMPION_TEST_GAMES": "x"}
    assert settings.misspelled(variables) == {"LAMPION_PUBLC_URL": "LAMPION_PUBLIC_URL"}


@pytest.mark.parametrize(
    "database",
    [
        f"postgresql://lampion:{SECRET}@db/lampion",
        f"postgresql://lampion:a@{SECRET}@db/lampion",
        f"postgresql://lampion@db/lampion?password={SECRET}",
        f"postgresql:///lampion?host=db&password={SECRET}&sslmode=require",
    ],
)
def test_no_password_is_ever_shown(database: str) -> None:
    config = Config(database, metrics_token=SECRET)
    assert SECRET not in json.dumps(settings.shown(config))
    assert any(SECRET in secret for secret in settings.secrets_of(config))


# --- the command ---


def run(*flags: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("LAMPION_")
    }
    command = [sys.executable, "-m", "lampion", "serve", *flags]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment | variables, timeout=120
    )


def one_line(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The only line on standard error, which must be JSON."""
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stderr)
    assert SECRET not in done.stderr
    return found


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


def test_check_config_shows_the_settings_with_secrets_masked(file: Path) -> None:
    file.write_text(f"metrics_token = '{SECRET}'\nport = 1234\n")
    database = f"postgresql://lampion:{SECRET}@db/lampion"
    done = run("--config", str(file), "--check-config", "--no-admin", LAMPION_DATABASE=database)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["port"] == 1234
    assert found["admin"] is False
    assert found["database"] == "postgresql://lampion:***@db/lampion"
    assert SECRET not in done.stdout + done.stderr


def test_bad_settings_are_one_line_of_json(file: Path) -> None:
    file.write_text(f"log_format = 'json'\nmetrics_tokn = '{SECRET}'\n")
    done = run("--config", str(file))
    assert done.returncode == 2
    line = one_line(done)
    assert line["code"] == "bad-config"
    assert f"{file}: metrics_tokn" in line["message"]


def test_a_bad_flag_is_one_line_of_json() -> None:
    done = run("--log", "json", "--prot", "8000")
    assert done.returncode == 2
    assert one_line(done)["code"] == "bad-flag"


def test_a_port_in_use_is_one_line_of_json(taken_port: int, tmp_path: Path) -> None:
    database = tmp_path / "lampion.db"
    done = run("--log", "json", "--port", str(taken_port), "--database", str(database))
    assert done.returncode == 1
    assert one_line(done)["code"] == "cannot-listen"
    assert not database.exists(), "the database is not touched before the port is ours"


def test_an_unreachable_database_is_one_line_of_json_without_its_password(taken_port: int) -> None:
    """Port 9 of this machine answers nobody."""
    database = f"postgresql://lampion:{SECRET}@127.0.0.1:9/lampion"
    done = run("--log=json", LAMPION_DATABASE=database)
    assert done.returncode == 1
    line = one_line(done)
    assert line["code"] == "storage-unreachable"
    assert line["level"] == "critical"


def test_a_failed_start_in_text_is_readable(taken_port: int) -> None:
    done = run("--port", str(taken_port), "--database", ":memory:")
    assert done.returncode == 1
    assert "cannot listen" in done.stderr
    assert "Traceback" not in done.stderr
