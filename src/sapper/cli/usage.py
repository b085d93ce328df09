"""One-line messages for command line errors."""

from __future__ import annotations

import re
from typing import Any, Final

from sapper._util.names import either
from sapper._util.shortening import shown

__all__ = ["usage_error"]

_TYPES: Final = {
    "int_parsing": "an integer",
    "int_parsing_size": "an integer of at most 4300 digits",
    "int_from_float": "an integer",
    "float_parsing": "a number",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}
"""The requirement behind each type of error of pydantic, with which Typer 0.29 checks values."""
_REFUSED: Final = re.compile(
    r"'?(?P<value>.*?)'? (is not a valid (?P<kind>\w+)( range)?|is not in the range .*"
    r"|is not one of (?P<choices>'.*'))\.",
    re.DOTALL,
)
"""Matches the message of earlier versions of Typer for an invalid value."""


def usage_error(problem: Any) -> str:
    """Return the message of a usage error: the problem, the value given, and the allowed values.

    Args:
        problem: An error of Typer. Depending on its version, Typer bundles click or imports it, so
            its class cannot be named here.
    """
    message = _refused_value(problem) or problem.format_message().rstrip(".")
    message = re.sub(
        r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)$", r"unexpected argument: \1", message
    )
    context = getattr(problem, "ctx", None)
    command = getattr(context, "command_path", "sapper")
    return f"{message[:1].lower()}{message[1:]}; see {command} --help"


def _refused_value(problem: Any) -> str:
    """Describe an option's allowed values and the value given; empty for other kinds of errors."""
    option = getattr(problem, "param", None)
    if option is None:
        return ""
    # "Invalid value for 'NAME': ..."
    hint = problem.format_message().partition(": ")[0].removeprefix("Invalid value for ")
    name = option.opts[0] if option.param_type_name == "option" else hint
    errors = getattr(problem.__cause__, "errors", None)
    if errors is None:
        found = _REFUSED.fullmatch(getattr(problem, "message", ""))
        rule = "" if found is None else _rule(found, option.type)
        return "" if found is None else f"{name} must be {rule}, got {shown(found['value'])}"
    error = errors()[0]
    value = shown(error["input"])
    if error["type"] in _TYPES:
        rule = _TYPES[error["type"]].format(**error.get("ctx", {}))
        return f"{name} must be {rule}, got {value}"
    choices = re.findall(r"'([^']+)'", error["msg"].partition(" is not one of ")[2])
    return f"{name} must be {either(choices)}, got {value}" if choices else ""


def _rule(refused: re.Match[str], kind: Any) -> str:
    """Return the requirement that a value does not meet, given the type of its option."""
    if refused["choices"]:
        return either(re.findall(r"'([^']+)'", refused["choices"]))
    if refused["kind"]:
        return "a number" if refused["kind"] == "float" else "an integer"
    is_low = kind.min is not None and float(refused["value"]) < kind.min
    return f"at least {kind.min:g}" if is_low else f"at most {kind.max:g}"
