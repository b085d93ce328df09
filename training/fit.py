"""Fit the chance to win to labelled positions, and write the weights that the core reads.

Run it with the labelled files that `selfplay label` wrote (see README.md):

    python training/fit.py --out champion.net --hidden 64,32 --epochs 12 labels/*
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

FEATURES = 64
MAGIC = 0x53504E31
SKEWED = 6.0
"""Inputs are cut off at so many standard deviations, as in `network.rs`."""


def load(paths: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Read features and labels."""
    rows = [np.fromfile(p, dtype="<f4").reshape(-1, FEATURES + 1) for p in paths]
    data = np.concatenate(rows)
    return data[:, :FEATURES], data[:, FEATURES]


def init(rng: np.random.Generator, sizes: list[int]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw weights at random (He 2015)."""
    shapes = list(pairwise(sizes))
    return [
        (rng.normal(0, np.sqrt(2 / a), (a, b)).astype("f4"), np.zeros(b, "f4")) for a, b in shapes
    ]


def logits(params, x):
    """Compute the log-odds of winning."""
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return (x @ w + b)[:, 0]


def loss(params, x, y):
    """Compute the mean cross-entropy."""
    z = logits(params, x)
    return jnp.mean(jax.nn.softplus(z) - y * z)


@jax.jit
def step(params, m, v, t, rate, x, y):
    """Make one step of Adam (Kingma and Ba 2014)."""
    value, grads = jax.value_and_grad(loss)(params, x, y)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
    scale = rate * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
    params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), params, m, v)
    return params, m, v, value


def fit(x, y, hidden, epochs, seed, batch=512, rate=2e-3, start=None):
    """Fit weights; report the loss on positions held out."""
    rng = np.random.default_rng(seed)
    if start is None:
        shift, deviation = x.mean(0), x.std(0)
        scale = np.where(deviation > 1e-6, 1 / np.maximum(deviation, 1e-6), 0).astype("f4")
        params = init(rng, [FEATURES, *hidden, 1])
    else:
        shift, scale, params = start
    x = np.clip((x - shift) * scale, -SKEWED, SKEWED).astype("f4")
    held = len(x) // 20
    # The last games are held out: positions of one game lie together.
    xt, yt, xv, yv = x[:-held], y[:-held], x[-held:], y[-held:]
    m = jax.tree.map(jnp.zeros_like, params)
    v = jax.tree.map(jnp.zeros_like, params)
    t, steps, began = 0, epochs * (len(xt) // batch), time.time()
    for epoch in range(epochs):
        order = rng.permutation(len(xt))
        for i in range(0, len(order) - batch + 1, batch):
            t += 1
            chosen = order[i : i + batch]
            now = rate * 0.5 * (1 + np.cos(np.pi * t / (steps + 1)))
            params, m, v, _ = step(params, m, v, t, now, xt[chosen], yt[chosen])
        if epoch % 4 == 3 or epoch + 1 == epochs:
            train = loss(params, xt[:held], yt[:held])
            z = 1 / (1 + np.exp(-np.asarray(logits(params, xv))))
            mse = np.mean((z - yv) ** 2)
            print(
                f"epoch {epoch + 1}: train {train:.5f} held out {loss(params, xv, yv):.5f} "
                f"rmse {mse**0.5:.4f} r2 {1 - mse / yv.var():.4f} {time.time() - began:.0f} s",
                flush=True,
            )
    return shift.astype("f4"), scale, [(np.asarray(w), np.asarray(b)) for w, b in params]


def write(path, shift, scale, params, hidden):
    """Write weights as `network.rs` reads them."""
    parts = [shift, scale]
    for w, b in params:
        parts += [w.ravel(), b.ravel()]
    head = np.array([MAGIC, FEATURES, *hidden], "<u4")
    path.write_bytes(head.tobytes() + np.concatenate(parts).astype("<f4").tobytes())


def read(path, x):
    """Read weights back; inputs that are new since then start with no weight."""
    head = np.frombuffer(path.read_bytes(), "<u4", 4)
    data = np.frombuffer(path.read_bytes(), "<f4", offset=16)
    inputs, sizes = int(head[1]), [*head[1:].tolist(), 1]
    shift, scale, rest = data[:inputs], data[inputs : 2 * inputs], data[2 * inputs :]
    params = []
    for a, b in pairwise(sizes):
        params.append((rest[: a * b].reshape(a, b), rest[a * b : a * b + b]))
        rest = rest[a * b + b :]
    new = x[:, inputs:]
    shift = np.concatenate([shift, new.mean(0)])
    scale = np.concatenate([scale, 1 / np.maximum(new.std(0), 1e-3)])
    weights, biases = params[0]
    params[0] = np.concatenate([weights, np.zeros((new.shape[1], sizes[1]), "f4")]), biases
    return shift.astype("f4"), scale.astype("f4"), params


def sample(path, x, shift, scale, params):
    """Write a few rows with their predictions, for the test of the native network."""
    z = np.clip((x - shift) * scale, -SKEWED, SKEWED)
    chance = 1 / (1 + np.exp(-np.asarray(logits(params, z))))
    path.write_bytes(np.column_stack([x, chance]).astype("<f4").tobytes())


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hidden", default="64,32")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=Path, help="where to write rows for the native test")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    args = parser.parse_args()
    hidden = [int(h) for h in args.hidden.split(",")]
    x, y = load(args.labels)
    print(f"{len(x)} rows, mean label {y.mean():.4f}")
    start = None if args.start is None else read(args.start, x)
    found = fit(x, y, hidden, args.epochs, args.seed, rate=args.rate, start=start)
    write(args.out, *found, hidden)
    if args.sample is not None:
        sample(args.sample, x[:: len(x) // 24], *found)


if __name__ == "__main__":
    main()
