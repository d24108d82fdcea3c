"""From the pages of the repository to the site, strictly: a warning is an error."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.console import nocolor

import lampion
from scripts.site.examples import STYLE_SHEET, style_sheet
from scripts.site.finish import finish
from scripts.site.links import ROOT
from scripts.site.stage import stage

OUT = ROOT / "src" / "lampion" / "server" / "documentation"
PAGES = ROOT / ".docs" / "pages"
SETTINGS = {
    "project": "Lampion",
    "version": lampion.__version__,
    "release": lampion.__version__,
    "html_title": "Lampion",
    "extensions": ["myst_parser"],
    "myst_enable_extensions": ["attrs_inline", "colon_fence"],
    "myst_heading_anchors": 4,
    "html_theme": "furo",
    "html_theme_options": {"footer_icons": []},
    "html_static_path": [str(Path(__file__).parent / "static")],
    "html_css_files": ["lampion.css", STYLE_SHEET],
    "html_favicon": str(ROOT / "web" / "public" / "lantern.svg"),
    "html_logo": str(ROOT / "web" / "public" / "lantern.svg"),
    "html_use_index": False,
    "html_domain_indices": False,
    "html_copy_source": False,
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_show_sourcelink": False,
    "language": "en",
    "python_display_short_literal_types": True,
    "python_maximum_signature_line_length": 88,
    "pygments_style": "friendly",
    "show_warning_types": True,
    # Some rulebooks skip a level; and a type named in a signature may be defined in two modules.
    "suppress_warnings": ["myst.header", "ref.python"],
    "toc_object_entries": False,
}


def build(out: Path, pages: Path = PAGES) -> int:
    """Write the site into `out`; the number of warnings."""
    nocolor()
    stage(pages)
    work = pages.parent / "site"
    shutil.rmtree(work, ignore_errors=True)
    with tempfile.TemporaryDirectory() as trees:
        app = Sphinx(
            srcdir=pages,
            confdir=None,
            outdir=work,
            doctreedir=trees,
            buildername="html",
            confoverrides=SETTINGS,
            freshenv=True,
            status=None,
            warning=sys.stderr,
        )
        app.build(force_all=True)
    if not app._warncount:
        (work / "_static" / STYLE_SHEET).write_text(style_sheet(), "utf-8")
        finish(work)
        shutil.rmtree(out, ignore_errors=True)
        work.rename(out)
    return app._warncount


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to write to")
    parser.add_argument("--pages", type=Path, default=PAGES, help="where to put the Markdown")
    given = parser.parse_args()
    out = given.out
    warnings = build(out, given.pages)
    if warnings:
        print(f"{warnings} warnings; the site was not replaced", file=sys.stderr)
        return 1
    pages = len(list(out.rglob("*.html")))
    print(f"{pages} pages in {out}, {time.process_time():.0f} s of processor time")
    return 0
