"""The pytest plugin. pytest loads it wherever Lampion is installed, so it imports nothing of
Lampion before a test asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

MARK = "lampion_case"
SUITE = Path(__file__).with_name("suite.py")
for _module in ("conformance", "fold", "folding", "oracle", "redaction", "environments"):
    pytest.register_assert_rewrite(f"lampion.testing.{_module}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("lampion").addoption(
        "--lampion-game",
        action="append",
        default=[],
        metavar="GAME",
        help="Run Lampion's conformance suite for this game; may be given more than once.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{MARK}: runs for every case of the games that are tested for conformance"
    )
    if config.getoption("--lampion-game"):
        was_asked_for_files = config.args_source is pytest.Config.ArgsSource.ARGS
        config.args = [*(config.args if was_asked_for_files else ()), str(SUITE)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is None:
        return
    from lampion.testing.cases import cases_of

    cases = [case for game in _games(metafunc) for case in cases_of(game)]
    if not mark.kwargs.get("options", True):
        cases = [case for case in cases if not case.options]
    metafunc.parametrize("case", cases, ids=str)


def _games(metafunc: pytest.Metafunc) -> list[str]:
    """Those that the file of tests names, or else those of the command line."""
    module: Any = metafunc.module
    if hasattr(module, "LAMPION_GAME"):
        return [module.LAMPION_GAME]
    named: list[str] = getattr(module, "LAMPION_GAMES", None) or metafunc.config.getoption(
        "--lampion-game"
    )
    if not named:
        raise pytest.UsageError(
            f"{module.__name__} runs Lampion's conformance suite and does not say for which game:"
            ' write LAMPION_GAME = "my_game", or run pytest --lampion-game my_game'
        )
    return named
