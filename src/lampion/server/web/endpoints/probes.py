"""Whether the server is alive, ready, well; and its metrics."""

from __future__ import annotations

import asyncio
import secrets
import shutil

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

import lampion
from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.services import Services
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.security import bearer_of
from lampion.server.web.shell import encode

PING_SECONDS = 2.0
LEAST_DISK = 64 * 1024 * 1024
FORWARDED = ("x-forwarded-for", "forwarded", "via")
LOOPBACK = ("127.0.0.1", "::/64", "local")


async def live(ask: Ask) -> wire.Live:
    """The process answers; nothing else is asked."""
    return wire.Live("ok")


async def ready(ask: Ask) -> Response:
    """Whether a balancer should send people here."""
    checks = await check(ask.services)
    is_ready = all(done == "ok" for done in checks.values())
    found = wire.Ready("ok" if is_ready else "not-ready", checks)
    return Response(encode(found), 200 if is_ready else 503, media_type="application/json")


async def check(services: Services) -> dict[str, str]:
    preparing = services.readiness.preparing
    return {
        "database": await _database(services),
        "rules": f"preparing {', '.join(preparing)}" if preparing else "ok",
        "bots": _bots(services),
        "disk": await _disk(services),
        "draining": "yes" if services.is_draining else "ok",
    }


def _bots(services: Services) -> str:
    """However much one visitor has waiting, others are still served at once."""
    wait = services.scheduler.longest_wait
    return "ok" if wait is None else f"whose turn is next has waited for {wait:.0f} s"


async def _database(services: Services) -> str:
    try:
        async with asyncio.timeout(PING_SECONDS):
            await services.store.ping()
    except LampionError as failed:
        return failed.code
    except TimeoutError:
        return "slow"
    return "ok"


async def _disk(services: Services) -> str:
    free = await services.store.disk_free()
    if free is None:
        free = shutil.disk_usage(".").free
    return "ok" if free > LEAST_DISK else "almost full"


async def health(ask: Ask) -> wire.Health:
    rooms = ask.services.rooms.in_memory.values()
    watchers = sum(len(room.watchers) for room in rooms)
    return wire.Health(
        "ok", lampion.__version__, len(rooms), watchers, 1 + len(ask.services.peers.others),
        ask.services.supervisor.troubles.names,
    )  # fmt: skip


async def metric_values(ask: Ask) -> Response:
    """For a Prometheus server: with the token, or without one from this machine and not through
    a proxy."""
    headers = ask.request.headers
    wanted, given = ask.services.config.metrics_token, bearer_of(headers) or ""
    is_local = ask.who.address in LOOPBACK and not any(name in headers for name in FORWARDED)
    if not (secrets.compare_digest(given.encode(), wanted.encode()) if wanted else is_local):
        raise TableError("there is no such page", code="no-page", where="/metrics")
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


ENDPOINTS = (
    Endpoint("GET", "/live", "Check liveness", live, wire.Live),
    Endpoint("GET", "/ready", "Check readiness", ready, wire.Ready),
    Endpoint("GET", "/health", "Return figures about this process", health, wire.Health),
    Endpoint("GET", "/metrics", "Return metrics for Prometheus", metric_values, str, media_type="text/plain",
             takes_token=False),
)  # fmt: skip
