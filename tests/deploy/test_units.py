"""The systemd units, the config example and the container files say what the code means."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lampion.cli.serve import BAD_CONFIG, server_options
from lampion.server import settings
from lampion.server.config import SETTINGS, Config
from tests.deploy.support import DEPLOY, ROOT

UNITS = ("lampion.service", "lampion@.service")


@pytest.fixture(autouse=True)
def _clean_up() -> None:
    """No proxies are needed here."""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_unit(name: str, tmp_path: Path) -> None:
    unit = tmp_path / name.replace("@", "@8001")
    program = shutil.which("true")
    text = (DEPLOY / name).read_text().replace("/opt/lampion/bin/lampion", str(program))
    unit.write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert done.returncode == 0
    assert str(unit) not in done.stderr, done.stderr


@pytest.mark.parametrize("name", UNITS)
def test_the_unit_waits_for_the_graceful_stop_and_gives_up_on_bad_settings(name: str) -> None:
    text = (DEPLOY / name).read_text()
    stop = re.search(r"^TimeoutStopSec=(\d+)$", text, re.M)
    assert stop
    assert int(stop[1]) >= 2 * server_options()["timeout_graceful_shutdown"]
    assert f"RestartPreventExitStatus={BAD_CONFIG}" in text


def test_the_example_config_is_accepted() -> None:
    loaded = settings.load({}, {}, str(DEPLOY / "lampion.toml"))
    assert loaded.config.public_url == "https://lampion.example"
    text = (DEPLOY / "lampion.toml").read_text()
    for key in re.findall(r"^#? ?(\w+) = ", text, re.M):
        assert key in settings.BY_NAME


def test_the_docs_hold_the_table_of_settings() -> None:
    """`python -m scripts.settings_docs` writes it."""
    assert settings.table() in (ROOT / "docs" / "hosting.md").read_text()


def test_the_container_files_use_settings_that_exist() -> None:
    known = {setting.variable for setting in SETTINGS} | {"LAMPION_CACHE"}
    for name in ("Dockerfile", "compose.yaml"):
        text = (ROOT / name).read_text()
        used = set(re.findall(r"\b(LAMPION_[A-Z_]+)(?:=|: )", text))
        assert used <= known, name


def test_the_container_does_not_run_as_root() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^USER 10001", text, re.M)
    assert "HEALTHCHECK" in text and "/live" in text


def test_defaults_work_as_they_are() -> None:
    assert Config().base == "/"
