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
"""The requirement behind each type that Typer uses to check values."""


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
    errors = getattr(problem.__cause__, "errors", None)
    option = getattr(problem, "param", None)
    if errors is None or option is None:
        return ""
    error = errors()[0]
    name = option.opts[0] if option.param_type_name == "option" else option.get_error_hint()
    value = shown(error["input"])
    if error["type"] in _TYPES:
        rule = _TYPES[error["type"]].format(**error.get("ctx", {}))
        return f"{name} must be {rule}, got {value}"
    choices = re.findall(r"'([^']+)'", error["msg"].partition(" is not one of ")[2])
    return f"{name} must be {either(choices)}, got {value}" if choices else ""
