"""What a Prometheus server can ask for at /metrics."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

ACTIONS = Counter("lampion_actions_total", "Log entries of games: decisions and outcomes of chance")
REFUSALS = Counter("lampion_refusals_total", "Commands and requests that were refused", ["code"])
COMMAND_SECONDS = Histogram(
    "lampion_command_seconds",
    "From a command to everybody who watches",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
)
SOCKETS = Gauge("lampion_sockets", "Open sockets")
TABLES = Gauge("lampion_tables", "Tables in memory")
SLOW_READERS = Counter(
    "lampion_slow_readers_total", "Sockets and replies cut off because nobody read them"
)
WAITING_WORK = Gauge(
    "lampion_waiting_work", "Bots, hints, replays and verifications that wait for a core"
)
DUTIES = Gauge("lampion_duties", "Tables whose bots or clocks this process looks after")
TROUBLES = Gauge("lampion_troubles", "Chores that fail at the moment and are tried again")
PEERS = Gauge("lampion_processes", "Processes that serve the same database, this one included")
NOTICES = Counter(
    "lampion_notices_total",
    "What became of notices, by the way they were to go",
    ["way", "outcome"],
)
NOTICES_WAITING = Gauge("lampion_notices_waiting", "Notices that are to be sent, now or later")
NOTICES_FAILED = Gauge("lampion_notices_failed", "Notices that failed at their last try")
NOTICE_SECONDS = Histogram(
    "lampion_notice_seconds",
    "From the moment a notice is due to the moment the receiver has it",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600),
)
