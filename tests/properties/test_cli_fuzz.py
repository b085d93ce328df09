"""Any bytes on standard input give an answer or an error, never a crash."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper._grid import Known
from sapper.cli.answering import answer_all
from sapper.cli.input import read_positions
from sapper.errors import SapperError
from sapper.position import Position
from sapper.solver import analyze
from support.examples import examples
from support.program import sapper
from support.strategies import positions

# Near misses find more bugs than random noise, so the inputs are cells, brackets, keys and line
# ends, both whole and broken.
PIECES = st.sampled_from(
    [b".", b"1", b"0", b"8", b"F", b"*", b"\n", b"\r\n", b"//", b"mines: 1\n", b"topology: torus\n",
     b"{", b"}", b"[", b"]", b'"', b",", b":", b'{"rows": ["..", "11"]}', b'"rows"', b'"mines"',
     b"null", b"1e9", b"-1", b"\xff", b"\0", b"\xef\xbb\xbf", b" ", b"\xe2\x80\xa8"]
)  # fmt: skip
INPUT = st.lists(PIECES, max_size=30).map(b"".join) | st.binary(max_size=60)


@examples(1500)
@given(INPUT, st.none() | st.integers(-1, 9))
def test_any_input_is_read_or_rejected(data: bytes, mines: int | None) -> None:
    """Reading terminates and yields positions or Sapper's own errors, at least one of them."""
    records = list(read_positions(io.BytesIO(data), Known(mines)))
    assert records
    assert all(isinstance(r.position, Position | SapperError) for r in records)


@examples(100)
@given(INPUT)
def test_the_program_never_shows_a_traceback(data: bytes) -> None:
    """For any input, the program exits with 0, 1 or 2 and prints JSON Lines."""
    done = sapper("analyze", "--json", stdin=data)
    assert done.code in (0, 1, 2)
    assert bool(done.err) == (done.code == 2)
    for answer in done.json:
        assert ("error" in answer) != ("solutions" in answer)


@examples(200)
@given(st.lists(positions(lies=0), min_size=1, max_size=4), st.booleans())
def test_lines_and_text_carry_the_same_positions(found: list[Position], indent: bool) -> None:
    """Positions are read back in the same order from either form."""
    lines = "\n".join(json.dumps(p.to_json()) for p in found)
    assert [r.position for r in read_positions(io.BytesIO(lines.encode()))] == found
    alone = json.dumps(found[0].to_json(), indent=2) if indent else str(found[0])
    assert [r.position for r in read_positions(io.BytesIO(alone.encode()))] == found[:1]


@examples(200)
@given(positions(lies=0))
def test_an_answer_is_json_whatever_the_position(position: Position) -> None:
    """The output contains no NaN, which JSON cannot represent."""
    answer = json.loads(json.dumps(analyze(position).to_json(), allow_nan=False))
    assert len(answer["p_mine"]) == position.height
    assert all(len(row) == position.width for row in answer["p_mine"])


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only expected errors are printed as lines; all others are raised."""

    def fail(position: Position) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"..\n")))
    with pytest.raises(ZeroDivisionError):
        answer_all("-", Known(), False, lambda position: {}, fail)
