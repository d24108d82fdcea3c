"""The documentation site, built once for all processes that run its tests, and a server that shows it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.support import free_port, wait_for

SERVE = """
import sys
from pathlib import Path
from lampion.server.web import documentation
documentation.FOLDER = Path(sys.argv.pop(1))
from lampion.cli.main import main
main()
"""


def built_site(factory: pytest.TempPathFactory) -> Path:
    """The folder of the site; the first process that asks builds it."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    out = folder / "documentation"
    with (folder / "documentation.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            words = ["--out", str(out), "--pages", str(folder / "docs" / "pages")]
            done = subprocess.run(
                [sys.executable, "-m", "scripts.site", *words], capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
    return out


@contextlib.contextmanager
def serving(site: Path, database: Path, prefix: str = "") -> Iterator[str]:
    """The address of a real server that shows this site under /docs."""
    port = free_port()
    words = ["serve", "--port", str(port), "--database", str(database), "--path-prefix", prefix]
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(site), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        base = f"http://127.0.0.1:{port}{prefix}"
        try:
            wait_for(lambda: _answers(base))
            yield base
        finally:
            process.terminate()


def _answers(base: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{base}/live", timeout=30).status_code == 200
    return False
