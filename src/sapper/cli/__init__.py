"""The command line: one module per command, each a thin layer over the library."""

from sapper.cli.program import app, main

__all__ = ["app", "main"]
