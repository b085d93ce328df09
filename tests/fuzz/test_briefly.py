"""Every fuzz script runs a few cases; run a script manually for the full 15 minutes."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = [
    *("accounts", "administration", "calls", "commands", "engines", "lines", "pictures"),
    *("replays", "texts"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_few_cases_have_no_finding(name: str) -> None:
    """Every run starts with the same cases; a finding prints its seed."""
    script = Path(__file__).with_name(f"{name}.py")
    done = subprocess.run(
        [sys.executable, script, "--cases", "6"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "without a finding" in done.stdout
