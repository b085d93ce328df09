"""The known answers in `tests/data`, as test parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

__all__ = ["DATA", "known"]

DATA = Path(__file__).parents[1] / "data"


def known(name: str) -> list[Any]:
    """Return one parameter for the object on each line of a file."""
    lines = (DATA / f"{name}.jsonl").read_text("ascii").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        pytest.param(entry, id=f"{number}-{entry.get('tag', entry.get('name'))}")
        for number, entry in enumerate(found, start=1)
    ]
