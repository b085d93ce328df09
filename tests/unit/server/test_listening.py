"""The server listens where `localhost` leads, and says so only if no other program does."""

from __future__ import annotations

import socket

import pytest

from sapper.server import bind, listening
from sapper.server.listening import CannotServe


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not _has_ipv6(), reason="this machine has no IPv6")


@needs_ipv6
def test_localhost_is_every_address_of_this_machine() -> None:
    """Some systems resolve localhost to ::1 first, others to 127.0.0.1."""
    with bind("localhost", 0) as found:
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, found.port)).close()
        assert found.localhost
        assert found.url == f"http://localhost:{found.port}/"


@needs_ipv6
def test_another_program_at_localhost_is_not_opened() -> None:
    """If the port of ::1 belongs to another program, the URL has the address of this server."""
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
        port = other.getsockname()[1]
        for host in ("localhost", "127.0.0.1", "0.0.0.0"):
            with bind(host, port) as found:
                assert not found.localhost
                address = found.sockets[0].getsockname()[0]
                assert found.url == f"http://{address}:{port}/"
    with bind("127.0.0.1", port) as found:
        assert found.url == f"http://localhost:{port}/"


def test_a_machine_without_ipv6_serves_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers try the next address if nothing answers at one."""
    create = socket.create_server

    def without_ipv6(address: tuple[str, int], **options: int) -> socket.socket:
        if address[0] == "::1":
            raise OSError(99, "Cannot assign requested address")
        return create(address, **options)

    monkeypatch.setattr(listening.socket, "create_server", without_ipv6)
    with bind("localhost", 0) as found:
        assert len(found.sockets) == 1
        assert found.url == f"http://localhost:{found.port}/"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", ""])
def test_addresses_of_this_machine_are_opened_at_localhost(host: str) -> None:
    """A host that includes 127.0.0.1 is reached under the name, whose pages support passkeys."""
    with bind(host, 0) as found:
        assert found.url == f"http://localhost:{found.port}/"


def test_a_changed_localhost_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's file of hosts may give the name to another machine."""
    usual = socket.getaddrinfo

    def changed(host: str | None, *rest: int, **options: int) -> list[object]:
        if host == "localhost":
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 0))]
        return list(usual(host, *rest, **options))

    monkeypatch.setattr(listening.socket, "getaddrinfo", changed)
    with bind("localhost", 0) as found:
        assert found.url == f"http://127.0.0.1:{found.port}/"


def test_a_taken_port_of_localhost_is_reported() -> None:
    """The message names the host and the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf":{port}.*in use.*--port"):
            bind("localhost", port)
