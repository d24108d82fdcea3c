"""Whole games of every title, by clicks against bots."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.players import CLICKS, PROGRESS
from tests.web.support import GAMES, Visitor


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_clicks(visitor: Visitor, game: str) -> None:
    visitor.press_play(game)
    visitor.play_beginning_and_end(CLICKS[game], PROGRESS[game])
    over = visitor.page.get_by_role("dialog", name="The game is over")
    expect(over.get_by_role("listitem")).to_have_count(2)
    expect(over.get_by_role("button", name="Rematch")).to_be_visible()
    expect(over.get_by_role("link", name="Replay")).to_be_visible()
