"""Work for the processes of `lampion.server.play.workers`, in a module that imports next to nothing:
each of them imports it again."""

from __future__ import annotations

import os

from lampion.server.errors import TableError


def own_number(_: object = None) -> int:
    return os.getpid()


def refuse(where: str) -> None:
    raise TableError("this is refused", code="stale", where=where)


def think_for_ever() -> None:
    while True:
        pass


def die() -> None:
    os._exit(3)


def seconds_left() -> float:
    """Of processor time, until the system ends this process."""
    import resource  # not on Windows

    used = resource.getrusage(resource.RUSAGE_SELF)
    return resource.getrlimit(resource.RLIMIT_CPU)[0] - used.ru_utime - used.ru_stime
