"""The documentation under /docs: the site that `make docs` builds, as part of the package.

Its files are named once and each is read when it is first asked for, so no path, however strange,
reaches the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from lampion.server.errors import TableError
from lampion.server.web.client import ClientFile, file_of, reply_with
from lampion.server.web.shell import problem_response

FOLDER = Path(__file__).parent.parent / "documentation"
NOT_BUILT = "The documentation is not part of this installation. In a checkout, type: make docs\n"


@cache
def pages(folder: Path) -> Mapping[str, Path]:
    """Every file of the site by its path below /docs/."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in files}


@cache
def _file(path: Path) -> ClientFile:
    return file_of(path.name, path.read_bytes())


async def documentation(request: Request) -> Response:
    """A page or a file of the site."""
    if not (known := pages(FOLDER)):
        return PlainTextResponse(NOT_BUILT, 404, {"Cache-Control": "no-store"})
    path: str = request.path_params["path"]
    name = f"{path}index.html" if not path or path.endswith("/") else path
    if name not in known:
        return problem_response(TableError("there is no such page", code="no-page", where="path"))
    return reply_with(_file(known[name]), request)


async def front_page(request: Request) -> Response:
    """/docs itself: the addresses in a page are relative, so it needs the slash."""
    return RedirectResponse(f"{request.scope.get('root_path', '')}/docs/", 308)
