"""The boards of the client know no rules: no number from a rulebook, and no reason why something is
legal.

This reads the code of `web/src/boards` without tests, generated types, covers, pictures of the
rulebook, styles, comments, quoted texts and plain attributes of markup. Every number that is left
belongs to the screen, in a way that this file names. A number of a rule comes with the view.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lampion.core.game import find_game, own_game_names
from lampion.core.views import view_schema

BOARDS = Path(__file__).parents[1] / "web" / "src" / "boards"
FILES = sorted(
    path
    for path in BOARDS.rglob("*")
    if path.suffix in {".ts", ".svelte"}
    and not path.name.endswith(".test.ts")
    and path.name not in {"view.ts", "Cover.svelte"}
    and path.parent.name != "examples"
)
by_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.relative_to(BOARDS).as_posix()
)

# --- numbers ------------------------------------------------------------------------------------

NUMBER = re.compile(r"(?<![\w.$#-])\d+(?:\.\d+)?(?!\w)")
IN_EVERY_PROGRAM = {"0", "1", "2", "0.5"}
"""Nothing, the next one, a half."""

GEOMETRY = {
    "lanterns/flight.ts",
    "lanterns/geometry.ts",
    "lanterns/layout.ts",
    "lanterns_dice/Festival.svelte",
    "lanterns_dice/lake.ts",
    "lanterns_dice/layout.ts",
    "lanterns_dice/tray.ts",
    "lumens/house.ts",
    "lumens/layout.ts",
}
"""Where things are on the screen, and nothing else."""

SCREEN = [
    # An attribute or a parameter that is a length, a place or an angle.
    r"\b(?:size|cell|columns|width|height|half|x|y|r|viewBox|opacity|style:[\w-]+|transform)"
    r"\s*=\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\d+)",
    r'\b(?:transform|style:[\w-]+)="[^"]*"',
    # A field that is one, or a time.
    r"\b(?:x|y|left|right|top|bottom|smallest|largest|largestFit|gap|longest|linger): [\d.]+",
    r"\bArrow\w+: \d\b",
    # A constant that is one; the file says in a comment what it is for.
    r"\bconst (?:AFTERWARDS|GAP|LIT|NARROW|NOTCH|OFF|PHONE|PLACE|REACH|SEAT|SIZE|SLACK|STEP|TRAVEL|WIDE)"
    r" = [\d.]+",
    # Quarter turns.
    r"\[0, 90, 180, 270\]",
    r"\+ 4\) % 4|% 4\b",
]
LINES = {
    "lanterns/Arrivals.svelte": ["? 90 * (scene.arriving"],
    "lanterns/FreePlace.svelte": ["DOM_DELTA_LINE ? 20 : 1"],
    "lanterns/SetShape.svelte": ["(spots.at(-1)?.x ?? 0) + 7"],
    "lanterns_dice/Outcome.svelte": ["> 0 ? 30 : -30"],
    "lanterns_dice/Tray.svelte": ["held.start) < 8", "aria-valuemax={canTurn ? 3 : undefined}"],
    "lanterns_dice/notation.ts": ["orientation < 4 ?"],
    "lumens/House.svelte": ["1.2 * CELL"],
    "lumens/Light.svelte": ["light.covered ? 8 : 0"],
}
"""Pixels and milliseconds that stand in no such place, by the line's own words."""


def code_of(text: str) -> str:
    """Without styles and comments."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r"/\*.*?\*/|<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"(?<![:\"'])//[^\n]*", "", text)


def rule_numbers(name: str, text: str) -> list[str]:
    """The lines with a number that is not known to be one of the screen."""
    if name in GEOMETRY:
        return []
    found = []
    for line in code_of(text).splitlines():
        left = line
        for words in LINES.get(name, ()):
            if words in line:
                left = re.sub(NUMBER, "", line)
        for pattern in SCREEN:
            left = re.sub(pattern, "", left)
        left = re.sub(r'"[^"]*"|/\^.*\$/|RegExp\(.*\)', "", left)
        if set(NUMBER.findall(left)) - IN_EVERY_PROGRAM:
            found.append(line.strip())
    return found


@by_file
def test_a_board_has_no_number_from_a_rulebook(path: Path) -> None:
    name = path.relative_to(BOARDS).as_posix()
    assert rule_numbers(name, path.read_text()) == []


# --- how large a board is -----------------------------------------------------------------------

COUNT = re.compile(r"\bconst (\w+)(?:: [^=]+)? = (\d+);")
LEAST_PIXELS = 20
"""A whole number below this may be a count of something in a game."""
FEW_PIXELS = {"lanterns/layout.ts": {"EDGE"}}
PART_OF_AN_ALPHABET = re.compile(
    r"\[a-[b-y]\]|\[A-[B-Y]\]|\[[01]-[1-8]\]|[\"'`]abc[d-y]*[\"'`]|[\"'`]ABC[D-Y]*[\"'`]"
)
"""Names of columns or rows that end where a board of one size does."""


def sizes(name: str, text: str) -> list[str]:
    """The constants, sets of letters and ranges that say how many of something there are."""
    code = code_of(text)
    counts = [
        found[0]
        for found in COUNT.finditer(code)
        if name in GEOMETRY
        and 2 < int(found[2]) < LEAST_PIXELS
        and found[1] not in FEW_PIXELS.get(name, ())
    ]
    return counts + PART_OF_AN_ALPHABET.findall(code)


@by_file
def test_a_board_takes_its_size_from_the_view(path: Path) -> None:
    """In files of geometry too, where other numbers are lengths on the screen."""
    assert sizes(path.relative_to(BOARDS).as_posix(), path.read_text()) == []


# --- tables of numbers --------------------------------------------------------------------------


def words_of_views() -> set[str]:
    """Every name of something in a game, such as `three_pairs`; sides of a table are places on a
    screen."""
    found: set[str] = set()

    def collect(part: object) -> None:
        if isinstance(part, dict):
            found.update(word for word in part.get("enum", ()) if isinstance(word, str))
            for value in part.values():
                collect(value)
        elif isinstance(part, list):
            for value in part:
                collect(value)

    for game in own_game_names():
        collect(json.loads(json.dumps(view_schema(find_game(game)))))
    return {word for word in found if len(word) > 1} - {"north", "east", "south", "west"}


WORDS = words_of_views()
TABLE_OF_NUMBERS = re.compile(rf"[\"']?\b(?:{'|'.join(sorted(WORDS))})\b[\"']?:\s*\[?\s*-?\d")


@by_file
def test_a_board_has_no_table_from_names_of_a_game_to_numbers(path: Path) -> None:
    """In files of geometry neither."""
    assert TABLE_OF_NUMBERS.findall(code_of(path.read_text())) == []


# --- reasons ------------------------------------------------------------------------------------

REASONS = [
    r"\b(?:is|can|may|must)(?:Legal|Allowed|Place|Exchange|Dedicate|Discard|Launch|Pay|Afford|Shade)\b",
    r"\b(?:illegal|forbidden|allowed|affordable)\b",
    # What something costs, or where a limit is, is shown and never compared.
    r"[<>]=?\s*[\w.?!]*(?:cost|limit|favors|gifts)\b",
    r"\b[\w.?!]*(?:_cost|\.cost|card_limit|favors|gifts|num_cards)\s*[<>]=?(?![\w/])",
]


SCREEN_NUMBERS = {"columns", "rows", "x", "y", "turn", "players", "count", "seat", "ply"}
"""How wide a board is, where and how something lies, and how many sit there decide how it is drawn."""


def numbers_of_views() -> set[str]:
    """Every name of a number, or of several, in a view or an event."""
    found: set[str] = set()

    def is_number(part: object) -> bool:
        if not isinstance(part, dict):
            return False
        inner = [part.get("items"), part.get("additionalProperties"), *part.get("anyOf", ())]
        return part.get("type") == "integer" or any(is_number(one) for one in inner)

    def collect(part: object) -> None:
        if isinstance(part, dict):
            named = part.get("properties", {})
            found.update(name for name, value in named.items() if is_number(value))
            for value in part.values():
                collect(value)
        elif isinstance(part, list):
            for value in part:
                collect(value)

    for game in own_game_names():
        collect(json.loads(json.dumps(view_schema(find_game(game)))))
    return found - SCREEN_NUMBERS


_NUMBERS = "|".join(sorted(numbers_of_views()))
_NONE = r"(?:0|1)\b(?!\.)"
COMPARED = re.compile(
    rf"\b(?:{_NUMBERS})\b(?:\[[^\]]*\])?(?: \?\? \d+\))? [<>]=? (?!{_NONE})"
    rf"|(?<!\b0)(?<!\b1) [<>]=? \(?[\w.?!]*\b(?:{_NUMBERS})\b(?!\()"
)
"""A number of the game that is more or less than another one: that is for the rules to say. Whether
there is any at all may be asked."""


@by_file
def test_a_board_has_no_reason_why_something_is_legal(path: Path) -> None:
    code = code_of(path.read_text())
    assert [found for pattern in REASONS for found in re.findall(pattern, code)] == []
    assert COMPARED.findall(code) == []


# --- the checks can fail ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "const CARDS_OF_EACH: Record<StackKind, number> = { four_of_a_kind: 4, three_pairs: 2, seven_unique: 1 };",
        "const GROUPS = { four_of_a_kind: [4], three_pairs: [2, 2, 2] };",
    ],
)
def test_a_table_of_sets_is_found_when_it_comes_back(line: str) -> None:
    assert rule_numbers("lanterns/notation.ts", line) == [line]
    assert TABLE_OF_NUMBERS.findall(line)


@pytest.mark.parametrize(
    "line",
    [
        "const NUM_DICE = 4;",
        "const honor = stack.honors[0] ?? 4;",
        "if (seat.num_cards > 12) return;",
        "Array.from({ length: 4 }, () => null)",
    ],
)
def test_a_number_of_a_rule_is_found(line: str) -> None:
    assert rule_numbers("lanterns_dice/scene.svelte.ts", line) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "const canExchange = true;",
        "seat.favors >= view.exchange_cost",
        "seat.num_cards > view.card_limit",
        "seat.gifts < card.cost",
        "face <= (target.reach[way] ?? 0)",
        "if (length >= seat.honor) return;",
        "(seat.score ?? 0) > best && seat.turns_taken >= view.turn.of",
    ],
)
def test_a_reason_is_found(line: str) -> None:
    assert COMPARED.search(line) or any(re.search(pattern, line) for pattern in REASONS)


@pytest.mark.parametrize(
    "line", ["pile <= 0", "standing.points > 0", "0 < seat.gifts", "columns > rows", "x < width"]
)
def test_to_ask_whether_there_is_any_is_no_reason(line: str) -> None:
    assert not COMPARED.search(line)


@pytest.mark.parametrize(
    "line",
    [
        "export const COLUMNS = 9;",
        "const ROWS: number = 6;",
        'const LETTERS = [..."abcdefghi"];',
        "const SHADE = /^([a-i])(u|l|ul)$/;",
        "const CARD = /^e([1-3])$/;",
    ],
)
def test_a_size_is_found_in_files_of_geometry_too(line: str) -> None:
    assert sizes("lanterns_dice/lake.ts", line)


def test_a_length_on_the_screen_is_no_size() -> None:
    assert not sizes("lanterns_dice/lake.ts", "export const CELL = 100; /^[a-z][0-9]+$/")
