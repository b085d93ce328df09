"""Format results for people to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from typing import Any

from sapper.stats import wilson

__all__ = ["grid", "head", "interval", "mean", "percent"]


def percent(count: int, of: int) -> str:
    """Format a share with its Wilson 95 % interval: ``40.7 % [37.7, 43.8]``."""
    if not of:
        return "-"
    return f"{100 * count / of:.1f} % {interval(*wilson(count, of), scale=100)}"


def mean(value: float, low: float, high: float) -> str:
    """Format a mean with its 95 % interval; a single game has none."""
    if isnan(value):
        return "-"
    return f"{value:.3f}" + (f" {interval(low, high, digits=3)}" if isfinite(high) else "")


def interval(low: float, high: float, scale: float = 1, digits: int = 1) -> str:
    """Format the ends of an interval in brackets."""
    return f"[{low * scale:.{digits}f}, {high * scale:.{digits}f}]"


def head(info: Mapping[str, Any]) -> str:
    """Describe a run's settings on one line."""
    start = "chosen by the bot" if info["start"] is None else "({}, {})".format(*info["start"])
    extra = {**info.get("options", {}), **info["rule_options"]}
    options = "".join(f", {name}={value}" for name, value in extra.items())
    return (
        f"{info['level']}, {info['rules']}, first click {info['first_click']}, start {start}, "
        f"seed {info['seed']}{options}"
    )


def grid(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of text in columns: the first left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
