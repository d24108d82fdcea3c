"""The application: the endpoints, the live feed, the built client, and their life."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from lampion.server import metrics
from lampion.server.config import Config
from lampion.server.people.people import People
from lampion.server.play.bots import BotRunner
from lampion.server.tables.readiness import Readiness
from lampion.server.store import open_store
from lampion.server.tables.house import House
from lampion.server.web.client import client_file
from lampion.server.web.endpoints import ENDPOINTS
from lampion.server.web.http import Services
from lampion.server.web.limits import Limiter
from lampion.server.web.openapi import openapi
from lampion.server.web.security import SecurityHeaders
from lampion.server.web.sockets import Live


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
        Route("/{path:path}", client_file),
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
