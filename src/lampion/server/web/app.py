"""The application: the endpoints, the live feed, the built client, and their life."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator, Sequence

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from lampion.server.config import Config
from lampion.server.play.threads import collect_rarely
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.web.client import ClientFile, client_file, file_of, reply_with
from lampion.server.web.documentation import documentation, front_page
from lampion.server.web.endpoints import ENDPOINTS
from lampion.server.web.openapi import openapi
from lampion.server.web.prefix import PathPrefix
from lampion.server.web.shell import Shell, wrong_page
from lampion.server.web.sockets import Live

GZIP_LEVEL = 5
"""Takes a quarter of the time of level 9, the default, for two percent more bytes."""


def make_app(config: Config, *, games: Sequence[str] = ()) -> Starlette:
    """The server for all games, or for some of them."""
    return app_of(Services(config, open_store(config.database), games=games))


def app_of(services: Services) -> Starlette:
    config = services.config

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await services.open()
        collect_rarely()
        yield
        await services.close()

    routes: list[BaseRoute] = [endpoint.route(services) for endpoint in ENDPOINTS]
    routes += [
        WebSocketRoute("/api/tables/{table:str}/live", Live(services)),
        Route("/openapi.json", _document),
        Route("/docs", front_page),
        Route("/docs/{path:path}", documentation),
        Route("/{path:path}", client_file),
    ]
    # The shell comes first: nothing leaves without its headers.
    middleware = [
        Middleware(Shell, config=config, limiter=services.limiter, sanctions=services.sanctions),
        Middleware(PathPrefix, prefix=config.path_prefix),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=GZIP_LEVEL),
    ]
    app = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={HTTPException: wrong_page},
        lifespan=life,
    )
    app.state.services = services
    return app


async def _document(request: Request) -> Response:
    return reply_with(_document_file(), request)


@functools.cache
def _document_file() -> ClientFile:
    """Cached: building it takes as long as twenty moves."""
    return file_of("openapi.json", msgspec.json.encode(openapi()))
