"""Calls of the native core with boards and batches that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sapper import _core
from sapper.env import Rewards
from sapper.errors import BadSetting

_HUGE = 2**62
_REWARDS = Rewards()


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.uniform_mines(_HUGE, 2, [], 1),
        lambda: _core.independent_mines(_HUGE, 0.2, [], 1),
        lambda: _core.GameBatch(
            _core.Graph.rectangle(3, 3), _HUGE, 2, None, "any", False, None, _REWARDS
        ),
    ],
)
def test_oversized_calls_are_rejected(call: Callable[[], object]) -> None:
    """Oversized calls used to abort the process or panic."""
    with pytest.raises(BadSetting):
        call()
