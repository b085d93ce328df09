"""One-line messages for command line errors."""

from __future__ import annotations

import re
from typing import Any, Final

import click

from sapper._util.names import either
from sapper._util.shortening import shown

__all__ = ["usage_error"]

_REFUSED: Final = re.compile(
    r"'?(?P<value>.*?)'? (is not a valid (?P<kind>\w+)( range)?|is not in the range .*"
    r"|is not one of (?P<choices>'.*'))\.",
    re.DOTALL,
)
"""Matches the message of click for an invalid value."""


def usage_error(problem: click.ClickException) -> str:
    """Return the message of a usage error: the problem, the value given, and the allowed values."""
    message = _unknown_option(problem) or _refused_value(problem) or problem.format_message()
    message = message.rstrip(".")
    message = re.sub(
        r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)$", r"unexpected argument: \1", message
    )
    context = getattr(problem, "ctx", None)
    command = getattr(context, "command_path", "sapper")
    return f"{message[:1].lower()}{message[1:]}; see {command} --help"


def _unknown_option(problem: click.ClickException) -> str:
    """Return the message for an option that does not exist; empty for other kinds of errors."""
    if not isinstance(problem, click.NoSuchOption):
        return ""
    similar = [] if problem.possibilities is None else sorted(problem.possibilities)
    suggestion = f"; did you mean {either(similar)}?" if similar else ""
    return f"no such option: {problem.option_name}{suggestion}"


def _refused_value(problem: click.ClickException) -> str:
    """Describe an option's allowed values and the value given; empty for other kinds of errors."""
    option = getattr(problem, "param", None)
    if option is None:
        return ""
    # "Invalid value for 'NAME': ..."
    hint = problem.format_message().partition(": ")[0].removeprefix("Invalid value for ")
    name = option.opts[0] if option.param_type_name == "option" else hint
    found = _REFUSED.fullmatch(problem.message)
    rule = "" if found is None else _rule(found, option.type)
    return "" if found is None else f"{name} must be {rule}, got {shown(found['value'])}"


def _rule(refused: re.Match[str], kind: Any) -> str:
    """Return the requirement that a value does not meet, given the type of its option."""
    if refused["choices"]:
        return either(re.findall(r"'([^']+)'", refused["choices"]))
    if refused["kind"]:
        return "a number" if refused["kind"] == "float" else "an integer"
    is_low = kind.min is not None and float(refused["value"]) < kind.min
    return f"at least {kind.min:g}" if is_low else f"at most {kind.max:g}"
