"""End the `sapper` program without a traceback on Ctrl-C during imports.

It is imported first and has no effect in other programs. An exception raised during an import would
appear as a traceback, or as an `ImportError` from some library. Nothing needs cleaning up yet, so
the signal may simply end the process.
"""

# Use the built-in module, because importing `signal` takes long enough to be interrupted.
import _signal  # type: ignore[import-not-found]
import sys

__all__ = ["IS_PROGRAM"]

_script = (sys.argv[0] if sys.argv else "").replace("\\", "/").rpartition("/")[2]
# With `python -m sapper`, Python imports this package before it locates `sapper.__main__`.
_module = _script == "-m" and "sapper" in sys.orig_argv[: sys.orig_argv.index("-m") + 2]
IS_PROGRAM = _module or _script in ("sapper", "sapper.exe")
"""Whether this process runs the `sapper` program."""

if IS_PROGRAM:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
