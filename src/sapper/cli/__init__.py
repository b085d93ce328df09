"""The command line: one module a command, thin over the library."""

from sapper.cli.app import app, main

__all__ = ["app", "main"]
