"""Pgx on the CPU: batches of games in one compiled loop, finished ones replaced at once. It is made for accelerators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.peers.worker import BATCH, Task, main, version

GAMES = {"connect_four": "connect_four", "hex": "hex", "go 9 x 9": "go_9x9"}
BATCH_SIZES = (16, 128, 1024)
STEPS = 32


class Loop:
    """Random play in a batch of games, STEPS steps at a time."""

    def __init__(self, name: str, size: int) -> None:
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental import auto_reset

        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def one(carry: Any, _: None) -> tuple[Any, Any]:
            state, key = carry
            key, choice, more = jax.random.split(key, 3)
            action = jax.random.categorical(
                choice, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1
            )
            state = step(state, action, jax.random.split(more, size))
            return (state, key), state.terminated.sum()

        self.run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS))
        self.state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), size))
        self.key, self.size = jax.random.PRNGKey(1), size

    def __call__(self) -> tuple[int, int]:
        (self.state, self.key), finished = self.run(self.state, self.key)
        return self.size * STEPS, int(finished.sum())


def tasks(seconds: float) -> Iterator[Task]:
    for game, name in GAMES.items():
        for size in BATCH_SIZES:
            yield Task(game, BATCH, Loop(name, size), f"{size} games at a time, on the CPU")


if __name__ == "__main__":
    main(f"Pgx {version('pgx')}, JAX {version('jax')}", tasks)
