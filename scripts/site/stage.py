"""Gathers the pages of the site: those of the repository, with their links pointed at the site,
and those that are generated."""

from __future__ import annotations

import shutil
from pathlib import Path

from lampion.core.game import own_game_names
from scripts.site import commands, games, levels, library, notebook, server
from scripts.site.examples import with_drawings
from scripts.site.games import rulebook
from scripts.site.links import ROOT, file_in_site, files_linked, with_links
from scripts.site.shelf import LANGUAGES, contents, shelves

DOCS = ROOT / "docs"
ELSEWHERE = {
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "SECURITY.md": "security",
    "deploy/README.md": "deploying",
    "web/README.md": "web_client",
}
"""Pages that the repository keeps outside of docs."""
PAGES_OF_FOLDERS = {"docs/schemas": "reference/record", "docs/decisions": "decisions"}


def sources() -> dict[Path, str]:
    """The pages of the repository: file or folder -> name in the site."""
    found = {ROOT / path: name for path, name in ELSEWHERE.items()}
    found |= {ROOT / path: name for path, name in PAGES_OF_FOLDERS.items()}
    found |= {path: path.stem for path in DOCS.glob("*.md")}
    found |= {path: f"decisions/{path.stem}" for path in DOCS.glob("decisions/*.md")}
    found[DOCS / "decisions" / "0001-record-architecture-decisions.md"] = "decisions"
    found |= {path: path.stem for path in DOCS.glob("*.ipynb")}
    found[ROOT / "README.md"] = "index"
    for path in sorted((ROOT / "examples").glob("*/__init__.py")):
        found[path.parent] = f"examples/{path.parent.name}"
    for game in own_game_names():
        for language in LANGUAGES:
            found[rulebook(game, language)] = f"rules/{game}/{language}"
    return found


def stage(folder: Path) -> None:
    """Write all pages and the files that they link to."""
    shutil.rmtree(folder, ignore_errors=True)
    known = sources()
    files: set[Path] = set((DOCS / "schemas").glob("*.json"))
    for path, name in known.items():
        if path.suffix == ".md" and path != ROOT / "README.md":
            text = _ready(path, name)
            files |= files_linked(text, path, known)
            write(folder / f"{name}.md", with_links(text, path, name, known))
    for name, text in _generated().items():
        write(folder / f"{name}.md", text)
    for path in files:
        write(folder / file_in_site(path), path.read_bytes())
    for path in sorted(DOCS.glob("*.ipynb")):
        _stage_notebook(path, folder, known)
    _stage_examples(folder)


def _ready(path: Path, name: str) -> str:
    """The text of a page, with what only the site has."""
    text = path.read_text("utf-8")
    if name.startswith("rules/"):
        _, game, language = name.split("/")
        return with_drawings(text, game, language)
    text = levels.with_diagram(text)
    if name == "index":
        shelf = "\n".join(contents(entries, caption) for caption, entries in shelves().items())
        return f"{text}\n{shelf}"
    if name == "decisions":
        return f"{text}\n{contents(_decisions())}"
    return text


def _decisions() -> list[str]:
    found = sorted(path.stem for path in DOCS.glob("decisions/*.md"))
    return [f"decisions/{name}" for name in found if not name.startswith("0001-")]


def _generated() -> dict[str, str]:
    return {**library.pages(), **commands.pages(), **server.pages(), **games.pages()}


def _stage_notebook(path: Path, folder: Path, known: dict[Path, str]) -> None:
    name = path.stem
    text, pictures = notebook.page(
        path, f"files/{name}", lambda words: with_links(words, path, name, known)
    )
    write(folder / f"{name}.md", text)
    for place, drawing in pictures.items():
        write(folder / place, drawing)


def _stage_examples(folder: Path) -> None:
    """The code of the example games."""
    names = []
    for path in sorted((ROOT / "examples").glob("*/__init__.py")):
        game = path.parent
        names.append(game.name)
        parts = [f"# Example: {game.name}\n"]
        for file in sorted([*game.rglob("*.py"), *game.rglob("en.*")]):
            kind = {".py": "python", ".toml": "toml", ".md": "markdown"}[file.suffix]
            code = file.read_text("utf-8").rstrip()
            parts.append(f"## {file.relative_to(game.parent)}\n\n````{kind}\n{code}\n````\n")
        write(folder / "examples" / f"{game.name}.md", "\n".join(parts))
    listed = "\n".join(f"- [{name}](examples/{name}.md)" for name in names)
    intro = "Whole games in a few files, written outside the package: [how](add_a_game.md)."
    text = f"# Example games\n\n{intro}\n\n{listed}\n\n"
    write(folder / "examples.md", text + contents([f"examples/{name}" for name in names]))


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
