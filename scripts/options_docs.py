"""Write the tables of docs/options.md, between `<!-- options -->` and `<!-- end -->`, from what the
games declare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lampion.core.game import Game, find_game, own_game_names
from lampion.core.messages import option_text
from lampion.core.options import ChoiceOption, Option
from lampion.core.variants import declared_options

PAGE = Path(__file__).parent.parent / "docs" / "options.md"
_START, _END = "<!-- options -->\n", "<!-- end -->"


def with_tables(page: str) -> str:
    """The page with all its tables regenerated."""
    before, rest = page.split(_START)
    _, after = rest.split(_END)
    tables = "\n".join(_table(find_game(name)) for name in own_game_names())
    return f"{before}{_START}\n{tables}\n{_END}{after}"


def _table(game: Game) -> str:
    rows = [row for option in declared_options(game) for row in _rows(game.NAME, option)]
    head = ["| option | value | players | meaning |", "|---|---|---|---|"]
    return "\n".join([f"### {game.TITLE}", "", *head, *rows, ""])


def _rows(game: str, option: Option) -> Iterator[str]:
    players = ", ".join(str(number) for number in option.players) or "any"
    about = option_text(game, f"{option.name}.help") or ""
    if not isinstance(option, ChoiceOption):
        value = f"`{option.default}` (default), or {option.wanted}"
        yield f"| `{option.name}` | {value} | {players} | {about} |"
        return
    for value in option.choices:
        default = " (default)" if value == option.default else ""
        label = option_text(game, f"{option.name}.{value}") or value
        more = option_text(game, f"{option.name}.{value}.help")
        meaning = f"{label}. {more}" if more else label
        yield f"| `{option.name}` | `{value}`{default} | {players} | {meaning} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
    print(PAGE.name)
