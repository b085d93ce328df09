import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("package", "library", "message"),
    [
        ("sapper.env", "gymnasium", "Gymnasium is not installed: pip install '.[env]'"),
        (
            "sapper.env.sb3",
            "stable_baselines3",
            "Stable-Baselines3 is not installed: pip install stable-baselines3 sb3-contrib",
        ),
        ("sapper.tui", "textual", "Textual is not installed: pip install '.[tui]'"),
    ],
)
def test_missing_extra_is_reported(package: str, library: str, message: str) -> None:
    """The import error gives the pip command."""
    script = f"""
import sys
sys.modules[{library!r}] = None
from sapper.errors import MissingExtra
try:
    import {package}
except MissingExtra as problem:
    print(problem)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stdout.strip() == message, ended.stderr
