"""Pictures of patterns: each is drawn alone and proved by its own numbers."""

from __future__ import annotations

from sapper.coach.patterns import pattern, patterns
from sapper.coach.practice.picture import pictures


def test_every_pattern_has_a_picture_with_its_proof() -> None:
    """Every cell that a pattern settles has a proof that uses only the pattern's numbers."""
    for one in patterns().values():
        found = pictures(one.forms)
        assert found, one.id
        for picture in found:
            proved = {told.cell for told in picture.explanations}
            assert proved <= {*picture.safe, *picture.mined}
            assert set(picture.mined) <= proved
            steps = [step for told in picture.explanations for step in told.steps]
            assert {cell for step in steps for cell in step.numbers} <= set(picture.numbers), one.id
        assert bool(found[0].explanations) >= bool(found[0].mined), one.id


def test_cells_that_may_be_anything_are_open_where_the_proof_allows_it() -> None:
    """1-1 is first drawn beside one row of unopened cells, then between two."""
    first, second, *_ = pictures(pattern("1-1").forms)
    assert [row.count(".") for row in first.position.rows] == [3, 0, 0]
    assert second.position.rows[0].count(".") == second.position.rows[2].count(".") > 1
