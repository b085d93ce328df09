"""Ctrl-C while the `sapper` program is still importing ends it at once, without a traceback.

Imported before everything else. In any other program it does nothing. An exception raised in the
middle of an import would surface as a traceback, or as an `ImportError` of some library; nothing
has been begun that would need cleaning up, so the signal may simply end the process.
"""

# The built-in module: importing `signal` itself takes long enough to be interrupted.
import _signal  # type: ignore[import-not-found]
import sys

__all__ = ["IS_PROGRAM"]

_script = (sys.argv[0] if sys.argv else "").replace("\\", "/").rpartition("/")[2]
# Python has not found `sapper.__main__` yet when it imports this package for `python -m sapper`.
_module = _script == "-m" and "sapper" in sys.orig_argv[: sys.orig_argv.index("-m") + 2]
IS_PROGRAM = _module or _script in ("sapper", "sapper.exe")
"""Whether this process runs the `sapper` program."""

if IS_PROGRAM:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
