"""The build backend of the Python package: maturin, and the tools missing on the machine.

The core is written in Rust, so a build needs cargo and a linker. This module provides missing
ones, so that `pip install .` works on a machine that has only Python:

- Without cargo, or with one that is too old for the core, rustup's minimal profile is downloaded
  into a folder of its own in the user's cache. Later builds use it again.
- Without a C compiler that can link, Zig from PyPI links, in pip's temporary build environment.

A cargo that cannot run, for example because rustup has no toolchain, is reported with its reason.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import maturin

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_Settings = Mapping[str, Any] | None

_ROOT = Path(__file__).resolve().parents[1]

_ZIG = "ziglang>=0.15.1,<0.18"
_ZIG_SIZE = "100 MB"
_ZIG_MACHINES = ("x86_64", "aarch64")
_GLIBC = (2, 28)
"""The oldest glibc that Zig links for, unless the machine's own is older."""

_RUSTUP = "puccinialin>=0.1.14,<0.2"
"""Runs rustup with the minimal profile: rustc, the standard library and cargo."""
_RUST_SIZES = ("150 MB", "660 MB")
"""The minimal profile of Rust 1.99 for Linux: as downloaded and as installed."""

_BROKEN = """
Sapper's core is written in Rust, and the cargo on this machine does not work:

    {cargo}: {reason}

Install a Rust toolchain, and then run the same command again:

    rustup default stable

Or remove {cargo} from PATH: then pip downloads Rust for the build.
"""

_UNAVAILABLE = """
Sapper's core is written in Rust. {problem}

Install Rust {oldest} or later and a C compiler, and then run the same command again:

    Debian 13    sudo apt install cargo gcc libc6-dev    (Debian 12: cargo-web instead of cargo)
    Fedora       sudo dnf install cargo gcc
    macOS        xcode-select --install; brew install rust
    Windows      winget install Rustlang.Rustup Microsoft.VisualStudio.2022.BuildTools --override \
"--passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"
"""

_WRAPPER = """\
#!/bin/sh
# Compiles and links C with Zig. Written by rust/build_backend.py, which sets both variables.
for argument do
    shift
    # Zig takes the word size from the target.
    [ "$argument" = -m64 ] || set -- "$@" "$argument"
done
exec "$SAPPER_ZIG" cc -target "$SAPPER_ZIG_TARGET" -fno-sanitize=undefined "$@"
"""


def get_requires_for_build_wheel(config_settings: _Settings = None) -> list[str]:
    """Return the requirements for a wheel; exit with a message if cargo cannot run."""
    return _requirements(maturin.get_requires_for_build_wheel, config_settings, links=True)


def get_requires_for_build_editable(config_settings: _Settings = None) -> list[str]:
    """Return the requirements for an editable install; exit if cargo cannot run."""
    return _requirements(maturin.get_requires_for_build_editable, config_settings, links=True)


def get_requires_for_build_sdist(config_settings: _Settings = None) -> list[str]:
    """Return the requirements for a source distribution; exit if cargo cannot run."""
    return _requirements(maturin.get_requires_for_build_sdist, config_settings, links=False)


def prepare_metadata_for_build_wheel(folder: str, config_settings: _Settings = None) -> str:
    """Write the metadata of a wheel."""
    _provide_cargo()
    return maturin.prepare_metadata_for_build_wheel(folder, config_settings)


def prepare_metadata_for_build_editable(folder: str, config_settings: _Settings = None) -> str:
    """Write the metadata of an editable install."""
    _provide_cargo()
    return maturin.prepare_metadata_for_build_editable(folder, config_settings)


def build_wheel(
    folder: str, config_settings: _Settings = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel."""
    return _build(maturin.build_wheel, folder, config_settings, metadata_directory)


def build_editable(
    folder: str, config_settings: _Settings = None, metadata_directory: str | None = None
) -> str:
    """Build an editable install."""
    return _build(maturin.build_editable, folder, config_settings, metadata_directory)


def build_sdist(folder: str, config_settings: _Settings = None) -> str:
    """Build a source distribution."""
    _provide_cargo()
    return maturin.build_sdist(folder, config_settings)


def _requirements(ask: Any, config_settings: _Settings, links: bool) -> list[str]:
    """Return maturin's requirements and those of the tools that are missing."""
    needed = []
    if not _has_cargo() and not _use_downloaded_rust():
        needed.append(_RUSTUP)
    if links and _linker() is None:
        _check_zig_runs_here()
        needed.append(_ZIG)
        _say(
            f"no C compiler that can link: pip downloads Zig ({_ZIG_SIZE}) for this build, "
            "and removes it afterwards."
        )
    # Maturin asks for a package that installs Rust, without our range, if there is no cargo.
    return needed + [name for name in ask(config_settings) if name != "puccinialin"]


def _build(
    build: Any, folder: str, config_settings: _Settings, metadata_directory: str | None
) -> str:
    _provide_cargo()
    _provide_linker()
    name: str = build(folder, config_settings, metadata_directory)
    rust = _rust_folder()
    if (rust / "cargo").is_dir() and str(rust) in os.environ["PATH"]:
        remove = f'rmdir /s /q "{rust}"' if os.name == "nt" else f"rm -r '{rust}'"
        _say(f"built. The next build uses the same Rust compiler; to remove it: {remove}")
    return name


def _has_cargo() -> bool:
    """Return whether there is a cargo that can build the core; exit if it cannot run."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return False
    try:
        done = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False)
    except OSError as problem:
        reason = problem.strerror or str(problem)
    else:
        if done.returncode == 0:
            return _is_new_enough(done.stdout)
        reason = next(iter(done.stderr.strip().splitlines()), "it ends with an error")
    sys.exit(_BROKEN.format(cargo=cargo, reason=reason.removeprefix("error: ")))


def _is_new_enough(version: str) -> bool:
    found = re.search(r"(\d+)\.(\d+)", version)
    if found is None:
        return True
    oldest = tuple(int(part) for part in _oldest_rust().split("."))
    return (int(found[1]), int(found[2])) >= oldest


def _oldest_rust() -> str:
    text = (_ROOT / "Cargo.toml").read_text("utf-8")
    found = re.search(r'^rust-version = "(\d+\.\d+)', text, re.M)
    return found[1] if found else "0.0"


def _provide_cargo() -> None:
    """Put a cargo that can build the core on PATH; download one if there is none."""
    if _has_cargo() or _use_downloaded_rust():
        return
    folder = _rust_folder()
    download, installed = _RUST_SIZES
    _say(
        f"no Rust compiler {_oldest_rust()} or later: downloading one from static.rust-lang.org "
        f"(about {download}, installed {installed}) into {folder}"
    )
    # A toolchain that the user chose for another rustup does not exist in this one.
    os.environ.pop("RUSTUP_TOOLCHAIN", None)
    # Install even if the system has an old rustc.
    os.environ["RUSTUP_INIT_SKIP_PATH_CHECK"] = "yes"
    try:
        from puccinialin import setup_rust

        os.environ.update(setup_rust(folder))
    # It exits if Rust does not support the machine.
    except (Exception, SystemExit) as problem:
        reason = " ".join(str(problem).split()) or type(problem).__name__
        _give_up(f"There is no Rust compiler here, and it cannot be downloaded: {reason}.")


def _use_downloaded_rust() -> bool:
    """Put the Rust compiler of an earlier build on PATH, if there is one that works."""
    folder = _rust_folder()
    added = {
        "RUSTUP_HOME": str(folder / "rustup"),
        "CARGO_HOME": str(folder / "cargo"),
        "PATH": os.pathsep.join([str(folder / "cargo/bin"), os.environ.get("PATH", "")]),
    }
    cargo = shutil.which("cargo", path=str(folder / "cargo/bin"))
    if cargo is None:
        return False
    kept = {name: value for name, value in os.environ.items() if name != "RUSTUP_TOOLCHAIN"}
    try:
        done = subprocess.run(
            [cargo, "--version"], capture_output=True, text=True, check=False, env=kept | added
        )
    except OSError:
        return False
    if done.returncode != 0 or not _is_new_enough(done.stdout):
        return False
    os.environ.pop("RUSTUP_TOOLCHAIN", None)
    os.environ.update(added)
    return True


def _rust_folder() -> Path:
    """Return the folder for a downloaded Rust compiler."""
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute():
        home = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local")
    elif sys.platform == "darwin":
        caches = home / "Library/Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return caches / "sapper-build"


def _linker() -> str | None:
    """Return the C compiler that can link, or None if there is none.

    A compiler without the C library's files exists but cannot link. The linker on Windows is part
    of Visual Studio; rustc finds it and reports if it is missing.
    """
    if sys.platform == "win32" or "CARGO_BUILD_TARGET" in os.environ:
        return "cc"
    chosen = os.environ.get(_linker_variable())
    if chosen:
        return chosen
    # rustc calls cc; CC is that of Conda, for example.
    candidates = ("cc", os.environ.get("CC") or "cc", "gcc", "clang")
    return next((name for name in dict.fromkeys(candidates) if _links(name)), None)


def _links(compiler: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "main.c"), Path(folder, "main")
        source.write_text("int main(void) { return 0; }\n")
        try:
            done = subprocess.run(
                [compiler, str(source), "-o", str(program)], capture_output=True, check=False
            )
        except OSError:
            return False
        return done.returncode == 0 and program.exists()


def _linker_variable() -> str:
    """Return the environment variable that names cargo's linker on this machine."""
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    system = f"UNKNOWN_LINUX_{'MUSL' if _is_musl() else 'GNU'}"
    if sys.platform == "darwin":
        system = "APPLE_DARWIN"
    return f"CARGO_TARGET_{machine.upper()}_{system}_LINKER"


def _check_zig_runs_here() -> None:
    """Exit with a message if Zig cannot link for this machine."""
    glibc = sys.platform == "linux" and not _is_musl()
    if not glibc or platform.machine() not in _ZIG_MACHINES or sys.maxsize < 2**32:
        _give_up("There is no C compiler here that can link.")


def _is_musl() -> bool:
    return "musl" in (sysconfig.get_config_var("SOABI") or "")


def _provide_linker() -> None:
    """Make cargo use a compiler that can link: another name for cc, or Zig."""
    found = _linker()
    if found is None:
        found = _zig_wrapper()
    elif found == "cc" or found == os.environ.get(_linker_variable()):
        return
    os.environ[_linker_variable()] = found
    os.environ.setdefault("CC", found)


def _zig_wrapper() -> str:
    """Write a program that compiles and links with Zig, and return its path."""
    _check_zig_runs_here()
    package = importlib.util.find_spec("ziglang")
    folders = (package.submodule_search_locations if package else None) or []
    zig = next((Path(folder, "zig") for folder in folders if Path(folder, "zig").is_file()), None)
    if zig is None:
        _give_up(f"There is no C compiler here that can link, and {_ZIG} is not installed.")
    # cargo compiles everything again if the path of the linker changes.
    folder = _ROOT / "target/zig"
    folder.mkdir(parents=True, exist_ok=True)
    wrapper = folder / "cc"
    wrapper.write_text(_WRAPPER)
    wrapper.chmod(0o755)
    machine = platform.machine()
    own = tuple(int(part) for part in re.findall(r"\d+", platform.libc_ver()[1])[:2])
    version = ".".join(map(str, min(own or _GLIBC, _GLIBC)))
    os.environ["SAPPER_ZIG"] = str(zig)
    os.environ["SAPPER_ZIG_TARGET"] = f"{machine}-linux-gnu.{version}"
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        os.environ.setdefault(name, str(folder / "cache"))
    return str(wrapper)


def _give_up(problem: str) -> Any:
    sys.exit(_UNAVAILABLE.format(problem=problem, oldest=_oldest_rust()))


def _say(text: str) -> None:
    """Print a line to standard error and, because pip hides it there, to the terminal."""
    line = f"sapper: {text}"
    print(line, file=sys.stderr, flush=True)
    if os.name == "nt" or sys.stderr.isatty():
        return
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
        try:
            # Writing from the background could stop the build.
            if os.tcgetpgrp(terminal) == os.getpgrp():
                os.write(terminal, f"\n{line}\n".encode())
        finally:
            os.close(terminal)
