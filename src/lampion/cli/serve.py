"""`lampion serve`: the server, and the web client with it."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.error import URLError

import click

from lampion.core.errors import LampionError
from lampion.server.config import SETTINGS, BadConfig, Config, Setting
from lampion.server.settings import (
    load,
    log_format_of,
    misspelled,
    secrets_of,
    shown,
    shown_database,
    with_database,
)
from lampion.terminal import note

if TYPE_CHECKING:
    import uvicorn

log = logging.getLogger("lampion")
FIRST_PORT, LAST_PORT = 8000, 8030
MOST_MESSAGE_BYTES = 16 * 1024
FAILED, BAD_CONFIG = 1, 2
"""Exit codes. The systemd unit restarts after the first and not after the second."""


class ServeCommand(click.Command):
    """Says what is wrong with the flags in the format that the flags ask for."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as problem:
            if _early_format(given) == "json":
                _set_up_logs("json")
                _fail(problem.format_message(), "bad-flag", BAD_CONFIG)
            raise


def _option(setting: Setting) -> click.Option:
    flags = [setting.flag, *setting.option.flags]
    if setting.kind is bool:
        flags[0] += f"/--no-{setting.flag.removeprefix('--')}"
    default = setting.option.shown_default or _as_text(setting.default)
    about = f"{setting.option.help.replace('`', '')}  [{setting.allowed}; default: {default}]"
    # The texts are read by the same code as variables, so that all refusals sound alike.
    return click.Option(
        [setting.name, *flags],
        type=bool if setting.kind is bool else str,
        default=None,
        help=about,
        metavar=None if setting.kind is bool else "TEXT",
    )


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value) or "none"


def _serve(open_browser: bool, config_file: str | None, check_config: bool, **given: Any) -> None:
    """Serve the games to browsers and programs.

    Every option is also a variable (LAMPION_PORT, ...) and a key of the config file (port = 8000).
    A flag wins over a variable, a variable over the file.

    \b
    Examples:
      lampion serve --open                      play on this machine
      lampion serve --host 0.0.0.0              play with everybody in the house
      lampion serve --config /etc/lampion.toml --check-config
      lampion serve --database postgresql://lampion@db/lampion --public-url https://lampion.example
    """
    flags = {name: value for name, value in given.items() if value is not None}
    config = _configured(flags, config_file)
    if check_config:
        click.echo(json.dumps(shown(config), indent=2))
        return
    for name, meant in misspelled().items():
        log.warning("%s is not a setting; did you mean %s?", name, meant)
    try:
        _start(config, open_browser)
    except LampionError as error:
        _fail(str(error), error.code, FAILED)
    except OSError as problem:
        name = f"{problem.filename}: " if problem.filename else ""
        _fail(f"cannot start: {name}{problem.strerror or problem}", "cannot-start", FAILED)


_COMMON = [
    click.Option(["--open", "open_browser"], is_flag=True, help="Open the browser when ready."),
    click.Option(
        ["--config", "config_file"],
        metavar="FILE",
        help="The config file (TOML)  [default: $LAMPION_CONFIG, /etc/lampion.toml or"
        " lampion.toml in your config folder, if it exists]",
    ),
    click.Option(
        ["--check-config"],
        is_flag=True,
        help="Print the settings in force and exit; secrets are masked.",
    ),
]
_PARAMETERS: list[click.Parameter] = [*map(_option, SETTINGS), *_COMMON]
serve = ServeCommand("serve", callback=_serve, params=_PARAMETERS, help=_serve.__doc__)


# --- settings ---


def _configured(flags: dict[str, Any], file: str | None) -> Config:
    """The settings, with logs set up by them; or the end, with one line that says why."""
    # Before anything is known, a bad setting is told in the format that was asked for.
    _set_up_logs(flags.get("log_format") or log_format_of(os.environ, file))
    from lampion.server.store import default_database  # the other commands start sooner without

    try:
        config = load(flags, os.environ, file).config
    except BadConfig as problem:
        _fail(str(problem), problem.code, BAD_CONFIG)
    config = with_database(config, config.database or default_database())
    _set_up_logs(config.log_format, config)
    return config


def _set_up_logs(style: str, config: Config | None = None) -> None:
    from lampion.server.logs import set_up_logs

    if config is None:
        set_up_logs(style, "info")
    else:
        set_up_logs(style, config.log_level, secrets_of(config))


def _early_format(arguments: list[str]) -> str:
    """The format of log lines, found without understanding the other flags."""
    named: dict[str, str] = {}
    for place, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        named[flag] = value if equals else "".join(arguments[place + 1 : place + 2])
    given = named.get("--log") or named.get("--log-format")
    return given or log_format_of(os.environ, named.get("--config"))


def _fail(message: str, code: str, status: int) -> NoReturn:
    """One line, then the end."""
    log.critical(" ".join(message.split()), extra={"code": code})
    logging.shutdown()
    sys.exit(status)


# --- running ---


def _start(config: Config, open_browser: bool) -> None:
    import uvicorn  # the other commands do without the server and start sooner

    from lampion.server.web.app import make_app
    from lampion.server.web.connections import protocol_options

    with _listener(config) as listener:  # first: a port in use must not open the database
        config = replace(config, port=listener.getsockname()[1])
        app = make_app(config)
        address = f"{config.own_url}/"
        _greet(config, address)
        if config.metrics_port:
            _serve_metrics(config)
        if open_browser:
            threading.Thread(target=_open_when_ready, args=(address,), daemon=True).start()
        options = (
            server_options()
            | {
                "proxy_headers": True,
                "forwarded_allow_ips": list(config.trusted_proxies),
            }
            | protocol_options(config)
        )
        _run(uvicorn.Server(uvicorn.Config(app, **options)), listener)


def _serve_metrics(config: Config) -> None:
    """On a port of their own, which a firewall can keep to the operator's network."""
    from prometheus_client import start_http_server

    try:
        start_http_server(config.metrics_port, addr=config.host)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        message = f"cannot listen on {config.host} port {config.metrics_port} for metrics: {reason}"
        raise BadConfig(message, code="cannot-listen") from None


def _greet(config: Config, address: str) -> None:
    place = config.public_url or address
    database = shown_database(config.database)
    if config.log_format == "json":
        log.info("serving", extra={"address": place, "listening": address, "database": database})
    else:
        note(f"Lampion is at {click.style(place, bold=True)}")
        note(f"Ctrl+C stops it; your games are kept in {database}")


def server_options() -> dict[str, Any]:
    """How the server under the application is set up; the benchmark's yardstick uses the same."""
    return {
        "loop": "uvloop",
        "ws": "websockets-sansio",
        "ws_per_message_deflate": False,
        "ws_max_size": MOST_MESSAGE_BYTES,
        "ws_max_queue": 16,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "timeout_graceful_shutdown": 10,
        "backlog": 4096,
        "access_log": False,
        "log_config": None,
        "server_header": False,
    }


def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    if not server.started:
        raise SystemExit(FAILED)


def _listener(config: Config) -> socket.socket:
    """A socket that is bound and does not listen yet: until then connections are refused."""
    if config.port:
        try:
            return _bound(config.host, config.port)
        except OSError as problem:
            message = f"cannot listen on {config.host} port {config.port}"
            reason = problem.strerror or str(problem)
            raise BadConfig(f"{message}: {reason}", code="cannot-listen") from None
    for port in range(FIRST_PORT, LAST_PORT):
        try:
            return _bound(config.host, port)
        except OSError:
            continue
    message = f"no free port between {FIRST_PORT} and {LAST_PORT}; choose one with --port"
    raise BadConfig(message, code="no-free-port")


def _bound(host: str, port: int) -> socket.socket:
    stream, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
    found = socket.getaddrinfo(host, port, type=stream, flags=passive)
    family, kind, protocol, _, address = found[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def _open_when_ready(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}health", timeout=2)
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            if not webbrowser.open(address):
                log.info("open %s in your browser", address)
            return
