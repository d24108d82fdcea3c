"""Structured logs: every line of the process in one format, without secrets, without floods.

What people write, their names, keys, cookies and invitations are never logged on purpose. The
formatters mask them all the same, because an exception of a library may quote what it was given.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any

import msgspec

MASKED = "***"
WINDOW = 10.0
"""Seconds in which the same error is logged once."""
MOST_KINDS = 1000
"""Different errors that are remembered at a time."""
_USUAL = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}
_PATTERNS = (
    (re.compile(r"(\w+://[^\s:/@]*:)[^\s@]+@"), rf"\1{MASKED}@"),
    (re.compile(r"(?i)(\b(?:password|passwd|sslpassword)\s*[=:]\s*)[^\s&'\",]+"), rf"\1{MASKED}"),
    (re.compile(r"(?i)(\bbearer\s+)[\w.~+/=-]+"), rf"\1{MASKED}"),
    (re.compile(r"(\blampion=)[\w-]{16,}"), rf"\1{MASKED}"),
    (re.compile(r"(/t/[\w-]+#)[\w-]+"), rf"\1{MASKED}"),
    # Keys and tokens are 32 random bytes in base64, seeds in hex: longer than any id of ours.
    (re.compile(r"(?<![\w-])(?:[\w-]{43}|[0-9a-f]{64})(?![\w-])"), MASKED),
)


class Masker:
    """Masks the secrets of this server, and whatever has the shape of one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        # One or two letters would mask half of every line and protect nobody.
        self._secrets = [secret for secret in secrets if len(secret) > 2]

    def __call__(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, MASKED)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text


class JsonLines(logging.Formatter):
    def __init__(self, mask: Callable[[str], str]) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "at": f"{seconds}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": self._mask(record.getMessage()),
            **{key: self._plain(value) for key, value in _extras(record).items()},
        }
        if record.exc_info:
            line["exception"] = self._mask(self.formatException(record.exc_info))
        return msgspec.json.encode(line).decode()

    def _plain(self, value: Any) -> Any:
        """Numbers as they are, everything else as a masked text."""
        is_number = value is None or isinstance(value, bool | int | float)
        return value if is_number else self._mask(str(value))


class TextLines(logging.Formatter):
    def __init__(self, mask: Callable[[str], str]) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        extras = "".join(f" {key}={value}" for key, value in _extras(record).items())
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        text = f"{at} {record.levelname.lower():7} {record.getMessage()}{extras}"
        if record.exc_info:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        return self._mask(text)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in record.__dict__.items() if key not in _USUAL}


Kind = tuple[str, str, type[BaseException] | None]


class _Seen(msgspec.Struct):
    since: float
    record: logging.LogRecord
    repeats: int = 0


class OncePerWindow(logging.Handler):
    """Hands warnings and errors on once per window, then says how often they were repeated.

    A fault that hits every request would otherwise fill the disk with one traceback a request.
    """

    def __init__(
        self,
        target: logging.Handler,
        window: float = WINDOW,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._target, self._window, self._clock = target, window, clock
        self._seen: OrderedDict[Kind, _Seen] = OrderedDict()
        self._timer: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Called under the lock of the handler."""
        self.tell_repeats()
        if record.levelno < logging.WARNING:
            self._target.handle(record)
            return
        kind = _kind(record)
        if kind in self._seen:
            self._seen[kind].repeats += 1
            self._tell_later()
            return
        self._seen[kind] = _Seen(self._clock(), record)
        if len(self._seen) > MOST_KINDS:
            self._tell(self._seen.popitem(last=False)[1])
        self._target.handle(record)

    def tell_repeats(self, *, all_of_them: bool = False) -> None:
        """Report and forget what was first seen longer ago than the window."""
        now = self._clock()
        while self._seen:
            kind = next(iter(self._seen))
            if not all_of_them and now - self._seen[kind].since < self._window:
                return
            self._tell(self._seen.pop(kind))

    def _tell(self, seen: _Seen) -> None:
        if not seen.repeats:
            return
        first, times = seen.record, "once" if seen.repeats == 1 else f"{seen.repeats} times"
        message = f"repeated {times}: {first.getMessage()}"
        record = logging.LogRecord(first.name, first.levelno, "", 0, message, None, None)
        record.__dict__["repeated"] = seen.repeats
        self._target.handle(record)

    def _tell_later(self) -> None:
        """If nothing else is logged, the count must not wait for ever."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(self._window, self._tell_now)
            self._timer.daemon = True
            self._timer.start()

    def _tell_now(self) -> None:
        self.acquire()
        try:
            self._timer = None
            self.tell_repeats()
            if any(seen.repeats for seen in self._seen.values()):
                self._tell_later()
        finally:
            self.release()

    def close(self) -> None:
        self.acquire()
        try:
            if self._timer:
                self._timer.cancel()
            self.tell_repeats(all_of_them=True)
        finally:
            self.release()
        super().close()


def _kind(record: logging.LogRecord) -> Kind:
    error = record.exc_info[0] if record.exc_info else None
    return (record.name, record.getMessage(), error)


def set_up_logs(style: str, level: str, secrets: Iterable[str] = ()) -> None:
    """From now on every line of this process, libraries and crashes included, looks like this."""
    masker = Masker(secrets)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines(masker) if style == "json" else TextLines(masker))
    logging.basicConfig(level=level.upper(), handlers=[OncePerWindow(lines)], force=True)
    logging.captureWarnings(True)
    # At info they tell about every start and every migration step, and uvicorn about addresses.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    sys.excepthook = _log_crash
    threading.excepthook = _log_thread_crash


def _log_crash(
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("lampion").critical("the server crashed", exc_info=(kind, error, trace))


def _log_thread_crash(crash: threading.ExceptHookArgs) -> None:
    if crash.exc_value is not None:
        _log_crash(crash.exc_type, crash.exc_value, crash.exc_traceback)
