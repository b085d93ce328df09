"""`generate`: uniform boards and no-guess boards."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from sapper.board import Board
from sapper.generation import Logic, Method, generate, parse_id, prove
from sapper.generation.daily import DailyBoards
from sapper.paths import state_dir
from sapper.server.storage.store import Store
from support.program import Result, sapper

PLAIN = {"width", "height", "mines", "rows", "start", "seed", "no_guess", "bbbv", "id"}
PROVED = PLAIN | {"logic", "method", "proof_steps", "hardest", "tries"}
UNIFORM = ("--method", "uniform")
NO_GUESS = ("generate", "--no-guess", "--level", "9x9:10", "--json")


def refused(done: Result) -> str:
    """Return the line on standard error; check exit status 2 and empty output."""
    assert done.code == 2
    assert done.out == ""
    [line] = done.err.splitlines()
    return line


def test_board_is_a_json_object_on_its_line() -> None:
    """The object contains every documented key and the board's values."""
    done = sapper("generate", "--level", "9x9:10", "--seed", "7", "-n", "3", "--json")
    assert done.code == 0
    assert done.err == ""
    assert [made["seed"] for made in done.json] == [7, 8, 9]
    for made in done.json:
        assert set(made) == PLAIN
        board = Board.from_json(made)
        assert (made["no_guess"], made["bbbv"]) == (False, board.bbbv)
        assert parse_id(made["id"]) == (board, tuple(made["start"]))


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("logic", list(Logic))
def test_no_guess_board_includes_its_proof(logic: Logic, method: Method) -> None:
    """The proof's logic, number of steps and hardest step match the board."""
    options = ("--logic", logic, "--method", method, "--start", "4,4", "--seed", "3", "-n", "4")
    done = sapper(*NO_GUESS, *options)
    assert done.code == 0
    assert len(done.json) == 4
    for made in done.json:
        assert set(made) == PROVED
        assert (made["no_guess"], made["logic"], made["method"]) == (True, logic, method)
        steps = prove(Board.from_json(made), made["start"], logic)
        assert steps is not None
        assert made["start"] == [4, 4]
        assert made["proof_steps"] == len(steps)
        assert made["hardest"] in {step.logic for step in steps}
        assert made["tries"] >= 1


@pytest.mark.parametrize("method", list(Method))
def test_the_same_seed_deals_the_same_boards(method: Method) -> None:
    """Boards are the same in every run and in the library; another seed gives different ones."""
    options = (*NO_GUESS, "--method", method, "-n", "3", "--seed")
    once = sapper(*options, "5")
    assert once.out == sapper(*options, "5").out
    assert once.out != sapper(*options, "50").out
    made = generate("9x9:10", 3, seed=5, no_guess="total", method=method)
    assert once.json == [board.to_json() for board in made]


def test_text_board_mentions_its_proof() -> None:
    """A comment above the board gives the number of steps, and the output can be parsed."""
    done = sapper("generate", "--no-guess", "--level", "9x9:10", "--seed", "1")
    assert done.code == 0
    assert "no guess: " in done.out.splitlines()[0]
    assert Board.parse(done.out).mines == 10


def test_topology_is_an_option_or_part_of_the_level() -> None:
    """In both forms, the board is the same and its text includes the topology."""
    options = ("generate", "--no-guess", "--seed", "1", "--level")
    apart = sapper(*options, "7x6:8", "--topology", "hexagon")
    assert apart.out == sapper(*options, "7x6:8/hexagon").out
    assert Board.parse(apart.out).topology.name == "hexagon"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--level", "30x16:200", "--tries", "20", *UNIFORM),
            "was found in 20 tries; the method 'fast'",
        ),
        (("--level", "5x5:22"), "can keep the promise of first click opening"),
        (("--level", "5x5:20", "--start", "2,2"), "keeps 9 cells clear"),
        (("--level", "9x9@0.1"), "no-guess boards need a mine total"),
        (("--first-click", "any"), "must be safe or opening for no-guess boards, got any"),
        (("--logic", "luck"), "--logic must be single, pairs, local or total, got 'luck'"),
        (("--method", "slow"), "--method must be uniform or fast, got 'slow'"),
        (("--tries", "0"), "--tries must be at least 1, got '0'"),
        (("--topology", "cube"), "unknown topology 'cube'"),
        (("--level", "5x5:2/torus", "--topology", "torus"), "names a topology"),
        (("--start", "1;2"), "a row and a column such as 3,4"),
    ],
)
def test_impossible_settings_error_is_one_line(options: tuple[str, ...], message: str) -> None:
    """Too many mines, small boards, and missing or unknown settings give status 2 and a reason."""
    assert message in refused(sapper("generate", "--no-guess", "--json", *options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--id", "x", "--daily", "today"), "--id and --daily cannot be used together"),
        (("--id", "x", "--seed", "1"), "--id and --seed cannot be used together"),
        (("--daily", "today", "-n", "2"), "--daily and -n cannot be used together"),
        (("--daily", "today", "--logic", "pairs"), "--daily and --logic cannot be used together"),
        (("--logic", "pairs"), "--logic needs --no-guess or --id"),
    ],
)
def test_options_without_effect_are_rejected(options: tuple[str, ...], message: str) -> None:
    """Useless options were ignored: `--daily today --level expert` gave an intermediate board."""
    assert message in refused(sapper("generate", *options))


def test_a_daily_board_is_printed_from_its_published_seed() -> None:
    """The command printed the board of any day, even of tomorrow."""
    seed = DailyBoards(bytes(32)).seed(date(2026, 11, 22))
    recipe = ("--level", "intermediate", "--no-guess", "--start", "8,8", "--seed", str(seed))
    done = sapper("generate", "--daily", "2026-11-22", "--seed", str(seed))
    assert done.code == 0
    assert done.out == sapper("generate", *recipe).out


def test_past_daily_boards_of_the_site_on_this_computer_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today's and later boards are secret, and so are all those of other sites."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    today = datetime.now(UTC).date()
    past, future = today - timedelta(7), today + timedelta(7)
    missing = refused(sapper("generate", "--daily", str(past)))
    assert f"--daily {past} --seed SEED" in missing
    with Store(state_dir()) as store:
        made = store.daily_boards.board(past)
    assert str(made.board) in sapper("generate", "--daily", str(past)).out
    for day in ("today", str(future)):
        assert "is secret until" in refused(sapper("generate", "--daily", day))


def test_boards_are_printed_as_they_are_found() -> None:
    """Each board is printed as soon as it is ready, before the failure of a later one."""
    options = ("--level", "30x16:99", "--start", "0,0", "--seed", "1", "--tries", "20", "-n", "60")
    done = sapper("generate", "--no-guess", "--json", *UNIFORM, *options)
    assert done.code == 2
    assert 0 < len(done.json) < 60
    assert len(done.err.splitlines()) == 1


def test_fast_method_replaces_failed_uniform_method() -> None:
    """One line reports the change, and each board states the method that found it."""
    options = ("generate", "--no-guess", "--json", "--tries", "20", "--seed", "1", "-n", "3")
    dense = sapper(*options, "--level", "30x16:200")
    assert dense.code == 0
    [line] = dense.err.splitlines()
    assert "no board was found in 20 tries by method uniform; method fast is used" in line
    assert [made["method"] for made in dense.json] == ["fast"] * 3
    fast = sapper(*options, "--level", "30x16:200", "--method", "fast")
    assert (fast.json, fast.err) == (dense.json, "")
    easy = sapper(*options, "--level", "9x9:10")
    assert (easy.json, easy.err) == (sapper(*options, "--level", "9x9:10", *UNIFORM).json, "")


def test_id_recreates_its_board() -> None:
    """The ids of --json and of Simon Tatham are accepted; a no-guess proof can be added."""
    [made] = sapper(*NO_GUESS, "--seed", "5").json
    [again] = sapper("generate", "--id", made["id"], "--json").json
    assert {key: again[key] for key in ("rows", "start", "no_guess", "bbbv", "id")} == {
        key: made[key] for key in ("rows", "start", "no_guess", "bbbv", "id")
    }
    assert again["proof_steps"] == made["proof_steps"]
    shown = sapper("generate", "--id", "9x9:5,7,m59991a7e76e3dcfa41188")
    assert shown.out.startswith("// first click (7, 5), 3BV 24, no guess: 30 steps\nmines: 10\n")


def test_invalid_id_is_rejected() -> None:
    """The error repeats the text and shows an example of a valid id."""
    assert "'3x2:1,2,'" in refused(sapper("generate", "--id", "3x2:1,2,", "--json"))
