"""The files that package Sapper name platforms, commands and options that exist."""

import json
import re
import tomllib
from pathlib import Path

import yaml

from support.program import sapper

ROOT = Path(__file__).parents[1]


def test_the_release_builds_a_wheel_for_every_platform_and_tries_each() -> None:
    """Linux on two processors, macOS and Windows; every wheel is installed and run."""
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    built = release["jobs"]["wheel"]["strategy"]["matrix"]["include"]
    names = {one["name"] for one in built}
    assert names == {"linux-x86_64", "linux-aarch64", "macos", "windows"}
    tries = [step for step in release["jobs"]["wheel"]["steps"] if "run" in step]
    assert ["sapper bench" in step["run"] for step in tries] == [True]
    assert set(release["jobs"]["publish"]["needs"]) <= set(release["jobs"])


def test_one_wheel_serves_every_python_that_is_supported() -> None:
    """The stable ABI that the core is built for is the one of the oldest Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=").replace(".", "")
    binding = (ROOT / "rust/py/Cargo.toml").read_text("utf-8")
    assert f'"abi3-py{oldest}"' in binding


def test_the_container_runs_a_command_that_exists() -> None:
    """It starts the web app with options that the program takes."""
    text = (ROOT / "Containerfile").read_text("utf-8")
    found = re.search(r"^CMD (\[.*\])$", text, re.M)
    assert found is not None
    name, command, *options = json.loads(found[1])
    assert name == "sapper"
    told = sapper(command, "--help").out
    assert [option for option in options if option.startswith("-") and option not in told] == []
