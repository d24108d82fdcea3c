"""The preview of a link to a table on other sites: Open Graph tags in the page, and the picture
that they name."""

from __future__ import annotations

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from lampion.core.messages import DEFAULT, languages
from lampion.server.config import Config
from lampion.server.services import Services
from lampion.server.study import pictures

SECONDS_KEPT = 600
PAGE = "t/"


def table_in(path: str) -> str | None:
    """The table that a page of the client is about."""
    name = path.removeprefix(PAGE)
    return name if path.startswith(PAGE) and name and "/" not in name else None


async def tags(services: Services, request: Request, table: str) -> str:
    """For the head of the page of a table."""
    facts = await services.pictures.facts(table)
    language = _language(request)
    site = _site(services.config, request)
    picture = f"{site}/api/tables/{table}/picture?language={language}" if facts.game else ""
    named = {
        "og:type": "website",
        "og:site_name": "Lampion",
        "og:title": pictures.title(facts, language),
        "og:description": pictures.description(facts, language),
        "og:url": f"{site}/t/{table}" if facts.game else f"{site}/",
        "og:image": picture or f"{site}/api/picture?language={language}",
        "og:image:type": "image/png",
        "og:image:width": str(pictures.WIDTH),
        "og:image:height": str(pictures.HEIGHT),
    }
    lines = [
        f'<meta property="{name}" content="{escape(value)}" />' for name, value in named.items()
    ]
    return "\n    ".join([*lines, '<meta name="twitter:card" content="summary_large_image" />'])


async def picture(services: Services, request: Request, table: str, owner: str) -> Response:
    """A PNG. A client that has the current one gets 304, and nothing is drawn."""
    facts = await services.pictures.facts(table) if table else pictures.SITE
    wanted = request.query_params.get("language", "")
    language = wanted if wanted in languages() else DEFAULT
    etag = f'"{facts.name(language)}"'
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={SECONDS_KEPT}"}
    if request.headers.get("if-none-match") == etag:
        return Response(None, 304, headers)
    drawn = await services.pictures.png(facts, language, owner)
    return Response(drawn, 200, headers, "image/png")


def _language(request: Request) -> str:
    accepted = request.headers.get("accept-language", "")
    return pictures.language_for(accepted, languages(), DEFAULT)


def _site(config: Config, request: Request) -> str:
    """Where the site is for this request: these addresses are followed from elsewhere."""
    if config.public_url:
        return config.site
    return f"{request.url.scheme}://{request.url.netloc}{config.path_prefix}"
