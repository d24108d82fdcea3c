"""From where people come, for fair shares: one visitor with fifteen guest names is still one
visitor."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

MOST_PEOPLE = 20_000
UNSEEN = "unseen"
"""The share of everybody who has not been seen since this process started. Nobody waits there who
looks at a table: to look is to be seen."""


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

    def owner(self, *people: str) -> str:
        """The key under which a share of the cores is counted: the address of the first of these
        people whose address is known. All others share one, because fifteen guests of whom nobody
        knows where they are may be one visitor."""
        group = next((self._groups[person] for person in people if person in self._groups), None)
        return f"address {group}" if group else UNSEEN
