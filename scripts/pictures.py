"""Write the pictures of the documentation into docs/pictures: games in the middle, played by simple players from fixed seeds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import lampion
from lampion.core.events import event_kind

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


class Picture(NamedTuple):
    game: str
    names: tuple[str, ...]
    seed: int
    decisions: int
    """How many decisions are made before the picture is taken."""


PICTURES = {
    "lanterns.svg": Picture("lanterns", ("Ada", "Milo", "Iris", "Noor"), seed=1, decisions=23)
}


def choose(match: lampion.Match) -> str:
    """The action after which most happens; of several such placements the one nearest to the start, for a round lake."""
    return max(match.legal_actions(), key=lambda text: (len(gains(match, text)), -distance(text)))


def gains(match: lampion.Match, text: str) -> list[str]:
    """What the player to act would get."""
    events = [
        event_kind(event)
        for event in match.preview(text)
        if event.get("player") == match.to_act and event.get("count", 1)
    ]
    return events * 9 if "dedicate" in events else events


def distance(text: str) -> int:
    _, _, place = text.partition("@")
    return sum(int(number) ** 2 for number in place.split(",")) if place else 0


def picture(wanted: Picture) -> str:
    """The table as the player to act sees it."""
    match = lampion.new(wanted.game, len(wanted.names), seed=wanted.seed, names=wanted.names)
    for _ in range(wanted.decisions):
        match.submit(choose(match))
    return match.svg(match.to_act)


def pictures() -> dict[str, str]:
    """File name -> content."""
    return {name: picture(wanted) for name, wanted in PICTURES.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in pictures().items():
        (FOLDER / name).write_text(content, encoding="utf-8")
        print(f"docs/pictures/{name}")
