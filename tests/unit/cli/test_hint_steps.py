"""`sapper hint --steps`: proofs, example boards and contradictions."""

from sapper.position import Position
from sapper.solver import conflict, hint, proof_steps
from support.program import sapper

WALL = "....\n1221\n0000\n"


def test_proof_steps_are_printed() -> None:
    """Each step is a numbered line, or an object in JSON."""
    position = Position.parse(WALL)
    proof = hint(position).proof
    assert proof is not None
    expected = proof_steps(position, proof)
    done = sapper("hint", "--steps", stdin=WALL)
    assert done.code == 0
    assert [line[5:] for line in done.out.splitlines()[1:]] == [step.text for step in expected]
    [told] = sapper("hint", "--steps", "--json", stdin=WALL).json
    assert told["steps"] == [step.to_json() for step in expected]
    assert "boards" not in told


def test_pattern_is_named_before_the_proof() -> None:
    """A cell that one number proves has no pattern."""
    done = sapper("hint", stdin=WALL)
    [told] = sapper("hint", "--json", stdin=WALL).json
    assert done.out.startswith(f"open (0, 0): {told['pattern']['title']}. ")
    assert sapper("hint", "--json", stdin="..\n00\n").json[0]["pattern"] is None


def test_unproved_cell_prints_two_boards() -> None:
    """With --steps, the boards are printed side by side, or as rows in JSON."""
    done = sapper("hint", "--steps", "--mines", "1", stdin="..\n11\n")
    assert done.out.splitlines()[1:] == [
        "Two boards that fit, with a mine on (0, 0) and without:",
        "  *1  1*",
        "  11  11",
    ]
    [told] = sapper("hint", "--steps", "--json", "--mines", "1", stdin="..\n11\n").json
    assert told["boards"] == {"mined": ["*1", "11"], "clear": ["1*", "11"]}
    assert "boards" not in sapper("hint", "--json", "--mines", "1", stdin="..\n11\n").json[0]


def test_contradiction_lists_its_numbers() -> None:
    """The numbers listed are a minimal contradiction."""
    text = "...\n143\n...\n"
    found = conflict(Position.parse(text))
    assert found is not None
    done = sapper("hint", "--steps", stdin=text)
    assert (done.code, done.out) == (1, f"{found.sentence}\n")
    [told] = sapper("hint", "--steps", "--json", stdin=text).json
    assert told["error"]["message"] == found.sentence
