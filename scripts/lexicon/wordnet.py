"""WordNet 3.0's files: senses by word and part of speech, how often each was met, relations, and the way from forms to lemmas."""

import collections

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
SENSE_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
# morphy(7WN): endings of regular forms and what stands there in the lemma.
ENDINGS = {
    "n": [("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}

Pointer = collections.namedtuple("Pointer", "symbol part offset source target")
Synset = collections.namedtuple("Synset", "words pointers")
Sense = collections.namedtuple("Sense", "part offset count")


class WordNet:
    def __init__(self, folder):
        counts = {}
        for line in (folder / "cntlist.rev").read_text().splitlines():
            key, number, count = line.split()
            lemma, rest = key.split("%")
            counts[lemma, SENSE_TYPES[rest[0]], int(number)] = int(count)
        self.senses = {}
        self.synsets = {}
        self.irregular = {}
        for part, name in PARTS.items():
            for line in (folder / f"index.{name}").read_text().splitlines():
                if line.startswith(" "):
                    continue
                lemma, _, many, *rest = line.split()
                offsets = rest[len(rest) - int(many) :]
                self.senses[lemma, part] = [
                    Sense(part, offset, counts.get((lemma, part, number), 0)) for number, offset in enumerate(offsets, 1)
                ]
            for line in (folder / f"data.{name}").read_text().splitlines():
                if not line.startswith(" "):
                    self.read_synset(part, line.split(" | ")[0].split())
            for line in (folder / f"{name}.exc").read_text().splitlines():
                form, *lemmas = line.split()
                self.irregular[form, part] = lemmas

    def read_synset(self, part, fields):
        offset, many = fields[0], int(fields[3], 16)
        # `rich(p)` says where an adjective may stand.
        words = [word.lower().split("(")[0] for word in fields[4 : 4 + 2 * many : 2]]
        rest = fields[5 + 2 * many :]
        pointers = []
        for at in range(int(fields[4 + 2 * many])):
            symbol, target, kind, places = rest[4 * at : 4 * at + 4]
            pointers.append(Pointer(symbol, kind.replace("s", "a"), target, int(places[:2], 16), int(places[2:], 16)))
        self.synsets[part, offset] = Synset(words, pointers)

    def weight(self, lemma, part):
        """How often the lemma was met as this part of speech; a sense that never was is half a time."""
        return sum(max(sense.count, 0.5) for sense in self.senses.get((lemma, part), ()))

    def parts(self, lemma):
        return [part for part in PARTS if (lemma, part) in self.senses]

    def main_senses(self, lemma, part):
        """The commonest senses: the first, and those that are at least a quarter of all that was met, three at most."""
        senses = self.senses.get((lemma, part), [])
        total = sum(sense.count for sense in senses)
        return [sense for at, sense in enumerate(senses[:3]) if at == 0 or sense.count * 4 >= max(total, 1)]

    def lemmas(self, form, part):
        """The lemmas of a form, as morphy finds them; the form itself first, where it is one."""
        found = [form] if (form, part) in self.senses else []
        if (form, part) in self.irregular:
            return [*found, *(lemma for lemma in self.irregular[form, part] if lemma not in found)]
        for ending, instead in ENDINGS[part]:
            lemma = form.removesuffix(ending) + instead
            if form.endswith(ending) and lemma not in found and (lemma, part) in self.senses:
                # `planes` is `plane`, not `plan`.
                if not (ending == "es" and form[:-1] in found):
                    found.append(lemma)
        return found

    def readings(self, form):
        """The lemmas of a form as any part of speech, the commonest first."""
        weighed = [(-self.weight(lemma, part), lemma) for part in PARTS for lemma in self.lemmas(form, part)]
        return list(dict.fromkeys(lemma for _, lemma in sorted(weighed)))

    def looks_inflected(self, word, known):
        """True for a regular form of a word that is not WordNet's: `emails`, `reformatted`."""
        for ending, instead in [*ENDINGS["n"], *ENDINGS["v"], *ENDINGS["a"], ("ier", "y"), ("iest", "y")]:
            stem = word.removesuffix(ending)
            if stem == word or len(stem) < 3:
                continue
            doubled = stem[-1] == stem[-2] and ending in ("ed", "ing", "er", "est")
            if stem + instead in known or (doubled and stem[:-1] in known):
                return True
        return False

    def related(self, lemma, part, symbols):
        """What the lemma's own relations of these kinds lead to, as (part, lemma), by senses from the commonest down."""
        found = {}
        for sense in self.senses.get((lemma, part), ()):
            synset = self.synsets[part, sense.offset]
            for pointer in synset.pointers:
                if pointer.symbol in symbols and pointer.source and synset.words[pointer.source - 1] == lemma:
                    found[pointer.part, self.synsets[pointer.part, pointer.offset].words[pointer.target - 1]] = None
        return list(found)
