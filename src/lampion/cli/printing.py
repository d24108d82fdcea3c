"""`lampion print`: what can be played with on paper."""

from __future__ import annotations

import io
from pathlib import Path

import click

from lampion.cli.common import read_components
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.terminal import note


@click.command("print")
@click.argument("game", metavar="GAME")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False),
    default=".",
    show_default=True,
    help="The folder to write to.",
)
@click.option(
    "--pdf", is_flag=True, help="One PDF file instead of SVG pages; needs the extra `print`."
)
@click.option(
    "--components", type=click.Path(dir_okay=False), default=None, help="The pieces in this file."
)
def print_(game: str, folder: str, pdf: bool, components: str | None) -> None:
    """Write the printable sheets, boards and tokens of a game.

    \b
    Examples:
      lampion print GAME --out sheets
      lampion print GAME --pdf
    """
    rules = find_game(game)
    if not hasattr(rules, "printable"):
        raise InvalidOptions(
            f"{rules.TITLE} has nothing to print", code="nothing-to-print", where="game"
        )
    pages: dict[str, str] = rules.printable(
        read_components(game, components) or rules.read_components(None)
    )
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    files = [_write_pdf(target / f"{game}.pdf", pages)] if pdf else _write_svg(target, pages)
    for file in files:
        click.echo(str(file))
    note(f"{len(pages)} pages of {rules.TITLE}.")


def _write_svg(folder: Path, pages: dict[str, str]) -> list[Path]:
    files = [folder / f"{name}.svg" for name in pages]
    for file, page in zip(files, pages.values(), strict=True):
        file.write_text(page, "utf-8")
    return files


def _write_pdf(file: Path, pages: dict[str, str]) -> Path:
    # Optional: the extra `print` brings both.
    from reportlab.graphics import renderPDF
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas
    from svglib.svglib import svg2rlg

    canvas = Canvas(str(file), pagesize=A4)
    for page in pages.values():
        drawing = svg2rlg(io.StringIO(page))
        assert drawing, "our own pages can be read"
        scale = min(A4[0] / drawing.width, A4[1] / drawing.height)
        drawing.scale(scale, scale)
        renderPDF.draw(drawing, canvas, 0, A4[1] - scale * drawing.height)
        canvas.showPage()
    canvas.save()
    return file
