"""The chi-square test, without the half of scipy that `scipy.stats` loads."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.special import chdtrc

__all__ = ["chi_square_p"]


def chi_square_p(observed: Iterable[float], expected: Iterable[float] | None = None) -> float:
    """Return the p-value of counts, given the expected counts (default: equal).

    Both must have the same sum.
    """
    seen = np.array(list(observed), dtype=float)
    wanted = np.full(len(seen), seen.mean()) if expected is None else np.array(list(expected))
    assert np.isclose(seen.sum(), wanted.sum())
    return float(chdtrc(len(seen) - 1, ((seen - wanted) ** 2 / wanted).sum()))
