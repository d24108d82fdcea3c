"""What speaks for an action of Lanterns Dice whose events tell only the deed (see `core.advice`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lampion.core.events import AnyEvent
from lampion.games.lanterns_dice.components import PLATFORM

View = dict[str, Any]
HALVES = "ul"
TWO_AREAS = ("whole_pool", "two_same")


def advice(before: View, after: View, seat: int, events: list[AnyEvent]) -> list[AnyEvent]:
    if any(event["event"] == "pool_completed" for event in events):
        return []  # what that brings is told already
    own = (event for event in events if event.get("player") == seat)
    for event in own:
        if tell := _ADVICE.get(str(event.get("cause", event["event"]))):
            return [tell(before, after, seat, event)]
    return []


def _faced(_: View, after: View, seat: int, event: AnyEvent) -> AnyEvent:
    own = after["seats"][seat]
    color, shaded = own["die"], set(own["shaded"])
    left = [
        area
        for pool, code in _pools(own["lake"]).items()
        for half, letter in zip(HALVES, code, strict=False)
        if letter == color and (area := pool + half) not in shaded
    ]
    return {"event": "faced", "color": color, "count": len(left)}


def _pools(lake: list[str]) -> dict[str, str]:
    """Each pool by its name: the colors of its upper and lower area, and what else is in it."""
    return {
        f"{chr(ord('a') + column)}{len(lake) - down}": code
        for down, row in enumerate(lake)
        for column, code in enumerate(row.split())
    }


def _shaded(_: View, after: View, seat: int, event: AnyEvent) -> AnyEvent:
    """The other area of the pool is what it then lacks."""
    pool, half = event["area"][:-1], event["area"][-1]
    code = _pools(after["seats"][seat]["lake"])[pool]
    kind = "platform_started" if code[-1] == PLATFORM else "pool_started"
    return {"event": kind, "pool": pool, "color": code[1 - HALVES.index(half)]}


def _skipped(before: View, _: View, seat: int, event: AnyEvent) -> AnyEvent:
    match event["choice"]:
        case "card":
            return {"event": "gifts_kept", "count": before["seats"][seat]["gifts"]}
        case "launch":
            return {"event": "launch_kept"}
        case choice:
            return {"event": "declined", "choice": choice}


def _rerolled(_: View, after: View, seat: int, event: AnyEvent) -> AnyEvent:
    left = after["seats"][seat]["gifts"]
    kind = "rerolled" if left or not event["count"] else "rerolled_all"
    return {"event": kind, "count": event["count"], "left": left}


def _card(before: View, _: View, seat: int, event: AnyEvent) -> AnyEvent:
    action = before["emperor"][event["card"] - 1]["action"]
    kind = "buys_two" if action in TWO_AREAS else "buys_one"
    return {"event": kind, "count": event["count"]}


def _launched(_: View, after: View, seat: int, event: AnyEvent) -> AnyEvent:
    honors = next(stack["honors"] for stack in after["stacks"] if stack["shape"] == event["shape"])
    told = {"event": "launched" if honors else "launched_last", "count": event["count"]}
    return {**told, "next": honors[0]} if honors else told


_ADVICE: dict[str, Callable[[View, View, int, AnyEvent], AnyEvent]] = {
    "tray_turned": _faced,
    "area_shaded": _shaded,
    "skipped": _skipped,
    "reroll": _rerolled,
    "card": _card,
    "launch": _launched,
}
