"""The view of Lanterns: what is kept between views, and for how long."""

from __future__ import annotations

import importlib

import pytest

from tests.support import Case, finished


def test_tiles_are_kept_between_views_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile that lies is the same object in the next view; a server plays for months."""
    writer = importlib.import_module("lampion.games.lanterns.view")
    match = finished(Case("lanterns", 2, {}), 3)
    earlier, lake = match.at(match.ply // 2).view(0)["lake"], match.view(0)["lake"]
    assert all(one is other for one, other in zip(earlier, lake, strict=False))
    monkeypatch.setattr(writer, "MOST_KNOWN", 3)
    writer._laid_of.cache_clear()
    assert match.view(0)["lake"] == lake, "what was forgotten is written again, and alike"
    state = match.state
    kept = writer._laid_of(state.tile_sides.tobytes(), state.tile_platform.tobytes())  # type: ignore[attr-defined]
    assert len(kept) <= 4
