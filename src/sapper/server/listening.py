"""The sockets of the server, on every address of this machine's name ``localhost``."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final, Self

from sapper._util.shortening import shown
from sapper.errors import SapperError

__all__ = ["EVERYWHERE", "LOCALHOST", "CannotServe", "Listening", "bind"]

LOCALHOST: Final = "localhost"
EVERYWHERE: Final = ("", "0.0.0.0", "::")
"""The hosts that stand for all addresses of this machine."""

_LOOPBACKS: Final = {"127.0.0.1": socket.AF_INET, "::1": socket.AF_INET6}
"""The addresses that browsers try for ``localhost``, whatever the system resolves it to."""
_ATTEMPTS: Final = 20
"""How many free ports to try until one is free on all addresses."""


class CannotServe(SapperError, OSError):
    """The server cannot listen on the given address."""

    code = "cannot_serve"


class Listening:
    """The listening sockets, all on the same port.

    Args:
        host: The host that was asked for.
        sockets: The sockets.
        localhost: Whether ``localhost`` reaches them, and no other program.
    """

    def __init__(self, host: str, sockets: Sequence[socket.socket], *, localhost: bool) -> None:
        self.sockets: Final = tuple(sockets)
        self.port: Final[int] = sockets[0].getsockname()[1]
        self.localhost: Final = localhost
        self._host = host

    @property
    def url(self) -> str:
        """The URL of the server for a browser on this machine."""
        name = self._host
        if name in EVERYWHERE or name == LOCALHOST or name in _LOOPBACKS:
            name = LOCALHOST if self.localhost else _address_of(self.sockets[0])
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def close(self) -> None:
        """Close the sockets."""
        for sock in self.sockets:
            sock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def bind(host: str, port: int) -> Listening:
    """Return listening sockets; port 0 picks a free port.

    They queue connections immediately, so a browser can be opened before the server runs.

    Args:
        host: A name or an address; ``localhost`` stands for 127.0.0.1 and, if the system has IPv6
            and the port is free there, ::1.
        port: The port.

    Raises:
        CannotServe: If the port is taken or forbidden, or the host does not exist.
    """
    if not 0 <= port <= 65_535:
        raise CannotServe(f"the port must be between 0 and 65535, got {port}")
    for attempt in range(_ATTEMPTS):
        sockets = [_bound("127.0.0.1" if host == LOCALHOST else host, port)]
        found: int = sockets[0].getsockname()[1]
        is_ours = True
        for address in _missing(sockets):
            other = _bound_beside(address, found)
            if other is None:
                is_ours = is_ours and _is_unavailable(address)
            elif host == LOCALHOST:
                sockets.append(other)
            else:
                other.close()
        if is_ours or port != 0 or host != LOCALHOST or attempt == _ATTEMPTS - 1:
            break
        for sock in sockets:
            sock.close()
    reached = len(_missing(sockets)) < len(_LOOPBACKS)
    return Listening(host, sockets, localhost=reached and is_ours and _is_usual_localhost())


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except UnicodeError:
        raise CannotServe(f"cannot serve on {shown(host)}: this is not a host name") from None
    except OSError as problem:
        where = f"{host}:{port}"
        if isinstance(problem, socket.gaierror):
            raise CannotServe(f"cannot serve on {where}: there is no host {host!r}") from None
        reason = (problem.strerror or str(problem)).lower()
        raise CannotServe(
            f"cannot serve on {where}: {reason}; try another port, such as --port {port + 1}"
        ) from None


def _missing(sockets: Collection[socket.socket]) -> list[str]:
    """Return the addresses of ``localhost`` on which none of the sockets listens."""
    served = {_address_of(sock) for sock in sockets}
    everywhere = {"127.0.0.1": "0.0.0.0", "::1": "::"}
    return [address for address in _LOOPBACKS if not {address, everywhere[address]} & served]


def _bound_beside(address: str, port: int) -> socket.socket | None:
    """Return a socket on an address of ``localhost``, or None if there cannot be one."""
    with suppress(OSError):
        return socket.create_server((address, port), family=_LOOPBACKS[address])
    return None


def _is_unavailable(address: str) -> bool:
    """Return whether this machine does not have an address, so that browsers skip it."""
    try:
        socket.create_server((address, 0), family=_LOOPBACKS[address]).close()
    except OSError as problem:
        return problem.errno != errno.EMFILE
    return False


def _is_usual_localhost() -> bool:
    """Return whether the system resolves ``localhost`` to this machine, or not at all."""
    try:
        found = socket.getaddrinfo(LOCALHOST, None, type=socket.SOCK_STREAM)
    except OSError:
        # Browsers do not ask the system (RFC 6761).
        return True
    return all(ipaddress.ip_address(str(one[4][0])).is_loopback for one in found)


def _address_of(sock: socket.socket) -> str:
    return str(sock.getsockname()[0])
