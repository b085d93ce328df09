"""Challenges are signed, bound to their use, and valid for a limited time."""

from __future__ import annotations

import random

import pytest

from sapper.server.accounts.challenges import LIFETIME_S, Challenges
from sapper.server.accounts.errors import ChallengeRefused


def test_a_challenge_is_valid_for_its_purpose_browser_and_time() -> None:
    """Using a challenge in any other way is refused with the same error."""
    now = [1_000.0]
    challenges = Challenges(b"k" * 32, lambda: now[0], random.Random(1).randbytes)
    one, other = (challenges.issue("claim", "ann") for _ in range(2))
    assert one != other
    assert challenges.expiry_of(one, "claim", "ann") == 1_000 + LIFETIME_S
    strange = Challenges(b"x" * 32, lambda: now[0], random.Random(1).randbytes)
    for given, purpose, bound_to in [
        (one, "sign in", "ann"),
        (one, "claim", "bert"),
        (one[:-1], "claim", "ann"),
        (bytes([one[0] ^ 1]) + one[1:], "claim", "ann"),
        (one[:20] + b"\xff" + one[21:], "claim", "ann"),
        (strange.issue("claim", "ann"), "claim", "ann"),
        (b"", "claim", "ann"),
    ]:
        with pytest.raises(ChallengeRefused, match="expired or has already been used"):
            challenges.expiry_of(given, purpose, bound_to)
    now[0] += LIFETIME_S + 1
    with pytest.raises(ChallengeRefused, match="expired or has already been used"):
        challenges.expiry_of(one, "claim", "ann")
