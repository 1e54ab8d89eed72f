"""A small network: features in, the win share of each seat out, in machine code.

Two layers of rectified units and a softmax over the seats that are still in. All sums run in a
fixed order in single precision and the exponential is our own, so that the same position has the
same shares to the byte on every machine.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .compiling import compiled

FIRST, SECOND = 64, 32
NAMES = ("w1", "b1", "w2", "b2", "w3", "b3")


class Network(NamedTuple):
    """The weights of each layer, by input and output, and what is added to each output."""

    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    b3: np.ndarray


def fresh(features: int, seats: int, seed: int) -> Network:
    """A network that has learned nothing: small random weights, and equal shares for all."""
    rng = np.random.default_rng(seed)
    sizes = ((features, FIRST), (FIRST, SECOND), (SECOND, seats))
    layers: list[np.ndarray] = []
    for inputs, outputs in sizes:
        spread = np.sqrt(2.0 / inputs) if outputs != seats else 0.01
        layers.append((rng.standard_normal((inputs, outputs)) * spread).astype(np.float32))
        layers.append(np.zeros(outputs, np.float32))
    return Network(*layers)


def save(network: Network, path: Path) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, **network._asdict())


def load(path: Path) -> Network:
    with np.load(path) as stored:
        return Network(*(np.ascontiguousarray(stored[name], np.float32) for name in NAMES))


LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.693145751953125, 1.4286068203094172e-06
LOWEST = -80.0
HALVED = 0.5 ** np.arange(128)
TAYLOR = np.array([1 / math.factorial(n) for n in range(12)])


@compiled
def exponential(x):
    """e to the x, for x from LOWEST to 0, from nothing but sums and products."""
    whole = np.floor(x * LOG2E + 0.5)
    rest = (x - whole * LN2_HIGH) - whole * LN2_LOW
    value = TAYLOR[11]
    for n in range(10, -1, -1):
        value = value * rest + TAYLOR[n]
    return value * HALVED[int(-whole)]


def _layer(units):
    """A layer of so many units, whose sums stay in the registers of the processor.

    Unit by unit the sum runs over the inputs in their order, on whatever kind of registers.
    """

    @intrinsic
    def sums(typing, x, weights, added, into):
        """Write the weighted sum of the inputs for each unit, rectified."""

        def generate(context, builder, signature, arguments):
            vector = ir.VectorType(ir.FloatType(), units)
            one = ir.IntType(32)(0)

            def data(index):
                array = context.make_array(signature.args[index])
                return array(context, builder, arguments[index])

            def as_vector(pointer):
                return builder.bitcast(pointer, vector.as_pointer())

            inputs, table = data(0), data(1)
            sums = cgutils.alloca_once(builder, vector)
            builder.store(builder.load(as_vector(data(2).data), align=4), sums)
            count = cgutils.unpack_tuple(builder, table.shape)[0]
            with cgutils.for_range(builder, count) as loop:
                value = builder.load(builder.gep(inputs.data, [loop.index]))
                single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, one)
                spread = builder.shuffle_vector(
                    single, single, ir.Constant(ir.VectorType(ir.IntType(32), units), [0] * units)
                )
                place = builder.mul(loop.index, loop.index.type(units))
                row = builder.load(as_vector(builder.gep(table.data, [place])), align=4)
                builder.store(builder.fadd(builder.load(sums), builder.fmul(spread, row)), sums)
            total, zero = builder.load(sums), ir.Constant(vector, [0.0] * units)
            positive = builder.select(builder.fcmp_ordered(">", total, zero), total, zero)
            builder.store(positive, as_vector(data(3).data), align=4)
            return context.get_dummy_value()

        return types.void(x, weights, added, into), generate

    return sums


first_layer, second_layer = _layer(FIRST), _layer(SECOND)


@compiled
def layers(network, x, h1, h2, logits):
    """Fill the outputs of each layer for these features."""
    w1, b1, w2, b2, w3, b3 = network
    first_layer(x, w1, b1, h1)
    second_layer(h1, w2, b2, h2)
    for j in range(logits.size):
        logits[j] = b3[j]
    for i in range(SECOND):
        for j in range(logits.size):
            logits[j] += h2[i] * w3[i, j]


@compiled
def softmax(logits, inside, shares):
    """Shares that sum to 1, for those who are in; nothing for the others."""
    most = np.float32(-1e30)
    for j in range(logits.size):
        if inside[j] and logits[j] > most:
            most = logits[j]
    total = 0.0
    for j in range(logits.size):
        shares[j] = 0.0
        if inside[j]:
            shares[j] = exponential(max(np.float64(logits[j] - most), LOWEST))
            total += shares[j]
    part = 1.0 / total
    for j in range(logits.size):
        shares[j] *= part
