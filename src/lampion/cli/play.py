"""`lampion play`: a whole game in the terminal.

Knows no game: it shows the drawing, lists what is legal, and describes what happened with the events of the rules and the catalogs.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from lampion.bots.levels import CHOICES, DEFAULT_LEVEL, BotPlayer, make_player
from lampion.cli.common import (
    default_players,
    match_options,
    output,
    parse_options,
    read_components,
)
from lampion.core.errors import LampionError
from lampion.core.fairness import Chance, new_seed, seed_from_number
from lampion.core.game import facts_of, find_game, game_names
from lampion.core.gamelog import write_record
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.messages import DEFAULT, error_text, game_text, languages, text
from lampion.core.native.library import make_ready
from lampion.core.rng import new_rng
from lampion.core.sentences import Reader, sentences
from lampion.core.types import CHANCE, Player
from lampion.terminal import page, progress, show

MOST_LISTED = 24
_RULE = re.compile(r"[A-Z][0-9]{1,2}")
_NOT_HERE = re.compile(r"^(?:!\[[^\]]+\]\(example:[a-z-]+\)|<!--[^>]*-->)\n\n?", re.MULTILINE)
"""The place of a drawn example, or a mark for other readers. The words of an example tell what is on
its picture, so without the picture they stay away as well."""


@click.command()
@click.argument("game", metavar="[GAME]", required=False)
@match_options
@click.option(
    "--humans",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="How many people share this terminal; bots play the rest.",
)
@click.option(
    "--bot",
    default=DEFAULT_LEVEL,
    show_default=True,
    help=f"The opponents: {', '.join(level.name for level in CHOICES)}.",
)
@click.option("--name", "names", multiple=True, help="A player's name; may be repeated.")
@click.option(
    "--seed",
    "-s",
    type=int,
    default=None,
    help="Play the deal of this seed [default: a secret one].",
)
@click.option(
    "--lang",
    type=click.Choice(languages()),
    default=DEFAULT,
    show_default=True,
    help="The language.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    default=None,
    help="Write the record to this file at the end or on quitting.",
)
def play(
    game: str | None, players: int | None, options: tuple[str, ...], components: str | None,
    humans: int, bot: str, names: tuple[str, ...], seed: int | None, lang: str, save: str | None,
) -> None:  # fmt: skip
    """Play in this terminal against bots, or share the keyboard.

    \b
    Examples:
      lampion play {game}
      lampion play {game} --players 4 --humans 2 --name Ada --name Milo
      lampion play {game} --lang fr --seed 7 --save game.json
    """
    make_player(bot)
    name = game or _ask_for_game(lang)
    rules = find_game(name)
    number = default_players(rules, players)
    seats = [
        names[seat] if seat < len(names) else f"{text('play', 'player', lang)} {seat + 1}"
        for seat in range(number)
    ]
    opponent = make_player(bot, rules.NAME)
    make_ready(rules.State.dtype)
    chance = Chance(new_seed() if seed is None else seed_from_number(seed))
    match = Match(
        rules,
        number,
        parse_options(options),
        names=seats,
        components=read_components(name, components),
        chance=chance,
    )
    TerminalGame(match, min(humans, number), opponent, lang, save).play()


def _ask_for_game(language: str) -> str:
    known = game_names()
    for number, name in enumerate(known, 1):
        click.echo(f"  {number}  {find_game(name).TITLE}")
    choice = click.prompt(
        text("play", "which-game", language), type=click.IntRange(1, len(known)), default=1
    )
    return known[int(choice) - 1]


def _bold(words: str) -> str:
    return click.style(words, bold=True)


def _painted(drawing: str, colors: Mapping[str, str | int]) -> str:
    """The letters of a drawing that have a color in this game, in that color."""
    if not colors:
        return drawing
    letters = re.compile(rf"(?<![a-z])[{''.join(colors)}](?![a-z])")
    return letters.sub(lambda found: click.style(found[0], fg=colors[found[0]], bold=True), drawing)


class Quit(Exception):
    """A player leaves the table."""


class TerminalGame:
    """A match between the people at this terminal (the first seats) and bots."""

    def __init__(
        self, match: Match, humans: int, bot: BotPlayer, language: str, save: str | None
    ) -> None:
        self.match, self.humans, self.bot, self.language, self.save = (
            match,
            humans,
            bot,
            language,
            save,
        )
        self.rng = new_rng(
            0 if match.chance is None else int.from_bytes(match.chance.seed[:8], "big")
        )
        self.listed: list[str] = []
        self.last_seat: Player = 0
        self.told = 0

    def say(self, key: str, **values: object) -> None:
        show(text("play", key, self.language, **values))

    def play(self) -> None:
        self.say(
            "welcome",
            title=self.match.game.TITLE,
            commitment=(self.match.fairness.commitment if self.match.fairness else "-"),
        )
        try:
            while not self.match.is_over:
                seat = self.match.to_act
                if seat < self.humans:
                    self._person(seat)
                else:
                    self._bot(seat)
            self._end()
        except Quit:
            self.say("goodbye")
        finally:
            self._write()

    def _bot(self, seat: Player) -> None:
        seen, legal = self.match.seen_from(seat), self.match.legal_ids(seat)
        self.match.submit(self.bot.bot.choose(seen, seat, legal, self.bot.budget, self.rng), seat)

    # --- a person's turn ---

    def _person(self, seat: Player) -> None:
        self._curtain(seat)
        self._tell()
        self._show(seat)
        while self.match.to_act == seat:
            ply = self.match.ply
            self._obey(self._read(seat), seat)
            if self.match.ply > ply:
                return

    def _curtain(self, seat: Player) -> None:
        """With several people, hide everything before the next one looks."""
        if self.humans > 1 and seat != self.last_seat:
            click.clear()
            self._input(text("play", "curtain", self.language, name=self.match.names[seat]))
        self.last_seat = seat

    def _show(self, seat: Player) -> None:
        show(_painted(self.match.draw(seat), facts_of(self.match.game).letter_colors))
        self._choices(seat)

    def _choices(self, seat: Player) -> None:
        """What can be done, one line per kind of action."""
        legal = self.match.legal_ids(seat).tolist()
        kinds = Counter(self.match.game.ACTIONS.block_of(action).name for action in legal)
        game = self.match.game
        for kind, count in kinds.items():
            example = next(action for action in legal if game.ACTIONS.block_of(action).name == kind)
            shown = game.action_text(self.match.state, seat, example)
            word = game_text(game.NAME, "kinds", kind, self.language)
            show(
                f"  {word:24} {text('play', 'such-as', self.language)} {_bold(shown)}"
                + (f"  ({count})" if count > 1 else "")
            )

    def _read(self, seat: Player) -> str:
        return self._input(
            f"{text('play', 'prompt', self.language, name=self.match.names[seat])} > "
        ).strip()

    def _input(self, prompt: str) -> str:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (gives input() a history and cursor keys)
        try:
            return input(prompt)
        except EOFError:
            raise Quit from None

    def _obey(self, line: str, seat: Player) -> None:
        word, _, rest = line.partition(" ")
        legal = self.match.legal_actions(seat)
        if line in legal:
            self._submit(line, seat)
        elif line.isdecimal() and 0 < int(line) <= len(self.listed):
            self._submit(self.listed[int(line) - 1], seat)
        elif word in ("help", "?", ""):
            self.say("help")
            self._choices(seat)
        elif word == "rules":
            self._rules(rest.strip().upper())
        elif word == "undo":
            self._undo(seat)
        elif word == "table":
            self._show(seat)
        elif word == "list":
            self._list(legal, seat)
        elif word == "quit":
            raise Quit
        elif found := [action for action in legal if line in action]:
            self._list(found, seat)
        else:
            self._submit(line, seat)

    def _submit(self, action: str, seat: Player) -> None:
        self.listed = []
        try:
            self.match.submit(action, seat)
        except LampionError as refused:
            show(click.style(error_text(refused, self.language), fg="red"))
            if refused.rule:
                self.say("see-rule", rule=refused.rule)

    def _undo(self, seat: Player) -> None:
        try:
            self.match.undo(seat)
            self.told = self.match.ply
        except LampionError as refused:
            show(click.style(error_text(refused, self.language), fg="red"))

    def _list(self, actions: list[str], seat: Player) -> None:
        """Number some actions, each with what it would do."""
        self.listed = actions[:MOST_LISTED]
        for number, action in enumerate(self.listed, 1):
            does = self._told(self.match.preview(action, seat))
            show(f"  {number:2}  {_bold(f'{action:12}')} {does}")
        if len(actions) > MOST_LISTED:
            self.say("more", count=len(actions) - MOST_LISTED)

    # --- telling ---

    def _told(self, events: list[dict[str, object]]) -> str:
        reader = Reader(self.match.game.NAME, self.match.names, self.language)
        return ". ".join(sentences(events, reader))

    def _tell(self) -> None:
        """What has happened since the last time, in a line per action."""
        for ply in range(self.told, self.match.ply):
            self._tell_entry(ply, self.match.log[ply])
        self.told = self.match.ply

    def _tell_entry(self, ply: int, entry: Entry) -> None:
        does = self._told(self.match.events(ply))
        if (
            entry.actor == CHANCE
            and self.match.log[0].actor == CHANCE
            and ply < self._first_decision()
        ):
            return
        who = (
            ""
            if entry.actor == CHANCE
            else f"{_bold(self.match.names[entry.actor])} {entry.seen_by(self.last_seat)}: "
        )
        show(f"  {who}{does}")

    def _first_decision(self) -> int:
        """The deal is not worth a line per tile."""
        return next(
            (ply for ply, entry in enumerate(self.match.log) if entry.actor != CHANCE),
            self.match.ply,
        )

    def _rules(self, number: str) -> None:
        """The rulebook, or one rule of it."""
        folder = Path(self.match.game.__file__).parent / "rulebook"
        own = folder / f"{self.language}.md"
        book = (own if own.exists() else folder / f"{DEFAULT}.md").read_text("utf-8")
        if _RULE.fullmatch(number):
            found = re.search(rf"^### {number} · .*?(?=^##|\Z)", book, re.MULTILINE | re.DOTALL)
            book = found[0] if found else text("play", "no-such-rule", self.language, rule=number)
        show(page(_NOT_HERE.sub("", book)))

    def _end(self) -> None:
        self._tell()
        show(self.match.draw())
        for player, (name, score) in enumerate(
            zip(self.match.names, self.match.scores, strict=True)
        ):
            show(f"  {self.match.placements[player]}. {name} {score}")
        show("\n" + self._review())
        if self.match.chance:
            self.say("seed", seed=self.match.chance.seed.hex())

    def _review(self) -> str:
        """The ledger and the costliest decisions. An interrupt ends the judging, not the program;
        as plain Python, judging would take an hour."""
        from lampion.reviews.judging import Care, decisions_of
        from lampion.reviews.reviewing import review
        from lampion.reviews.texts import review_text

        found = review(self.match, care=None)
        if not make_ready(self.match.game.State.dtype):
            return review_text(found, self.match, self.language)
        plies, label = decisions_of(self.match), text("review", "judging", self.language)
        with contextlib.suppress(KeyboardInterrupt), progress(label, len(plies)) as advance:
            care = Care(look=60, weigh=24, runs=4, again=8, solve=5_000)
            found = review(self.match, care=care, told=lambda: advance(1))
        return review_text(found, self.match, self.language)

    def _write(self) -> None:
        if self.save:
            with output(self.save) as file:
                file.write(write_record(self.match.to_record(reveal_seed=True)) + "\n")
            self.say("saved", file=self.save)
