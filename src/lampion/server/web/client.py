"""The built web client: its files, and its page for every address that is not one of them."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from lampion.server.errors import TableError
from lampion.server.web.http import problem_response

STATIC = Path(__file__).parent.parent / "static"
FOREVER = "public, max-age=31536000, immutable"


async def client_file(request: Request) -> Response:
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
