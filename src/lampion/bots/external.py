"""A bot that is another program: JSON lines over its standard input and output (docs/bots.md).

to the program     {"type": "hello", "protocol": "lampion-bot/1"}
from the program   {"name": "My bot"}
to the program     {"type": "choose", "game": "my_game", "seat": 0, "view": {...}, "legal": ["17r1@0,-1", ...], "seconds": 10.0}
from the program   {"action": "17r1@0,-1"}
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lampion.bots.base import Budget, Stop
from lampion.core.errors import LampionError
from lampion.core.game import game_of_record
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

PROTOCOL = "lampion-bot/1"
DEFAULT_SECONDS = 10.0


class BotFailed(LampionError):
    """The program did not answer, or answered something that is not a legal action."""

    code = "bot-failed"


class ExternalBot:
    def __init__(
        self, command: str, patience: Callable[[float], float] = lambda s: s + 1.0
    ) -> None:
        """`patience` says how long to wait, by the clock on the wall, for an answer that may take
        so many seconds."""
        self.command, self._patience = command, patience
        self._program: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._ending: Callable[[], object] | None = None

    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        game = game_of_record(seen.dtype)
        texts = {game.action_text(seen, seat, int(action)): int(action) for action in legal}
        seconds = budget.seconds or DEFAULT_SECONDS
        question = {
            "type": "choose",
            "game": game.NAME,
            "seat": seat,
            "view": game.view(seen, seat),
            "legal": list(texts),
            "seconds": seconds,
        }
        answer = self._ask(question, seconds)
        action = answer.get("action")
        if not isinstance(action, str) or action not in texts:
            raise BotFailed(
                f"{self.command!r} chose {action!r}, which is not legal", where=self.command
            )
        return texts[action]

    def _ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        program = self._running()
        assert program.stdin
        try:
            program.stdin.write(json.dumps(question) + "\n")
            program.stdin.flush()
            answer = json.loads(self._answers.get(timeout=self._patience(seconds)))
        except queue.Empty:
            self.close()
            raise BotFailed(
                f"{self.command!r} did not answer within {seconds:g} s", where=self.command
            ) from None
        except (OSError, ValueError) as problem:
            self.close()
            raise BotFailed(f"{self.command!r} failed: {problem}", where=self.command) from None
        if not isinstance(answer, dict):
            raise BotFailed(
                f"{self.command!r} answered something that is no JSON object", where=self.command
            )
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._program is None or self._program.poll() is not None:
            self.close()
            self._answers = queue.Queue()
            words = shlex.split(self.command)
            try:
                self._program = subprocess.Popen(
                    words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
                    errors="replace",
                )  # fmt: skip
            except OSError as problem:
                raise BotFailed(
                    f"{self.command!r} cannot be started: {problem.strerror}", where=self.command
                ) from None
            listener = threading.Thread(
                target=self._listen, args=(self._program, self._answers), daemon=True
            )
            listener.start()
            # Not `__del__`: at the end of Python the listener may hold the lock of its pipe for good.
            self._ending = weakref.finalize(self, _end, self._program, listener)
            self._ask({"type": "hello", "protocol": PROTOCOL}, DEFAULT_SECONDS)
        return self._program

    @staticmethod
    def _listen(program: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
        assert program.stdout
        for line in program.stdout:
            answers.put(line)
        answers.put("")

    def close(self) -> None:
        self._program = None
        if self._ending:
            self._ending()


def _end(program: subprocess.Popen[str], listener: threading.Thread) -> None:
    """Stop the program, and then what reads from it; called once, at the latest by `atexit`."""
    program.kill()
    program.wait()
    listener.join()
    for pipe in (program.stdin, program.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
