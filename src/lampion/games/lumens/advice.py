"""What speaks for an action of Lumens whose events tell only the deed (see `core.advice`)."""

from __future__ import annotations

from typing import Any

from lampion.core.events import AnyEvent

View = dict[str, Any]


def advice(before: View, after: View, seat: int, events: list[AnyEvent]) -> list[AnyEvent]:
    if any(event["event"] == "score" for event in events):
        return []  # it is told already
    for event in events:
        if event.get("player") != seat:
            continue
        if event["event"] == "start_chosen" and "face" in event:
            start = before["seats"][seat]["start"]
            return [{"event": "start_counts", "square": start, "count": event["face"]}]
        if event.get("cause") == "place":
            return [_placed(before, after, seat, event)]
    return []


def _placed(before: View, after: View, seat: int, event: AnyEvent) -> AnyEvent:
    """On a passage pips count nowhere: then what matters is where the token leads."""
    room = next((each for each in after["rooms"] if each["room"] == event["room"]), None)
    if room is None:
        return {"event": "leads_on", "count": len(_onward(before, event))}
    others = [pips for player, pips in enumerate(room["pips"]) if player != seat]
    kind = "pips" if any(others) else "pips_alone"
    own = {"count": room["pips"][seat], "room": event["room"]}
    return {"event": kind, **own, "most": max(others)}


def _onward(before: View, event: AnyEvent) -> list[str]:
    """The squares to which the placed face can count next."""
    target = next(each for each in before["targets"] if each["square"] == event["square"])
    onward: list[str] = target["onward"]
    return onward[event["face"] - 1].split() if event["face"] <= len(onward) else []
