"""Ctrl-C: whether the code that cleans up after it has been reached.

A library may lose a `KeyboardInterrupt`, such as in a callback from native code. The program then
raises it again, unless it was noticed: clean-up must not be interrupted.
"""

from __future__ import annotations

import threading

__all__ = ["noticed"]

noticed = threading.Event()
"""Set by the code that handles Ctrl-C; cleared by the program before it starts a command."""
