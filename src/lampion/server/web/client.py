"""The built web client: its files, and its page for every address that the client handles.

All files are read once, when the first is asked for: a request never touches the disk, so no
path, however strange, can reach it.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lampion.server.errors import TableError
from lampion.server.web import previews
from lampion.server.web.shell import problem_response

STATIC = Path(__file__).parent.parent / "static"
FOREVER = "public, max-age=31536000, immutable"
LONGEST_PATH = 255
SMALLEST_GZIP = 1000
"""Bytes; below that the head of the reply is most of it."""
COMPRESSIBLE = (
    "text/",
    "application/javascript",
    "application/json",
    "application/wasm",
    "image/svg+xml",
)
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".stamp": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
"""Not from the machine's own table, which may know another type or none."""


class ClientFile(NamedTuple):
    body: bytes
    zipped: bytes
    """Empty where compression would not pay."""
    etag: str
    media_type: str
    cache_control: str


@cache
def client_files(folder: Path = STATIC) -> Mapping[str, ClientFile]:
    """Every file of the built client by its path."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    return {
        name: file_of(name, path.read_bytes())
        for name, path in named.items()
        if not any(part.startswith(".") for part in name.split("/"))
    }


def build(folder: Path = STATIC) -> str:
    """A name for the built client. Its page names every script by a hash of what is in it, so
    another client has another page."""
    page = client_files(folder).get("index.html")
    return page.etag if page else ""


@cache
def index_page(base: str, folder: Path = STATIC) -> ClientFile | None:
    """The page of the client, told where it lives: every address in it starts at `base`."""
    built = client_files(folder).get("index.html")
    if built is None:
        return None
    page = built.body.decode()
    page = page.replace('name="build" content=""', f'name="build" content="{build(folder)}"')
    for attribute in ("href", "src", "content"):
        page = page.replace(f'{attribute}="/', f'{attribute}="{html.escape(base)}')
    return file_of("index.html", page.encode())


def file_of(name: str, body: bytes) -> ClientFile:
    """A file as it is served, compressed once and for all."""
    suffix = Path(name).suffix
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    media_type = MEDIA_TYPES.get(suffix, guessed)
    pays = len(body) >= SMALLEST_GZIP and media_type.startswith(COMPRESSIBLE)
    return ClientFile(
        body,
        gzip.compress(body, mtime=0) if pays else b"",
        hashlib.sha256(body).hexdigest()[:20],
        media_type,
        FOREVER if name.startswith("assets/") else "no-cache",
    )


async def client_file(request: Request) -> Response:
    """A file of the built client, or the client itself, which knows its own pages."""
    path = request.path_params["path"]
    if len(path) > LONGEST_PATH:
        return problem_response(TableError("this address is too long", code="too-long"))
    if found := client_files().get(path):
        if path != "index.html":
            return reply_with(found, request)
    elif not _may_be_page(path):
        return _no_page(path)
    page = index_page(f"{request.scope.get('root_path', '')}/")
    if page is None:
        message = "the web client has not been built; see CONTRIBUTING.md"
        return problem_response(TableError(message, code="no-client"))
    if table := previews.table_in(path):
        tags = await previews.tags(request.app.state.services, request, table)
        page = file_of("index.html", page.body.replace(b"</head>", f"{tags}</head>".encode(), 1))
    return reply_with(page, request, language=table is not None)


def _may_be_page(path: str) -> bool:
    """Pages of the client have short plain names; a dot means a file, and there is none."""
    is_plain = path.isascii() and path.isprintable() and not set(path) & set('\\."<>')
    return is_plain and not path.startswith(("api/", "assets/")) and path != "api"


def _no_page(path: str) -> Response:
    is_endpoint = path == "api" or path.startswith("api/")
    message = "no such endpoint; /openapi.json lists them" if is_endpoint else "no such page"
    where = f"/{path}" if path.isascii() and path.isprintable() else ""
    return problem_response(TableError(message, code="no-page", where=where))


def reply_with(file: ClientFile, request: Request, *, language: bool = False) -> Response:
    zips = bool(file.zipped) and _accepts_gzip(request.headers.get("accept-encoding", ""))
    etag = f'"{file.etag}{"-gzip" if zips else ""}"'
    headers = {"ETag": etag, "Cache-Control": file.cache_control}
    depends = ["Accept-Encoding"] * bool(file.zipped) + ["Accept-Language"] * language
    if depends:
        headers["Vary"] = ", ".join(depends)
    if _matches(request.headers.get("if-none-match", ""), etag):
        return Response(None, 304, headers)
    if zips:
        headers["Content-Encoding"] = "gzip"
    headers["Content-Type"] = file.media_type  # as it is: Starlette would add a charset
    return Response(file.zipped if zips else file.body, 200, headers)


def _accepts_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        name, _, quality = each.partition(";")
        if name.strip() in ("gzip", "*"):
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _matches(condition: str, etag: str) -> bool:
    named = {each.strip().removeprefix("W/") for each in condition.split(",")}
    return etag in named or "*" in named
