"""Measure a fractional pitch by the waves that fit the outlines between cells best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Profile", "phase", "strongest"]

Profile = npt.NDArray[np.float64]
"""The strength of the outlines that cross an axis, for each pixel along that axis."""

_REACH, _DECIMALS = 1.5, 2
"""Largest difference between a fractional pitch and the whole one, in pixels; and the number of
decimals of the result."""
_SHORTEST = 16
"""Length in pixels of the shortest wave. Outlines are up to a pixel off, which is too much for
shorter waves."""
_SQUARE = 0.99
"""Cells are square if one pitch reaches this share of the best fit in both directions."""


def strongest(profiles: Sequence[Profile], pitches: tuple[int, int]) -> tuple[float, float]:
    """Return the pitch down and across whose waves fit best, or the whole pitch without outlines.

    Args:
        profiles: The outlines down and across.
        pitches: The whole pitch down and across, at most 1.5 pixels off.
    """
    if abs(pitches[0] - pitches[1]) <= 1:
        near = _near(*pitches)
        down, across = (_fits(profile, near) for profile in profiles)
        both = int((down + across).argmax())
        if min(down[both], across[both]) > _SQUARE:
            return float(near[both]), float(near[both])
    best = list[float]()
    for profile, pitch in zip(profiles, pitches, strict=True):
        near = _near(pitch)
        best.append(float(near[_fits(profile, near).argmax()] if profile.any() else pitch))
    return best[0], best[1]


def phase(profile: Profile, start: float, pitch: float) -> float:
    """Return the offset of the outlines from the multiples of a pitch, at most half the pitch.

    Args:
        profile: The outlines.
        start: Distance of the profile's first pixel from a multiple of the pitch.
        pitch: The pitch.
    """
    places = start + np.arange(len(profile))
    wave = np.exp(2j * np.pi * places / pitch) @ profile
    return float(np.angle(wave) / (2 * np.pi) * pitch)


def _near(*pitches: int) -> npt.NDArray[np.float64]:
    steps = 10**_DECIMALS
    low, high = (min(pitches) - _REACH) * steps, (max(pitches) + _REACH) * steps
    near: npt.NDArray[np.float64] = np.arange(round(low), round(high)) / steps
    return near


def _fits(profile: Profile, pitches: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how well the waves of each pitch and their harmonics fit; the best fit is 1."""
    wave = np.exp(-2j * np.pi * np.arange(len(profile)) / pitches[:, None])
    shorter, fits = np.ones_like(wave), np.zeros(len(pitches))
    for _ in range(max(2, int(pitches[0]) // _SHORTEST)):
        shorter *= wave
        fits += np.square(np.abs(shorter @ profile))
    best: Profile = fits / max(fits.max(), 1.0)
    return best
