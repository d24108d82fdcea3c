"""A process that works for the server: `python -m lampion.server.play.worker [SECONDS]`, one piece of
work after the other (see `workers`).

    stdin     length, pickle of (function, arguments)
    stdout    length, pickle of (True, what it returned) or (False, what it raised)

Bytes are returned as they are, anything else as JSON: it is on its way to a browser.

It ends with its server, whatever ends that: nobody writes to its stdin any more.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import BinaryIO

import msgspec

from lampion.server.play.threads import step_back

LENGTH_BYTES = 8
MOST_SECONDS = 10
"""Of processor time for one piece of work, unless told; a record made for the purpose takes more.
Time on the clock would tell how busy the machine is, and nothing about the work."""


def write_frame(file: BinaryIO, content: bytes) -> None:
    file.write(len(content).to_bytes(LENGTH_BYTES))
    file.write(content)
    file.flush()


def read_frame(file: BinaryIO) -> bytes:
    """EOFError if the other side is gone."""
    length = int.from_bytes(_read(file, LENGTH_BYTES))
    return _read(file, length)


def _read(file: BinaryIO, count: int) -> bytes:
    content = file.read(count)
    if len(content) < count:
        raise EOFError
    return content


def answer_to(question: bytes) -> bytes:
    try:
        function, args = pickle.loads(question)
        found = function(*args)
        return pickle.dumps((True, found if type(found) is bytes else msgspec.json.encode(found)))
    except Exception as error:
        return pickle.dumps((False, error))


def give_time(most_seconds: int) -> None:
    """So many seconds of processor time more; then the system ends this process (SIGXCPU)."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + 1 + most_seconds
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(most_seconds: int = MOST_SECONDS) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: for the server to decide
    step_back()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    while True:
        try:
            question = read_frame(sys.stdin.buffer)
        except EOFError:
            return
        give_time(most_seconds)
        write_frame(answers, answer_to(question))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
