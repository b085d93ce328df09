"""Run the README's commands, as written, on Debian machines that have only Python and Git.

    sudo python3 .ci/try_bare_machines.py [SUITE ...] [--only play,test,uv,...]

Each case gets a fresh minimal Debian (debootstrap) with python3, python3-venv, python3-pip and git,
and a clone of this repository's last commit. The cases run in a chroot, on trixie as an ordinary
user and elsewhere as root. A proxy counts what they download. The transcript of each case is kept
in target/bare-machines. Needs root, debootstrap and 5 GB in the temporary folder. Other suites than
the default bookworm and trixie, such as forky, have other versions of Python.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "python3,python3-venv,python3-pip,git"
USERS = {"bookworm": "root", "trixie": "player"}
SCRIPTS = Path("/usr/share/debootstrap/scripts")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

# Starts the web app with the README's line, opens its first page, and presses Ctrl-C.
VISIT = r"""
import os, re, signal, subprocess, sys, time, urllib.request

line = sys.argv[1]
running = subprocess.Popen(["sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
address = None
for text in iter(running.stdout.readline, b""):
    print(text.decode(), end="", flush=True)
    if found := re.search(rb"http://[^\s/]+/", text):
        address = found[0].decode()
        break
if address is None:
    sys.exit(running.wait() or 1)
page = urllib.request.urlopen(address, timeout=60)
print(f"GET {address}: {page.status}, {len(page.read())} bytes")
for process in filter(str.isdigit, os.listdir("/proc")):
    try:
        command = open(f"/proc/{process}/cmdline", "rb").read().split(b"\0")
    except OSError:
        continue
    if any(part.endswith(b"/sapper") for part in command[:3]) and b"play" in command:
        os.kill(int(process), signal.SIGINT)
print(running.stdout.read().decode(), end="")
status = running.wait()
print(f"sapper play ended with {status}")
sys.exit(status)
"""


@dataclass(frozen=True)
class Case:
    """A README line, and what is installed before it runs."""

    line: str
    before: str = ""
    visits: bool = False


def cases() -> dict[str, Case]:
    """Return the README's lines by name, and the machines on which they run."""
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S))

    def line(part: str) -> str:
        [found] = [line for line in blocks.splitlines() if part in line]
        return found

    tools = "python3 -m venv /tmp/tools && /tmp/tools/bin/pip install"
    play = line(".venv/bin/sapper play")
    return {
        "play": Case(play, visits=True),
        # The compiler, but not the files with which it could link.
        "gcc": Case(play, "apt-get update && apt-get install -y --no-install-recommends gcc", True),
        "uv": Case(line("uvx "), f"{tools} uv", True),
        "pipx": Case(line("pipx "), f"{tools} pipx", True),
        "test": Case(line(".venv/bin/pytest")),
    }


class CountingProxy:
    """A proxy for HTTP and HTTPS that counts the bytes that it receives for its clients."""

    def __init__(self) -> None:
        self.received = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more clients."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as reader:
            head = [reader.readline()]
            while head[-1] not in (b"\r\n", b""):
                head.append(reader.readline())
            method, target, *_ = head[0].split()
            if method == b"CONNECT":
                host, _, port = target.decode().rpartition(":")
                first = b""
            else:
                found = re.match(rb"http://([^/:]+):?(\d*)(/.*)", target)
                assert found is not None
                host, port = found[1].decode(), found[2].decode() or "80"
                kept = [one for one in head[1:-1] if not one.lower().startswith(b"connection")]
                # One request per connection, because the next one could be to another host.
                first = b" ".join([method, found[3], b"HTTP/1.1\r\nConnection: close\r\n"])
                first += b"".join(kept) + b"\r\n"
            with socket.create_connection((host.strip("[]"), int(port))) as server:
                if first:
                    server.sendall(first)
                else:
                    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                up = threading.Thread(target=self._copy, args=(reader, server), daemon=True)
                up.start()
                # A client may close its connection before it has read everything.
                with suppress(OSError):
                    while data := server.recv(65536):
                        self.received += len(data)
                        client.sendall(data)

    @staticmethod
    def _copy(reader: io.BufferedReader, server: socket.socket) -> None:
        with suppress(OSError):
            while data := reader.read1(65536):
                server.sendall(data)


def machine(suite: str, place: Path) -> Path:
    """Return the folder of a minimal Debian, which is made on the first call."""
    folder = place / suite
    if not (folder / "usr/bin/git").exists():
        shutil.rmtree(folder, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}"]
        # A release that is newer than debootstrap is made as unstable is.
        script = next(name for name in (SCRIPTS / suite, SCRIPTS / "sid") if name.exists())
        command += [suite, str(folder), MIRROR, str(script)]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return folder


def prepare(suite: str, place: Path, name: str) -> tuple[Path, str]:
    """Return a fresh machine with a clone of the repository, and the clone's path in it."""
    folder = place / f"{suite}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cp", "-a", str(machine(suite, place)), str(folder)], check=True)
    user = USERS.get(suite, "root")
    home = "/root" if user == "root" else f"/home/{user}"
    if user != "root":
        subprocess.run(["chroot", folder, "useradd", "--create-home", user], check=True)
    clone = folder / home[1:] / "sapper"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(clone)], check=True)
    if user != "root":
        subprocess.run(["chroot", folder, "chown", "-R", user, f"{home}/sapper"], check=True)
    for file in (Path("/etc/resolv.conf"), CERTIFICATES):
        if file.exists():
            shutil.copy(file, folder / file.relative_to("/"))
    # Debian's installer and containers write this file, debootstrap does not.
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    return folder, f"{home}/sapper"


def run(folder: Path, command: Sequence[str], user: str, proxy: CountingProxy) -> list[str]:
    """Return the command line that runs a command in a machine with its own processes."""
    home = "/root" if user == "root" else f"/home/{user}"
    environment = {
        "HOME": home,
        "USER": user,
        "PATH": "/tmp/tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "http_proxy": proxy.address,
        "https_proxy": proxy.address,
        "no_proxy": "127.0.0.1,localhost",
        # This machine's certificates, which may include those of its network.
        "PIP_CERT": str(CERTIFICATES),
        "SSL_CERT_FILE": str(CERTIFICATES),
    }
    mounts = 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && shift && exec "$@"'
    given = [f"{name}={value}" for name, value in environment.items()]
    return [
        *("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", mounts, "sh"),
        *(str(folder), "chroot", f"--userspec={user}:{user}", str(folder), "env", "-i"),
        *given,
        *command,
    ]


def _processor_time() -> float:
    """Return the processor time in seconds of all programs that have ended."""
    # Windows, where the tests of this script run, has no such module.
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def attempt(suite: str, name: str, case: Case, place: Path) -> bool:
    """Run a case, print its result, and return whether it passed."""
    folder, clone = prepare(suite, place, name)
    user = USERS.get(suite, "root")
    proxy = CountingProxy()
    log = ROOT / f"target/bare-machines/{suite}-{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"\n== {suite}, {name}, as {user}\n$ {case.line}", flush=True)
    with log.open("w") as output:
        if case.before:
            by = "root" if case.before.startswith("apt-get") else user
            command = run(folder, ["sh", "-c", case.before], by, proxy)
            subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=True)
        proxy.received = 0
        script = f"cd {clone} && {case.line}"
        command = ["python3", "-c", VISIT, script] if case.visits else ["sh", "-c", script]
        started, used = time.monotonic(), _processor_time()
        command = run(folder, command, user, proxy)
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False)
        took, used = time.monotonic() - started, _processor_time() - used
    proxy.close()
    text = log.read_text("utf-8", errors="replace")
    for line in text.splitlines():
        if re.match(r"SKIPPED|FAILED|ERROR|GET |=+ .*(passed|failed)|sapper play ended", line):
            print(line)
    print(
        f"exit status {done.returncode}, {took:.0f} s, {used:.0f} s of processor time, "
        f"{proxy.received / 1e6:.0f} MB downloaded"
    )
    if done.returncode:
        print(text[-4000:])
    shutil.rmtree(folder)
    return done.returncode == 0


def main() -> int:
    """Run the chosen cases on the chosen machines."""
    known = cases()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", default=list(USERS))
    parser.add_argument("--only", default=",".join(known), help=f"of {', '.join(known)}")
    parser.add_argument("--place", type=Path, default=Path(tempfile.gettempdir(), "bare-machines"))
    chosen = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("run this as root, with debootstrap installed")
    chosen.place.mkdir(parents=True, exist_ok=True)
    passed = [
        attempt(suite, name, known[name], chosen.place)
        for suite in chosen.suites
        for name in chosen.only.split(",")
    ]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
