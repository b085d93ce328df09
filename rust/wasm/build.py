"""Build the JavaScript engine: the compiled module, its JavaScript and their digests.

    python rust/wasm/build.py            build, and replace the committed files
    python rust/wasm/build.py --scripts  the same without the compiled module
    python rust/wasm/build.py --check    fail if the committed build is not of these sources
    python rust/wasm/build.py --compare  build, and compare the result with the committed files

It needs rustup with ``rustup component add rust-src``, and ``npm ci`` for wasm-opt and esbuild. On
Debian, where rustc comes from apt, it uses the packages rustc-web, cargo-web and rust-web-src; see
packages/sapper-engine/README.md.

The committed build is in ``src/sapper/web/static/engine``, and the JavaScript's sources are in
``packages/sapper-engine/src``, with the JavaScript and types that wasm-bindgen writes. The compiled
module contains no paths of the machine, but cargo names functions after the folder of the sources,
so only the same compiler in the same folder writes the same bytes. ``build.json`` has the
compiler's version and the digests of the sources.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRATE = ROOT / "rust/wasm"
ENGINE = ROOT / "src/sapper/web/static/engine"
SCRIPTS = ROOT / "packages/sapper-engine/src"
PASTED = ROOT / "src/sapper/web/static/js/board/pasted-text.js"
"""The module that the engine shares with the pages."""
RECORD = ENGINE / "build.json"
NETWORK = ROOT / "src/sapper/solver/search/win_chance.net"
TARGET = "wasm32-unknown-unknown"
BUILDS = {"sapper_exact": (), "sapper_search": ("--features=search",)}
"""The features of each build: the search doubles the size, so it is loaded on demand."""
GLUE = tuple(f"{name}{end}" for name in BUILDS for end in (".js", ".d.ts"))
"""What wasm-bindgen writes, beside the JavaScript's sources."""
MODULES = tuple(f"{name}_bg.wasm" for name in BUILDS)
BUNDLES = ("index", "shared", "exact", "search", "remote", "worker", "sapper-board")
"""The files of the package's JavaScript, each with the modules that no other one has."""
TYPES = "index.d.ts"
MINIFIED = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8")
FLAGS = ("-C target-feature=+simd128", f"-C link-arg=--max-memory={512 << 20}")
"""SIMD is in every browser since 2023; memory is limited to 512 MB."""
OPTIMIZED = (
    "-O3",
    # Similar functions side by side compress better.
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
    *(
        f"--enable-{feature}"
        for feature in (
            "bulk-memory",
            "bulk-memory-opt",
            "multivalue",
            "mutable-globals",
            "nontrapping-float-to-int",
            "reference-types",
            "sign-ext",
            "simd",
        )
    ),
)
_COMMENT = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.M | re.S)


def sources() -> Iterator[Path]:
    """Yield the files that determine the build, in a fixed order."""
    for folder, pattern in (
        ("rust/core", "src/**/*.rs"),
        ("rust/core", "Cargo.toml"),
        ("rust/wasm", "src/**/*.rs"),
        ("rust/wasm", "Cargo.*"),
        ("rust/wasm/glue", "src/*.rs"),
        ("rust/wasm/glue", "Cargo.toml"),
    ):
        yield from sorted((ROOT / folder).glob(pattern))
    yield NETWORK


def scripts() -> Iterator[Path]:
    """Yield the files that determine the JavaScript, in a fixed order."""
    yield from sorted(SCRIPTS.glob("*.js"))
    yield SCRIPTS / TYPES
    yield PASTED


def digest(paths: Iterable[Path], settings: object) -> str:
    """Return the digest of files and settings."""
    total = hashlib.sha256(repr(settings).encode())
    for path in paths:
        # Line endings may differ between checkouts; the network file is binary.
        data = path.read_bytes()
        data = data if path == NETWORK else data.replace(b"\r\n", b"\n")
        name = path.relative_to(ROOT).as_posix()
        total.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return total.hexdigest()


def digests() -> dict[str, str]:
    """Return the digests of all sources."""
    return {
        "sources": digest(sources(), (BUILDS, OPTIMIZED, FLAGS)),
        "scripts": digest(scripts(), (BUNDLES, MINIFIED, esbuild_version())),
    }


def esbuild_version() -> str:
    """Return the version of esbuild that package.json asks for."""
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    version: str = package["devDependencies"]["esbuild"]
    return version


def rustc_version() -> str:
    """Return the compiler's version, without its date."""
    return subprocess.check_output(["rustc", "--version"], text=True).split(" (")[0].strip()


def aborting() -> tuple[str, str]:
    """Return the flags of rustc and of cargo that compile a panic to a single instruction."""
    major, minor = re.findall(r"\d+", rustc_version())[:2]
    if (int(major), int(minor)) >= (1, 92):
        return " -Zunstable-options -Cpanic=immediate-abort", "-Zbuild-std=std,panic_abort"
    return "", "-Zbuild-std=std,panic_abort -Zbuild-std-features=panic_immediate_abort"


def flags() -> str:
    """Return the compiler's flags; paths of this machine are replaced by fixed ones."""
    cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    return " ".join(
        [
            *FLAGS,
            f"--remap-path-prefix={cargo_home}=/cargo",
            f"--remap-path-prefix={ROOT}=/sapper",
        ]
    )


def build(folder: Path) -> None:
    """Build the module and the JavaScript around it into a folder."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target/wasm"))
    env = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    # Without the messages of panics, the module is a tenth smaller. This needs the standard
    # library's sources, and flags that stable compilers accept only with RUSTC_BOOTSTRAP.
    abort, std = aborting()
    compile_ = ["cargo", "build", "--locked", "--profile=wasm", f"--target={TARGET}", *std.split()]
    flagged = {**env, "RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": flags() + abort}
    glue = ["cargo", "run", "--quiet", "--release", "--locked", "--package=sapper-glue", "--"]
    for name, features in BUILDS.items():
        subprocess.run([*compile_, *features], cwd=CRATE, env=flagged, check=True)
        module = folder / f"{name}.wasm"
        shutil.copy(target / TARGET / "wasm/sapper_engine.wasm", module)
        subprocess.run([*glue, str(module), str(folder)], cwd=CRATE, env=env, check=True)
        module.unlink()
        finish(folder, name)


def bundle(folder: Path) -> None:
    """Write the package's JavaScript into a folder."""
    program = os.environ.get("ESBUILD", str(ROOT / "node_modules/.bin/esbuild"))
    for name in BUNDLES:
        others = [f"--external:./{other}.js" for other in BUNDLES if other != name]
        # To standard output, because the names of other bundles are relative to the output.
        command = [program, f"{name}.js", "--log-level=error", *MINIFIED, *others]
        made = subprocess.run(command, cwd=SCRIPTS, stdout=subprocess.PIPE, check=True)
        (folder / f"{name}.js").write_bytes(made.stdout)
    shutil.copy(SCRIPTS / TYPES, folder / TYPES)
    shutil.copy(NETWORK, folder / NETWORK.name)


def finish(folder: Path, name: str) -> None:
    """Optimize the module, and remove the comments from its JavaScript."""
    module, script = folder / f"{name}_bg.wasm", folder / f"{name}.js"
    optimize = [os.environ.get("WASM_OPT", str(ROOT / "node_modules/.bin/wasm-opt")), *OPTIMIZED]
    subprocess.run([*optimize, str(module), "-o", str(module)], check=True)
    script.write_text(_COMMENT.sub("", script.read_text()))
    (folder / f"{name}_bg.wasm.d.ts").unlink(missing_ok=True)


def recorded() -> dict[str, str]:
    """Return the record of the committed build."""
    found: dict[str, str] = json.loads(RECORD.read_text())
    return found


def write(folder: Path, *, compiled: bool) -> None:
    """Replace the committed files by those of a folder."""
    if compiled:
        for name in GLUE:
            shutil.copy(folder / name, SCRIPTS / name)
        for name in MODULES:
            shutil.copy(folder / name, ENGINE / name)
    bundle(ENGINE)
    known = {"rustc": rustc_version()} if compiled else recorded()
    RECORD.write_text(json.dumps({**known, **digests()}, indent=2) + "\n")


def compare(folder: Path) -> list[str]:
    """Return the names of built files that differ from the committed ones."""
    pairs = [(name, SCRIPTS if name in GLUE else ENGINE) for name in (*GLUE, *MODULES)]
    return [n for n, at in pairs if (folder / n).read_bytes() != (at / n).read_bytes()]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only the sources' digests")
    parser.add_argument("--compare", action="store_true", help="build and compare, write nothing")
    parser.add_argument("--scripts", action="store_true", help="build only the JavaScript")
    asked = parser.parse_args()
    known = recorded()
    if asked.check:
        if all(known[name] == value for name, value in digests().items()):
            return 0
        print("The engine is out of date: run python rust/wasm/build.py", file=sys.stderr)
        return 1
    if asked.scripts:
        if known["sources"] != digests()["sources"]:
            print("The compiled module is out of date: omit --scripts", file=sys.stderr)
            return 1
        write(ENGINE, compiled=False)
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder)
        if not asked.compare:
            write(folder, compiled=True)
            return 0
        differ = compare(folder)
    if not differ:
        print("The committed build is that of this compiler.")
        return 0
    print(f"differs from the committed build: {', '.join(differ)}", file=sys.stderr)
    print("Other compilers and other folders order the functions differently.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
