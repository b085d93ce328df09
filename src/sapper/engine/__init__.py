"""Bots as engines for other programs, and the conformance checker of engines."""

from sapper.engine.checking import Check, check_engine
from sapper.engine.serving import serve

__all__ = ["Check", "check_engine", "serve"]
