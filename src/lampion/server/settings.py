"""Where settings come from: flags, then variables, then the config file, then the defaults."""

from __future__ import annotations

import difflib
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from lampion.server.config import GROUPS, SETTINGS, BadConfig, Config, Setting, check_range

BY_NAME = {setting.name: setting for setting in SETTINGS}
MASKED = "***"
SECRET_FILE = "_FILE"
"""The suffix of the variable that names a secret's file."""
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class LoadedConfig(NamedTuple):
    config: Config
    sources: Mapping[str, str]
    """Which flag, variable or file each setting came from; those not in it are defaults."""


def load(
    flags: Mapping[str, Any],
    variables: Mapping[str, str],
    file: str | None = None,
) -> LoadedConfig:
    """The settings in force. `flags` holds what was given, by field name, as text or bool."""
    values, sources = _file_values(_config_file(file, variables))
    for name, (variable, text) in _given_variables(variables).items():
        values[name], sources[name] = read_text(BY_NAME[name], text, variable), variable
    for name, given in flags.items():
        where = BY_NAME[name].flag
        values[name] = given if isinstance(given, bool) else read_text(BY_NAME[name], given, where)
        sources[name] = where
    try:
        return LoadedConfig(Config(**values), sources)
    except BadConfig as problem:
        # `Config` knows the key alone; add which flag, variable or file it came from.
        source = sources.get(problem.where, "")
        where = source if not source or source.startswith(("--", "LAMPION_")) else ""
        raise BadConfig(problem.message, where=where or f"{source}: {problem.where}") from None


def _given_variables(variables: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    found = {}
    for setting in SETTINGS:
        for variable in (setting.variable, *setting.option.variables):
            # An empty variable means "not set", as in compose files with ${NAME:-}.
            if variables.get(variable):
                found[setting.name] = (variable, variables[variable])
                break
            if setting.option.secret and (path := variables.get(variable + SECRET_FILE)):
                found[setting.name] = (variable + SECRET_FILE, _secret_in(path, variable))
                break
    return found


def _secret_in(path: str, variable: str) -> str:
    """Secrets of containers and of systemd are files, which no list of processes shows."""
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "not a text"
        message = f"cannot read {path}: {reason}"
        raise BadConfig(message, where=variable + SECRET_FILE) from None


def misspelled(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables that look like a setting but are not, each with the one probably meant."""
    known = {name for setting in SETTINGS for name in (setting.variable, *setting.option.variables)}
    secret = (setting.variable for setting in SETTINGS if setting.option.secret)
    known |= {variable + SECRET_FILE for variable in secret}
    known |= {"LAMPION_CONFIG", "LAMPION_CACHE", "LAMPION_COMPILE", "LAMPION_BROWSER"}
    unknown = (name for name in variables if name.startswith("LAMPION_") and name not in known)
    close = {name: difflib.get_close_matches(name, known, 1, 0.88) for name in unknown}
    return {name: found[0] for name, found in close.items() if found}


def log_format_of(variables: Mapping[str, str], file: str | None) -> str:
    """How to tell that the settings are wrong, if they say so in spite of it."""
    if variables.get("LAMPION_LOG_FORMAT"):
        return variables["LAMPION_LOG_FORMAT"]
    path = _config_file(file, variables)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8")) if path else {}
    except (OSError, ValueError):
        return "text"
    return str(document.get("log_format", "text"))


# --- the file ---


def _config_file(given: str | None, variables: Mapping[str, str]) -> Path | None:
    """A file that was asked for must exist; the usual places are only looked at."""
    asked = given or variables.get("LAMPION_CONFIG")
    if asked:
        return Path(asked)
    return next((path for path in usual_files() if path.is_file()), None)


def usual_files() -> tuple[Path, ...]:
    return (Path("/etc/lampion.toml"), _config_folder() / "lampion.toml")


def _config_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Lampion"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Lampion"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "lampion"


def _file_values(path: Path | None) -> tuple[dict[str, Any], dict[str, str]]:
    if path is None:
        return {}, {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadConfig(f"cannot read it: {problem.strerror or problem}", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadConfig(f"not a valid TOML file: {problem}", where=str(path)) from None
    values = {key: _file_value(key, value, f"{path}: {key}") for key, value in document.items()}
    return values, dict.fromkeys(values, str(path))


def _file_value(key: str, value: Any, where: str) -> Any:
    if key not in BY_NAME:
        meant = difflib.get_close_matches(key, BY_NAME, 1)
        hint = f"did you mean {meant[0]}?" if meant else "lampion serve --help lists the settings"
        raise BadConfig(f"not a setting; {hint}", where=where)
    setting = BY_NAME[key]
    if setting.kind is tuple and isinstance(value, str):
        return read_text(setting, value, where)
    if setting.kind is float and type(value) is int:
        value = float(value)
    if setting.kind is tuple and isinstance(value, list) and all(type(x) is str for x in value):
        value = tuple(value)
    if type(value) is not setting.kind:
        shown = "this value" if setting.option.secret else repr(value)[:60]
        raise BadConfig(f"{shown} has the wrong type; expected {setting.allowed}", where=where)
    check_range(setting, value, where)
    return value


# --- texts ---


def read_text(setting: Setting, text: str, where: str) -> Any:
    """The value that a flag or a variable means."""
    value = _parsed(setting, text.strip())
    if value is None:
        shown = "this value" if setting.option.secret else repr(text[:60])
        raise BadConfig(f"{shown} is not {setting.allowed}", where=where)
    check_range(setting, value, where)
    return value


def _parsed(setting: Setting, text: str) -> Any:
    if setting.kind is bool:
        return True if text.lower() in _YES else False if text.lower() in _NO else None
    if setting.kind is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if setting.kind is str:
        return text
    try:
        return setting.kind(text)
    except ValueError:
        return None


# --- showing ---


def shown(config: Config) -> dict[str, Any]:
    """All settings in force; secrets are masked."""
    return {setting.name: _shown(setting, config.__dict__[setting.name]) for setting in SETTINGS}


def _shown(setting: Setting, value: Any) -> Any:
    if setting.name == "database":
        return shown_database(value)
    if setting.option.secret and value:
        return MASKED
    return list(value) if setting.kind is tuple else value


def shown_database(database: str) -> str:
    """Where the games are, without a password, before the host or in the query."""
    head, mark, query = database.partition("?")
    scheme, slashes, rest = head.partition("://")
    credentials, at, place = rest.rpartition("@")
    if at:
        user, colon, _ = credentials.partition(":")
        head = f"{scheme}{slashes}{user}{':' + MASKED if colon else ''}@{place}"
    return f"{head}?{MASKED}" if mark and slashes else head + mark + query


def secrets_of(config: Config) -> tuple[str, ...]:
    """Texts that must never be printed or logged."""
    found = {config.metrics_token, config.smtp_password, *passwords_of(config.database)}
    return tuple(sorted(filter(None, found), key=len, reverse=True))


def passwords_of(database: str) -> set[str]:
    head, _, query = database.partition("?")
    credentials, at, _ = head.partition("://")[2].rpartition("@")
    password = credentials.partition(":")[2] if at else ""
    pairs = dict(part.partition("=")[::2] for part in query.split("&"))
    found = {password, pairs.get("password", ""), pairs.get("sslpassword", "")}
    return {text for each in found if each for text in (each, unquote(each))}


def with_database(config: Config, database: str) -> Config:
    return replace(config, database=database)


# --- docs ---


def table() -> str:
    """The settings as tables in Markdown, one for each group; docs/hosting.md holds them."""
    return "\n".join(_group(group) for group in GROUPS)


def _group(group: str) -> str:
    rows = [f"**{group}**", "", "| key | default | allowed | meaning |", "|---|---|---|---|"]
    rows += [_row(setting) for setting in SETTINGS if setting.option.group == group]
    return "\n".join(rows) + "\n"


def _row(setting: Setting) -> str:
    default = setting.option.shown_default or _default_text(setting.default)
    also = "".join(f" (flag also `{flag}`)" for flag in setting.option.flags)
    secret = " Secret." if setting.option.secret else ""
    about = f"{setting.option.help}{also}{secret}"
    return f"| `{setting.name}` | {default} | {setting.allowed} | {about} |"


def _default_text(value: Any) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return f"`{', '.join(value)}`"
    return "none" if value == "" else f"`{value:g}`" if isinstance(value, float) else f"`{value}`"
