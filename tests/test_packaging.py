"""Packaging files refer only to platforms, commands and options that exist."""

import json
import re
import threading
import tomllib
import urllib.request
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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


def test_installed_package_is_complete() -> None:
    """If tests run on an installed wheel, as in CI, it has every source file."""
    check = _check_wheel()
    installed = Path(package.__file__).parent
    files = [path for path in installed.rglob("*") if path.is_file()]
    assert check.differences(path.relative_to(installed).as_posix() for path in files) == []
    names = check.expected()
    for data in (
        "locale/cs/LC_MESSAGES/sapper.po",
        "web/static/index.html",
        "web/static/service-worker.js",
        "coach/trainer/puzzles.jsonl",
        "coach/trainer/lessons.toml",
        "vision/themes/kmines.toml",
        "py.typed",
    ):
        assert data in names


def test_incomplete_wheel_is_detected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The check in the release workflow lists missing and extra files."""
    check = _check_wheel()
    wheel = tmp_path / "sapper-1-abi3.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        for name in check.expected() - {"py.typed"} | {"_core.abi3.so", "notes.txt"}:
            made.writestr(f"sapper/{name}", "")
        made.writestr("sapper-1.dist-info/METADATA", "")
    assert check.main(str(wheel)) == 1
    assert capsys.readouterr().out == "missing: py.typed\ntoo much: notes.txt\n"


def test_release_builds_and_tests_a_wheel_for_every_platform() -> None:
    """Wheels are installed and run on Linux (two architectures), macOS and Windows."""
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    built = release["jobs"]["wheel"]["strategy"]["matrix"]["include"]
    names = {one["name"] for one in built}
    assert names == {"linux-x86_64", "linux-aarch64", "macos", "windows"}
    runs = [step["run"] for step in release["jobs"]["wheel"]["steps"] if "run" in step]
    assert ["sapper bench" in run for run in runs] == [False, True]
    assert set(release["jobs"]["publish"]["needs"]) <= set(release["jobs"])


def test_pull_requests_are_tested_on_every_platform() -> None:
    """The workflow uses the oldest and newest supported Python, and skips `.ci/run`."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    matrix = workflow["jobs"]["pytest"]["strategy"]["matrix"]
    assert [name.split("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"][0] == project["requires-python"].removeprefix(">=")
    # YAML parses the key "on" as true.
    assert "pull_request" in workflow[True]
    assert [step["run"] for step in workflow["jobs"]["pytest"]["steps"] if "run" in step] == [
        'pip install ".[test]"',
        "pytest",
    ]


def test_commit_without_its_signature_is_detected() -> None:
    """Commits to the core end with the output of `sapper bench`; the newest one is checked."""
    check = run_file(ROOT / ".ci/check_bench_lines.py", "script")
    kept, bare = ("a1", "Speed up counting\n\nBench: 12"), ("b2", "Count faster\n")
    assert check.problems([kept, ("c3", "Older\n\nBench: 11")], "12") == []
    assert check.problems([bare, kept], "12") == [
        "b2 'Count faster' needs a line 'Bench: SIGNATURE'; see sapper bench"
    ]
    assert check.problems([kept], "13") == [
        "the newest commit says 'Bench: 12', but the signature is 13"
    ]


def test_release_has_the_urls_of_its_repository() -> None:
    """URLs are added before the build, wherever the project is hosted."""
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    for job in ("sdist", "wheel"):
        steps = release["jobs"][job]["steps"]
        [added] = [n for n, step in enumerate(steps) if "project_urls.py" in step.get("run", "")]
        [built] = [n for n, step in enumerate(steps) if "maturin" in step.get("uses", "")]
        assert added < built
    script = run_file(ROOT / ".ci/project_urls.py", "script")
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    made = script.with_urls(text, "https://example.org/team/sapper/")
    project, before = tomllib.loads(made), tomllib.loads(text)
    urls = project["project"].pop("urls")
    assert project == before
    assert urls["Repository"] == "https://example.org/team/sapper"
    assert {"Documentation", "Changelog", "Issues"} < set(urls)
    for page in ("Documentation", "Changelog"):
        assert (ROOT / urls[page].partition("/HEAD/")[2]).is_file()
    with pytest.raises(ValueError, match="already"):
        script.with_urls(made, "https://example.org/team/sapper")


def test_the_build_backend_is_in_the_source_distribution() -> None:
    """The source distribution includes the backend that pip needs to build it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    system, [added] = project["build-system"], project["tool"]["maturin"]["include"]
    [folder] = system["backend-path"]
    assert added == {"path": f"{folder}/{system['build-backend']}.py", "format": "sdist"}
    assert (ROOT / added["path"]).is_file()
    assert not added["path"].startswith(".")


def test_one_wheel_supports_every_python_version() -> None:
    """The core is built for the stable ABI of the oldest supported Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=").replace(".", "")
    binding = (ROOT / "rust/py/Cargo.toml").read_text("utf-8")
    assert f'"abi3-py{oldest}"' in binding


def test_container_runs_a_valid_command() -> None:
    """The container starts the web app with valid options."""
    text = (ROOT / "Containerfile").read_text("utf-8")
    found = re.search(r"^CMD (\[.*\])$", text, re.M)
    assert found is not None
    name, command, *options = json.loads(found[1])
    assert name == "sapper"
    told = sapper(command, "--help").out
    assert [option for option in options if option.startswith("-") and option not in told] == []


def test_readme_commands_are_tried_on_minimal_machines() -> None:
    """Before a release, each command of the README runs on Debian machines without a compiler."""
    script = run_file(ROOT / ".ci/try_bare_machines.py", "script")
    readme = (ROOT / "README.md").read_text("utf-8").splitlines()
    cases = script.cases()
    assert {"play", "test", "uv", "pipx", "gcc"} == set(cases)
    assert all(case.line in readme for case in cases.values())
    assert f'line="{cases["test"].line}"' in (ROOT / ".ci/run").read_text("utf-8")
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["bare-machines"]["strategy"]["matrix"]["suite"] == list(script.USERS)
    assert any(
        "try_bare_machines.py" in step.get("run", "") for step in jobs["bare-machines"]["steps"]
    )
    assert "bare-machines" in jobs["publish"]["needs"]


def test_downloads_of_minimal_machines_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxy passes on what it receives, and counts it."""
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    script = run_file(ROOT / ".ci/try_bare_machines.py", "script")
    (tmp_path / "file").write_bytes(bytes(100_000))
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            proxy = script.CountingProxy()
            opener = urllib.request.build_opener(
                urllib.request.ProxyHandler({"http": proxy.address})
            )
            with opener.open(f"http://127.0.0.1:{server.server_port}/file") as answer:
                assert answer.read() == bytes(100_000)
        finally:
            server.shutdown()
    assert 100_000 < proxy.received < 101_000
    proxy.close()


def test_every_file_with_the_version_has_the_same_one() -> None:
    """A release sets the version in five files."""
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    for path, pattern in (
        ("CITATION.cff", r"^version: (\S+)$"),
        ("packages/sapper-engine/package.json", r'"version": "(\S+)"'),
        ("docs/javascript.md", r"install \S+sapper-engine-(\S+)\.tgz"),
        ("rust/wasm/Cargo.lock", r'name = "sapper-core"\nversion = "(\S+)"'),
        ("rust/fuzz/Cargo.lock", r'name = "sapper-core"\nversion = "(\S+)"'),
    ):
        assert re.findall(pattern, (ROOT / path).read_text("utf-8"), re.M) == [version], path
