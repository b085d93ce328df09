"""Messages that `sapper bot` prints when it stops: the cause, and one thing to try."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.cli.bot_advice import ADVICE, advised
from sapper.errors import BadSetting, BotFailed
from sapper.vision.errors import Cause, Contradictory, NoWindow, PlayStopped, Unreadable
from support.program import sapper

DOCS = Path(__file__).parents[3] / "docs" / "windows.md"


def test_every_cause_has_advice_and_is_documented() -> None:
    """Every cause in the code has one piece of advice and an entry in the docs."""
    assert set(ADVICE) == {str(cause) for cause in Cause}
    text = DOCS.read_text("utf-8")
    assert [cause for cause in Cause if f"| `{cause}` |" not in text and cause != "other"] == []


@pytest.mark.parametrize("place", ["x11", "desktop", "browser", "terminal"])
@pytest.mark.parametrize("cause", list(Cause))
def test_message_ends_with_the_advice(cause: Cause, place: str) -> None:
    """Even a long reason does not cut off the advice."""
    said = advised(PlayStopped("too long " * 50, cause), place)
    assert len(said) < 290
    assert f"[{cause}]; " in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("problem", "place", "options", "advice"),
    [
        (NoWindow("gone"), "x11", {}, "[closed]; start the program again"),
        (Unreadable("cells"), "x11", {}, "[unreadable]; try --theme none"),
        (Unreadable("cells"), "x11", {"learning": True}, "[unreadable]; try --log DIR"),
        (Contradictory("no"), "browser", {"mines": True}, "[contradiction]; check --mines"),
        (PlayStopped("over", Cause.NO_NEW_GAME), "browser", {}, "try --new-game WAY"),
        (PlayStopped("over", Cause.NO_NEW_GAME), "terminal", {}, "try --theme FILE.toml"),
        (BotFailed("bot X: no"), "x11", {}, "bot X: no [bot]; try --bot exact"),
    ],
)
def test_advice_matches_the_kind_of_screen(
    problem: PlayStopped, place: str, options: dict[str, bool], advice: str
) -> None:
    """Web pages get no advice for terminals; a bot that learns is not told to learn."""
    assert advice in advised(problem, place, **options)


def test_other_errors_get_no_advice() -> None:
    """The error for a wrong option already lists the allowed values."""
    assert advised(BadSetting("mines must be 1 to 5"), "x11") == "mines must be 1 to 5"


@pytest.mark.slow
def test_command_prints_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cause takes one line; the exit status is 2 if nothing could be played."""
    pytest.importorskip("pyte", reason="pyte is not installed")
    done = sapper("bot", "--terminal", "cat", "--theme", "freesweep")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert "[no-board]; try --theme FILE.toml" in done.err
