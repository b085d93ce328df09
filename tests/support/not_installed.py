"""Skips tests whose programs are not installed, and names Debian's package."""

from __future__ import annotations

from typing import Final

__all__ = ["not_installed"]

_PACKAGES: Final = {
    "caddy": "caddy",
    "chromium": "chromium-headless-shell",
    "dbus-run-session": "dbus",
    "firefox": "firefox-esr",
    "freesweep": "freesweep",
    "gnome-mines": "gnome-mines",
    "initdb": "postgresql",
    "kmines": "kmines",
    "nginx": "nginx-light",
    "node": "nodejs",
    "openbox": "openbox",
    "redis-server": "redis-server",
    "sgt-mines": "sgt-puzzles",
    "tmux": "tmux",
    "xbomb": "xbomb",
    "xdemineur": "xdemineur",
    "Xvfb": "xvfb",
}
"""Debian's package of each program that a test starts."""


def not_installed(*programs: str) -> str:
    """Return the reason for skipping a test, with the command that installs the programs."""
    packages = " ".join(_PACKAGES[program] for program in programs)
    return f"not installed: {', '.join(programs)}; run apt install {packages}"
