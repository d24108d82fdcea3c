"""Write positions of whole games into web/fixtures, so that a board can be worked on without a server (`npm run dev`, page /dev)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lampion
from lampion.core.rng import new_rng, random_below

FOLDER = Path(__file__).parent.parent / "web" / "fixtures"
EVERY = 4
"""A whole game has many positions; these are enough to see every phase."""


def positions(game: str, players: int) -> list[dict[str, Any]]:
    """What the players to act saw, legal actions and their previews included, in a game of pseudo-random moves; then the end."""
    match = lampion.new(
        game, players=players, seed=7, names=["Ada", "Milo", "Iris", "Noor"][:players]
    )
    found: list[dict[str, Any]] = []
    seen, rng = 0, new_rng(7)
    while not match.is_over:
        seat = match.actors[match.ply % len(match.actors)]
        legal = match.legal_actions(seat)
        if len(found) * EVERY <= match.ply or len(legal) < 4:
            found.append(_position(match, seat, seen, legal))
        seen = match.ply
        match.submit(legal[random_below(rng, len(legal))], seat)
    return [*found, _position(match, 0, seen, [])]


def _position(match: lampion.Match, seat: int, seen: int, legal: list[str]) -> dict[str, Any]:
    recent = [event for ply in range(seen, match.ply) for event in match.events(ply)]
    previews = {action: match.preview(action, seat) for action in legal}
    return {"view": match.view(seat), "legal": legal, "previews": previews, "recent": recent}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in lampion.game_names():
        for count in lampion.find_game(name).NUM_PLAYERS:
            path = FOLDER / f"{name}-{count}p.json"
            path.write_text(json.dumps(positions(name, count)))
            print(path.relative_to(FOLDER.parent.parent), path.stat().st_size)
