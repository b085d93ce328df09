"""The build backend provides a Rust compiler and a linker where they are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sapper._util.python_file import run_file

ROOT = Path(__file__).parents[1]
BACKEND = ROOT / "rust/build_backend.py"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts stand in for compilers")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="Zig links on Linux only")

CARGO = "#!/bin/sh\necho cargo 1.90.0\n"
OLD_CARGO = "#!/bin/sh\necho cargo 1.63.0\n"
RUSTUP = """#!/bin/sh
echo "error: rustup could not choose a version of cargo to run" >&2
echo "help: run 'rustup default stable'" >&2
exit 1
"""
# The last argument is the program.
LINKS = '#!/bin/sh\nfor last do :; done\n: > "$last"\n'
NO_START_FILES = '#!/bin/sh\necho "ld: cannot find Scrt1.o" >&2\nexit 1\n'
NOT_EXECUTABLE = "#!/nowhere/shell\n"
KINDS = ("wheel", "editable", "sdist")


class Machine:
    """A machine with nothing but the programs that a test gives it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.cache = folder / "cache/sapper-build"
        self._patch = monkeypatch
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name in list(os.environ):
            if name.startswith(("CARGO", "RUSTUP", "SAPPER_ZIG", "ZIG_")) or name == "CC":
                monkeypatch.delenv(name)
        monkeypatch.setenv("PATH", str(self.programs))
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        monkeypatch.setenv("HOME", str(folder))
        self.seen: dict[str, str] = {}
        maturin: Any = ModuleType("maturin")
        for kind in KINDS:
            setattr(maturin, f"get_requires_for_build_{kind}", lambda _=None: ["puccinialin"])
            setattr(maturin, f"build_{kind}", self._built)
            setattr(maturin, f"prepare_metadata_for_build_{kind}", self._built)
        monkeypatch.setitem(sys.modules, "maturin", maturin)
        self.backend: Any = run_file(BACKEND, "script")
        # What the backend writes is not for this checkout.
        monkeypatch.setattr(self.backend, "_ROOT", folder)
        monkeypatch.setattr(self.backend, "_rust_folder", lambda: self.cache)
        shutil.copy(ROOT / "Cargo.toml", folder)

    def _built(self, *_: object) -> str:
        self.seen = dict(os.environ)
        return "sapper.whl"

    def program(self, name: str, text: str, folder: Path | None = None) -> Path:
        """Write a program, by default into the only folder on PATH."""
        path = (folder or self.programs) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def required(self, kind: str = "wheel") -> list[str]:
        """Return the names of the packages that a build requires."""
        asked = getattr(self.backend, f"get_requires_for_build_{kind}")()
        return sorted(name.partition(">=")[0] for name in asked)

    def build(self) -> dict[str, str]:
        """Build a wheel, and return the environment in which maturin ran."""
        assert self.backend.build_wheel(str(self.folder)) == "sapper.whl"
        return self.seen

    def install_zig(self, text: str) -> Path:
        """Install a package like Zig's, with a program of this text."""
        package = self.folder / "site/ziglang"
        self.program("__init__.py", "", package)
        self._patch.syspath_prepend(str(package.parent))
        return self.program("zig", text, package)

    def install_puccinialin(self, setup: Callable[[Path], dict[str, str]]) -> None:
        """Install a package that "downloads" Rust."""
        module: Any = ModuleType("puccinialin")
        module.setup_rust = setup
        self._patch.setitem(sys.modules, "puccinialin", module)

    @property
    def linker(self) -> str:
        """Return the name of the variable for cargo's linker."""
        name: str = self.backend._linker_variable()
        return name


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A machine without a compiler."""
    # The backend changes the environment of its process.
    before = dict(os.environ)
    yield Machine(tmp_path, monkeypatch)
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_required_where_everything_works(machine: Machine, kind: str) -> None:
    """With cargo and a C compiler, the environment of the build is unchanged."""
    machine.program("cargo", CARGO)
    machine.program("cc", LINKS)
    assert machine.required(kind) == []
    environment = machine.build()
    assert machine.linker not in environment
    assert "CC" not in environment
    assert environment["PATH"] == str(machine.programs)
    for name in machine.backend.__all__:
        assert callable(getattr(machine.backend, name))


@on_linux
@pytest.mark.parametrize("compiler", [None, NO_START_FILES, NOT_EXECUTABLE])
@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_zig_is_required_without_a_compiler_that_links(
    machine: Machine, kind: str, compiler: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Debian's gcc without libc6-dev compiles but cannot link, and the build failed after that."""
    machine.program("cargo", CARGO)
    if compiler is not None:
        machine.program("cc", compiler)
        machine.program("gcc", compiler)
    assert machine.required(kind) == ["ziglang"]
    assert "pip downloads Zig (100 MB)" in capsys.readouterr().err
    assert machine.required("sdist") == []


@on_linux
def test_zig_links_for_this_machine(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's program links for the machine; rustc's option for the word size is dropped."""
    monkeypatch.setattr(machine.backend.platform, "machine", lambda: "aarch64")
    machine.program("cargo", CARGO)
    machine.program("cc", NO_START_FILES)
    zig = machine.install_zig('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    environment = machine.build()
    linker = environment["CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"]
    assert environment["CC"] == linker
    assert environment["SAPPER_ZIG"] == str(zig)
    told = subprocess.run(
        [linker, "-m64", "a file.o", "-m64", "-o", "x"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert told[:2] == ["cc", "-target"]
    assert told[2].startswith("aarch64-linux-gnu.2.")
    assert told[3:] == ["-fno-sanitize=undefined", "a file.o", "-o", "x"]
    assert environment["ZIG_GLOBAL_CACHE_DIR"].startswith(str(machine.folder))


@on_linux
@pytest.mark.parametrize(("own", "target"), [("2.41", "2.28"), ("2.17", "2.17"), ("", "2.28")])
def test_zig_links_for_an_old_c_library(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, own: str, target: str
) -> None:
    """The wheel runs with glibc 2.28, or with the machine's own if that is older."""
    monkeypatch.setattr(machine.backend.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(machine.backend.platform, "libc_ver", lambda: ("glibc", own))
    machine.program("cargo", CARGO)
    machine.install_zig("")
    assert machine.build()["SAPPER_ZIG_TARGET"] == f"x86_64-linux-gnu.{target}"


def test_another_compiler_that_links_is_used(machine: Machine) -> None:
    """Nothing is downloaded if only gcc or clang can link, instead of cc."""
    machine.program("cargo", CARGO)
    machine.program("cc", NO_START_FILES)
    machine.program("clang", LINKS)
    assert machine.required() == []
    environment = machine.build()
    assert environment[machine.linker] == environment["CC"] == "clang"


def test_the_compiler_of_the_environment_is_used(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Conda has its compiler in CC, and no cc, which is what rustc calls."""
    machine.program("cargo", CARGO)
    compiler = machine.program("x86_64-conda-linux-gnu-cc", LINKS, machine.folder / "conda")
    monkeypatch.setenv("CC", str(compiler))
    assert machine.required() == []
    assert machine.build()[machine.linker] == str(compiler)


def test_a_chosen_linker_is_kept(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's linker may be one that does not compile C, so it is not tried."""
    machine.program("cargo", CARGO)
    monkeypatch.setenv(machine.linker, "my-linker")
    assert machine.required() == []
    environment = machine.build()
    assert environment[machine.linker] == "my-linker"
    assert "CC" not in environment


def test_real_compiler_is_tried(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real compiler passes, and does not if it cannot find the files to link with."""
    compiler = shutil.which("gcc", path=os.defpath) or shutil.which("cc", path=os.defpath)
    if compiler is None:
        pytest.skip("no C compiler is installed: apt install gcc libc6-dev")
    monkeypatch.setenv("PATH", os.defpath)
    assert machine.backend._links(compiler)
    machine.program("cc", f'#!/bin/sh\nexec {compiler} -nodefaultlibs -lmissing "$@"\n')
    assert not machine.backend._links(str(machine.programs / "cc"))


@pytest.mark.parametrize("cargo", [None, OLD_CARGO])
def test_rust_is_downloaded(
    machine: Machine, capsys: pytest.CaptureFixture[str], cargo: str | None
) -> None:
    """Sizes and folder are printed before the download, and how to delete it after the build."""
    machine.program("cc", LINKS)
    if cargo is not None:
        machine.program("cargo", cargo)
    assert machine.required() == machine.required("sdist") == ["puccinialin"]
    before = []

    def setup(folder: Path) -> dict[str, str]:
        before.append(capsys.readouterr().err)
        added = machine.program("cargo", CARGO, folder / "cargo/bin").parent
        path = os.pathsep.join([str(added), os.environ["PATH"]])
        return {"CARGO_HOME": str(folder / "cargo"), "PATH": path}

    machine.install_puccinialin(setup)
    environment = machine.build()
    assert environment["PATH"].split(os.pathsep)[0] == str(machine.cache / "cargo/bin")
    [said] = before
    assert "no Rust compiler 1.83 or later" in said
    assert f"about 150 MB, installed 660 MB) into {machine.cache}" in said
    assert f"to remove it: rm -r '{machine.cache}'" in capsys.readouterr().err
    # The next build finds it, even in a process of its own.
    os.environ["PATH"] = str(machine.programs)
    machine.install_puccinialin(lambda _: pytest.fail("downloaded again"))
    assert machine.required() == []
    assert machine.build()["CARGO_HOME"] == str(machine.cache / "cargo")
    assert len(before) == 1


def test_damaged_download_is_repeated(machine: Machine) -> None:
    """An interrupted download left a cargo without its toolchain."""
    machine.program("cc", LINKS)
    machine.program("cargo", RUSTUP, machine.cache / "cargo/bin")
    assert machine.required() == ["puccinialin"]


@pytest.mark.parametrize("cargo", [RUSTUP, NOT_EXECUTABLE])
@pytest.mark.parametrize("kind", KINDS)
def test_a_cargo_without_a_toolchain_is_explained(machine: Machine, kind: str, cargo: str) -> None:
    """Maturin claimed that cargo is not installed, after a stack trace from rustup."""
    path = machine.program("cargo", cargo)
    with pytest.raises(SystemExit) as ended:
        machine.required(kind)
    message = str(ended.value.code)
    assert "rustup default stable" in message
    assert f"{path}: " in message
    assert ("rustup could not choose" in message) == (cargo == RUSTUP)


def _is_complete(message: str) -> bool:
    """Whether a message names the command for each system, and the oldest Rust."""
    lines = {line.strip().partition("  ")[0]: line for line in message.splitlines()}
    return (
        "1.83 or later" in message
        and "apt install cargo gcc libc6-dev" in lines["Debian 13"]
        and "dnf install cargo gcc" in lines["Fedora"]
        and "xcode-select --install" in lines["macOS"]
        and "winget install Rustlang.Rustup" in lines["Windows"]
    )


@pytest.mark.parametrize("problem", [OSError("no route to host"), SystemExit(1)])
def test_failed_download_names_what_to_install(machine: Machine, problem: BaseException) -> None:
    """If Rust is neither installed nor available, the message has the command to install it."""
    machine.program("cc", LINKS)

    def setup(folder: Path) -> dict[str, str]:
        raise problem

    machine.install_puccinialin(setup)
    with pytest.raises(SystemExit) as ended:
        machine.build()
    message = str(ended.value.code)
    assert f"cannot be downloaded: {problem}." in message
    assert _is_complete(message)


def test_machine_without_zig_names_what_to_install(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Zig cannot link, the message has the command to install a compiler."""
    machine.program("cargo", CARGO)
    monkeypatch.setattr(machine.backend.platform, "machine", lambda: "sparc64")
    for ask in (machine.required, machine.build):
        with pytest.raises(SystemExit) as ended:
            ask()
        assert "There is no C compiler here that can link." in str(ended.value.code)
        assert _is_complete(str(ended.value.code))


@on_linux
def test_missing_zig_is_explained(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pip's build isolation, nobody installs what the backend requires."""
    machine.program("cargo", CARGO)
    monkeypatch.setattr(machine.backend.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(machine.backend.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit) as ended:
        machine.build()
    assert "ziglang>=" in str(ended.value.code)


@on_linux
def test_pip_cannot_hide_messages_from_the_terminal(tmp_path: Path) -> None:
    """Pip captures the output of a build, but a download of minutes should be announced."""
    program = """
import fcntl, sys, termios, types
from pathlib import Path
from sapper._util.python_file import run_file
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.modules["maturin"] = types.ModuleType("maturin")
run_file(Path(sys.argv[1]), "script")._say("downloading")
"""
    terminal, its_end = os.openpty()
    done = subprocess.run(
        [sys.executable, "-c", program, str(BACKEND)],
        stdin=its_end,
        capture_output=True,
        text=True,
        start_new_session=True,
        check=True,
    )
    assert done.stderr == "sapper: downloading\n"
    assert b"sapper: downloading\r\n" in os.read(terminal, 1000)
    os.close(terminal)
    os.close(its_end)
