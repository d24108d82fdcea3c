"""From where people come, for fair shares: one visitor with fifteen guest names is still one
visitor."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

MOST_PEOPLE = 20_000


def group_of(address: str) -> str:
    """What counts as one visitor: an IPv4 address, or the /64 that a provider gives to one
    customer."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


class Origins:
    """The address group from which each person was last seen; in memory only."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, str] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        if self._groups.get(person) != address:
            self._groups[person] = address
            if len(self._groups) > MOST_PEOPLE:
                self._groups.popitem(last=False)
        self._groups.move_to_end(person)

    def group(self, person: str) -> str | None:
        return self._groups.get(person)

    def owner(self, person: str) -> str:
        """The key under which a person's share of the cores is counted."""
        group = self._groups.get(person)
        return f"address {group}" if group else f"person {person}"
