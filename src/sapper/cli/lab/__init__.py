"""`sapper lab`: its commands."""

from sapper.cli.lab.group import app

__all__ = ["app"]
