"""Vectors made small: the mean of common words taken away, 384 dimensions to 128, and each of these to four bits."""

import numpy

DIMENSIONS = 128
STEPS = 7  # -7 to 7
# The axes are those along which words of SCOWL's smallest lists differ, which are most like words of questions.
COMMON = 20


def reduce(vectors, sizes):
    common = vectors[sizes <= COMMON].astype(numpy.float64)
    mean = common.mean(axis=0)
    common = of_length_one(common - mean)
    _, axes = numpy.linalg.eigh(common.T @ common)
    axes = axes[:, ::-1][:, :DIMENSIONS]
    # An axis may as well point the other way: one of the two is chosen.
    largest = numpy.abs(axes).argmax(axis=0)
    axes = axes * numpy.sign(axes[largest, range(DIMENSIONS)])
    return of_length_one(vectors - mean) @ axes


def quantise(vectors):
    """Whole numbers of -7 to 7, the largest of each word at one of the ends: only the direction is kept."""
    return numpy.round(vectors / numpy.abs(vectors).max(axis=1, keepdims=True) * STEPS).astype(numpy.int8)


def write(path, words, lines, numbers):
    """A record for each word: where its line begins in words.txt (four bytes, little end first), then its numbers,
    two in a byte, the first in the low half, each plus 8."""
    halves = (numbers + 8).astype(numpy.uint8)
    packed = halves[:, 0::2] | halves[:, 1::2] << 4
    with path.open("wb") as file:
        for word, row in zip(words, packed):
            file.write(lines[word].to_bytes(4, "little") + row.tobytes())


def of_length_one(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
