"""`sapper lab`: its commands."""

from sapper.cli.lab.app import app

__all__ = ["app"]
