"""What the tests cost: the processor time of each, with that of its servers and browsers.

    python -m pytest -p scripts.costs -n 2 tests/web     # writes .venv/costs.jsonl
    python -m scripts.costs [--tests]                    # prints it by file, or by test

`LAMPION_COSTS` names another file. Wall time says little where others work on the same machine, and in a test that waits.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

LOG = Path(os.environ.get("LAMPION_COSTS", ".venv/costs.jsonl"))
SHOWN = 60


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        LOG.unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Each worker has its own processes, so what they use meanwhile is what this test uses."""
    own, family, begin = own_time(), family_time(), time.monotonic()
    result = yield
    cost = {
        "test": item.nodeid,
        "own": round(own_time() - own, 3),
        # A browser that nobody waited for takes its time along when it ends.
        "others": max(0.0, round(family_time() - family, 3)),
        "wall": round(time.monotonic() - begin, 3),
    }
    with LOG.open("a") as log:
        log.write(json.dumps(cost) + "\n")
    return result


def own_time() -> float:
    used = psutil.Process().cpu_times()
    return float(used.user + used.system)


def family_time() -> float:
    """Seconds of all processes below this one, those that have ended and were waited for included."""
    me = psutil.Process()
    total = ended(me)
    for one in me.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            used = one.cpu_times()
            total += float(used.user + used.system) + ended(one)
    return total


def ended(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.children_user + used.children_system)


def main() -> None:
    by_test = "--tests" in sys.argv
    sums: dict[str, Counter[str]] = {}
    for line in LOG.read_text().splitlines():
        cost = json.loads(line)
        name = cost.pop("test")
        key = name if by_test else name.partition("::")[0]
        sums.setdefault(key, Counter()).update(cost)
    print(f"{'own':>7} {'others':>7} {'wall':>7}  seconds")
    ranked = sorted(sums.items(), key=lambda each: -each[1]["own"] - each[1]["others"])
    for key, cost in ranked[:SHOWN]:
        print(f"{cost['own']:7.1f} {cost['others']:7.1f} {cost['wall']:7.1f}  {key}")
    whole = sum(sums.values(), Counter())
    print(f"{whole['own']:7.1f} {whole['others']:7.1f} {whole['wall']:7.1f}  all")


if __name__ == "__main__":
    main()
