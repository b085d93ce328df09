"""The text on the replay screen: the player, the progress, and the last click."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.actions import Action
from sapper.coach import Kind
from sapper.game import Status
from sapper.replay import Playback, ReplayChoice, ReplayStep, contradictions
from sapper.rules import level_label
from sapper.translation import Text, percent, seconds, t, tn
from sapper.tui.moment import ReplayMoment

__all__ = ["about", "did", "figures", "headline", "risk_text"]

_Choices = Sequence[Sequence[str | None]]
"""Alternative lines, longest first: see `fitting`."""


def about(played: Playback) -> list[str]:
    """Return sentences about the player, date and program, and contradictions with the clicks."""
    info = played.replay.info
    program = " ".join(filter(None, (info.program, info.version)))
    day = info.started_at[:16].replace("T", " ")
    source = ", ".join(filter(None, map(_plain, (info.player, day, program))))
    return [*([f"{source}."] if source else []), *(one.text for one in contradictions(played))]


def _plain(text: str) -> str:
    """Return text on one line, since names in files may contain control characters."""
    return "".join(char if char.isprintable() else "?" for char in text)


def headline(moment: ReplayMoment, time_ms: int) -> _Choices:
    """Return the number of the last click, the result and the level."""
    played = moment.played
    at = t("{at} of {total}", at=moment.count, total=len(played.steps))
    line = (at, _ending(played, time_ms), level_label(played.trail.settings.level))
    return line, line[:-1]


def _ending(played: Playback, time_ms: int) -> Text:
    time = seconds(time_ms / 1000)
    if any(one.what == "status" for one in contradictions(played)):
        return t("result unclear")
    if played.status is Status.WON:
        return t("won in {time}", time=time)
    if played.status is Status.LOST:
        return t("lost after {time}", time=time)
    return t("not finished")


def figures(moment: ReplayMoment, speed: float, *, playing: bool) -> _Choices:
    """Return the time, the 3BV solved, the speed, and the metrics so far."""
    bbbv, solved, clicks = moment.played.replay.board.bbbv, moment.solved, moment.clicks.all
    time = seconds(moment.game_s)
    pace = t("plays at {speed}×", speed=f"{speed:g}") if playing else t("paused")
    done = t("3BV {solved} of {all}", solved=solved, all=bbbv)
    parts: list[Text] = [time, done, pace]
    if moment.game_s:
        whole, fraction = f"{solved / moment.game_s:.2f}".split(".")
        parts.append(t("3BV/s {whole}.{fraction}", whole=whole, fraction=fraction))
    parts.append(tn("{n} click", "{n} clicks", clicks))
    if clicks:
        whole, fraction = f"{solved / clicks:.2f}".split(".")
        parts.append(t("IOE {whole}.{fraction}", whole=whole, fraction=fraction))
    return [parts[:count] for count in range(len(parts), 1, -1)]


def did(played: Playback, step: ReplayStep) -> Text:
    """Return the effect and time of a click."""
    passed_s = max(0, step.ms - played.started_ms) / 1000
    what = Action(step.action, step.cell).label
    return Text("{time}: {what}.", {"time": seconds(passed_s), "what": what})


def risk_text(choice: ReplayChoice) -> Text:
    """Return the probability that a click opened a mine, as text."""
    if choice.kind is Kind.PROVED:
        return t("It was proved safe.")
    if any(decision.p_mine == 1 for decision in choice.decisions):
        return t("It was proved to be a mine.")
    risk = percent(choice.risk)
    if choice.decisions[0].safe:
        return t("The risk was {risk}, although a safe cell existed.", risk=risk)
    return t("The risk was {risk}: no cell was safe.", risk=risk)
