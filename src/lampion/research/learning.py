"""Fit a small network (see `bots.net`) with NumPy alone.

The networks have one hidden layer and some dozens of units, so a few million rows take minutes on
one core. Rows belong to positions: a loss sees all rows of a position at once, because who comes
out ahead of whom is a question about two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lampion.bots.net import NOT_FEATURES
from lampion.terminal import progress

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Slope = Callable[[Floats, Rows], tuple[Floats, float]]
"""From the outputs for some positions to the slope of the loss in each, and the loss."""
HELD_OUT = 10
"""One game in so many is kept from learning, for the losses that are printed and stored."""


@dataclass(frozen=True)
class Pace:
    """How a network is fitted."""

    hidden: int
    seed: int
    rows_per_step: int = 1024
    epochs: int = 6
    rate: float = 4e-3
    decay: float = 1e-4


def run(network: Floats, features: Floats) -> tuple[Floats, Floats]:
    """The outputs of a network for rows of features, and its hidden units."""
    size = features.shape[1]
    units = features @ network[:size] + network[size]
    lit = np.maximum(units[:, :-1], 0)
    return units[:, -1] + lit @ network[size + 1, :-1], lit


def gradient(network: Floats, features: Floats, lit: Floats, slope: Floats) -> Floats:
    size = features.shape[1]
    back = np.empty((len(features), network.shape[1]), np.float32)
    back[:, :-1] = slope[:, None] * network[size + 1, :-1] * (lit > 0)
    back[:, -1] = slope
    found = np.zeros_like(network)
    found[:size] = features.T @ back
    found[size] = back.sum(axis=0)
    found[size + 1, :-1] = slope @ lit
    return found / np.float32(len(features))


class Adam:
    """The usual optimizer, with decay of the weights."""

    def __init__(self, network: Floats, decay: float) -> None:
        self.mean, self.square, self.steps = np.zeros_like(network), np.zeros_like(network), 0
        self.decay = np.float32(decay)

    def step(self, network: Floats, slope: Floats, rate: float) -> None:
        self.steps += 1
        self.mean += np.float32(0.1) * (slope - self.mean)
        self.square += np.float32(0.001) * (slope * slope - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        network -= np.float32(rate) * (mean / (np.sqrt(square) + 1e-8) + self.decay * network)


def fit(
    features: Floats, games: npt.NDArray[np.int32], slope_of: Slope, pace: Pace
) -> tuple[Floats, float]:
    """The network that predicts best, and its loss on games that it did not learn from. Features
    are by position, row and feature; a game is always on one side."""
    chooser = np.random.default_rng(pace.seed)
    rows_each, size = features.shape[1:]
    network = np.zeros((size + NOT_FEATURES, pace.hidden + 1), np.float32)
    network[:size, : pace.hidden] = chooser.normal(0, (2 / size) ** 0.5, (size, pace.hidden))
    network[-1, : pace.hidden] = chooser.normal(0, 0.1, pace.hidden)
    training = np.flatnonzero(games % HELD_OUT)
    per_step = pace.rows_per_step // rows_each
    adam, total = Adam(network, pace.decay), pace.epochs * -(-len(training) // per_step)
    for _ in steps(range(pace.epochs), "Learning"):
        chooser.shuffle(training)
        for first in range(0, len(training), per_step):
            rows = training[first : first + per_step]
            told = features[rows].reshape(-1, size)
            outputs, lit = run(network, told)
            slope, _loss = slope_of(outputs.reshape(-1, rows_each), rows)
            rate = pace.rate * 0.5 * (1 + np.cos(np.pi * adam.steps / total))
            adam.step(network, gradient(network, told, lit, slope.ravel()), float(rate))
    held_out = np.flatnonzero(games % HELD_OUT == 0)
    outputs, _lit = run(network, features[held_out].reshape(-1, size))
    return network, slope_of(outputs.reshape(-1, rows_each), held_out)[1]


def points_slope(wanted: Floats) -> Slope:
    """The loss of points: squared errors."""

    def slope(outputs: Floats, rows: Rows) -> tuple[Floats, float]:
        error = outputs - wanted[rows]
        return error, float((error**2).mean())

    return slope


def utility_slope(wanted: Floats) -> Slope:
    """The loss of utilities, 0 to 1: cross-entropy of the sigmoid of the outputs."""

    def slope(outputs: Floats, rows: Rows) -> tuple[Floats, float]:
        found = 1 / (1 + np.exp(-np.clip(outputs, -40, 40)))
        sure, goal = np.clip(found, 1e-7, 1 - 1e-7), wanted[rows]
        losses = -goal * np.log(sure) - (1 - goal) * np.log(1 - sure)
        return np.asarray(found - goal, np.float32), float(losses.mean())

    return slope


def steps(numbers: range, what: str) -> Iterator[int]:
    """The numbers, with progress."""
    with progress(what, len(numbers)) as advance:
        for number in numbers:
            yield number
            advance(1)
