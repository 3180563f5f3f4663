"""all-MiniLM-L6-v2 in numpy: words to vectors of 384 floats, as sentence-transformers gives them (mean of the tokens, length 1)."""

import json

import numpy
from safetensors.numpy import load_file

HEADS = 12
LAYERS = 6
WIDEST = 1e-12  # what layer normalisation adds to the variance
BATCH = 512


class Encoder:
    def __init__(self, folder):
        self.weights = load_file(folder / "model.safetensors")
        self.pieces = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]

    def tokens(self, word):
        """The word pieces of one lower-case word, longest first from the left (WordPiece)."""
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self.pieces:
                    found.append(self.pieces[piece])
                    start = end
                    break
            else:
                return [self.pieces["[UNK]"]]
        return found

    def encode(self, phrases):
        """One row for each phrase; words are parted by spaces."""
        known = [
            [self.pieces["[CLS]"], *(token for word in phrase.split() for token in self.tokens(word)), self.pieces["[SEP]"]]
            for phrase in phrases
        ]
        result = numpy.empty((len(phrases), 384), numpy.float32)
        by_length = {}
        for place, tokens in enumerate(known):
            by_length.setdefault(len(tokens), []).append(place)
        for places in by_length.values():
            # All of one length, so that nothing has to be padded or masked.
            for start in range(0, len(places), BATCH):
                some = places[start : start + BATCH]
                vectors = self.layers(numpy.array([known[place] for place in some])).mean(axis=1)
                result[some] = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return result

    def layers(self, ids):
        embeddings = self.weights["embeddings.word_embeddings.weight"][ids]
        positions = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = embeddings + positions + self.weights["embeddings.token_type_embeddings.weight"][0]
        hidden = self.normalise("embeddings.LayerNorm", hidden)
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            attended = self.linear(f"{at}.attention.output.dense", self.attend(f"{at}.attention.self", hidden))
            hidden = self.normalise(f"{at}.attention.output.LayerNorm", attended + hidden)
            wide = self.linear(f"{at}.intermediate.dense", hidden)
            wide = 0.5 * wide * (1 + erf(wide / numpy.float32(2**0.5)))
            hidden = self.normalise(f"{at}.output.LayerNorm", self.linear(f"{at}.output.dense", wide) + hidden)
        return hidden

    def attend(self, at, hidden):
        many, length, width = hidden.shape
        query, key, value = (
            self.linear(f"{at}.{part}", hidden).reshape(many, length, HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / numpy.float32((width / HEADS) ** 0.5)
        scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = scores / scores.sum(axis=-1, keepdims=True) @ value
        return mixed.transpose(0, 2, 1, 3).reshape(many, length, width)

    def linear(self, at, hidden):
        # As one matrix: numpy multiplies a stack of small ones one by one.
        flat = hidden.reshape(-1, hidden.shape[-1]) @ self.weights[f"{at}.weight"].T + self.weights[f"{at}.bias"]
        return flat.reshape(*hidden.shape[:-1], -1)

    def normalise(self, at, hidden):
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        deviation = numpy.sqrt((centred**2).mean(axis=-1, keepdims=True) + numpy.float32(WIDEST))
        return centred / deviation * self.weights[f"{at}.weight"] + self.weights[f"{at}.bias"]


def erf(values):
    """Abramowitz and Stegun 7.1.26: within 1.5e-7, which is what a float32 has."""
    size = numpy.abs(values)
    part = 1 / (1 + numpy.float32(0.3275911) * size)
    series = part * (0.254829592 + part * (-0.284496736 + part * (1.421413741 + part * (-1.453152027 + part * 1.061405429))))
    return numpy.sign(values) * (1 - series * numpy.exp(-size * size))
