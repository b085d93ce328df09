"""The commands of `sapper lab`."""

from sapper.cli.lab.group import app

__all__ = ["app"]
