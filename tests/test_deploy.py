"""The files in deploy/ match each other and the program; they are checked without containers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.configuration import settings_of
from sapper.cli.serve_command import serve
from support.not_installed import not_installed
from support.program import sapper

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SETTINGS = tomllib.loads((DEPLOY / "sapper.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The content of compose.yaml."""
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def test_everything_that_services_refer_to_exists(compose: dict[str, Any]) -> None:
    """Services, volumes, secrets and files exist, and dependencies have a health check."""
    services = compose["services"]
    assert set(services) == {"caddy", "sapper", "migrate", "postgres", "valkey"}
    for name, service in services.items():
        for secret in service.get("secrets", ()):
            assert secret in compose["secrets"], name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            is_file = source.startswith("./")
            assert (DEPLOY / source).is_file() if is_file else source in compose["volumes"], volume
        needed = service.get("depends_on", {})
        for other in needed:
            assert other in services, name
        for other, how in needed.items() if isinstance(needed, dict) else ():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[other], other
            else:
                assert "restart" not in services[other], other
    assert (ROOT / services["sapper"]["build"]["dockerfile"]).is_file()


def test_images_have_exact_versions(compose: dict[str, Any]) -> None:
    """Every image has a version, except the one built here."""
    for name, service in compose["services"].items():
        if service["image"] != "sapper":
            assert re.search(r":\d+\.\d+(\.\d+)?-alpine$", service["image"]), name
    containerfile = (ROOT / "Containerfile").read_text("utf-8")
    for image in re.findall(r"^FROM (\S+)", containerfile, re.M):
        assert re.search(r":\d+\.\d+-slim$", image)


def test_the_extras_exist_and_the_user_is_not_root(compose: dict[str, Any]) -> None:
    """The extras in the image are among those in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = compose["services"]["sapper"]["build"]["args"]["EXTRAS"]
    chosen = set(extras.strip("[]").split(","))
    assert chosen <= set(project["optional-dependencies"])
    assert {"accounts", "workers"} <= chosen
    containerfile = (ROOT / "Containerfile").read_text("utf-8")
    assert "ARG EXTRAS" in containerfile
    assert re.search(r"^USER (?!root)\w+$", containerfile, re.M)


def test_every_setting_exists(
    compose: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program accepts the service's file and variables."""
    service = compose["services"]["sapper"]
    variables = {one.variable for one in settings_of(serve)} | {"SAPPER_CONFIG"}
    assert set(service["environment"]) <= variables
    monkeypatch.setenv("SAPPER_SERVE_SITE", "play.example.org")
    secret = tmp_path / "database"
    secret.write_text("postgresql:///sapper\n")
    monkeypatch.setenv("SAPPER_SERVE_DATABASE_FILE", str(secret))
    shown = sapper("serve", "--config", str(DEPLOY / "sapper.toml"), "--show-config")
    assert (shown.code, shown.err) == (0, "")
    assert tomllib.loads(shown.out)["site"] == ["play.example.org"]
    assert service["command"] == ["sapper", "serve"]
    assert sapper("admin", "migrate", "--help").code == 0
    assert "sapper admin migrate" in compose["services"]["migrate"]["command"][-1]
    _, name = SETTINGS["database_file"].split("/run/secrets/")
    assert name in service["secrets"]


def test_addresses_match_the_services(compose: dict[str, Any]) -> None:
    """The proxy is trusted, and the server is reached by the service names."""
    services = compose["services"]
    [subnet] = compose["networks"]["default"]["ipam"]["config"]
    assert SETTINGS["proxy"] == [subnet["subnet"]]
    assert ip_network(subnet["subnet"]).is_private
    assert f"sapper:{SETTINGS['port']}" in (DEPLOY / "Caddyfile").read_text("utf-8")
    assert SETTINGS["redis"].removeprefix("redis://").split(":")[0] in services
    probe = services["sapper"]["healthcheck"]["test"]
    assert f"127.0.0.1:{SETTINGS['port']}/readyz" in json.dumps(probe)
    compile(probe[-1], "probe", "exec")


def test_generated_secrets_match(compose: dict[str, Any], tmp_path: Path) -> None:
    """The database address contains the generated password, the user and the service name."""
    script = shutil.copy(DEPLOY / "new-secrets.sh", tmp_path)
    subprocess.run(["sh", str(script)], check=True)
    made = {name: tmp_path / one["file"] for name, one in compose["secrets"].items()}
    password = made["database_password"].read_text("ascii")
    assert re.fullmatch(r"[0-9a-f]{48}", password)
    user = compose["services"]["postgres"]["environment"]["POSTGRES_USER"]
    address = f"postgresql://{user}:{password}@postgres/{user}"
    assert made["database"].read_text("ascii") == address
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700
    assert subprocess.run(["sh", str(script)], stderr=subprocess.DEVNULL).returncode != 0
    assert made["database"].read_text("ascii") == address


def test_caddy_accepts_its_file() -> None:
    """The site's name comes from the environment."""
    if shutil.which("caddy") is None:
        pytest.skip(not_installed("caddy"))
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"]
    environment = {**os.environ, "SITE": "play.example.org"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
