"""A real Dask cluster of several processes; some of them die or join late."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sapper.errors import BotFailed
from sapper.lab import Run, run
from sapper.lab.errors import LostWorkers
from support.gated_bot import GatedBot
from support.waiting import until

pytestmark = pytest.mark.cluster

GAMES = 400
# Run the program without a time limit, because the machine may be busy.
PATIENT = (
    "from sapper.lab import cluster; cluster._CONNECT_TIMEOUT_S = 300; "
    "from sapper.cli import main; main()"
)
Start = Callable[..., subprocess.Popen[bytes]]


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Start]:
    """Start Dask processes, and kill them all at the end."""
    with ExitStack() as stack:

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=tmp_path)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture
def address(dask: Start, tmp_path: Path) -> str:
    """The address of a scheduler without workers, on a port that the system chose."""
    file = tmp_path / "scheduler.json"
    dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    until(lambda: file.exists() and file.read_text().endswith("}"), "the scheduler")
    return str(json.loads(file.read_text())["address"])


def worker(dask: Start, address: str) -> subprocess.Popen[bytes]:
    """Start another worker process without a nanny."""
    return dask("worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")


def until_joined(address: str, workers: int) -> None:
    """Wait until the scheduler has this many workers."""
    script = (
        "import sys; from distributed import Client; "
        "Client(sys.argv[1], timeout=300).wait_for_workers(int(sys.argv[2]), timeout=300)"
    )
    subprocess.run([sys.executable, "-c", script, address, str(workers)], check=True)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow plenty of time for connections on a busy machine."""
    from sapper.lab import cluster

    monkeypatch.setattr(cluster, "_CONNECT_TIMEOUT_S", 300)


def until_kept(out: Path, games: int) -> None:
    """Wait until at least this many games are saved."""

    def kept() -> bool:
        return (out / "status.json").exists() and Run.open(out).tally.games >= games

    until(kept, f"{games} games in {out}")


def test_a_cluster_plays_the_same_games(dask: Start, address: str, tmp_path: Path) -> None:
    """The digest is the same if the program is killed, a worker dies and another joins late."""
    out = tmp_path / "run"
    bot = GatedBot(tmp_path, range(GAMES // 2, GAMES * 3 // 4), range(GAMES * 3 // 4, GAMES + 1))
    command = [sys.executable, "-c", PATIENT, "lab", "run", "--dask", address]
    command += ["--out", str(out), "--json"]
    settings = ["--bot", bot.name, "--level", "beginner", "-n", str(GAMES)]
    first, _ = worker(dask, address), worker(dask, address)
    until_joined(address, 2)
    with subprocess.Popen([*command, *settings]) as running:
        until_kept(out, GAMES // 8)
        running.kill()
    assert Run.open(out).tally.games < GAMES // 2
    bot.open(0)
    with subprocess.Popen([*command, "--resume"], stdout=subprocess.PIPE) as running:
        until_kept(out, GAMES // 2)
        first.kill()
        worker(dask, address)
        bot.open(1)
        answer, _ = running.communicate(timeout=300)
    told = json.loads(answer)
    assert told["games"] == GAMES
    assert told["digest"] == run("groups", "beginner", n=GAMES, seed=1).summary["digest"]


@pytest.mark.usefixtures("patient")
def test_bot_file_is_sent_to_workers(dask: Start, address: str, tmp_path: Path) -> None:
    """Workers need no copy of the bot's file."""
    worker(dask, address)
    until_joined(address, 1)
    mine = tmp_path / "mine.py"
    mine.write_text("from sapper.solver.bots import bots\nMine = bots['groups']\n")
    made = run(f"{mine}:Mine", "beginner", n=20, dask=address, seed=1)
    assert made.summary["digest"] == run("groups", "beginner", n=20, seed=1).summary["digest"]


def test_unreachable_scheduler_is_rejected() -> None:
    """The error includes the address."""
    with pytest.raises(LostWorkers, match="no Dask scheduler answers at 'tcp://127"):
        run("exact", "beginner", n=1, dask=f"tcp://127.0.0.1:{free_port()}", seed=1)
    with pytest.raises(LostWorkers, match="no Dask scheduler answers at 'nowhere'"):
        run("exact", "beginner", n=1, dask="nowhere", seed=1)


def test_scheduler_without_workers_is_rejected(address: str) -> None:
    """A run without workers is refused."""
    with pytest.raises(LostWorkers, match="has no workers"):
        run("exact", "beginner", n=1, dask=address, seed=1)


def test_slow_disconnect_is_not_an_error() -> None:
    """All games are saved before the cluster disconnects slowly."""
    from sapper.lab.cluster import Cluster

    class Slow:
        def close(self, timeout: float) -> None:
            raise TimeoutError(f"timed out after {timeout} s.")

    cluster = Cluster.__new__(Cluster)
    cluster._client = Slow()
    cluster.close()


@pytest.mark.usefixtures("patient")
def test_failing_bot_is_named_by_its_local_path(dask: Start, address: str, tmp_path: Path) -> None:
    """[#34] Workers run a copy of the bot's file in another folder."""
    worker(dask, address)
    until_joined(address, 1)
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine:\n    def choose(self, position):\n        raise GeneratorExit\n")
    failed = r"mine\.py:Mine, game 1, choice 1: mine\.py:3 in choose: GeneratorExit"
    with pytest.raises(BotFailed, match=failed) as caught:
        run(f"{mine}:Mine", "beginner", n=4, dask=address, seed=1)
    assert caught.value.trace.startswith(f"{mine}:3: in choose\n")
    assert caught.value.__notes__[0] == (
        f"repeat this game with: sapper lab replay --bot {mine}:Mine --level beginner --seed 1"
    )
