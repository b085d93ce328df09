"""Every pattern in the library proves exactly the cells that it claims."""

import random
import re
from dataclasses import replace
from itertools import product

import pytest

from sapper.coach.patterns import BadPattern, Family, Form, Pattern, patterns, prove
from sapper.coach.patterns.proving import conclusions, needless
from sapper.coach.patterns.symmetry import SYMMETRIES, turned


def turned_pattern(pattern: Pattern, symmetry: int) -> Pattern:
    """Return a pattern with all pictures turned."""
    forms = [replace(form, rows=turned(form.rows, symmetry)) for form in pattern.forms]
    return replace(pattern, forms=tuple(forms))


@pytest.mark.parametrize("pattern", patterns().values(), ids=patterns())
def test_a_pattern_proves_what_it_shows_in_all_symmetries(pattern: Pattern) -> None:
    """Whatever surrounds it, a pattern proves the cells shown as proved and no others."""
    for symmetry in SYMMETRIES:
        prove(turned_pattern(pattern, symmetry))


@pytest.mark.parametrize("pattern", patterns().values(), ids=patterns())
def test_every_number_of_a_pattern_is_needed(pattern: Pattern) -> None:
    """A number that proves nothing would only make the pattern harder to find."""
    if pattern.proves:
        for form in pattern.forms:
            unneeded = needless(form)
            assert not [place for place in unneeded if place in form.at("12345678")]


def by_trying(form: Form) -> tuple[set[tuple[int, int]], set[tuple[int, int]]] | None:
    """Return the safe and mined cells by trying all arrangements; None if none fits."""
    numbers = form.at("12345678")
    near = {n: [(n[0] + i, n[1] + j) for i, j in product((-1, 0, 1), repeat=2)] for n in numbers}
    known = set(form.at("o12345678*"))
    cells = sorted({cell for cells in near.values() for cell in cells} - known)
    fitting = []
    for mines in product((0, 1), repeat=len(cells)):
        mined = dict(zip(cells, mines, strict=True))
        if all(sum(mined.get(c, 0) for c in near[n]) == form.left(*n) for n in numbers):
            fitting.append(mined)
    if not fitting:
        return None
    safe = {cell for cell in cells if not any(mined[cell] for mined in fitting)}
    return safe, {cell for cell in cells if all(mined[cell] for mined in fitting)}


def test_conclusions_are_those_of_brute_force() -> None:
    """On small random pictures, the engine agrees with brute force."""
    rng = random.Random(1)
    seen = 0
    while seen < 60:
        inner = ["".join(rng.choice("oo?.123") for _ in range(3)) for _ in range(2)]
        form = Form(("ooooo", *(f"o{row}o" for row in inner), "ooooo"))
        if not form.at("123"):
            continue
        expected = by_trying(form)
        if expected is None:
            with pytest.raises(BadPattern, match="no arrangement"):
                conclusions(form)
        else:
            found = conclusions(form)
            assert (set(found.safe), set(found.mined)) == expected
            seen += bool(found.safe or found.mined)


def test_the_library_has_every_family_and_an_order() -> None:
    """Orders and names are unique, and every source is a URL."""
    found = list(patterns().values())
    assert len(found) >= 90
    assert {pattern.family for pattern in found} == set(Family)
    assert len({pattern.order for pattern in found}) == len(found)
    assert len({pattern.name for pattern in found}) == len(found)
    assert all(re.fullmatch(r"(https?://\S+)?", pattern.source) for pattern in found)


def test_false_friends_look_like_patterns_that_prove_something() -> None:
    """Each false friend is paired with a pattern to practise against."""
    for pattern in patterns().values():
        if pattern.looks_like:
            assert patterns()[pattern.looks_like].proves


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (("o..s", "o11.", "o???"), r"\(1, 3\) is safe, which the picture does not show"),
        (("...s", "o11+", "o??+"), r"\(0, 3\) is not proved safe"),
        (("o..m", "o11+", "o??+"), r"\(0, 3\) is safe"),
        (("o...", "o12o", "oooo"), r"\(0, 3\) is mined"),
        (("1?2", "???"), "nothing is proved"),
        (("ooo", "o1o", "ooo"), "no arrangement of mines fits"),
    ],
)
def test_a_wrong_picture_is_rejected(rows: tuple[str, ...], reason: str) -> None:
    """The message gives the pattern, the picture and the cell."""
    wrong = replace(patterns()["1-1"], forms=(Form(rows),))
    with pytest.raises(BadPattern, match=f"1-1, picture 1: .*{reason}"):
        prove(wrong)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (("####", "#gg*", "#13*", "#?oo"), "must be known"),
        (("####", "#gg*", "#ggo", "#1oo"), "could tell more|must be known|tells"),
        (("####", "#ggo", "#11o", "#ooo"), r"the number at \(1, 3\) tells"),
        (("oggo", "o11o", "oooo"), "could tell more"),
        (("#####", "#g1go", "#ooog", "#oooo"), "known|tells|touches"),
    ],
)
def test_a_guess_that_more_cells_can_settle_is_rejected(rows: tuple[str, ...], reason: str) -> None:
    """A guess is forced only if no cell around it gives information."""
    wrong = replace(patterns()["dead-corner"], forms=(Form(rows),))
    with pytest.raises(BadPattern, match=reason):
        prove(wrong)
