"""The text after a win: the new and previous personal bests, and the streak."""

from __future__ import annotations

from sapper.history import Comparison, WinFigures
from sapper.translation import percent, seconds, sentences, t, tn

__all__ = ["win_text"]


def win_text(win: WinFigures, comparison: Comparison) -> str:
    """Describe how a win compares with earlier wins; empty if there is no comparison.

    >>> win_text(WinFigures(9500, 20, 30), Comparison(1, 1, None, 1, 0))
    'Your first win here.'
    """
    parts: list[str] = []
    before, improved = comparison.before, comparison.improved(win)
    if before is None:
        parts.append(t("Your first win here."))
    elif "seconds" in improved:
        parts.append(t("Personal best time (was {time}).", time=seconds(before.seconds)))
    if before is not None and before.bbbv_s is not None and "bbbv_s" in improved:
        speeds = {"value": f"{win.bbbv_s:.2f}", "before": f"{before.bbbv_s:.2f}"}
        parts.append(t("Your best 3BV/s: {value} (was {before}).", **speeds))
    if before is not None and before.efficiency is not None and "efficiency" in improved:
        assert win.efficiency is not None
        shares = {"value": percent(win.efficiency), "before": percent(before.efficiency)}
        parts.append(t("Your best efficiency: {value} (was {before}).", **shares))
    if comparison.streak > 1:
        parts.append(tn("{n} win in a row.", "{n} wins in a row.", comparison.streak))
    return sentences(*parts) if parts else ""
