"""Quiet hours and days, in the time zone of a person."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lampion.server.store.base import ReachRow

DAY_MINUTES = 24 * 60


def is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def zone_of(name: str) -> ZoneInfo:
    """The zone of that name; UTC if this machine does not know it any more."""
    return ZoneInfo(name if is_zone(name) else "UTC")


def quiet_until(reach: ReachRow, now_ms: int) -> int | None:
    """The end of the quiet hours that hold now; None if none do."""
    start, end = reach.quiet_from, reach.quiet_to
    if start is None or end is None or start == end:
        return None
    now = datetime.fromtimestamp(now_ms / 1000, zone_of(reach.zone))
    minute = now.hour * 60 + now.minute
    if (minute - start) % DAY_MINUTES >= (end - start) % DAY_MINUTES:
        return None
    day = now.date() if minute < end else now.date() + timedelta(days=1)
    # Wall-clock arithmetic: the night in which clocks change is an hour longer or shorter.
    until = datetime.combine(day, time(end // 60, end % 60), now.tzinfo)
    return max(_ms(until), now_ms + 1)


def midnight_ms(day: date, zone: str) -> int:
    """The beginning of a day."""
    return _ms(datetime.combine(day, time(), zone_of(zone)))


def day_of(at_ms: int, zone: str) -> date:
    return datetime.fromtimestamp(at_ms / 1000, zone_of(zone)).date()


def moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)


def _ms(moment: datetime) -> int:
    return int(moment.astimezone(UTC).timestamp() * 1000)
