"""Example plugins, each a single file outside the package, appear everywhere automatically."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import make_archive
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

import sapper
from sapper import plugins
from sapper.cli.checks import CheckState, _plugins
from sapper.dealer import DEALERS, RULES, settings
from sapper.dealer.registry import register as register_rules
from sapper.drawing import THEMES, Theme
from sapper.drawing import register as register_theme
from sapper.errors import BadReplay, BadSetting
from sapper.overlays import OVERLAYS, marks_of
from sapper.overlays import register as register_overlay
from sapper.replay import FORMATS, WRITERS, Replay, load, parse, serialize
from sapper.replay import register as register_format
from sapper.server import create_app
from sapper.server.session.game_settings import menu
from sapper.server.storage.store import Store
from sapper.solver.bots import bots
from sapper.solver.bots import register as register_bot
from sapper.topology import TOPOLOGIES, Tile, Tiling, topology
from sapper.topology import register as register_topology
from sapper.tui.assistance import next_overlay
from sapper.tui.cell_styles import cell_text
from sapper.tui.scene import Scene
from support.program import PROGRAM

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = [
    FOLDER / f"{name}.py"
    for name in (
        "corner_bot",
        "unkind_rules",
        "knight_topology",
        "neighbours_overlay",
        "click_log_replay",
        "paper_theme",
    )
]
REGISTRIES: list[dict[str, Any]] = [
    bots,
    DEALERS,
    RULES,
    TOPOLOGIES,
    OVERLAYS,
    FORMATS,
    WRITERS,
    THEMES,
]


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the registries after each test."""
    before = [dict(registry) for registry in REGISTRIES]
    monkeypatch.setattr(plugins, "_plugins", plugins._Plugins())
    yield
    for registry, kept in zip(REGISTRIES, before, strict=True):
        registry.clear()
        registry.update(kept)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load all example plugins, as ``SAPPER_PLUGINS=... sapper`` does."""
    monkeypatch.setenv(plugins.VARIABLE, os.pathsep.join(map(str, EXAMPLES)))
    plugins.load_plugins()


@pytest.mark.usefixtures("loaded")
def test_the_doctor_lists_the_files() -> None:
    """The doctor shows which plugin files are loaded."""
    [found] = _plugins()
    assert [Path(file) for file in found.result.split(", ")] == EXAMPLES


@pytest.mark.usefixtures("loaded")
def test_the_bot_plays_under_its_name() -> None:
    """The bot marks each guess with its risk, which is the lowest possible."""
    found = sapper.simulate("corner", "5x5:4", n=20, seed=1)
    best = sapper.simulate("exact", "5x5:4", n=20, seed=1)
    assert found.games == 20
    assert "corner" in {bot["name"] for bot in menu()["bots"]}
    assert sum(row.guesses for row in found.rows) > 0
    assert [row.risks[:1] for row in found.rows] == [row.risks[:1] for row in best.rows]


@pytest.mark.usefixtures("loaded")
def test_the_rule_set_punishes_every_guess() -> None:
    """The first guess that can be a mine loses, and saved games can be continued."""
    game = sapper.Game("9x9:10", "unkind", seed=3)
    game.open((4, 4))
    assert sapper.Game.from_json(game.to_json()).position == game.position
    known = sapper.analyze(game.position)
    game.open(min(cell for cell in game.position.unopened_cells() if cell not in known.safe))
    assert str(game.status) == "lost"


@pytest.mark.usefixtures("loaded")
def test_topology_works_everywhere() -> None:
    """Levels, text forms, analysis, bots and rule sets support the topology."""
    shape = topology("knight", 8, 8)
    assert set(shape.neighbours((0, 0))) == {(1, 2), (2, 1)}
    game = sapper.Game("8x8:8/knight", first_click="opening", seed=1)
    game.open((3, 3))
    assert sapper.Position.parse(str(game.position)) == game.position
    assert sum(map(len, (sapper.analyze(game.position).safe, game.position.unopened_cells()))) > 0
    for rules in ("classic", "no-guess", "kaboom"):
        assert sapper.simulate("exact", "6x6:4/knight", rules, n=2, seed=1).games == 2


@pytest.mark.usefixtures("loaded")
def test_the_overlay_is_drawn_and_spoken() -> None:
    """Counts have spoken descriptions; the page and the terminal offer the overlay."""
    position = sapper.Position.parse("..1\nF21\n110", mines=2)
    marks = marks_of("unopened-neighbours", position, sapper.analyze(position.without_flags()))
    assert [(at, mark.text, mark.spoken) for at, mark in marks.items()] == [
        (at, "2", "2 unopened neighbours") for at in (0, 1, 3)
    ]
    assert menu()["overlays"][-1] == {
        "name": "unopened-neighbours",
        "label": "Unopened neighbours",
        "summary": "How many neighbours of a cell are unopened.",
        "compact": False,
    }
    *_, last, ours = OVERLAYS
    assert next_overlay(last) == ours == "unopened-neighbours"
    assert cell_text(Scene.of_position(position, cover=marks).face(0, 0), 3) == " 2 "


@pytest.mark.usefixtures("loaded")
def test_the_replay_format_is_recognised_read_and_written(tmp_path: Path) -> None:
    """A replay is the same when it is read back; a refusal gives the reason."""
    game = sapper.Game("4x4:2", first_click="safe", seed=2)
    for cell in game.position.topology.cells():
        if not game.over:
            game.open(cell)
    replay = Replay.from_game(game)
    file = tmp_path / "game.txt"
    file.write_bytes(serialize(replay, "click-log", lossy=True))
    again = load(file)
    assert (again.board, again.events, again.format) == (replay.board, replay.events, "click-log")
    with pytest.raises(BadReplay, match="not a click log"):
        parse(b"click log\n1*1\n0.0 jump 1 1\n")
    with pytest.raises(BadReplay, match="without a pointer path"):
        serialize(replay.as_mouse(), "click-log", lossy=True)


@pytest.mark.usefixtures("loaded")
def test_the_theme_colours_pictures_the_web_app_and_the_terminal(tmp_path: Path) -> None:
    """The theme applies to pictures and all style sheets, and can be chosen on the page."""
    face = THEMES["paper"]["face"]
    assert face in sapper.Position.parse("..\n11").to_svg(theme="paper")
    assert not THEMES["paper"].is_dark
    assert THEMES["dark"].is_dark
    with Store(tmp_path / "games.sqlite") as store:
        page, styles = asyncio.run(_page_and_styles(create_app(store)))
    assert '<option value="paper">Old paper</option>' in page
    assert '[data-palette="paper"][data-look][data-dark] {\n--far-text: #' in styles
    assert f"--face: {face};" in styles
    assert THEMES["paper"]["surface"] not in styles.partition('[data-palette="paper"]')[2]


async def _page_and_styles(app: Starlette) -> tuple[str, str]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        page = (await client.get("/")).text
        sheet = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
        return page, (await client.get(sheet)).text


def test_program_uses_several_plugins() -> None:
    """One command uses the bot, the rule set and the topology from three files."""
    command = ("lab", "run", "--bot", "corner", "--rules", "unkind", "--level", "5x5:3/knight")
    env = {**os.environ, plugins.VARIABLE: os.pathsep.join(map(str, EXAMPLES))}
    ran = subprocess.run(
        [PROGRAM, *command, "-n", "2", "--workers", "1", "--json"],
        env=env,
        capture_output=True,
        text=True,
    )
    assert ran.stderr == ""
    told = json.loads(ran.stdout)
    assert (told["bot"], told["rules"], told["games"]) == ("corner", "unkind", 2)


_BROKEN = [
    pytest.param("import nothing_of_this_name", "ModuleNotFoundError", id="import"),
    pytest.param("raise SystemExit('no licence')", "SystemExit: no licence", id="exit"),
    pytest.param("raise KeyboardInterrupt", "KeyboardInterrupt", id="interrupt"),
    pytest.param("raise GeneratorExit", "GeneratorExit", id="generator"),
    pytest.param("x = ", "SyntaxError", id="syntax"),
]


def _program(plugin: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, plugins.VARIABLE: str(plugin)}
    return subprocess.run([PROGRAM, *arguments], env=env, capture_output=True, text=True)


@pytest.mark.parametrize(("code", "reason"), _BROKEN)
def test_broken_plugin_is_skipped_with_one_line(tmp_path: Path, code: str, reason: str) -> None:
    """Commands that look for plugins warn, and go on; the result is the same."""
    bad = tmp_path / "bad.py"
    bad.write_text(f"{code}\n")
    ran = _program(bad, "lab", "run", "--bot", "nobody", "-n", "1")
    first, second = ran.stderr.splitlines()
    assert first.startswith(f"sapper: skipped a plugin: '{bad}' cannot be loaded: ")
    assert reason in first
    assert second.startswith("sapper: unknown bot 'nobody'; choose from: exact, ")
    assert ran.returncode == 2


def test_broken_plugin_does_not_stop_the_program(tmp_path: Path) -> None:
    """It stopped the version, the help and the import of the package."""
    bad = tmp_path / "bad.py"
    bad.write_text("raise KeyboardInterrupt\n")
    for option in ("--version", "--help"):
        ran = _program(bad, option)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout
    env = {**os.environ, plugins.VARIABLE: str(bad)}
    code = "import sapper; print(sapper.Game('beginner', seed=1).status)"
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("ready\n", "")


@pytest.mark.parametrize(("code", "reason"), _BROKEN)
def test_broken_plugin_is_a_warning_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, reason: str
) -> None:
    """The warning comes once, also for a `KeyboardInterrupt` that the plugin itself raises."""
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text(f"{code}\n")
    good.write_text((FOLDER / "corner_bot.py").read_text("utf-8"), "utf-8")
    monkeypatch.setenv(plugins.VARIABLE, os.pathsep.join(map(str, (bad, good))))
    with pytest.warns(RuntimeWarning, match=f"skipped a plugin: .*{reason}") as warned:
        assert "corner" in bots
    assert len(warned) == 1
    assert "corner" in list(bots)


def test_failed_plugin_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plugin that fails after it registered a bot is skipped completely."""
    bad = tmp_path / "bad.py"
    bad.write_text((FOLDER / "corner_bot.py").read_text("utf-8") + "\n1 / 0\n", "utf-8")
    monkeypatch.setenv(plugins.VARIABLE, str(bad))
    with pytest.warns(RuntimeWarning, match="ZeroDivisionError"):
        assert "corner" not in bots


def test_ctrl_c_while_plugins_are_loaded_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next use loads the plugins again."""
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import os, signal\n"
        "if not os.environ.pop('SECOND', ''):\n"
        "    os.environ['SECOND'] = '1'\n"
        "    signal.raise_signal(signal.SIGINT)\n"
    )
    monkeypatch.delenv("SECOND", raising=False)
    monkeypatch.setenv(plugins.VARIABLE, str(slow))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            len(bots)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert plugins.load_plugins() == (plugins.LoadedPlugin(str(slow)),)
    finally:
        signal.signal(signal.SIGINT, handler)


def test_the_doctor_lists_skipped_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor gives the reason, the plugins that work, and how to skip all."""
    bad = tmp_path / "bad.py"
    bad.write_text("1 / 0\n")
    monkeypatch.setenv(plugins.VARIABLE, os.pathsep.join(map(str, (bad, EXAMPLES[0]))))
    with pytest.warns(RuntimeWarning, match="skipped a plugin"):
        good, skipped = list(_plugins())
    assert (good.name, good.result) == ("plugins", str(EXAMPLES[0]))
    assert (skipped.name, skipped.state) == ("plugin", CheckState.MISSING)
    assert skipped.result.startswith(f"skipped: '{bad}' cannot be loaded: ")
    assert "ZeroDivisionError" in skipped.result
    assert "SAPPER_PLUGINS=none" in skipped.fix


def test_all_plugins_can_be_skipped(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed packages are skipped as well."""
    monkeypatch.syspath_prepend(str(installed))
    assert [entry.name for entry in plugins.plugin_packages()] == ["corner"]
    monkeypatch.setenv(plugins.VARIABLE, "none")
    assert plugins.plugin_packages() == []
    assert plugins.plugin_files() == []
    assert "corner" not in bots


def test_built_in_names_need_no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plugins are loaded when a registry is listed, or searched for another name."""
    monkeypatch.setenv(plugins.VARIABLE, str(EXAMPLES[0]))
    assert bots["exact"] is bots.get("exact")
    assert "rectangle" in TOPOLOGIES
    assert sapper.Game("9x9:10/torus", "kind", seed=1).status == "ready"
    assert plugins._plugins.loaded is None
    with pytest.raises(KeyError, match="nobody"):
        bots["nobody"]
    assert plugins._plugins.loaded == (plugins.LoadedPlugin(str(EXAMPLES[0])),)
    assert bots.get("corner") is bots["corner"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed package that contains the example's bot as a plugin."""
    module = (FOLDER / "corner_bot.py").read_text("utf-8")
    (tmp_path / "corner_bot.py").write_text(module, "utf-8")
    metadata = tmp_path / "sapper_corner_bot-0.1.0.dist-info"
    metadata.mkdir()
    about = "Metadata-Version: 2.1\nName: sapper-corner-bot\nVersion: 0.1.0\n"
    (metadata / "METADATA").write_text(about, "utf-8")
    (metadata / "entry_points.txt").write_text("[sapper]\ncorner = corner_bot\n", "utf-8")
    return tmp_path


def test_an_installed_package_is_a_plugin(installed: Path) -> None:
    """[#35] A lab run's worker processes also find the package's bot by name."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "SAPPER_HOME": str(installed)}
    arguments = ["--bot", "corner", "--level", "5x5:4", "-n", "20", "--workers", "2", "--json"]
    command = [PROGRAM, "lab", "run", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["games"] == 20


def test_installed_plugin_error_names_its_package(installed: Path) -> None:
    """The warning is one line that names the package."""
    (installed / "corner_bot.py").write_text("import nosuchmodule\n", "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [PROGRAM, "lab", "run", "--bot", "nobody", "-n", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.splitlines()[0] == (
        "sapper: skipped a plugin: the plugin 'corner' of the package sapper-corner-bot cannot be "
        "loaded: corner_bot.py:1 in <module>: ModuleNotFoundError: No module named 'nosuchmodule'"
    )


def test_a_plugin_in_a_zip_file_is_found(
    installed: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zip file on the path can contain an installed package."""
    archive = make_archive(str(tmp_path_factory.mktemp("zip") / "plugin"), "zip", installed)
    assert plugins.plugin_packages() == []
    monkeypatch.syspath_prepend(archive)
    assert [entry.name for entry in plugins.plugin_packages()] == ["corner"]


def test_package_metadata_is_not_read_without_plugins() -> None:
    """Importing `importlib.metadata` would slow down every command."""
    code = "import sys, sapper; list(sapper.bots); print('importlib.metadata' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning names the environment variable that lists the file."""
    monkeypatch.setenv(plugins.VARIABLE, "no-such.py")
    with pytest.warns(RuntimeWarning, match=r"SAPPER_PLUGINS lists 'no-such\.py', which does not"):
        plugins.load_plugins()


def test_invalid_registration_is_rejected() -> None:
    """Duplicate or invalid names, too many neighbours and missing parts are refused."""

    class Far(Tiling):
        name = "far"
        pattern = ((Tile(tuple((0, n) for n in range(1, 14))),),)

    class Torus(Tiling):
        name = "torus"
        pattern = ((Tile(((0, 1), (0, -1))),),)

    with pytest.raises(BadSetting, match="at most 12 neighbours, in Far it has 13"):
        register_topology(Far)
    with pytest.raises(BadSetting, match="there is a topology 'torus' already"):
        register_topology(Torus)
    with pytest.raises(BadSetting, match="must be a subclass of Tiling"):
        register_topology(int)  # type: ignore[type-var]
    with pytest.raises(BadSetting, match="must be lower-case letters, digits and hyphens"):
        register_bot("My Bot")(sapper.bots["exact"])
    with pytest.raises(BadSetting, match="must be a subclass of Dealer"):
        register_rules(int)  # type: ignore[type-var]
    with pytest.raises(BadSetting, match="must be a subclass of Overlay"):
        register_overlay(int)  # type: ignore[type-var]
    with pytest.raises(BadSetting, match="needs looks_like and read"):
        register_format("mine")(int)
    with pytest.raises(BadSetting, match="'face' must be #rrggbb, got 'red'"):
        register_theme("mine", THEMES["light"].changed("Mine", face="red"))
    with pytest.raises(BadSetting, match="'surface' must be #rrggbb, got None"):
        register_theme("mine", Theme({}))
    assert {"far", "mine"}.isdisjoint({*TOPOLOGIES, *FORMATS, *THEMES})
    assert settings("9x9:10").rules == "classic"
