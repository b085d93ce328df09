"""The thresholds between kinds of guesses."""

import pytest

from sapper.coach import Decision, Kind, Value
from sapper.coach.decisions import verdict
from sapper.topology import Cell

EXACT, SAMPLED = ("exact", 0.0), ("sampled", 0.04)


def guess(
    before: float | None,
    chosen: float | None = None,
    how: tuple[str, float] = EXACT,
    *,
    p_mine: float = 0.2,
    least: float = 0.2,
) -> Decision:
    """Return a guess with these win chances."""
    values = [None if v is None else Value(v, *how) for v in (before, chosen)]  # type: ignore[arg-type]
    return Decision(
        index=0,
        cell=Cell(0, 0),
        kind=Kind.FORCED_GUESS,
        chord=None,
        p_mine=p_mine,
        least=least,
        exact=True,
        before=values[0],
        chosen=values[1],
    )


@pytest.mark.parametrize(
    ("decision", "choice", "kind"),
    [
        (guess(0.50, 0.50), True, Kind.GOOD_GUESS),
        (guess(0.50, 0.50), False, Kind.FORCED_GUESS),
        (guess(0.50, 0.49), True, Kind.GOOD_GUESS),
        (guess(0.50, 0.47), True, Kind.FORCED_GUESS),
        (guess(0.50, 0.45), True, Kind.BLUNDER),
        (guess(0.08, 0.06), True, Kind.BLUNDER),
        (guess(0.02, 0.011), True, Kind.GOOD_GUESS),
        (guess(0.50, 0.44, SAMPLED), True, Kind.FORCED_GUESS),
        (guess(0.50, 0.40, SAMPLED), True, Kind.BLUNDER),
        (guess(None), True, Kind.GOOD_GUESS),
        (guess(None), False, Kind.FORCED_GUESS),
        (guess(None, p_mine=0.25), True, Kind.FORCED_GUESS),
        (guess(None, p_mine=0.30), True, Kind.BLUNDER),
    ],
)
def test_guess_is_judged_by_its_loss(decision: Decision, choice: bool, kind: Kind) -> None:
    """A loss of 1 point is good; 5 points or a quarter is a blunder, unless it may be noise."""
    assert verdict(decision, mined=False, choice=choice) is kind


def test_opening_proved_mine_is_a_blunder() -> None:
    """Whatever the win chances, opening a proved mine gets the worst verdict."""
    assert verdict(guess(0.5, 0.5), mined=True, choice=True) is Kind.BLUNDER
