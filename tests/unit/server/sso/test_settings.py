"""Single sign-on settings, and the errors for wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.errors import BadSetting
from sapper.server.sso.settings import SECRET_VARIABLE, is_safe, read_settings
from support.program import sapper

_ISSUER = "https://login.example.org/realms/school"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    """Set the secret in the environment."""
    monkeypatch.setenv(SECRET_VARIABLE, "t0p-s3cret")
    return "t0p-s3cret"


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://login.example.org", True),
        ("https://login.example.org:8443/a/?b=c", True),
        ("http://localhost:8080/realms/a", True),
        ("http://127.0.0.2", True),
        ("http://[::1]:80/", True),
        ("http://login.example.org", False),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://10.0.0.1", False),
        ("https://", False),
        ("https://user@login.example.org", False),
        ("https://user:word@login.example.org", False),
        ("https://login.example.org/#a", False),
        ("https://login.example.org:99999", False),
        ("https://[::1", False),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("//login.example.org", False),
        ("", False),
        (None, False),
        (["https://login.example.org"], False),
    ],
)
def test_a_url_is_safe_with_https_or_on_this_machine(url: object, safe: bool) -> None:
    """Plain HTTP to other hosts, credentials, fragments and malformed URLs are refused."""
    assert is_safe(url) is safe


def test_settings_have_defaults(secret: str) -> None:
    """By default, the provider's name is the issuer's host name."""
    found = read_settings(_ISSUER, "sapper")
    assert found is not None
    assert (found.client_secret, found.name) == (secret, "login.example.org")
    assert found.scopes == "openid profile"
    assert secret not in repr(found)
    assert read_settings(None) is None
    assert read_settings("") is None


def test_the_secret_can_be_in_a_file(tmp_path: Path, secret: str) -> None:
    """The file takes precedence over the variable, and its line ending is removed."""
    file = tmp_path / "secret"
    file.write_text("from a file\n", "utf-8")
    found = read_settings(_ISSUER, "sapper", file, "School", "profile  openid groups")
    assert found is not None
    assert (found.client_secret, found.name) == ("from a file", "School")
    assert found.scopes == "profile openid groups"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((None, "sapper"), "single sign-on needs --sso-issuer"),
        ((None, None, None, None, "openid"), "single sign-on needs --sso-issuer"),
        (("http://login.example.org", "a"), "--sso-issuer: expected an https URL"),
        (("login.example.org", "a"), "--sso-issuer: expected an https URL"),
        ((f"{_ISSUER}?a=b", "a"), "--sso-issuer: expected an https URL"),
        ((_ISSUER,), "single sign-on needs --sso-client"),
        ((_ISSUER, "a", None, "x" * 41), "--sso-name: expected at most 40 characters"),
        ((_ISSUER, "a", None, "x\ny"), "--sso-name: expected at most 40 characters"),
        ((_ISSUER, "a", None, None, "profile"), "--sso-scopes must include openid, got 'profile'"),
    ],
)
def test_wrong_settings_are_refused(
    values: tuple[str | None, ...], message: str, secret: str
) -> None:
    """The message names the option."""
    with pytest.raises(BadSetting, match=f"^{message}"):
        read_settings(*values)  # type: ignore[arg-type]


def test_a_wrong_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error does not repeat the secret."""
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)
    with pytest.raises(BadSetting, match=r"set SAPPER_SSO_SECRET or --sso-secret-file$"):
        read_settings(_ISSUER, "sapper")
    file = tmp_path / "secret"
    for content in (b" \n", b"x" * 3000, b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(BadSetting, match=r"^--sso-secret-file: ") as caught:
            read_settings(_ISSUER, "sapper", file)
        assert "xx" not in str(caught.value)
    for wrong in (tmp_path, tmp_path / "none"):
        with pytest.raises(BadSetting, match=r"^--sso-secret-file: cannot read "):
            read_settings(_ISSUER, "sapper", wrong)


@pytest.mark.parametrize("command", ["play", "serve"])
def test_the_program_takes_the_options_and_variables(
    command: str, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    """A mistake gives one line and exit status 2, before anything is opened."""
    done = sapper(command, "--sso-issuer", "http://login.example.org", "--sso-client", "a")
    assert done.code == 2
    assert "--sso-issuer: expected an https URL" in done.err
    monkeypatch.setenv("SAPPER_SSO_ISSUER", _ISSUER)
    done = sapper(command)
    assert done.code == 2
    assert "single sign-on needs --sso-client" in done.err
    assert secret not in done.err
