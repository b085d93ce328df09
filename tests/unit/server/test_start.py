"""The server starts without the libraries that few requests need."""

import subprocess
import sys

_FEW_NEED = {
    "PIL",
    "authlib",
    "cryptography",
    "fsrs",
    "httpx",
    "prometheus_client",
    "psycopg",
    "pyarrow",
    "redis",
    "sapper.lab",
    "sapper.server.supervisor",
    "sapper.tui",
    "sapper.vision",
    "scipy",
    "webauthn",
}


def test_the_server_starts_without_libraries_that_few_requests_need() -> None:
    """Every start would wait for their imports."""
    script = f"import sapper.server.run, sys; print(*sorted({_FEW_NEED!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
