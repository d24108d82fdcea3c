"""`lampion serve`: the server, and the web client with it."""

from __future__ import annotations

import logging
import socket
import threading
import time
import urllib.request
import webbrowser
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

import click

from lampion.cli.common import fail, notes

if TYPE_CHECKING:
    import uvicorn

FIRST_PORT, LAST_PORT = 8000, 8030
MOST_MESSAGE_BYTES = 16 * 1024


@click.command(context_settings={"auto_envvar_prefix": "LAMPION", "show_default": True})
@click.option("--host", default="127.0.0.1", help="The address to listen at; 0.0.0.0 for everybody in the network.")
@click.option("--port", type=int, default=None, help=f"The port  [default: the first free one from {FIRST_PORT} on]")
@click.option("--database", default=None, help="A file, or postgresql://user@host/name  [default: a file in your data folder]")
@click.option("--public-url", default="", help="Where people reach this server, such as https://lampion.example.")
@click.option("--bot-threads", type=click.IntRange(1, 64), default=2, help="How many bots think at the same time.")
@click.option("--bot-pause", type=click.FloatRange(0, 10), default=0.7, help="Seconds that a bot's move takes at least.")
@click.option("--limit-scale", type=click.FloatRange(1, 10_000), default=1.0, help="Widens all rate limits, for load tests.")
@click.option("--sockets-per-address", type=int, default=60, help="Open connections from one address.")
@click.option("--proxies", default="127.0.0.1", help="Proxies whose X-Forwarded-For is believed.")
@click.option("--log", "log_format", type=click.Choice(["text", "json"]), default="text", help="How log lines look.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="info", help="What is logged.")
@click.option("--open", "open_browser", is_flag=True, help="Open the browser when the server is ready.")
def serve(
    host: str, port: int | None, database: str | None, public_url: str, bot_threads: int, bot_pause: float, limit_scale: float,
    sockets_per_address: int, proxies: str, log_format: str, log_level: str, open_browser: bool,
) -> None:  # fmt: skip
    """Serve the games to browsers and programs. Every option is also an environment variable: LAMPION_PORT, ...

    \b
    Examples:
      lampion serve --open                                    play on this machine
      lampion serve --host 0.0.0.0                            play with everybody in the house
      lampion serve --database postgresql://lampion@db/lampion --public-url https://lampion.example
    """
    import uvicorn  # the other commands do without the server and start sooner

    from lampion.server.config import Config
    from lampion.server.logs import set_up_logs
    from lampion.server.store import default_database
    from lampion.server.web.app import make_app

    set_up_logs(log_format, log_level)
    config = Config(
        database or str(default_database()),
        public_url,
        bot_threads,
        bot_pause,
        limit_scale,
        sockets_per_address=sockets_per_address,
    )
    port = port if port is not None else _free_port(host)
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/"
    notes.print(
        f"Lampion is at [bold]{public_url or address}[/bold]  (Ctrl+C stops it; your games are kept in {_shown(config.database)})"
    )
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(address,), daemon=True).start()
    options = server_options() | {"proxy_headers": True, "forwarded_allow_ips": proxies}
    _run(uvicorn.Server(uvicorn.Config(make_app(config), host=host, port=port, **options)))


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


def _run(server: uvicorn.Server) -> None:
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    except OSError as problem:
        fail(f"cannot listen: {problem.strerror or problem} [cannot-listen]")
    if not server.started:
        raise SystemExit(1)


def _free_port(host: str) -> int:
    for port in range(FIRST_PORT, LAST_PORT):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, port))
            except OSError:
                continue
            return port
    return fail(f"no free port between {FIRST_PORT} and {LAST_PORT}; choose one with --port [no-free-port]")


def _shown(database: str) -> str:
    """Where the games are, without a password."""
    head, at, tail = database.rpartition("@")
    return f"{head.partition('://')[0]}://...@{tail}" if at else database


def _open_when_ready(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}health", timeout=2)
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            if not webbrowser.open(address):
                logging.getLogger("lampion").info("open %s in your browser", address)
            return
