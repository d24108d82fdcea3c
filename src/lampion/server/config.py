"""Every setting of the server, declared once.

The class `Config` is the only list: the flags of `lampion serve`, the variables LAMPION_*, the keys
of the config file and the table in docs/hosting.md are all made from its fields. `settings.py`
reads them; the rest of the server only sees a finished, checked `Config`.
"""

from __future__ import annotations

import os
import sys
from dataclasses import MISSING, dataclass, field, fields
from ipaddress import ip_address, ip_network
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from lampion.core.errors import LampionError


class BadConfig(LampionError):
    """A setting that cannot be used; `where` names the file, variable or flag, and the key."""

    code = "bad-config"


class Option(NamedTuple):
    """What there is to say about a setting besides its name, type and default."""

    group: str
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    shown_default: str = ""
    """For a default that depends on the machine."""
    flags: tuple[str, ...] = ()
    """More flags beside the one made from the name."""
    variables: tuple[str, ...] = ()
    """Older names of its variable."""


class Setting(NamedTuple):
    """One field of `Config`, with everything that flags, variables, files and docs need."""

    name: str
    kind: type
    option: Option
    default: Any

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "LAMPION_" + self.name.upper()

    @property
    def allowed(self) -> str:
        """What may be written, in words."""
        option = self.option
        if option.choices:
            return "one of " + ", ".join(option.choices)
        if self.kind in (int, float):
            noun = "a whole number" if self.kind is int else "a number"
            return f"{noun} {_span(option)}".strip()
        if self.kind is bool:
            return "true or false"
        if self.kind is tuple:
            return "a list of texts"
        return "a text"


def _span(option: Option) -> str:
    if option.least is not None and option.most is not None:
        return f"from {option.least:g} to {option.most:g}"
    return f"of at least {option.least:g}" if option.least is not None else ""


def spare_cores() -> int:
    """All but one, which answers people."""
    is_linux = sys.platform == "linux"
    cores = len(os.sched_getaffinity(0)) if is_linux else os.cpu_count() or 1
    return max(1, cores - 1)


REACH, DATA, BOTS, LIMITS = "Reaching it", "Data", "Bots", "Limits"
NOTIFY, RETENTION, WATCHING = "Notifications", "Retention", "Watching it"
GROUPS = (REACH, DATA, BOTS, LIMITS, NOTIFY, RETENTION, WATCHING)
"""In the order in which a host needs them."""


@dataclass(frozen=True)
class Config:
    database: Annotated[
        str,
        Option(
            DATA,
            "An SQLite file, or `postgresql://user:password@host/name`.",
            secret=True,
            shown_default="a file in your data folder",
        ),
    ] = ""
    host: Annotated[
        str,
        Option(REACH, "The address to listen on; `0.0.0.0` is the whole network."),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Option(
            REACH,
            "The port to listen on; 0 takes the first free one.",
            0,
            65535,
            shown_default="the first free one from 8000",
        ),
    ] = 0
    public_url: Annotated[
        str,
        Option(REACH, "Where browsers reach the server, such as `https://lampion.example`."),
    ] = ""
    path_prefix: Annotated[
        str,
        Option(REACH, "The folder of the site it lives in, such as `/lampion`."),
    ] = ""
    trusted_proxies: Annotated[
        tuple[str, ...],
        Option(
            REACH,
            "Proxies trusted to set X-Forwarded-For: addresses or networks, or `*`.",
            flags=("--proxies",),
            variables=("LAMPION_PROXIES",),
        ),
    ] = ("127.0.0.1",)
    bot_cores: Annotated[
        int,
        Option(
            BOTS,
            "How many bots, hints and other long computations may run at the same time, on a core"
            " each.",
            1,
            1024,
            shown_default="all cores but one",
        ),
    ] = field(default_factory=spare_cores)
    bot_pause: Annotated[
        float,
        Option(BOTS, "Seconds a bot's move takes at least, so that people can follow.", 0, 10),
    ] = 0.7
    limit_scale: Annotated[
        float,
        Option(LIMITS, "Multiplies every rate limit; for load tests.", 1, 10_000),
    ] = 1.0
    sockets_per_person: Annotated[
        int,
        Option(LIMITS, "Open WebSockets of one person.", 1, 10_000),
    ] = 10
    sockets_per_address: Annotated[
        int,
        Option(LIMITS, "Open WebSockets from one address.", 1, 100_000),
    ] = 60
    streams_per_person: Annotated[
        int,
        Option(LIMITS, "Open streams (`/api/me/stream`) of one person.", 1, 1000),
    ] = 4
    tables_per_person: Annotated[
        int,
        Option(LIMITS, "Running tables one person may host.", 1, 100_000),
    ] = 30
    tables_per_address: Annotated[
        int,
        Option(
            LIMITS,
            "New tables from one address: the largest burst, and the refill per hour.",
            1,
            1_000_000,
        ),
    ] = 60
    most_log: Annotated[
        int,
        Option(LIMITS, "Events in the log of one table.", 100, 1_000_000),
    ] = 5000
    request_seconds: Annotated[
        float,
        Option(
            LIMITS,
            "Seconds a request may take to arrive, or a reply may wait for its reader.",
            0.1,
            600,
        ),
    ] = 10.0
    push: Annotated[bool, Option(NOTIFY, "Whether browsers may ask for push messages.")] = True
    push_contact: Annotated[
        str,
        Option(
            NOTIFY,
            "How push services reach you: `mailto:you@example.org` or an https address.",
            shown_default="the `public_url`",
        ),
    ] = ""
    webhooks: Annotated[bool, Option(NOTIFY, "Whether people may have webhooks.")] = True
    notify_hosts: Annotated[
        tuple[str, ...],
        Option(
            NOTIFY,
            "Hosts of your own network that push messages and webhooks may go to, also by http,"
            " such as `ntfy.home:8080`.",
        ),
    ] = ()
    smtp_host: Annotated[
        str, Option(NOTIFY, "The mail server for e-mails; without one there are none.")
    ] = ""
    smtp_port: Annotated[int, Option(NOTIFY, "Its port.", 1, 65535)] = 587
    smtp_security: Annotated[
        str,
        Option(
            NOTIFY,
            "How the connection to it is encrypted.",
            choices=("starttls", "tls", "none"),
        ),
    ] = "starttls"
    smtp_user: Annotated[str, Option(NOTIFY, "The user name at the mail server.")] = ""
    smtp_password: Annotated[
        str, Option(NOTIFY, "The password at the mail server.", secret=True)
    ] = ""
    smtp_from: Annotated[str, Option(NOTIFY, "The address that e-mails come from.")] = ""
    mails_per_hour: Annotated[
        int,
        Option(
            NOTIFY,
            "E-mail notifications per hour for the whole server; the same limit applies separately to codes, sign-in links and tests.",
            1,
            1_000_000,
        ),
    ] = 200
    mails_per_person: Annotated[
        int,
        Option(
            NOTIFY,
            "Of these notifications, how many one person gets; fewer when there are not many left for the others.",
            1,
            1_000_000,
        ),
    ] = 20
    vacation_days: Annotated[
        int, Option(NOTIFY, "Vacation days that a person may announce in a year.", 0, 366)
    ] = 30
    abandon_days: Annotated[
        int,
        Option(
            RETENTION,
            "Days after which an unfinished table that nobody touched is closed; 0 = never.",
            0,
            36_500,
        ),
    ] = 60
    guest_days: Annotated[
        int,
        Option(
            RETENTION,
            "Days after which a guest who never came back is deleted, unless they kept a way back; 0 = never.",
            0,
            36_500,
        ),
    ] = 180
    admin: Annotated[bool, Option(WATCHING, "Whether the admin API answers at all.")] = True
    metrics_port: Annotated[
        int,
        Option(WATCHING, "A second port for `/metrics` only; 0 = none.", 0, 65535),
    ] = 0
    metrics_token: Annotated[
        str,
        Option(
            WATCHING,
            "Token for `/metrics`; without one only this machine and the second port get it.",
            secret=True,
        ),
    ] = ""
    log_format: Annotated[
        str,
        Option(WATCHING, "How log lines look.", choices=("text", "json"), flags=("--log",)),
    ] = "text"
    log_level: Annotated[
        str,
        Option(
            WATCHING,
            "The least important lines that are logged.",
            choices=("debug", "info", "warning", "error"),
        ),
    ] = "info"

    def __post_init__(self) -> None:
        """Refuse what cannot work, whichever way the settings were made."""
        for setting in SETTINGS:
            check_range(setting, self.__dict__[setting.name], setting.name)
        _check_prefix(self.path_prefix)
        _check_public_url(self.public_url, self.path_prefix)
        for proxy in self.trusted_proxies:
            _check_proxy(proxy)
        _check_mail(self)

    @property
    def is_secure(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def origin(self) -> str:
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}" if self.public_url else ""

    @property
    def site(self) -> str:
        """The address of the first page, without a slash at its end."""
        return f"{self.origin}{self.path_prefix}"

    @property
    def has_mail(self) -> bool:
        return bool(self.smtp_host)

    @property
    def own_url(self) -> str:
        """Where this very process is reached on its machine, past any balancer."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}{self.path_prefix}"

    def trusts(self, address: str) -> bool:
        """Whether an address is one of the proxies in front."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(
            proxy == "*" or parsed in ip_network(proxy, strict=False)
            for proxy in self.trusted_proxies
        )

    @property
    def base(self) -> str:
        """The path of the first page, with a slash at both ends: `/` or `/lampion/`."""
        return f"{self.path_prefix}/"


def _settings() -> tuple[Setting, ...]:
    hints = get_type_hints(Config, include_extras=True)
    found = []
    for each in fields(Config):
        kind, option = get_args(hints[each.name])
        default = each.default if each.default is not MISSING else spare_cores()
        found.append(Setting(each.name, get_origin(kind) or kind, option, default))
    return tuple(found)


SETTINGS = _settings()


def check_range(setting: Setting, value: Any, where: str) -> None:
    option = setting.option
    too_small = option.least is not None and value < option.least
    if too_small or (option.most is not None and not value <= option.most):
        raise BadConfig(f"{value} is out of range; expected {setting.allowed}", where=where)
    if option.choices and value not in option.choices:
        raise BadConfig(f"{value[:40]!r} is not allowed; expected {setting.allowed}", where=where)


def _check_prefix(prefix: str) -> None:
    """Unreserved characters only: the prefix is put into pages and cookies as it is."""
    if not prefix:
        return
    parts = prefix.split("/")
    plain = all(part and part.replace("-", "").replace("_", "").isalnum() for part in parts[1:])
    if parts[0] or not plain or not prefix.isascii():
        message = f"{prefix[:60]!r} is not a path prefix; expected something like /lampion"
        raise BadConfig(message, where="path_prefix")


def _check_public_url(url: str, prefix: str) -> None:
    if not url:
        return
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
    except ValueError:
        is_url = False
    if not is_url or parts.query or parts.fragment:
        message = f"{url[:80]!r} is not an address; expected something like https://lampion.example"
        raise BadConfig(message, where="public_url")
    if parts.path.rstrip("/") not in ("", prefix):
        message = f"its path {parts.path[:60]!r} must be the path_prefix, which is {prefix!r}"
        raise BadConfig(message, where="public_url")


def _check_mail(config: Config) -> None:
    """Links in e-mails need an address that works everywhere."""
    if config.push_contact and not config.push_contact.startswith(("mailto:", "https://")):
        message = "expected something like mailto:you@example.org"
        raise BadConfig(message, where="push_contact")
    if not config.has_mail:
        return
    if not config.public_url:
        raise BadConfig("e-mails need a public_url for their links", where="smtp_host")
    local, at, domain = config.smtp_from.rpartition("@")
    is_address = local and at and domain and config.smtp_from.isascii()
    if not is_address or not config.smtp_from.isprintable() or " " in config.smtp_from:
        message = f"{config.smtp_from[:80]!r} is not an e-mail address"
        raise BadConfig(message, where="smtp_from")


def _check_proxy(proxy: str) -> None:
    if proxy == "*":
        return
    try:
        ip_network(proxy, strict=False)
    except ValueError:
        message = f"{proxy[:60]!r} is not an address, a network such as 10.0.0.0/8, or *"
        raise BadConfig(message, where="trusted_proxies") from None
