"""Which words the lexicon has: SCOWL's common ones, what WordNet tells of them, and a short list of what neither has."""

import re

# SCOWL's sizes: 10 has the commonest words, 55 is between a medium and a large dictionary.
SIZES = (10, 20, 35, 40, 50, 55)
SPELLINGS = ("english", "american", "british", "british_z")
# The largest size of what is not a noun, a verb or an adjective of WordNet.
LARGEST = {"adverb": 35, "unknown": 50, "form": 35}
# The largest size of a kind of SCOWL's lists. `upper` goes from names of days to names of people.
KINDS = {"words": 55, "abbreviations": 55, "upper": 40, "hacker": 50}
# A form whose vector is farther from its lemma's means something of its own: goods, monies.
FAR = 0.65
# Words of data models and business that are in neither.
ADDED = """
    analytics backend barcode callout chatbot checkin clickthrough config copay crm csat csv dataset ebitda ecommerce erp
    freemium frontend gdp geolocation gmv gtin helpdesk hostname iban iot isbn json kpi lifecycle msrp onboarding onsite
    opex param passcode preorder repo rideshare roi sku sla ssn subcategory subtype timeframe timeslot touchpoint upsell
    uptime uuid webhook wifi worksite zipcode
"""


def common_words(folder):
    """SCOWL's words in lower case with the smallest list that each is in."""
    found = {}
    for size in SIZES:
        for spelling in (*SPELLINGS, "special"):
            for kind, largest in KINDS.items():
                path = folder / f"{spelling}-{kind}.{size}"
                if size <= largest and path.exists():
                    for word in path.read_text("latin-1").split():
                        if re.fullmatch("[A-Za-z]{2,}", word):
                            found.setdefault(word.lower(), size)
    return found


def choose(common, wordnet, similarity):
    """The words of the lexicon with their sizes. `similarity` tells how near two words are."""
    chosen, forms = {}, []
    for word, size in common.items():
        parts = wordnet.parts(word)
        lemmas = wordnet.readings(word)
        if set(parts) - {"r"}:
            chosen[word] = size
        elif parts:
            if size <= LARGEST["adverb"]:
                chosen[word] = size
        elif lemmas:
            if size <= LARGEST["form"]:
                forms.append((word, lemmas[0]))
        elif size <= LARGEST["unknown"] and not wordnet.looks_inflected(word, common):
            chosen[word] = size
    near = similarity(forms)
    chosen.update((word, common[word]) for (word, _), nearness in zip(forms, near) if nearness < FAR)
    # What an adjective belongs to, `France` for `French`, though no list of common words has it.
    for word in list(chosen):
        for _, noun in wordnet.related(word, "a", "\\"):
            if re.fullmatch("[a-z]{2,}", noun):
                chosen.setdefault(noun, max(SIZES))
    for word in ADDED.split():
        chosen.setdefault(word, max(SIZES))
    return chosen
