"""The reference of the command line, from the declarations of click."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from lampion.cli.main import COMMANDS, main


def pages() -> dict[str, str]:
    text = "\n".join(
        [
            "# Commands",
            "",
            "Every command and option of `lampion`. [The command line](../command_line.md) shows",
            "the usual ones with their output.",
            "",
            *_sections(),
        ]
    )
    return {"reference/commands": text}


def every_command() -> Iterator[tuple[str, click.Command]]:
    """All commands by what you type, groups before their parts."""
    context = click.Context(main, info_name="lampion")
    for name in sorted(COMMANDS):
        if command := main.get_command(context, name):
            yield from _with_parts(f"lampion {name}", command)


def _with_parts(typed: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield typed, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=typed)
        for name in command.list_commands(context):
            if part := command.get_command(context, name):
                yield from _with_parts(f"{typed} {name}", part)


def _sections() -> Iterator[str]:
    for typed, command in every_command():
        yield f"{'#' * (1 + min(2, typed.count(' ')))} {typed}\n"
        yield from _help(command.help or "")
        yield f"```console\n$ {typed} {' '.join(_usage(typed, command))}\n```\n"
        yield from _options(typed, command)


def _usage(typed: str, command: click.Command) -> list[str]:
    return command.collect_usage_pieces(click.Context(command, info_name=typed))


def _help(text: str) -> Iterator[str]:
    """Paragraphs; those after the sign \\b keep their lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            head, _, rest = paragraph.removeprefix("\b\n").partition("\n")
            yield f"{_escaped(head)}\n\n```text\n{inspect.cleandoc(rest)}\n```\n"
        elif paragraph:
            yield _escaped(" ".join(paragraph.split())) + "\n"


def _options(typed: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=typed)
    records = [
        record for each in command.get_params(context) if (record := each.get_help_record(context))
    ]
    if records:
        yield "| option | |\n|---|---|"
        for names, words in records:
            yield f"| `{names.replace('|', chr(92) + '|')}` | {_escaped(words)} |"
        yield ""


def _escaped(text: str) -> str:
    for sign in "<[*|":
        text = text.replace(sign, f"\\{sign}")
    return text
