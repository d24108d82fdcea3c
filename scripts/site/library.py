"""The reference of the library, read from the sources: every public name of every module.

The sources are parsed and not imported, so a page needs none of the extras of its module. What a
name is for is said by its docstring, which is Markdown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lampion.core.compile import PACKAGE

PACKAGES = {
    "core": "Rules, matches, records",
    "bots": "Bots and the search",
    "arena": "Matches between bots, measured",
    "research": "Environments, data, training",
    "reviews": "Reviews of finished games",
    "testing": "The conformance suite",
}
"""The packages of the reference."""
MODULES = {
    "core": (
        "types errors match position log gamelog replay fairness fold scorebook game record compile"
        " actions trail plain plain_views options variants components facts observation events views"
        " lessons advice comparison messages play rng"
    ),
    "bots": "base levels search random human even external analysis task knowledge net utility",
    "arena": "run schedule ratings sequential report board standings submissions proof meeting",
    "research": (
        "batch zoo gym openspiel infostate opponents selfplay files tensors features shards dataset"
        " learning rolling training policybot curves runs stepping"
    ),
    "reviews": "reviewing ledger judging coach svg training dataset",
    "testing": "about cases suite oracle",
}
"""The modules that programs outside the package use, in the order of the page."""
INTERNAL = {
    "behind the match: use its methods, or those of a position or a log": (
        "core.bits core.news core.rows core.shown core.derived"
    ),
    "defaults of a game; `core.plain` says which, and they are found by themselves": (
        "core.plain_drawing core.plain_observation"
    ),
    "texts for players; the server and the command line show them": (
        "core.sentences reviews.texts terminal"
    ),
    "known to rules alone: functions that give the same bits when compiled": "core.numbers",
    "a list that is generated; `lampion.game_names` returns it": "core.names",
    "compiled halves: their arguments are arrays that the module in front of them owns": (
        "bots.tree bots.solver bots.ends bots.plain research.choosing"
        " reviews.selfplay reviews.values"
    ),
    "parts of a module of the reference": (
        "arena.lines arena.page arena.rounds bots.sources bots.weighing research.extras"
        " research.render research.tables research.thinking reviews.elsewhere"
    ),
    "tests of the suite: `testing.suite` has them all, and pytest loads the plugin": (
        "testing.plugin testing.conformance testing.redaction testing.fold testing.folding"
        " testing.environments"
    ),
}
"""Why a module is not in the reference -> the modules. Their docstrings are for contributors."""
ELSEWHERE = {
    "server": "the reference of HTTP, messages and types",
    "cli": "the reference of the commands",
    "mcp": "the page about language models, and `lampion mcp`",
    "games": "a page for each game: options, pieces, actions, observations, views and events",
    "core.native": "the page about the compiler",
}
"""Packages whose modules are internal -> what documents what they show."""
FENCE = 7
"""Backticks around a module's outermost names; what is inside of them has fewer."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Name(NamedTuple):
    """A public name of a module: its definition, or an assignment with its docstring."""

    name: str
    node: Definition | ast.AnnAssign | ast.Assign
    doc: str


def modules() -> list[str]:
    """All modules of the reference, by their dotted names."""
    found = ["lampion", "lampion.matches"]
    for package, names in MODULES.items():
        found += [f"lampion.{package}.{name}" for name in names.split()]
    return found


def path_of(module: str) -> Path:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def public_names(module: str) -> list[Name]:
    """What a module defines for others, in the order of its file."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    return [name for name in _names(tree.body) if not name.name.startswith("_")]


def _names(body: list[ast.stmt]) -> Iterator[Name]:
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, Definition) and not _is_overload(statement):
            yield Name(statement.name, statement, ast.get_docstring(statement) or "")
        elif isinstance(statement, ast.AnnAssign | ast.Assign) and (doc := _text_of(after)):
            target = (
                statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            )
            if isinstance(target, ast.Name):
                yield Name(target.id, statement, doc)


def _text_of(statement: ast.stmt | None) -> str:
    """The docstring of an assignment: a text that stands alone after it."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        text = statement.value.value
        return ast.get_docstring(ast.Module([statement], [])) or "" if isinstance(text, str) else ""
    return ""


def pages() -> dict[str, str]:
    """Page -> its text: one for the list, one for each package, one for the names of `lampion`."""
    found = {"reference/library": _list(), "reference/lampion": _front()}
    for package, title in PACKAGES.items():
        own = [name for name in modules() if name.startswith(f"lampion.{package}.")]
        listed = "\n".join(f"- [{name}](#module-{name}): {_first_line(name)}" for name in own)
        described = "\n".join(_module(name) for name in own)
        head = f"# lampion.{package}: {title[0].lower()}{title[1:]}\n\n"
        found[f"reference/{package}"] = f"{head}{listed}\n\n{described}"
    return found


def _list() -> str:
    rows = [f"| [lampion.{name}]({name}.md) | {title} |" for name, title in PACKAGES.items()]
    return "\n".join(
        [
            "# The library, name by name",
            "",
            "Every public name, from the sources. [The library](../library.md) is the tour with",
            "examples. Most programs need only the names of `lampion` itself.",
            "",
            "| module | contents |",
            "|---|---|",
            "| [lampion](lampion.md) | The names that most programs need |",
            *rows,
            "",
            "```{toctree}\n:hidden:\n",
            "lampion",
            *PACKAGES,
            "```",
            "",
        ]
    )


def exported() -> dict[str, str]:
    """The names of `lampion.__all__` and the module where each is defined."""
    tree = ast.parse(path_of("lampion").read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: str(node.module)
        for node in imports
        if str(node.module).startswith("lampion.")
        for alias in node.names
    }


def _front() -> str:
    tree = ast.parse(path_of("lampion").read_text("utf-8"))
    fence = "`" * FENCE
    lines = ["(module-lampion)=", "# lampion", "", f"{fence}{{py:module}} lampion", fence, ""]
    lines += [_markdown(ast.get_docstring(tree) or ""), ""]
    lines += ["| name | defined in | |", "|---|---|---|"]
    for name, home in sorted(exported().items(), key=lambda item: item[0].lower()):
        found = {each.name: each for each in public_names(home)}
        about = _first_sentence(found[name].doc) if name in found else ""
        shown = f"{{py:obj}}`{name} <{home}.{name}>`" if name in found else f"`{name}`"
        lines.append(f"| {shown} | [{home}](#module-{home}) | {about} |")
    return "\n".join([*lines, "", _module("lampion.matches")])


def _first_line(module: str) -> str:
    tree = ast.parse(path_of(module).read_text("utf-8"))
    return _first_sentence(ast.get_docstring(tree) or "")


def _first_sentence(doc: str) -> str:
    paragraph = " ".join(doc.partition("\n\n")[0].split()).removesuffix(":")
    return _escaped(paragraph).replace("|", "\\|")


def _module(name: str) -> str:
    tree = ast.parse(path_of(name).read_text("utf-8"))
    fence = "`" * FENCE
    lines = [f"(module-{name})=", f"## {name}", "", f"{fence}{{py:module}} {name}", fence, ""]
    lines += [_markdown(ast.get_docstring(tree) or ""), ""]
    lines += [_described(each, FENCE) for each in public_names(name)]
    return "\n".join(lines)


def _described(name: Name, fence: int, *, in_class: bool = False) -> str:
    """A name as a directive of Sphinx's Python domain, with the names inside of it."""
    kind, head, options = _head(name, in_class)
    inside = ""
    if isinstance(name.node, ast.ClassDef):
        members = [each for each in _members(name.node) if not each.name.startswith("_")]
        inside = "\n".join(_described(each, fence - 1, in_class=True) for each in members)
    sign = "`" * fence
    return "\n".join(
        [f"{sign}{{py:{kind}}} {head}", *options, "", _markdown(name.doc), "", inside, sign, ""]
    )


def _members(node: ast.ClassDef) -> Iterator[Name]:
    """What a class has; fields of a record count even when their name says it all. A setter is
    not told apart from its property."""
    known = {name.name: name for name in reversed([*_names(node.body)])}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield known.get(statement.target.id, Name(statement.target.id, statement, ""))
        elif isinstance(statement, Definition) and known[statement.name].node is statement:
            yield known[statement.name]


def _is_overload(node: Definition) -> bool:
    """A signature for type checkers; the definition itself follows."""
    return any(ast.unparse(each) == "overload" for each in node.decorator_list)


def _head(name: Name, in_class: bool) -> tuple[str, str, list[str]]:
    node = name.node
    if isinstance(node, ast.ClassDef):
        kind = "exception" if _is_exception(node) else "class"
        return kind, name.name + _of_class(node), []
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        marks = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
        if marks & {"property", "functools.cached_property", "cached_property"}:
            about = [f":type: {ast.unparse(node.returns)}"] if node.returns else []
            return "property", name.name, about
        options = [f":{mark}:" for mark in ("classmethod", "staticmethod") if mark in marks]
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return (
            "method" if in_class else "function",
            f"{name.name}({_arguments(node, in_class and 'staticmethod' not in marks)}){result}",
            options,
        )
    options = []
    if isinstance(node, ast.AnnAssign):
        options.append(f":type: {ast.unparse(node.annotation)}")
    value = ast.unparse(node.value) if node.value else ""
    if value and len(value) <= LONGEST_VALUE:
        options.append(f":value: {value}")
    return "attribute" if in_class else "data", name.name, options


LONGEST_VALUE = 60


def _is_exception(node: ast.ClassDef) -> bool:
    bases = {ast.unparse(base) for base in node.bases}
    return bool(bases & {"Exception", "ValueError", "LampionError", "Refused"})


def _of_class(node: ast.ClassDef) -> str:
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            return f"({_arguments(statement, True)})"
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    return f"({bases})" if bases else ""


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef, drops_first: bool) -> str:
    text = ast.unparse(node.args)
    return text.partition(", ")[2] if drops_first else text


_DOCTEST = re.compile(r"((?:^>>> .*\n?)(?:^.+\n?)*)", re.MULTILINE)


def _markdown(doc: str) -> str:
    """A docstring as Markdown: examples in fences, and signs like < as they are."""
    pieces = _DOCTEST.split(doc)
    return "\n".join(
        f"```pycon\n{piece.rstrip()}\n```\n" if number % 2 else _escaped(piece)
        for number, piece in enumerate(pieces)
    )


def _escaped(text: str) -> str:
    """Without HTML; what is in backticks, or indented as code, stays as it is."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("    "):
            lines.append(line)
            continue
        parts = line.split("`")
        parts[::2] = [re.sub(r"([<*_$])", r"\\\1", part) for part in parts[::2]]
        lines.append("`".join(parts))
    return "\n".join(lines)
