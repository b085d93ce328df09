"""Addresses and networks in the server's options."""

from __future__ import annotations

import pytest

from sapper.errors import BadSetting
from sapper.server import Networks, served_hosts
from sapper.server.http.networks import parse_address


def test_a_network_contains_its_addresses() -> None:
    """IPv4 addresses written as IPv6 count as IPv4."""
    networks = Networks(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"])
    inside = ["127.0.0.1", "10.255.0.1", "::ffff:10.0.0.1", "2001:db8:1::1", "2001:DB8:0:0::1"]
    outside = ["127.0.0.2", "11.0.0.1", "::1", "::ffff:11.0.0.1", "", "localhost", "10.0.0.1:80"]
    assert [address for address in inside if address not in networks] == []
    assert [address for address in outside if address in networks] == []
    assert networks
    assert not Networks()
    assert "127.0.0.1" not in Networks()


@pytest.mark.parametrize("text", ["", "localhost", "10.0.0.1/8", "10.0.0.0/33", "*", "1.2.3", "\n"])
def test_invalid_network_is_rejected(text: str) -> None:
    """A typo is an error, because it could silently trust the wrong addresses, or none."""
    with pytest.raises(BadSetting, match="expected an IP address or a network"):
        Networks([text])


def test_an_address_has_one_form() -> None:
    """Different spellings of an address are equal."""
    assert parse_address("::ffff:192.0.2.1") == parse_address("192.0.2.1")
    assert parse_address("192.0.2.1:80") is None


def test_site_limits_the_accepted_names() -> None:
    """A server that is open to a network cannot know its names without `--site`."""
    local = ("127.0.0.1", "localhost", "::1")
    assert served_hosts("0.0.0.0") is None
    assert served_hosts("0.0.0.0", ["play.example.org"]) == (*local, "play.example.org")
    assert served_hosts("192.0.2.1") == (*local, "192.0.2.1")
    assert served_hosts("192.0.2.1", ["a.example"]) == (*local, "192.0.2.1", "a.example")
    assert served_hosts("", ["2001:db8::1"]) == (*local, "2001:db8::1")


@pytest.mark.parametrize(
    "name", ["https://play.example.org", "play.example.org:443", "a/b", "", "*", "a..b"]
)
def test_a_site_is_a_host_name(name: str) -> None:
    """A URL is refused, because it would not match any request."""
    with pytest.raises(BadSetting, match="host name without scheme and port"):
        served_hosts("127.0.0.1", [name])
