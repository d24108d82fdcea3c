"""Drawings that nobody has to write, made from a view alone: what is on the table,
and a line for each player. Fields with names are drawn as cards, those that a seat
may not see with their backs up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from html import escape
from typing import TypeAlias

from lampion.core.types import Json
from lampion.core.views import MatchView

_LEAST_WIDTH, _ROW, _CARD, _SIZE, _EDGE = 240, 62, 34, 15, 20
_NAMES = 112
"""How much of a player's line is for the name."""
_FELT, _RIM, _QUIET = "#14532d", "#2f7a4a", "#cfe3d4"
_PAPER, _BACK, _INK, _GOLD = "#f7efe0", "#7a1f2b", "#2a2238", "#f2b441"


View: TypeAlias = dict[str, Json]


def _parts(view: View, by_player: Collection[str]) -> tuple[View, View]:
    """The game's part of a view: what is on the table, and what belongs to players."""
    own = {key: value for key, value in view.items() if key not in MatchView.__annotations__}
    common = {key: value for key, value in own.items() if key not in by_player}
    return common, {key: own[key] for key in by_player if key in own}


def _label(name: str) -> str:
    """A field in words: `num_raises` is a number of raises."""
    return name.removeprefix("num_").replace("_", " ")


def _mark(view: View, player: int) -> str:
    if view["to_act"] is None:
        return " *" if player in view["winners"] else ""
    return " <" if player in view["actors"] else ""


# --- text -----------------------------------------------------------------------------------------


def draw_text(by_player: Collection[str], view: View) -> str:
    """What is on the table, then a line for each player; `<` marks who is to act, `*` who won."""
    common, players = _parts(view, by_player)
    lines = [f"{_label(name)}: {_flat(value)}" for name, value in common.items()]
    for player, name in enumerate(view["names"]):
        own = ", ".join(f"{_label(key)} {_flat(value[player])}" for key, value in players.items())
        lines.append(f"{name}: {own}{_mark(view, player)}")
    return "\n".join(lines)


def _flat(value: Json) -> str:
    if isinstance(value, list):
        return " ".join(_flat(each) for each in value)
    return "-" if value is None else str(value)


# --- pictures -------------------------------------------------------------------------------------


def draw_svg(by_player: Collection[str], view: View) -> str:
    """The table in the first line, and the players below it, each thing under the same one of the
    player above. As wide as the longest line."""
    common, players = _parts(view, by_player)
    seats = range(view["players"])
    table, right = _things(common, _columns([common]), _EDGE, 10)
    lines = [{key: value[player] for key, value in players.items()} for player in seats]
    drawn = ""
    for player, own in enumerate(lines):
        y = _ROW * (player + 1) + 10
        things, edge = _things(own, _columns(lines), _EDGE + _NAMES, y)
        name = _text(_EDGE, y + 38, f"player {player + 1}", f' data-name="{player}"')
        drawn, right = f"{drawn}<g>{name}{things}</g>", max(right, edge)
    width, height = max(right + _EDGE, _LEAST_WIDTH), _ROW * (view["players"] + 1) + 20
    marked = view["winners"] if view["to_act"] is None else view["actors"]
    rings = "".join(
        f'<rect x="9" y="{_ROW * (player + 1) + 8}" width="{width - 18}" height="{_ROW - 2}" rx="10"'
        f' fill="none" stroke="{_GOLD}" stroke-width="2"/>'
        for player in seats
        if player in marked
    )
    felt = (
        f'<rect width="{width}" height="{height}" rx="18" fill="{_FELT}"/>'
        f'<rect x="4" y="4" width="{width - 8}" height="{height - 8}" rx="14" fill="none"'
        f' stroke="{_RIM}" stroke-width="1.5"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f"{felt}{table}{drawn}{rings}</svg>"
    )


def _columns(lines: list[View]) -> dict[str, int]:
    """How wide each thing is, by name: as wide as on the line where it needs most."""
    return {
        name: max(_width(name, line[name]) for line in lines)
        for name in (lines[0] if lines else ())
    }


def _width(name: str, value: Json) -> int:
    is_card = _is_card(value)
    drawn = _CARD * len([*_leaves(value)]) if is_card else 9 * len(_flat(value))
    return max(drawn, 6 * len(name)) + 12


def _things(values: View, columns: dict[str, int], x: int, y: int) -> tuple[str, int]:
    """Values side by side, each under its name; and where they end."""
    drawn = ""
    for name, value in values.items():
        drawn += _text(x, y + 13, _label(name), size=10, color=_QUIET)
        if _is_card(value):
            for place, one in enumerate(_leaves(value)):
                drawn += _card(x + _CARD * place, y, one)
        else:
            drawn += _text(x, y + 38, _flat(value), ' font-weight="700"')
        x += columns[name]
    return drawn, x - 12


def _is_card(value: Json) -> bool:
    return any(one is None or isinstance(one, str) for one in _leaves(value))


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _card(x: float, y: float, name: str | None) -> str:
    """Face up, or the back of a card."""
    fill = _PAPER if name else _BACK
    return (
        f'<rect x="{x}" y="{y + 18}" width="{_CARD - 6}" height="36" rx="4" fill="{fill}"'
        f' stroke="{_PAPER}"/>'
        + _text(x + 14, y + 42, name or "", ' text-anchor="middle" font-weight="700"', color=_INK)
    )


def _text(
    x: float, y: float, words: str, more: str = "", *, size: int = _SIZE, color: str = "#fff"
) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}"{more}>{escape(words)}</text>'
