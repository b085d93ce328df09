"""Commands of click, made from functions whose parameters are annotated.

The type of a parameter, its default and an `Option` or `Argument` declare what the command line
accepts:

    @app.command()
    def generate(count: Annotated[int, Option("-n", min=1, help="Number of boards.")] = 1) -> int:
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import click
from click.shell_completion import CompletionItem

__all__ = ["Argument", "Group", "Option", "command", "declared", "without_none"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_SIMPLE: Final = {str: click.STRING, int: click.INT, float: click.FLOAT}


class _Declared:
    """What options and arguments have in common."""

    def __init__(
        self,
        *,
        help: str,
        metavar: str | None = None,
        autocompletion: Callable[[str], list[str]] | None = None,
    ) -> None:
        self.help = help
        self.metavar = metavar
        self._complete = autocompletion

    def _settings(self, kind: Any, default: Any) -> dict[str, Any]:
        """Return the settings of the parameter of click."""
        settings: dict[str, Any] = {"help": self.help, "metavar": self.metavar}
        if self._complete is not None:
            complete = self._complete
            settings["shell_complete"] = lambda context, parameter, text: [
                CompletionItem(value) for value in complete(text)
            ]
        if default is inspect.Parameter.empty:
            settings["required"] = True
        else:
            settings["default"] = str(default) if isinstance(default, StrEnum) else default
            settings["required"] = False
        return settings


class Option(_Declared):
    """Declares an option.

    Args:
        names: Its names (default: that of the parameter).
        help: Its help.
        metavar: The name of its value in the help.
        min: The smallest number.
        max: The largest number.
        envvar: An environment variable that sets it, which its help names. Without it, the
            variable has the prefix of the command, if there is one.
        autocompletion: Returns the values with a given prefix.
        callback: Gets the context and the value, and returns the value to use.
        is_eager: Whether it is read before other options.
        from_environment: Whether a variable with the prefix of the command sets it.
    """

    def __init__(
        self,
        *names: str,
        help: str,
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        envvar: str | None = None,
        autocompletion: Callable[[str], list[str]] | None = None,
        callback: Callable[[click.Context, Any], Any] | None = None,
        is_eager: bool = False,
        from_environment: bool = True,
    ) -> None:
        super().__init__(help=help, metavar=metavar, autocompletion=autocompletion)
        self.names = names
        self.min, self.max = min, max
        self.envvar = envvar
        self._callback = callback
        self._is_eager = is_eager
        self._from_environment = from_environment

    def parameter(self, name: str, kind: Any, default: Any) -> click.Parameter:
        """Return the option for a parameter of a function."""
        value = without_none(kind)
        many = get_origin(value) is list
        settings = self._settings(kind, default)
        if self._callback is not None:
            callback = self._callback
            settings["callback"] = lambda context, parameter, value: callback(context, value)
        if value is bool:
            settings["is_flag"] = True
        else:
            settings["type"] = _type(get_args(value)[0] if many else value, self.min, self.max)
        return _Option(
            [name, *(self.names or (f"--{name.replace('_', '-')}",))],
            multiple=many,
            envvar=self.envvar,
            show_envvar=self.envvar is None and self._from_environment,
            allow_from_autoenv=self._from_environment,
            show_default=default not in (None, False, ""),
            is_eager=self._is_eager,
            **settings,
        )


class Argument(_Declared):
    """Declares a positional argument; the metavar is its name in messages."""

    def parameter(self, name: str, kind: Any, default: Any) -> click.Parameter:
        """Return the argument for a parameter of a function."""
        value = without_none(kind)
        many = get_origin(value) is list
        kind = _type(get_args(value)[0] if many else value)
        return _Argument(
            [name], type=kind, nargs=-1 if many else 1, **self._settings(kind, default)
        )


class _Option(click.Option):
    def process_value(self, ctx: click.Context, value: Any) -> Any:
        found = super().process_value(ctx, value)
        return _listed(found, self.default) if self.multiple else found


class _Argument(click.Argument):
    # Early versions of click do not print the help of arguments.
    def __init__(self, names: Sequence[str], *, help: str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.help = help

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        found = super().process_value(ctx, value)
        return _listed(found, self.default) if self.nargs == -1 else found

    def make_metavar(self, ctx: click.Context | None = None) -> str:
        name = f"{self.human_readable_name}{'...' if self.nargs == -1 else ''}"
        return name if self.required else f"[{name}]"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        note = ""
        if self.required:
            note = "  [required]"
        elif isinstance(self.default, str) and self.default:
            note = f"  [default: {self.default}]"
        return self.human_readable_name, f"{self.help}{note}"


class _Choice(click.Choice[str]):
    """The values of an enum."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__([str(one) for one in kind])
        self._kind = kind

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return self._kind(super().convert(str(value), param, ctx))


def _listed(found: Any, default: Any) -> list[Any] | None:
    """Return the values of a repeated parameter, or None if none is given and None the default."""
    return list(found) if found or isinstance(default, (list, tuple)) else None


def without_none(kind: Any) -> Any:
    """Return a type without ``None``."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    [kind] = [one for one in get_args(kind) if one is not type(None)]
    return kind


def _type(kind: Any, least: Any = None, most: Any = None) -> click.ParamType[Any]:
    if kind is Path:
        return click.Path(path_type=Path)
    if issubclass(kind, StrEnum):
        return _Choice(kind)
    if least is None and most is None:
        return _SIMPLE[kind]
    return (click.IntRange if kind is int else click.FloatRange)(least, most)


def declared(function: Callable[..., Any]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the name, type, declaration and default of each declared parameter of a function."""
    plain = inspect.unwrap(function)
    hints = get_type_hints(plain, include_extras=True)
    for name, parameter in inspect.signature(plain).parameters.items():
        if get_origin(hints[name]) is Annotated:
            kind, declaration = get_args(hints[name])[:2]
            yield name, kind, declaration, parameter.default


def _parameters(function: Callable[..., Any]) -> list[click.Parameter]:
    return [one.parameter(name, kind, default) for name, kind, one, default in declared(function)]


def _callback(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the context as first argument, if its annotations ask for it."""
    hints = get_type_hints(function)
    return click.pass_context(function) if click.Context in hints.values() else function


def _write_help(
    parameters: Sequence[click.Parameter], context: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the help of arguments and options, each in a section."""
    for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
        records = [one.get_help_record(context) for one in parameters if isinstance(one, kind)]
        if rows := [record for record in records if record is not None]:
            with formatter.section(title):
                formatter.write_dl(rows)


class _Command(click.Command):
    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing, because `format_options` does, even in early versions of click."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_help(self.get_params(ctx), ctx, formatter)


def command(
    function: Callable[..., Any],
    name: str | None = None,
    *,
    epilog: str | None = None,
    short_help: str | None = None,
    context_settings: dict[str, Any] | None = None,
) -> click.Command:
    """Return the command of a function, named like it by default; its docstring is the help."""
    return _Command(
        name or function.__name__.replace("_", "-"),
        callback=_callback(function),
        params=_parameters(function),
        help=inspect.getdoc(function),
        epilog=epilog,
        short_help=short_help,
        context_settings=context_settings,
    )


class Group(click.Group):
    """A group of commands, listed in the order of their definition."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing: groups have no arguments."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the options and the list of the commands."""
        _write_help(self.get_params(ctx), ctx, formatter)
        self.format_commands(ctx, formatter)

    def command(self, *arguments: Any, **settings: Any) -> Callable[[_Function], _Function]:  # type: ignore[override]
        """Add a function as a command and return it unchanged; see `command`."""

        def add(function: _Function) -> _Function:
            self.add_command(command(function, *arguments, **settings))
            return function

        return add

    def options(self, *, invoke_without_command: bool = False) -> Callable[[_Function], _Function]:
        """Let a function declare and read the group's own options."""

        def add(function: _Function) -> _Function:
            self.callback = _callback(function)
            self.params = _parameters(function)
            self.invoke_without_command = invoke_without_command
            if invoke_without_command:
                self.no_args_is_help = False
            self.help = self.help or inspect.getdoc(function)
            return function

        return add
