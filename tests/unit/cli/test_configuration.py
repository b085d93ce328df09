"""The settings of `sapper serve`: sources, errors, and secrets that no message shows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sapper._util.shortening import shown
from support.program import sapper

_SECRET = "hunter2"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A settings file."""
    made = tmp_path / "sapper.toml"
    made.write_text('port = 9000\nworkers = 2\nsite = ["play.example.org"]\nlog_format = "json"\n')
    return made


def test_the_command_line_wins_over_the_environment_and_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output is valid TOML and shows the source of each value."""
    monkeypatch.setenv("SAPPER_CONFIG", str(file))
    monkeypatch.setenv("SAPPER_SERVE_PORT", "9001")
    monkeypatch.setenv("SAPPER_SERVE_WORKERS", "3")
    monkeypatch.setenv("SAPPER_SERVE_PROXY", "10.0.0.0/8 ::1")
    pytest.importorskip("psycopg")
    pytest.importorskip("redis")
    places = ("--database", "postgresql:///sapper", "--redis", "redis://127.0.0.1")
    shown = sapper("serve", "--workers", "4", "--log-addresses", *places, "--show-config")
    assert (shown.code, shown.err) == (0, "")
    found = tomllib.loads(shown.out)
    assert found["host"] == "127.0.0.1"
    assert found["port"] == 9001
    assert found["workers"] == 4
    assert found["proxy"] == ["10.0.0.0/8", "::1"]
    assert found["site"] == ["play.example.org"]
    assert (found["log_format"], found["log_addresses"]) == ("json", True)
    sources = dict(line.split("  # ") for line in shown.out.splitlines() if "  # " in line)
    assert sources["port = 9001"] == "SAPPER_SERVE_PORT"
    assert sources["workers = 4"] == "command line"
    assert sources['log_format = "json"'] == str(file)
    assert sources['host = "127.0.0.1"'] == "default"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", "unknown key 'prot'; did you mean port?"),
        ("[serve]\nport = 1", "unknown key 'serve'; "),
        ("port = '1'", "port must be a whole number from 0 to 65535, got '1'"),
        ("port = true", "port must be a whole number from 0 to 65535, got True"),
        ("port = 65536", "port must be a whole number from 0 to 65535, got 65536"),
        ("workers = 1.5", "workers must be a whole number from 1 to 64, got 1.5"),
        ("site = 'x'", "site must be a list of strings, got 'x'"),
        ("site = [1]", "site must be a list of strings, got [1]"),
        ("log_format = 'xml'", "log_format must be one of: plain, json, got 'xml'"),
        ("log_addresses = 'yes'", "log_addresses must be true or false, got 'yes'"),
        ("host = 1", "host must be a string, got 1"),
        ("port =", "this is not TOML: "),
        ("port = 1\nport = 2", "this is not TOML: "),
        (b"\xff", "the file is not UTF-8"),
    ],
)
def test_a_bad_file_gives_one_line_with_its_name(file: Path, text: str | bytes, said: str) -> None:
    """The line also gives the key and the value."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = sapper("serve", "--config", str(file))
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"sapper: {file}: {said}")
    assert found.err.count("\n") == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The error gives the path, whether the file is missing or is a folder."""
    for path in (tmp_path / "missing", tmp_path):
        found = sapper("serve", "--config", str(path))
        assert (found.code, found.out) == (2, "")
        assert found.err.startswith(f"sapper: {shown(str(path))}: ")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("SAPPER_SERVE_PORT", "x", "port must be a whole number from 0 to 65535, got 'x'"),
        ("SAPPER_SERVE_WORKERS", "0", "workers must be a whole number from 1 to 64, got 0"),
        ("SAPPER_SERVE_LOG_FORMAT", "xml", "log_format must be one of: plain, json, got 'xml'"),
        ("SAPPER_SERVE_LOG_ADDRESSES", "2", "log_addresses must be true or false, got '2'"),
    ],
)
def test_a_bad_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    """Unknown variables are errors as well, because they may be typos."""
    monkeypatch.setenv(name, text)
    found = sapper("serve")
    assert (found.code, found.err) == (2, f"sapper: environment variable {name}: {said}\n")
    monkeypatch.delenv(name)
    monkeypatch.setenv("SAPPER_SERVE_PROT", "1")
    found = sapper("serve")
    said = "unknown environment variable SAPPER_SERVE_PROT; did you mean SAPPER_SERVE_PORT?"
    assert (found.code, found.err) == (2, f"sapper: {said}\n")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{_SECRET}@127.0.0.1:1/games",
        f"postgresql://ann:a/{_SECRET}@127.0.0.1:1/games",
        f"postgresql://127.0.0.1:1/games?user=ann&password={_SECRET}",
        f"postgresql://ann:{_SECRET}%zz@127.0.0.1:1/games",
        f"postgresql://ann:{_SECRET}",
        f"mysql://ann:{_SECRET}@127.0.0.1:1/games",
        f"host=127.0.0.1 port=1 password={_SECRET}",
    ],
)
def test_no_message_has_a_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passwords are hidden, whatever source or stray argument they come from."""
    pytest.importorskip("psycopg")
    secret, config = tmp_path / "secret", tmp_path / "config.toml"
    secret.write_text(f"{url}\n")
    config.write_text(f'database = "{url}"\n')
    calls = [
        ["--database", url],
        ["--database-file", str(secret)],
        ["--config", str(config)],
    ]
    for arguments in calls:
        for found in (sapper("serve", *arguments), sapper("serve", *arguments, "--show-config")):
            assert _SECRET not in found.out + found.err
        assert sapper("serve", *arguments).code == 2
    assert _SECRET not in sapper("serve", url).err
    config.write_text(f'database = ["{url}"]\n')
    found = sapper("serve", "--config", str(config))
    assert found.err == f"sapper: {config}: database must be a string\n"
    config.write_text(f'database = "{url}\n')
    assert _SECRET not in sapper("serve", "--config", str(config)).err
    monkeypatch.setenv("SAPPER_DATABASE", url)
    for arguments in ([], ["--show-config"]):
        found = sapper("serve", *arguments)
        assert _SECRET not in found.out + found.err


def test_a_secret_file_counts_where_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The precedence of sources applies to a value and to its secret file alike."""
    pytest.importorskip("psycopg")
    secret, config = tmp_path / "secret", tmp_path / "config.toml"
    secret.write_text("postgresql://127.0.0.1:1/from_the_file\n")
    config.write_text(f'database_file = "{secret}"\n')
    from_file = "cannot use the PostgreSQL database from_the_file on 127.0.0.1:1"
    assert from_file in sapper("serve", "--config", str(config)).err
    other = "postgresql://127.0.0.1:1/other"
    found = sapper("serve", "--config", str(config), "--database", other)
    assert "PostgreSQL database other on" in found.err
    monkeypatch.setenv("SAPPER_DATABASE", other)
    assert from_file in sapper("serve", "--database-file", str(secret)).err
    found = sapper("serve", "--database", other, "--database-file", str(secret))
    assert found.err == "sapper: give database or database_file, not both\n"
    monkeypatch.delenv("SAPPER_DATABASE")
    for text in (b"", b"a\nb", b"\xff", b"x" * 20_000):
        secret.write_bytes(text)
        found = sapper("serve", "--database-file", str(secret))
        assert (found.code, found.err) == (2, f"sapper: {secret}: expected one line of text\n")
    found = sapper("serve", "--database-file", str(tmp_path / "missing"))
    assert found.err.endswith("': no such file or directory\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--workers", "2"),
        ("--workers", "2", "--database", "postgresql:///sapper"),
        ("--redis", "redis://127.0.0.1"),
        ("--workers", "2", "--redis", "redis://127.0.0.1"),
        ("--database", "mysql://127.0.0.1/sapper"),
        ("--database", "postgresql://127.0.0.1:port/sapper"),
        ("--database", "postgresql:///sapper", "--redis", "http://127.0.0.1"),
        ("--site", "https://play.example.org"),
        ("--site", "play.example.org:443"),
        ("--site", "*.example.org"),
        ("--proxy", "proxy"),
        ("--proxy", "10.0.0.0/33"),
        ("--metrics-from", "all"),
        ("--log-addresses",),
        ("--engine", "nothing"),
        ("--engine", "name=/no/such/program"),
        ("--sso-issuer", "https://login.example.org"),
        ("--sso-client", "sapper"),
        ("--database-file", "/no/such/file"),
        ("--redis-file", "/no/such/file"),
    ],
)
def test_showing_the_settings_refuses_what_serving_refuses(arguments: tuple[str, ...]) -> None:
    """The messages are the same, and the settings are printed before."""
    pytest.importorskip("psycopg")
    pytest.importorskip("redis")
    served = sapper("serve", "--port", "0", *arguments)
    shown = sapper("serve", "--port", "0", *arguments, "--show-config")
    assert (served.code, shown.code) == (2, 2)
    assert shown.err == served.err
    assert "port = 0  # command line" in shown.out
