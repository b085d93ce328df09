"""Settings of `sapper serve` from a TOML file, environment variables and secret files.

The command's options define the settings: their names are the keys of the file, and determine the
names of the environment variables.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin

import click

from sapper._util.shortening import shown
from sapper.cli.output import without_credentials
from sapper.cli.signatures import Option, declared, without_none
from sapper.errors import BadSetting

__all__ = [
    "PREFIX",
    "ConfigFile",
    "Setting",
    "ShowConfig",
    "secret_of",
    "settings_of",
    "shown_settings",
]

PREFIX: Final = "SAPPER_SERVE"
"""The beginning of the names of environment variables."""

_YES: Final = ("1", "true", "t", "yes", "y", "on")
_NO: Final = ("0", "false", "f", "no", "n", "off")
_SECRETS: Final = ("database", "redis")
_SECRET_BYTES: Final = 10_000


class Setting(NamedTuple):
    """A setting.

    Attributes:
        key: Its name in the file, and as a parameter of the command.
        option: Its option on the command line.
        variable: Its environment variable.
        kind: The type of a value.
        many: Whether it is a list of values.
        least: The smallest number, or None.
        most: The largest number, or None.
        default: Its default.
        help: The help of the option.
        secret: Whether no message may contain its value.
    """

    key: str
    option: str
    variable: str
    kind: type
    many: bool
    least: float | None
    most: float | None
    default: Any
    help: str
    secret: bool

    def expected(self) -> str:
        """Return a description of its values."""
        if self.many:
            return "a list of strings"
        if self.kind is bool:
            return "true or false"
        if self.kind is int:
            return f"a whole number from {self.least} to {self.most}"
        if issubclass(self.kind, StrEnum):
            return f"one of: {', '.join(self.kind)}"
        return "a string"

    def check(self, value: object, where: str) -> Any:
        """Validate and return a value from a file.

        Raises:
            BadSetting: If the value has the wrong type or is out of range; the message says where.
        """
        if self.many:
            good = isinstance(value, list) and all(isinstance(one, str) for one in value)
        elif self.kind is int:
            good = type(value) is int and (self.least or 0) <= value <= (self.most or value)
        elif self.kind is bool:
            good = isinstance(value, bool)
        else:
            good = isinstance(value, str) and (
                not issubclass(self.kind, StrEnum) or value in list(self.kind)
            )
        if not good:
            raise self._wrong(value, where)
        return value

    def check_text(self, text: str, where: str) -> None:
        """Check the value of an environment variable.

        Raises:
            BadSetting: If the value cannot be parsed; the message says where.
        """
        value: object = text
        if self.kind is int:
            try:
                value = int(text)
            except ValueError:
                raise self._wrong(text, where) from None
        elif self.kind is bool:
            value = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}.get(text.lower())
            if value is None:
                raise self._wrong(text, where)
        self.check([value] if self.many else value, where)

    def _wrong(self, value: object, where: str) -> BadSetting:
        got = "" if self.secret else f", got {shown(value)}"
        return BadSetting(f"{where}: {self.key} must be {self.expected()}{got}")


def settings_of(command: Callable[..., Any]) -> list[Setting]:
    """Return the settings of a command function: its options, except for those about settings."""
    return [
        _setting(name, kind, option, default)
        for name, kind, option, default in declared(command)
        if name not in ("config", "show_config")
    ]


def _setting(name: str, kind: Any, option: Option, default: Any) -> Setting:
    kind = without_none(kind)
    many = get_origin(kind) is list
    variable = option.envvar or f"{PREFIX}_{name.upper()}"
    return Setting(
        name,
        f"--{name.replace('_', '-')}",
        variable,
        get_args(kind)[0] if many else kind,
        many,
        option.min,
        option.max,
        default,
        option.help,
        name in _SECRETS or name.endswith(("secret", "password")),
    )


def _configure(context: click.Context, path: Path | None) -> Path | None:
    """Check the environment and read the file, before other options are read."""
    if context.resilient_parsing:
        return path
    command = context.command.callback
    assert command is not None
    settings = {one.key: one for one in settings_of(command)}
    _check_environment(settings.values(), os.environ)
    if path is not None:
        context.default_map = _read(settings, path)
    return path


def _check_environment(settings: Iterable[Setting], environment: Mapping[str, str]) -> None:
    known = {one.variable: one for one in settings}
    for name, text in environment.items():
        if name in known and text:
            known[name].check_text(text, f"environment variable {name}")
        elif name.startswith(f"{PREFIX}_") and name not in known:
            raise BadSetting(f"unknown environment variable {name}{_similar(name, known)}")


def _read(settings: Mapping[str, Setting], path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise BadSetting(f"{path}: the file is not UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        raise BadSetting(f"{path}: this is not TOML: {problem}") from None
    for key, value in found.items():
        if key not in settings:
            raise BadSetting(f"{path}: unknown key {shown(key)}{_similar(key, settings)}")
        settings[key].check(value, str(path))
    return found


def _similar(name: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; choose from: {', '.join(known)}"


def secret_of(context: click.Context, key: str) -> str | None:
    """Return a setting that may be in a separate file, given by the setting ``KEY_file``.

    Raises:
        BadSetting: If both are given in the same place, or the file does not have exactly one line.
        OSError: If the file cannot be read.
    """
    value, path = context.params[key], context.params[f"{key}_file"]
    if path is None:
        return None if value is None else str(value)
    if value is not None:
        own, other = _rank(context, key), _rank(context, f"{key}_file")
        if own == other:
            raise BadSetting(f"give {key} or {key}_file, not both")
        if own < other:
            return str(value)
    return _read_secret(Path(path))


def _rank(context: click.Context, key: str) -> int:
    source = context.get_parameter_source(key)
    order = ("COMMANDLINE", "ENVIRONMENT", "DEFAULT_MAP")
    return order.index(source.name) if source is not None and source.name in order else len(order)


def _read_secret(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(_SECRET_BYTES + 1)
    try:
        text = data.decode().strip()
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable() or len(data) > _SECRET_BYTES:
        raise BadSetting(f"{path}: expected one line of text")
    return text


def shown_settings(context: click.Context) -> Iterator[str]:
    """Yield the settings as lines of TOML, each with its source, without secrets."""
    command = context.command.callback
    assert command is not None
    for one in settings_of(command):
        source = context.get_parameter_source(one.key)
        name = "" if source is None else source.name
        where = {
            "COMMANDLINE": "command line",
            "ENVIRONMENT": one.variable,
            "DEFAULT_MAP": str(context.params.get("config")),
        }.get(name, "default")
        value = context.params[one.key]
        if value is None:
            yield f"# {one.key} is not set"
        elif one.secret:
            yield f"# {one.key} is set, but not shown  # {where}"
        else:
            # An address with a password may have been given to the wrong setting.
            yield f"{one.key} = {without_credentials(_toml(value))}  # {where}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


ConfigFile = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        envvar="SAPPER_CONFIG",
        is_eager=True,
        callback=_configure,
        help="TOML file of settings (default: SAPPER_CONFIG, or none). The command line and "
        "environment variables override it.",
    ),
]
ShowConfig = Annotated[
    bool,
    Option(
        "--show-config",
        from_environment=False,
        help="Print the settings and where each comes from, without secrets, check them, and exit.",
    ),
]
