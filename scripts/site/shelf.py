"""The order of the pages in the bar on the left. A page that is missing here fails the build."""

from __future__ import annotations

from lampion.core.game import find_game, own_game_names

LANGUAGES = {"en": "English", "fr": "français", "it": "italiano"}


def shelves() -> dict[str, list[str]]:
    """Caption -> entries of a table of contents; `Title <page>` renames a page."""
    games = own_game_names()
    return {
        "Play": [
            "players",
            "games",
            *(_rulebook(game) for game in games),
            "options",
            "lanterns_dice_components",
            "review",
            "web",
        ],
        "Host": [
            "hosts",
            "hosting",
            "deploying",
            "operating",
            "upgrading",
            "webhooks",
            "security",
        ],
        "Program": [
            "bot_authors",
            "library",
            "command_line",
            "bots",
            "server",
            "agents",
            "ladder",
        ],
        "Research": [
            "researchers",
            "research",
            "leaderboard",
            "tour",
            "train",
            "dataset",
            "baselines",
            "benchmarks",
        ],
        "Contribute": [
            "contributors",
            "contributing",
            "add_a_game",
            "examples",
            "changing_a_rule",
            "web_client",
            "releasing",
            "changelog",
        ],
        "Understand": [
            "architecture",
            "fairness",
            "hidden_information",
            "search",
            "compile",
            "decisions",
        ],
        "Reference": [
            "notation",
            "events",
            "reference/library",
            "reference/commands",
            "reference/http",
            "reference/wire",
            "reference/record",
            *(f"reference/{game}" for game in games),
        ],
    }


def _rulebook(game: str) -> str:
    return f"Rules of {find_game(game).TITLE.partition(':')[0]} <rules/{game}/index>"


def contents(entries: list[str], caption: str = "") -> str:
    """A table of contents that Sphinx reads and readers do not see."""
    head = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *head, "", *entries, "```", ""])
