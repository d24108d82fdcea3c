"""The application: the endpoints, the live feed, the built client, and their life."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from lampion.server import metrics
from lampion.server.api import ENDPOINTS
from lampion.server.bots import BotRunner
from lampion.server.config import Config
from lampion.server.house import House
from lampion.server.http import Services, problem_response
from lampion.server.limits import Limiter
from lampion.server.live import Live
from lampion.server.openapi import openapi
from lampion.server.people import People
from lampion.server.readiness import Readiness
from lampion.server.security import SecurityHeaders
from lampion.server.store import open_store
from lampion.server.table import TableError

STATIC = Path(__file__).parent / "static"
FOREVER = "public, max-age=31536000, immutable"


def make_app(config: Config, *, games: Sequence[str] = ()) -> Starlette:
    """The server for all games, or for some of them."""
    store = open_store(config.database)
    house = House(store, BotRunner(config.bot_threads), Readiness(games), bot_pause=config.bot_pause)
    services = Services(house, People(store), Limiter(config.limit_scale), config)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await house.open()
        yield
        await house.close()

    live = Live(house, services.people, services.limiter, config)
    routes: list[BaseRoute] = [endpoint.route(services) for endpoint in ENDPOINTS]
    routes += [
        WebSocketRoute("/api/tables/{table:str}/live", live),
        Route("/openapi.json", _document),
        Route("/metrics", _metrics),
        Route("/{path:path}", _client),
    ]
    middleware = [Middleware(SecurityHeaders, config=config), Middleware(GZipMiddleware, minimum_size=1000)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=life)
    app.state.house = house
    return app


async def _document(request: Request) -> Response:
    return Response(msgspec.json.encode(openapi()), media_type="application/json")


async def _metrics(request: Request) -> Response:
    house: House = request.app.state.house
    metrics.TABLES.set(len(house.rooms))
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


async def _client(request: Request) -> Response:
    """A file of the built client, or the client itself, which knows its own pages."""
    path = request.path_params["path"]
    if path.startswith("api/"):
        return problem_response(TableError("there is no such endpoint; /openapi.json lists them", code="no-page", where=f"/{path}"))
    file = (STATIC / path).resolve()
    if path and file.is_file() and file.is_relative_to(STATIC.resolve()):
        return FileResponse(file, headers={"Cache-Control": FOREVER if path.startswith("assets/") else "no-cache"})
    index = STATIC / "index.html"
    if not index.is_file():
        return Response("The web client has not been built; see CONTRIBUTING.md.", 503, media_type="text/plain")
    return FileResponse(index, headers={"Cache-Control": "no-cache"})
