"""Engines that work, fail, lie, hang or flood."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from sapper import Level, Position
from sapper.errors import BadSetting
from sapper.solver.bots.engine import Engine, EngineFailed, client
from sapper.topology import Cell
from support.engines import engine
from support.marks import slow
from support.waiting import until

_LEVEL = Level.parse("3x2:1")
_UNOPENED = Position.parse("...\n...", 1)
_OPEN = 'send(type="choice", id=id, actions=[["open", 0, 0]])'


def _choose(choose: str, **options: object) -> None:
    with Engine(engine(choose), **options) as started:  # type: ignore[arg-type]
        started.begin(1, _LEVEL, seed=1)
        started.choose(1, _UNOPENED)


def test_a_choice_has_its_actions_risk_and_reason() -> None:
    """The engine's answer becomes a choice with the same actions, risk and reason."""
    answer = 'send(type="choice", id=id, risk=0.5, by="luck", guess=True, actions=[["flag", 1, 2]])'
    with Engine(engine(answer, version="2.0", games=3)) as started:
        assert (started.abilities.name, started.abilities.version) == ("test", "2.0")
        assert started.abilities.games == 3
        started.begin(1, _LEVEL, seed=1)
        choice = started.choose(1, _UNOPENED)
    assert [(str(action.kind), action.cell) for action in choice.actions] == [("flag", Cell(1, 2))]
    assert (choice.risk, choice.by, choice.guess) == (0.5, "luck", True)


def test_later_requests_list_the_changed_cells() -> None:
    """The first request has no list, and an unchanged position has an empty one."""
    changed = 'by=json.dumps(message.get("changed"))'
    with Engine(
        engine(f'send(type="choice", id=id, actions=[["open", 0, 0]], {changed})')
    ) as started:
        started.begin(1, _LEVEL, seed=1)
        assert started.choose(1, _UNOPENED).by == "null"
        assert started.choose(1, Position.parse("1..\n.1.", 1)).by == "[[0, 0], [1, 1]]"
        assert started.choose(1, Position.parse("1..\n.1.", 1)).by == "[]"


@pytest.mark.parametrize(
    ("choose", "reason"),
    [
        ("sys.exit(3)", "it ended with exit status 3"),
        ('print("out of\\nideas", file=sys.stderr)\nsys.exit(1)', "exit status 1: ideas"),
        ("os.kill(os.getpid(), 11)", "it was ended by SIGSEGV"),
        ("sys.stdout.close()\nos.close(1)\ntime.sleep(60)", "it closed its standard output"),
        ('print("not json", flush=True)', "it sent 'not json', which is not JSON"),
        ("print([1], flush=True)", "it sent '[1]', which is not an object with a type"),
        ('send(type="choice", id=99, actions=[])', "expected an answer with id 1, got 99"),
        ('send(type="choice", id=id)', "actions must be a list with an action, got None"),
        (
            'send(type="choice", id=id, actions=[["open", 2, 0]])',
            "it chose to open (2, 0) on a board of 2 rows and 3 columns, counted from 0",
        ),
        (
            'send(type="choice", id=id, actions=[["undo", 0, 0]])',
            "an action must be one of open, flag, chord, got 'undo'",
        ),
        (
            'send(type="choice", id=id, actions=[["open", 0]])',
            "an action must be like [\"open\", row, column], got ['open', 0]",
        ),
        (
            'send(type="choice", id=id, risk=2, actions=[["open", 0, 0]])',
            "risk must be a number from 0 to 1, got 2",
        ),
        ('send(type="choice", id=id, actions=[["open", 0, 0]] * 25)', "it sent 25 actions"),
        ('send(type="sonnet")', "expected a message of type choice, got 'sonnet'"),
        (
            'send(type="error", id=id, code="lost", message="no idea")',
            "it reported an error: lost: no idea",
        ),
        ('while True: sys.stdout.write("x" * 65536)', "it sent a line of more than"),
        ('while True: send(type="info")', "it sent 1000 messages without an answer"),
        ('print("[" * 60000, flush=True)', "which is not JSON"),
        ("x = [bytearray(1 << 20) for _ in range(400)]", "exit status 1: MemoryError"),
    ],
)
def test_a_failure_names_the_engine_and_what_it_did(choose: str, reason: str) -> None:
    """Each error begins with the engine's name and ends with its fault."""
    with pytest.raises(EngineFailed) as raised:
        _choose(choose, memory_mb=256)
    assert reason in str(raised.value)
    assert str(raised.value).startswith("engine ")


@pytest.mark.parametrize(
    "choose", ["time.sleep(60)", slow("while True: pass"), slow("os.kill(0, 19)")]
)
def test_an_engine_that_hangs_is_ended(choose: str) -> None:
    """Sleeping, looping and stopped engines are all ended after the time limit."""
    with pytest.raises(EngineFailed, match=r"it did not answer within 0\.2 s"):
        _choose(choose, seconds=0.2)


def test_an_engine_that_uses_too_much_processor_time_is_ended() -> None:
    """The system ends the process, and the error names the signal."""
    with pytest.raises(EngineFailed, match=r"it was ended by SIG(XCPU|KILL)"):
        _choose("while True: pass", cpu_s=1, seconds=600)


def test_an_engine_may_answer_after_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time limit, an engine is asked to stop and may still send a choice."""
    monkeypatch.setattr(client, "_GRACE_S", 300.0)
    _choose(f'assert json.loads(input())["type"] == "stop"\n{_OPEN}', seconds=0.2)


@pytest.mark.slow
def test_an_engine_that_does_not_read_is_ended() -> None:
    """A million cells fill the pipe of an engine that does not read."""
    level, rows = (
        Level.parse("1000x1000:1"),
        Position.unopened(Level.parse("1000x1000:1").shape(), 1),
    )
    hangs = engine("time.sleep(60)")
    with Engine(hangs, seconds=0.5) as started:
        started.begin(1, level, seed=1)
        started.begin(2, level, seed=1)
        with pytest.raises(EngineFailed, match=r"did not answer|does not read"):
            started.choose(1, rows)


def test_a_long_log_does_not_block_an_engine() -> None:
    """The log exceeds the pipe's buffer."""
    _choose('sys.stderr.write("x" * 300_000)\n' + _OPEN)


def test_every_descendant_of_an_engine_is_ended(tmp_path: Path) -> None:
    """Descendants that ignore signals or start their own session are ended, too."""
    file = tmp_path / "pids"
    spawn = f"""
child = subprocess.Popen(["/bin/sh", "-c", "trap '' HUP TERM; sleep 600 & wait"],
                         start_new_session=True)
open({str(file)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
{_OPEN}"""
    _choose(spawn.strip())
    pids = [int(pid) for pid in file.read_text().split()]
    assert len(pids) == 2
    for pid in pids:
        until(lambda pid=pid: not _runs(pid), f"the end of process {pid}")  # type: ignore[misc]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_engine_ends_with_a_caller_that_is_killed(tmp_path: Path) -> None:
    """The engine ends even if its caller is killed and cannot end it."""
    file = tmp_path / "pid"
    command = engine(f'open({str(file)!r}, "w").write(str(os.getpid()))\ntime.sleep(600)')
    child = os.fork()
    if child == 0:
        try:
            started = Engine(command, seconds=600)
            started.begin(1, _LEVEL, seed=1)
            started.choose(1, _UNOPENED)
        finally:
            os._exit(1)
    until(lambda: file.exists() and file.read_text() != "", "the engine to start")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    until(lambda: not _runs(int(file.read_text())), "the end of the engine")


@pytest.mark.parametrize(
    ("greeting", "reason"),
    [
        ({"protocol": 2}, "it must speak version 1 of the protocol, got 2"),
        ({"games": 0}, "games must be a positive number, got 0"),
        ({"totals": ["some"]}, "totals must be some of mines, density, unknown"),
        ({"topologies": 3}, 'topologies must be a list of names or "all", got 3'),
        ({"analysis": "yes"}, "analysis must be true or false, got 'yes'"),
        ({"type": "choice"}, "its first message must be hello, got 'choice'"),
    ],
)
def test_an_invalid_greeting_is_refused(greeting: dict[str, object], reason: str) -> None:
    """The error names the field and repeats the value."""
    with pytest.raises(EngineFailed) as raised:
        Engine(engine(_OPEN, **greeting))
    assert reason in str(raised.value)


def test_boards_and_rules_that_an_engine_does_not_play_are_refused() -> None:
    """The error says what the engine plays and what was requested."""
    with Engine(engine(_OPEN)) as started:
        with pytest.raises(EngineFailed, match="it plays rectangle boards, not torus"):
            started.begin(1, Level.parse("5x5:3/torus"), seed=1)
        with pytest.raises(EngineFailed, match="it needs boards with mines, not density"):
            started.begin(1, Level.parse("5x5@0.2"), seed=1)
        with pytest.raises(EngineFailed, match="it does not analyse positions"):
            started.analyze(_UNOPENED)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "an engine needs a command"),
        ("'", "no closing quotation"),
        ("no-such-program --x", "no program 'no-such-program'"),
        ("a\0b", "contains a null character"),
    ],
)
def test_an_invalid_command_is_refused(command: str, reason: str) -> None:
    """Empty, unclosed and unknown commands are refused before anything starts."""
    with pytest.raises(BadSetting) as raised:
        Engine(command)
    assert reason in str(raised.value)
