"""`sapper admin ratings`."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.server.storage.store import Store
from support.program import sapper


def test_ratings_are_computed_again_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command reports what changes; repeating it changes nothing, and both are in the log."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    with Store(tmp_path) as store, store.transaction() as db:
        db.execute("INSERT INTO ratings VALUES ('ann', 'race expert', 243813, 31, 0.06, 16, 5)")
    dry = sapper("admin", "ratings", "recompute", "--dry-run")
    assert dry.code == 0
    assert "race expert: 0 rounds, 1 of 1 ratings; most: ann, 243,813 to 1,500" in dry.out
    assert "1 ratings would change" in dry.out
    [found] = sapper("admin", "ratings", "recompute", "--json").json
    assert (found["list"], found["before"], found["after"]) == ("race expert", 243_813, 1_500)
    again = sapper("admin", "ratings", "recompute")
    assert again.code == 1
    assert "0 ratings changed" in again.out
    log = sapper("admin", "log").out
    assert log.count("ratings recompute") == 2
    assert "1 of 1 ratings changed" in log
