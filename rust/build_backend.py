"""The build backend of the Python package: maturin, after a check of the Rust toolchain.

Without cargo, maturin downloads Rust for the build. If cargo cannot run, for example because rustup
has no toolchain, maturin reports that cargo is not on PATH; this backend reports the actual reason.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import maturin
from maturin import (
    build_editable,
    build_sdist,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

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

_MESSAGE = """
Sapper's core is written in Rust, and the cargo on this machine does not work:

    {cargo}: {reason}

Install a Rust toolchain, and then run the same command again:

    rustup default stable

Or remove {cargo} from PATH: then pip downloads Rust for the build.
"""


def get_requires_for_build_wheel(config_settings: _Settings = None) -> list[str]:
    """Return maturin's requirements for a wheel; exit with a message if cargo cannot run."""
    _check_cargo()
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: _Settings = None) -> list[str]:
    """Return maturin's requirements for an editable install; exit if cargo cannot run."""
    _check_cargo()
    return maturin.get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: _Settings = None) -> list[str]:
    """Return maturin's requirements for a source distribution; exit if cargo cannot run."""
    _check_cargo()
    return maturin.get_requires_for_build_sdist(config_settings)


def _check_cargo() -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        return
    try:
        done = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False)
    except OSError as problem:
        reason = problem.strerror or str(problem)
    else:
        if done.returncode == 0:
            return
        reason = next(iter(done.stderr.strip().splitlines()), "it ends with an error")
    sys.exit(_MESSAGE.format(cargo=cargo, reason=reason.removeprefix("error: ")))
