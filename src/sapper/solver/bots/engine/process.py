"""The process of an engine: bounded lines over pipes, with deadlines."""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final

from sapper._util.shortening import shortened, shown
from sapper.errors import BadSetting
from sapper.solver.bots.engine.errors import EngineFailed

__all__ = ["EngineProcess", "parse_command"]

_GUARD: Final = str(Path(__file__).with_name("guard.py"))
_MB: Final = 1 << 20
_CHUNK: Final = 1 << 16
_MOST_LOG: Final = 4_096
"""Bytes kept of the engine's standard error, from its end."""
_GRACE_S: Final = 1.0
"""Time in which an engine should end after `quit`."""


def parse_command(command: str) -> list[str]:
    """Return the words of a command, split as in a shell but never run by one.

    >>> import sys
    >>> program, *arguments = parse_command(f"'{sys.executable}' 'my engine.py' --depth 3")
    >>> arguments
    ['my engine.py', '--depth', '3']

    Raises:
        BadSetting: If the command is empty, a quotation is not closed, the program does not exist,
            or this system does not support engines.
    """
    if not hasattr(select, "poll"):
        raise BadSetting("engines are not supported on Windows; they need Linux or macOS")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        reason = str(problem).lower()
        raise BadSetting(f"cannot read the engine's command {shown(command)}: {reason}") from None
    if not words or not words[0]:
        raise BadSetting(f"an engine needs a command, as in engine:COMMAND, got {shown(command)}")
    if any("\0" in word for word in words):
        raise BadSetting(f"the engine's command {shown(command)} contains a null character")
    if shutil.which(words[0]) is None:
        raise BadSetting(f"cannot start the engine {shown(command)}: no program {shown(words[0])}")
    return words


class EngineProcess:
    """A started engine.

    Args:
        command: The words of its command.
        memory_mb: Memory limit in MB.
        cpu_s: Limit of processor time in seconds; None for no limit.

    Raises:
        EngineFailed: If the engine cannot be started.
    """

    def __init__(self, command: list[str], memory_mb: int, cpu_s: int | None = None) -> None:
        # On Linux, the data limit counts only memory that is actually allocated. A limit on address
        # space would stop programs that reserve far more than they use, such as Node.
        limited = "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS"
        limits = {limited: memory_mb * _MB, "RLIMIT_CORE": 0}
        if cpu_s is not None:
            limits["RLIMIT_CPU"] = cpu_s
        read_end, self._lifeline = os.pipe()
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-I", "-S", _GUARD, str(read_end), json.dumps(limits), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(read_end,),
                # Ctrl-C in a terminal should reach only the caller, which then ends the engine.
                start_new_session=True,
            )
        except OSError as problem:
            os.close(self._lifeline)
            reason = str(problem.strerror).lower()
            raise EngineFailed(f"cannot start the engine: {reason}") from None
        finally:
            os.close(read_end)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._received, self._log = bytearray(), bytearray()
        self._end = weakref.finalize(self, _end, self._process, self._lifeline, pipes)

    @property
    def running(self) -> bool:
        """Whether it has not been closed yet."""
        return self._end.alive

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line, with its line feed, before a deadline on the monotonic clock.

        Raises:
            EngineFailed: If the engine has ended, or does not read.
        """
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._in, left) :]
            except BlockingIOError:
                self._poll.register(self._in, select.POLLOUT)
                try:
                    if not self._wait(deadline):
                        raise EngineFailed("it does not read its standard input") from None
                finally:
                    self._poll.unregister(self._in)
            except OSError:
                raise EngineFailed(self._ended()) from None

    def receive(self, deadline: float, most: int) -> bytes | None:
        """Return the next line, without its line feed; None if none arrived before the deadline.

        Args:
            deadline: The time on the monotonic clock.
            most: Maximum length of a line in bytes.

        Raises:
            EngineFailed: If the engine has ended, or the line is too long.
        """
        while True:
            end = self._received.find(b"\n")
            if end < 0 and len(self._received) <= most:
                if not self._wait(deadline):
                    return None
                continue
            if end < 0 or end > most:
                start = bytes(self._received[:60]).decode("utf-8", "replace")
                raise EngineFailed(f"it sent a line of more than {most} bytes: {shown(start)}")
            line = bytes(self._received[:end])
            del self._received[: end + 1]
            return line

    def _wait(self, deadline: float) -> bool:
        """Wait until a pipe is ready, and read what has arrived; return False at the deadline."""
        left = deadline - monotonic()
        ready = self._poll.poll(max(0, left) * 1000 + 0.5) if left > 0 else self._poll.poll(0)
        for pipe, _ in ready:
            if pipe == self._err:
                self._read_log()
            elif pipe == self._out:
                data = self._read(self._out)
                if data == b"":
                    raise EngineFailed(self._ended())
                self._received += data or b""
        return bool(ready)

    def _read_log(self) -> None:
        data = self._read(self._err)
        if data == b"":
            self._poll.unregister(self._err)
        self._log += data or b""
        del self._log[:-_MOST_LOG]

    @staticmethod
    def _read(pipe: int) -> bytes | None:
        try:
            return os.read(pipe, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _ended(self) -> str:
        """Describe how the engine ended, with the last line of its standard error."""
        self.close_input()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_S)
        while data := self._read(self._err):
            self._log += data
        lines = bytes(self._log).decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        said = f": {shortened(last, 200)}" if last else ""
        status = self._process.poll()
        if status is None:
            return f"it closed its standard output{said}"
        if status > 128:
            with suppress(ValueError):
                return f"it was ended by {signal.Signals(status - 128).name}{said}"
        return f"it ended with exit status {status}{said}"

    def cpu_s(self) -> float | None:
        """Return the processor time of the engine in seconds; None where it cannot be measured.

        It includes the engine's running child processes, and those that it has waited for.
        """
        try:
            return sum(map(_cpu_s, _descendants(self._process.pid)))
        except OSError:
            return None

    def close_input(self) -> None:
        """Close its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Return whether it ends by itself within this time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End the process and all its descendants, after giving it a moment to end by itself."""
        self._end()


def _descendants(pid: int) -> Iterator[int]:
    """Yield the running descendants of a process, as Linux lists them."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        with suppress(OSError):
            yield from _descendants(int(child))


def _cpu_s(pid: int) -> float:
    """Return the processor time of a process and the children that it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _end(
    process: subprocess.Popen[bytes], lifeline: int, pipes: tuple[IO[bytes] | None, ...]
) -> None:
    if process.poll() is None and process.stdin is not None and not process.stdin.closed:
        with suppress(OSError):
            os.write(process.stdin.fileno(), b'{"type":"quit"}\n')
    for pipe in pipes:
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    os.close(lifeline)
    process.wait()
