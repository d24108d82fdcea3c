"""What speaks for an action of Lanterns whose events tell only the deed (see `core.advice`)."""

from __future__ import annotations

from typing import Any

from lampion.core.events import AnyEvent

View = dict[str, Any]


def advice(before: View, after: View, seat: int, events: list[AnyEvent]) -> list[AnyEvent]:
    return [
        told
        for event in events
        if event.get("player") == seat and (told := _told(after, seat, event))
    ]


def _told(after: View, seat: int, event: AnyEvent) -> AnyEvent | None:
    match event.get("cause", event["event"]):
        case "dedicate":
            return {"event": "dedicated", "count": event["count"], "next": _next(after, event)}
        case "discard":
            left = after["seats"][seat]["cards"][event["color"]]
            return {"event": "discarded", "count": left}
        case "pass":
            return {"event": "passed"}
    return None


def _next(after: View, event: AnyEvent) -> int:
    """What the next set of the same kind pays."""
    honors = next(stack["honors"] for stack in after["stacks"] if stack["kind"] == event["stack"])
    return int(honors[0] if honors else after["generic_honor"])
