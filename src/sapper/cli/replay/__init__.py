"""The commands of `sapper replay`."""

from sapper.cli.replay.group import app

__all__ = ["app"]
