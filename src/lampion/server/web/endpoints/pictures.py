"""Pictures for link previews."""

from __future__ import annotations

from starlette.responses import Response

from lampion.server.web import limits, previews
from lampion.server.web.endpoints.tables import TABLE
from lampion.server.web.http import Ask, Endpoint


async def table_picture(ask: Ask) -> Response:
    return await _picture(ask, ask.table)


async def site_picture(ask: Ask) -> Response:
    return await _picture(ask, "")


async def _picture(ask: Ask, table: str) -> Response:
    owner = f"address {ask.who.address}"
    return await previews.picture(ask.services, ask.request, table, owner)


_LANGUAGE = {"language": "of the words in it; English if there is no such catalog"}
ENDPOINTS = (
    Endpoint("GET", f"{TABLE}/picture", "Return the picture for links to a table", table_picture, bytes,
             texts=_LANGUAGE, limit=limits.PICTURES, media_type="image/png"),
    Endpoint("GET", "/api/picture", "Return the picture for links to this site", site_picture, bytes,
             texts=_LANGUAGE, limit=limits.PICTURES, media_type="image/png"),
)  # fmt: skip
