"""Which game is made ready when."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest

from lampion.server.tables import readiness
from lampion.server.tables.readiness import Readiness

GAMES = ["first", "second", "third"]


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games in the order in which they were made ready, by one core."""
    order: list[str] = []
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(readiness, "prepare", order.append)
    return order


def test_a_game_that_a_player_waits_for_comes_next(prepared: list[str]) -> None:
    async def play() -> None:
        house = Readiness(GAMES)
        assert house.preparing == GAMES
        house.start()
        await asyncio.gather(house.wait("third"), house.wait("first"), house.wait("unknown"))
        await house.wait("second")
        assert house.preparing == []
        await house.close()

    asyncio.run(play())
    assert prepared == ["first", "third", "second"]


def test_a_game_that_cannot_be_made_ready_holds_up_no_other(
    prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: str, remember: Callable[[str], None] = prepared.append) -> None:
        if game == "first":
            raise RuntimeError("no compiler")
        remember(game)

    async def play() -> None:
        house = Readiness(GAMES)
        house.start()
        for game in GAMES:
            await house.wait(game)
        await house.close()

    monkeypatch.setattr(readiness, "prepare", fail)
    asyncio.run(play())
    assert prepared == ["second", "third"]


def test_leaving_early_leaves_nothing_running(prepared: list[str]) -> None:
    async def leave() -> None:
        house = Readiness(GAMES)
        house.start()
        await house.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(leave())
    assert len(prepared) <= 1
