"""Checks of arguments: numbers and lists of cells."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

import sapper
from sapper import Level, Limit, Position
from sapper._util.arguments import number, whole
from sapper.errors import BadLevel, BadSetting
from sapper.topology import topology


@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, float("nan"), np.bool_(True)])
def test_non_integers_are_rejected(value: object) -> None:
    """Booleans are refused as well; the message repeats the value."""
    with pytest.raises(BadSetting, match="n must be a whole number of 0 or more, got "):
        whole(value, "n")


def test_bounds_are_written_readably() -> None:
    """Powers of two are shown as powers, other limits as numbers."""
    with pytest.raises(BadSetting, match=r"from 0 to 2\*\*64 - 1, got 18446744073709551616"):
        whole(2**64, "n", most=2**64 - 1)
    with pytest.raises(BadLevel, match="from 1 to 81, got 0"):
        whole(0, "n", least=1, most=81, error=BadLevel)


def test_booleans_are_not_real_numbers() -> None:
    """Booleans are refused; integers too large for a float become infinite."""
    given = [np.float32(0.5), np.int64(2), Fraction(1, 4), 10**400, -(10**400)]
    assert [number(value) for value in given] == [0.5, 2.0, 0.25, float("inf"), float("-inf")]
    assert [number(value) for value in (True, None, "1", [])] == [None] * 4


def test_numpy_numbers_are_converted_to_python_numbers() -> None:
    """[#17] Numpy numbers were refused, or stored unconverted, which broke JSON output."""
    nine, ten = np.int64(9), np.uint8(10)
    level = Level(nine, nine, ten)  # type: ignore[arg-type]
    assert level == sapper.BEGINNER
    assert {type(level.width), type(level.height), type(level.mines)} == {int}
    assert type(Level(9, 9, density=np.float32(0.25)).density) is float  # type: ignore[arg-type]
    assert topology("torus", nine, 9) is topology("torus", 9, 9)  # type: ignore[arg-type]
    assert type(Position.unopened(level.shape(), ten).mines) is int  # type: ignore[arg-type]
    assert Limit(states=ten, seconds=np.float32(0.5)) == Limit(10, 0.5)  # type: ignore[arg-type]
    cell = level.shape().neighbours((nine - 1, nine - 1))[0]  # type: ignore[arg-type]
    assert {type(cell.row), type(cell.col)} == {int}


def test_time_limit_can_be_any_number() -> None:
    """[#17] An integer too large for a float raised an `OverflowError`."""
    limit = pickle.loads(pickle.dumps(Limit(seconds=10**400)))
    assert sapper.analyze(Position.parse("..\n11", 1), limit=limit).solutions == 2
