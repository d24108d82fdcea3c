"""Makes the site fit the security headers of the server: no script inside of a page.

The policy allows scripts from the site's own files only (`lampion.server.web.security`), so what
the theme writes into its pages moves into files.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def finish(site: Path) -> None:
    for page in sorted(site.rglob("*.html")):
        text = page.read_text("utf-8")
        for script in set(_SCRIPT.findall(text)):
            up = "../" * len(page.relative_to(site).parent.parts)
            text = text.replace(f"<script>{script}</script>", _moved(script, site, up))
        page.write_text(text, "utf-8")
    for name in ("objects.inv", ".buildinfo"):
        (site / name).unlink(missing_ok=True)


def _moved(script: str, site: Path, up: str) -> str:
    """The script as a file. Without `defer`, so that it runs where it stood: it sets the colors
    before the page is drawn."""
    name = f"_static/page-{hashlib.sha256(script.encode()).hexdigest()[:12]}.js"
    (site / name).write_text(script, "utf-8")
    return f'<script src="{up}{name}"></script>'
