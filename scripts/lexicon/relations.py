"""The text files of the lexicon: for each word of it, in the order of the alphabet, what WordNet says."""

import math

# A relation of a synset to its nouns of attributes, and of a satellite adjective to its head.
ATTRIBUTE, SIMILAR, ANTONYM = "=", "&", "!"
# From the synset of a name to what it names.
INSTANCE = "@i"
# Derivationally related forms, what an adjective or adverb belongs to, the verb of a participle.
DERIVED = ("+", "\\", "<")
MOST = 12


def parts_of_speech(words, wordnet):
    """`n6v1`: met about 2^6 times as a noun and 2^1 times as a verb. Nothing for words that WordNet lacks."""
    for word in words:
        weights = [(wordnet.weight(word, part), part) for part in wordnet.parts(word)]
        weighed = [(round(math.log2(1 + weight)), part) for weight, part in sorted(weights, reverse=True)]
        yield word, ["".join(f"{part}{weight}" for weight, part in weighed)] if weighed else []


def irregular(words, wordnet):
    """`n:child`: the lemmas of forms that no rule leads to."""
    found = {}
    for (form, part), lemmas in wordnet.irregular.items():
        known = [f"{part}:{lemma}" for lemma in lemmas if lemma in words and lemma != form and (lemma, part) in wordnet.senses]
        if known and form.isalpha():
            found.setdefault(form, []).extend(known)
    yield from sorted(found.items())


def derived(words, wordnet):
    for word in words:
        found = [lemma for part in wordnet.parts(word) for _, lemma in wordnet.related(word, part, DERIVED)]
        yield word, [lemma for lemma in found if lemma in words]


def synonyms(words, wordnet):
    """Of the commonest senses; `given_name` is two words."""
    for word in words:
        senses = [sense for part in wordnet.parts(word) for sense in wordnet.main_senses(word, part)]
        senses.sort(key=lambda sense: -sense.count)
        synsets = [wordnet.synsets[sense.part, sense.offset] for sense in senses]
        # `born` is not the physicist, but `france` is the country.
        plain = [synset for synset in synsets if all(pointer.symbol != INSTANCE for pointer in synset.pointers)]
        found = [lemma for synset in plain or synsets for lemma in synset.words]
        yield word, [lemma for lemma in found if all(part in words for part in lemma.split("_"))]


def antonyms(words, wordnet):
    for word in words:
        found = [lemma for part in "avn" if part in wordnet.parts(word) for _, lemma in wordnet.related(word, part, ANTONYM)]
        if not found:
            for sense in wordnet.main_senses(word, "a"):
                # `costly` is like `expensive`, which has one.
                for synset in similar(wordnet, sense):
                    found += [wordnet.synsets[to.part, to.offset].words[to.target - 1] for to in synset.pointers if to.symbol == ANTONYM]
        yield word, [lemma for lemma in found if lemma in words]


def attributes(words, wordnet):
    """The nouns whose value an adjective tells: `heavy` is a `weight`."""
    for word in words:
        found = []
        for sense in wordnet.senses.get((word, "a"), ()):
            for synset in (wordnet.synsets["a", sense.offset], *similar(wordnet, sense)):
                for pointer in synset.pointers:
                    if pointer.symbol == ATTRIBUTE:
                        found += wordnet.synsets[pointer.part, pointer.offset].words
        yield word, [lemma for lemma in found if lemma in words][:4]


def similar(wordnet, sense):
    synset = wordnet.synsets["a", sense.offset]
    return [wordnet.synsets[to.part, to.offset] for to in synset.pointers if to.symbol == SIMILAR]


def write(path, lines, keep_empty=False):
    """One line a word: the word and what it has, parted by spaces."""
    with path.open("w") as file:
        for word, found in lines:
            found = [other for other in dict.fromkeys(found) if other != word][:MOST]
            if found or keep_empty:
                print(word, *found, file=file)
