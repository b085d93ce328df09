"""The files that package Sapper name platforms, commands and options that exist."""

import json
import re
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import sapper as package
from sapper._util.python_file import run_file
from support.program import sapper

ROOT = Path(__file__).parents[1]


def _check_wheel() -> ModuleType:
    """The script that checks a wheel, as a module."""
    return run_file(ROOT / ".ci/check_wheel.py", "script")


def test_the_installed_package_is_whole() -> None:
    """Where the tests run on an installed wheel, as in CI, it holds every file of the source."""
    check = _check_wheel()
    installed = Path(package.__file__).parent
    files = [path for path in installed.rglob("*") if path.is_file()]
    assert check.differences(path.relative_to(installed).as_posix() for path in files) == []
    names = check.expected()
    for data in (
        "locale/cs/LC_MESSAGES/sapper.po",
        "server/static/index.html",
        "server/static/service-worker.js",
        "coach/trainer/puzzles.jsonl",
        "coach/trainer/lessons.toml",
        "vision/themes/kmines.toml",
        "py.typed",
    ):
        assert data in names


def test_a_wheel_without_a_file_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check of the release workflow names what is missing and what is too much."""
    check = _check_wheel()
    wheel = tmp_path / "sapper-1-abi3.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        for name in check.expected() - {"py.typed"} | {"_core.abi3.so", "notes.txt"}:
            made.writestr(f"sapper/{name}", "")
        made.writestr("sapper-1.dist-info/METADATA", "")
    assert check.main(str(wheel)) == 1
    assert capsys.readouterr().out == "missing: py.typed\ntoo much: notes.txt\n"


def test_the_release_builds_a_wheel_for_every_platform_and_tries_each() -> None:
    """Linux on two processors, macOS and Windows; every wheel is installed and run."""
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    built = release["jobs"]["wheel"]["strategy"]["matrix"]["include"]
    names = {one["name"] for one in built}
    assert names == {"linux-x86_64", "linux-aarch64", "macos", "windows"}
    tries = [step for step in release["jobs"]["wheel"]["steps"] if "run" in step]
    assert ["sapper bench" in step["run"] for step in tries] == [True]
    assert set(release["jobs"]["publish"]["needs"]) <= set(release["jobs"])


def test_pull_requests_are_tested_on_every_platform() -> None:
    """With the oldest Python that is supported and the newest, and not as `.ci/run` runs it."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    matrix = workflow["jobs"]["pytest"]["strategy"]["matrix"]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"][0] == project["requires-python"].removeprefix(">=")
    # YAML reads the key "on" as true.
    assert "pull_request" in workflow[True]
    assert [step["run"] for step in workflow["jobs"]["pytest"]["steps"] if "run" in step] == [
        'pip install ".[test]"',
        "pytest",
    ]


def test_a_commit_without_its_signature_is_found() -> None:
    """Commits to the core end with what `sapper bench` prints, and the newest is true."""
    check = run_file(ROOT / ".ci/check_bench_lines.py", "script")
    kept, bare = ("a1", "Speed up counting\n\nBench: 12"), ("b2", "Count faster\n")
    assert check.problems([kept, ("c3", "Older\n\nBench: 11")], "12") == []
    assert check.problems([bare, kept], "12") == [
        "b2 'Count faster' needs a line 'Bench: SIGNATURE'; see sapper bench"
    ]
    assert check.problems([kept], "13") == [
        "the newest commit says 'Bench: 12', but the signature is 13"
    ]


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
