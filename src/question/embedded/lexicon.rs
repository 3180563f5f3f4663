//! The English that questions are made of: operators, adjectives, synonyms, fillers. The words stand in `lexicon/`.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use serde::Deserialize;

use crate::question::schema::words::stem;

mod sayings;

pub(crate) use sayings::sayings;

/// What a phrase does to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operator {
    Count,
    Average,
    Sum,
    Maximum,
    Minimum,
    Highest,
    Lowest,
    MostCommon,
    LeastCommon,
    Greater,
    AtLeast,
    Less,
    AtMost,
    Equal,
    OrMore,
    OrLess,
    After,
    Since,
    Before,
    Until,
    Between,
    ThanAverage,
    Group,
    Order,
    Ascending,
    Alphabetical,
    Descending,
    Distinct,
    Not,
    Without,
    Both,
    Either,
    Or,
    And,
    Contains,
    Starts,
    Ends,
    Boundary,
    Is,
    Of,
    Null,
    NotNull,
    Everything,
}

/// How strongly an adjective compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Degree {
    Positive,
    Comparative,
    Superlative,
}

/// An adjective and the attributes that it compares.
#[derive(Debug, Deserialize)]
pub(crate) struct Adjective {
    forms: [String; 3],
    /// Words of columns that grow with it, best first.
    pub(crate) rising: Vec<String>,
    /// Words of columns that shrink with it.
    pub(crate) falling: Vec<String>,
}

impl Adjective {
    /// True where days of birth are among what it compares: of the older, not of the newer.
    pub(crate) fn speaks_of_birth(&self) -> bool {
        self.rising
            .iter()
            .chain(&self.falling)
            .any(|word| word == "birth")
    }
}

/// Words that stand for a short code in some columns.
#[derive(Debug, Deserialize)]
pub(crate) struct Code {
    words: Vec<String>,
    /// Words that the column's name has.
    pub(crate) columns: Vec<String>,
    /// The spellings to look for, most likely first.
    pub(crate) codes: Vec<String>,
}

/// All of it, ready for look-ups.
pub(crate) struct Lexicon {
    operators: HashMap<String, Operator>,
    adjectives: Vec<Adjective>,
    adjective_forms: HashMap<String, (usize, Degree)>,
    fillers: HashSet<String>,
    writes: HashSet<String>,
    preludes: HashSet<String>,
    decisive: HashSet<String>,
    participles: HashSet<String>,
    synonyms: HashMap<String, Vec<usize>>,
    abbreviations: HashMap<String, Vec<String>>,
    /// What each abbreviation stands for most often.
    in_full: HashMap<String, String>,
    /// Stems of the words that have an abbreviation.
    abbreviated: HashSet<String>,
    compounds: HashMap<String, String>,
    codes: Vec<Code>,
    /// Words of the longest phrase.
    pub(crate) longest_phrase: usize,
}

#[derive(Deserialize)]
struct AdjectiveFile {
    adjective: Vec<Adjective>,
}

#[derive(Deserialize)]
struct WordFile {
    fillers: String,
    writes: String,
    preludes: String,
    decisive: String,
    participles: String,
    synonyms: String,
    code: Vec<Code>,
    abbreviations: HashMap<String, Vec<String>>,
    compounds: HashMap<String, String>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

/// The lexicon; read once.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    fn load() -> Self {
        const WHY: &str = "the lexicon is part of the program, and a test reads it";
        let phrases: HashMap<Operator, Vec<String>> =
            toml::from_str(include_str!("lexicon/operators.toml")).expect(WHY);
        let adjectives: AdjectiveFile = toml::from_str(include_str!("lexicon/adjectives.toml")).expect(WHY);
        let words: WordFile = toml::from_str(include_str!("lexicon/words.toml")).expect(WHY);

        let operators: HashMap<String, Operator> = phrases
            .into_iter()
            .flat_map(|(operator, phrases)| phrases.into_iter().map(move |phrase| (phrase, operator)))
            .collect();
        let longest_phrase = operators
            .keys()
            .map(|phrase| phrase.split(' ').count())
            .max()
            .unwrap_or(1);
        let adjectives = adjectives.adjective;
        let degrees = [Degree::Positive, Degree::Comparative, Degree::Superlative];
        let mut adjective_forms = HashMap::new();
        for (index, adjective) in adjectives.iter().enumerate() {
            // From the superlative down, so that a form written once for all degrees is a superlative.
            for (form, degree) in adjective.forms.iter().zip(degrees).rev() {
                adjective_forms.entry(form.clone()).or_insert((index, degree));
            }
        }
        let mut synonyms: HashMap<String, Vec<usize>> = HashMap::new();
        for (group, line) in words.synonyms.lines().enumerate() {
            for word in line.split_whitespace() {
                synonyms.entry(stem(word)).or_default().push(group);
            }
        }
        let in_full = words.abbreviations.iter();
        let in_full = in_full.filter_map(|(short, long)| Some((short.clone(), long.first()?.clone())));
        let in_full = in_full.collect();
        let abbreviations: HashMap<String, Vec<String>> = words
            .abbreviations
            .into_iter()
            .map(|(short, long)| (short, long.iter().map(|word| stem(word)).collect()))
            .collect();
        Self {
            operators,
            adjectives,
            adjective_forms,
            writes: set(&words.writes),
            preludes: set(&words.preludes),
            decisive: set(&words.decisive),
            participles: set(&words.participles),
            fillers: set(&words.fillers),
            synonyms,
            abbreviated: abbreviations.values().flatten().cloned().collect(),
            abbreviations,
            in_full,
            compounds: words.compounds,
            codes: words.code,
            longest_phrase,
        }
    }

    /// The operator that a phrase stands for; words in lower case, one space between.
    pub(crate) fn operator(&self, phrase: &str) -> Option<Operator> {
        self.operators.get(phrase).copied()
    }

    /// The adjective that a phrase is a form of.
    pub(crate) fn adjective_form(&self, phrase: &str) -> Option<(usize, Degree)> {
        self.adjective_forms.get(phrase).copied()
    }

    /// An adjective by the number that [`Lexicon::adjective_form`] gave.
    pub(crate) fn adjective(&self, index: usize) -> &Adjective {
        &self.adjectives[index]
    }

    /// True for a word that carries no content.
    pub(crate) fn is_filler(&self, word: &str) -> bool {
        self.fillers.contains(word)
    }

    /// True for a word that asks for a change.
    pub(crate) fn is_write(&self, word: &str) -> bool {
        self.writes.contains(word)
    }

    /// True for a word that may stand before a request for a change.
    pub(crate) fn is_prelude(&self, word: &str) -> bool {
        self.preludes.contains(word)
    }

    /// True for the participle of an irregular verb.
    pub(crate) fn is_irregular_participle(&self, word: &str) -> bool {
        self.participles.contains(word)
    }

    /// True for a word that no answer may leave out.
    pub(crate) fn is_decisive(&self, word: &str) -> bool {
        self.decisive.contains(word)
    }

    /// All single words that shape a query, but for contractions.
    pub(crate) fn operator_words(&self) -> impl Iterator<Item = &str> {
        let phrases = self.operators.keys().map(String::as_str);
        phrases.filter(|phrase| !phrase.contains([' ', '\'']))
    }

    /// The word that an abbreviation most often stands for.
    pub(crate) fn in_full(&self, short: &str) -> Option<&str> {
        self.in_full.get(short).map(String::as_str)
    }

    /// The two words that an identifier writes as one.
    pub(crate) fn compound(&self, word: &str) -> Option<&str> {
        self.compounds.get(word).map(String::as_str)
    }

    /// The codes that a word may stand for.
    pub(crate) fn code(&self, word: &str) -> Option<&Code> {
        self.codes
            .iter()
            .find(|code| code.words.iter().any(|known| known == word))
    }

    /// True for a word that some line of the lexicon knows, as a stem.
    pub(crate) fn knows(&self, stem: &str) -> bool {
        self.synonyms.contains_key(stem)
    }

    /// True for a word that has synonyms, that is an abbreviation, or that has one.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        self.knows(word) || self.abbreviations.contains_key(word) || self.abbreviated.contains(word)
    }

    /// How well a question's word names a schema's word, 0 to 1.
    /// `asked` is `(stem, word)`, and so is `stored`.
    pub(crate) fn similarity(&self, asked: (&str, &str), stored: (&str, &str)) -> f32 {
        let ((asked, asked_word), (stored, stored_word)) = (asked, stored);
        if asked == stored {
            return 1.0;
        }
        if self
            .abbreviations
            .get(stored_word)
            .is_some_and(|long| long.iter().any(|word| word == asked))
        {
            return 0.95;
        }
        if self
            .abbreviations
            .get(asked)
            .is_some_and(|long| long.iter().any(|word| word == stored))
        {
            return 0.9;
        }
        let groups = |word: &str| self.synonyms.get(word);
        // `CUST_NO` is no amount.
        let is_number = matches!(stored_word, "no" | "nr" | "nbr");
        if !is_number
            && let (Some(long), Some(one)) = (self.abbreviations.get(stored_word), groups(asked))
            && long
                .iter()
                .filter_map(|word| groups(word))
                .any(|other| one.iter().any(|group| other.contains(group)))
        {
            return 0.78;
        }
        if let (Some(one), Some(other)) = (groups(asked), groups(stored))
            && one.iter().any(|group| other.contains(group))
        {
            return 0.8;
        }
        if derived_from_same(asked, stored) {
            return 0.82;
        }
        let singular = asked_word.strip_suffix('s').unwrap_or(asked_word);
        if is_abbreviation(stored_word, asked)
            || stored_word.len() >= 4 && is_abbreviation(stored_word, singular)
            || is_short_for(stored_word, asked_word)
        {
            return 0.75;
        }
        if asked.len() >= 5
            && stored.len() >= 5
            && !self.knows(asked)
            && strsim::damerau_levenshtein(asked_word, stored_word) == 1
        {
            return 0.7;
        }
        0.0
    }
}

fn set(words: &str) -> HashSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// `direct` and `director`, `enrol` and `enrolment`: one stem begins the other, and the rest is an ending.
pub(crate) fn derived_from_same(one: &str, other: &str) -> bool {
    const ENDINGS: [&str; 23] = [
        "or", "er", "ment", "ation", "ion", "ing", "ed", "ance", "ence", "ship", "ist", "ian", "al", "ity",
        "r", "e", "y", "i", "at", "ator", "ic", "ee", "eri",
    ];
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= 4
        && long
            .strip_prefix(short)
            .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// `dept` for `department`, `cat` for `category`: the same first letter, and the rest in order.
fn is_abbreviation(short: &str, long: &str) -> bool {
    if short.len() < 3 || short.len() + 2 > long.len() {
        return false;
    }
    if long.starts_with(short) {
        return short.len() * 2 >= long.len() || short.len() == 3;
    }
    let vowels = short.bytes().filter(|byte| b"aeiou".contains(byte)).count();
    let mut rest = long.bytes();
    short.as_bytes()[0] == long.as_bytes()[0]
        && vowels <= 1
        && short.bytes().all(|byte| rest.any(|other| other == byte))
}

/// `rdg` for `readings`, `crw` for `crew`, `bil` for `bill`: the first letter and consonants in their order, as people shorten
/// the word itself, where its stem has them no more.
pub(crate) fn is_short_for(short: &str, word: &str) -> bool {
    if short.len() < 2 || short.len() >= word.len() || !short.is_ascii() || !word.is_ascii() {
        return false;
    }
    let is_vowel = |byte: u8| b"aeiou".contains(&byte);
    if short.len() == 2 {
        // `ld` for `load`: all of its consonants.
        let singular = word.strip_suffix('s').unwrap_or(word);
        return singular.len() == 4 && singular.bytes().filter(|byte| !is_vowel(*byte)).eq(short.bytes());
    }
    let single = |word: &str| -> Vec<u8> {
        let mut letters = word.as_bytes().to_vec();
        letters.dedup();
        letters
    };
    let singular = single(word.strip_suffix('s').unwrap_or(word));
    if singular == short.as_bytes() {
        return true;
    }
    if short.as_bytes()[0] != word.as_bytes()[0] {
        return false;
    }
    if short.bytes().skip(1).any(is_vowel) {
        // `paymnt`: only vowels are left out. Shorter ones would be words of their own: `cost` of `coast`.
        let mut rest = singular.into_iter();
        let kept =
            |wanted: u8| rest.by_ref().find(|byte| *byte == wanted || !is_vowel(*byte)) == Some(wanted);
        return short.len() >= 5 && short.bytes().all(kept) && rest.all(is_vowel);
    }
    let consonants = |letters: Vec<u8>| letters.into_iter().filter(|byte| !is_vowel(*byte));
    if short.len() + 2 > word.len() {
        // Of a short word no consonant is left out: `crw`.
        return consonants(singular).eq(short.bytes()) || consonants(single(word)).eq(short.bytes());
    }
    let mut rest = consonants(single(word));
    short.bytes().all(|byte| rest.any(|other| other == byte))
}

/// True for a word that begins a clause of its own behind `or`: what was denied before it is not denied of that.
pub(crate) fn begins_clause(word: &str) -> bool {
    matches!(
        word,
        "have" | "has" | "had" | "is" | "are" | "was" | "were" | "who" | "whose" | "that" | "which" | "with"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_lexicon_is_read() {
        let lexicon = lexicon();
        assert_eq!(lexicon.operator("how many"), Some(Operator::Count));
        assert!(lexicon.is_filler("the"));
        let (index, degree) = lexicon.adjective_form("oldest").expect("known");
        assert_eq!(degree, Degree::Superlative);
        assert_eq!(lexicon.adjective(index).rising, ["age"]);
    }

    #[test]
    fn no_phrase_stands_for_two_operators() {
        let phrases: HashMap<Operator, Vec<String>> =
            toml::from_str(include_str!("lexicon/operators.toml")).expect("read");
        let several: usize = phrases.values().map(Vec::len).sum();
        assert_eq!(lexicon().operators.len(), several);
    }

    #[test]
    fn words_that_name_each_other() {
        let similar = |asked: &str, stored: &str| {
            lexicon().similarity((&stem(asked), asked), (&stem(stored), stored)) > 0.6
        };
        for (asked, stored) in [
            ("employees", "staff"),
            ("department", "dept"),
            ("number", "num"),
            ("directed", "director"),
            ("enrolment", "enrollment"),
            ("categories", "category"),
            ("readings", "rdg"),
            ("months", "mths"),
            ("crew", "crw"),
            ("bills", "bil"),
            ("training", "trn"),
            ("overtime", "ot"),
            ("contract", "ctr"),
            ("premises", "prm"),
            ("payments", "paymnt"),
        ] {
            assert!(similar(asked, stored), "{asked} {stored}");
        }
        for (asked, stored) in [
            ("name", "number"),
            ("store", "score"),
            ("time", "title"),
            ("age", "page"),
            ("bill", "bl"),
            ("status", "sts2"),
            ("closed", "cause"),
            ("months", "meths"),
            ("address", "drs"),
            ("coast", "cost"),
            ("amount", "no"),
        ] {
            assert!(!similar(asked, stored), "{asked} {stored}");
        }
    }
}
