"""`lampion review`: luck and play told apart, and the costliest decisions."""

from __future__ import annotations

import click
import msgspec

from lampion.cli.common import output, read_components, read_one_record
from lampion.core.messages import DEFAULT, languages
from lampion.core.replay import match_from_record
from lampion.reviews.judging import Care
from lampion.reviews.reviewing import review as review_of
from lampion.reviews.svg import review_svg
from lampion.reviews.texts import review_text


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole review as JSON.")
@click.option(
    "--svg", type=click.Path(dir_okay=False), default=None, help="Write a picture to this file."
)
@click.option(
    "--quick", is_flag=True, help="Leave decisions unjudged: milliseconds instead of seconds."
)
@click.option(
    "--lang",
    type=click.Choice(languages()),
    default=DEFAULT,
    show_default=True,
    help="The language.",
)
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the record was played with.",
)
def review(
    file: str, line: int, as_json: bool, svg: str | None, quick: bool, lang: str,
    components: str | None,
) -> None:  # fmt: skip
    """Separate luck from play in a game, and find its costliest decisions.

    For every seat the deal, the draws, its own decisions and those of the others add up to the
    result. Decisions are judged from what their seat knew, and the same record is always judged
    alike. docs/review.md says how.

    \b
    Examples:
      lampion review game.json
      lampion review games.jsonl --line 3 --quick --svg game3.svg
      lampion simulate {game} | lampion review - --json
    """
    record = read_one_record(file, line)
    match = match_from_record(record, components=read_components(record.game, components))
    found = review_of(match, care=None if quick else Care())
    if svg:
        with output(svg) as picture:
            picture.write(review_svg(found, lang))
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        click.echo(review_text(found, match, lang))
