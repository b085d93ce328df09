"""How the program ends: closed streams, Ctrl-C, and bots that never return."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.marks import slow
from support.program import PROGRAM, run_program, sapper
from support.waiting import until

WIDE = "\n".join("." * 120 if row % 2 else ".2" * 60 for row in range(120))


def processor_ticks(pid: int) -> int:
    """Return the processor time of a process in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _closed(number: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=lambda: os.close(number),
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("number", "said"), [(0, b"standard input: it is closed"), (1, b"standard output is closed")]
)
def test_closed_stream_error_is_one_line(number: int, said: bytes) -> None:
    """The program prints one line without a traceback and exits with 2."""
    done = _closed(number, "analyze", "-")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_an_error_line_is_at_most_300_characters() -> None:
    """Long input is shortened in errors."""
    told = sapper("generate", "--level", "x" * 5000, "--first-click", "y" * 5000)
    assert told.code == 2
    assert len(told.err.rstrip("\n")) <= 300


@pytest.mark.parametrize(
    "arguments",
    [
        ["lab", "run", "-n", "10", "--out", b"\xff"],
        slow(["lab", "run", "-n", "10", "--plot", "x.exe"]),
        slow(["lab", "sweep", "--density", "nan"]),
    ],
)
def test_bad_settings_print_no_traceback(arguments: list[str | bytes], tmp_path: Path) -> None:
    """Bad settings are reported before the first game."""
    done = subprocess.run(
        [PROGRAM, *arguments], capture_output=True, timeout=300, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"sapper: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("method", ["exact", slow("sat"), slow("backtracking")])
def test_ctrl_c_stops_native_and_sat_work(method: str) -> None:
    """The program ends with status 130 or the signal, without a traceback."""
    running = subprocess.Popen(
        [PROGRAM, "arrange", "--method", method],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdin is not None
    running.stdin.write(f"mines: 5000\n{WIDE}\n".encode())
    running.stdin.close()
    running.stdin = None
    until(lambda: processor_ticks(running.pid) > 100, "a second of work")
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=300)
    assert running.returncode in (0, 1, 130, -signal.SIGINT)
    assert b"Traceback" not in told


BOTS = """
import os, signal, time
class Native:
    def choose(self, position):
        return 3 ** (10 ** 9)
class Deaf:
    def __init__(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    def choose(self, position):
        while True:
            time.sleep(10)
class Exits:
    def choose(self, position):
        os._exit(0)
"""


@pytest.mark.parametrize(
    ("bot", "seconds", "said"),
    [
        slow("Native", "0.3", "took longer than 0.3 s, and its process was ended"),
        slow("Deaf", "0.3", "took longer than 0.3 s, and its process was ended"),
        ("Exits", "300", "processes died"),
    ],
)
def test_unresponsive_bot_is_stopped(bot: str, seconds: str, said: str, tmp_path: Path) -> None:
    """Bots may run in one worker or native code, ignore signals, or end their process."""
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    told = run_program(
        *["lab", "run", "--bot", f"{path}:{bot}", "--level", "beginner", "-n", "2"],
        *["--workers", "1", "--bot-seconds", seconds],
    )
    assert told.code == 2
    assert said in told.err


def test_bot_file_that_exits_is_rejected(tmp_path: Path) -> None:
    """The program prints a message and ignores the file's exit status."""
    path = tmp_path / "exits.py"
    path.write_text("import sys; sys.exit(0)")
    told = sapper("lab", "run", "--bot", f"{path}:Bot", "-n", "2")
    assert told.code == 2
    assert "cannot be loaded: exits.py:1 in <module>: SystemExit: 0" in told.err


def test_exit_skips_garbage_collection() -> None:
    """Garbage collection took most of the time; exit handlers run in reverse order."""
    script = (
        "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count() > 1000)); "
        "from sapper.cli import main; sys.argv[1:] = ['--version']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=300, check=False, text=True
    )
    assert done.stdout.splitlines()[1:] == ["True"], done.stderr
