//! What is said around a question: who wants to know, what for, what happens meanwhile. None of it says what is asked, and its
//! words would be taken for names.

use super::said_twice::without_first;

/// What asks, at the beginning of a sentence.
const ASKING: &[&str] = &[
    "what", "what's", "whats", "which", "who", "who's", "whose", "whom", "where", "when", "when's", "how",
    "can", "could", "would", "do", "does", "did", "is", "are", "has", "have", "was", "were", "show", "list",
    "give", "find", "tell", "get", "any", "count", "please", "i'd", "i", "let", "name", "total", "average",
    "number",
];
/// Whom a sentence that asks nothing may be about.
const SUBJECTS: &[&str] = &[
    "i",
    "i'm",
    "i've",
    "i'd",
    "i'll",
    "we",
    "we're",
    "we've",
    "we'd",
    "we'll",
    "he",
    "she",
    "they",
    "they're",
    "he's",
    "she's",
    "it's",
    "somebody",
    "someone",
    "there's",
    "people",
    "my",
    "our",
    "the",
    "a",
    "an",
    "accounting",
    "marketing",
    "management",
    "finance",
    "hr",
    "sales",
];
/// What they do.
const VERBS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "am",
    "wants",
    "want",
    "wanted",
    "needs",
    "need",
    "has",
    "have",
    "had",
    "asks",
    "asked",
    "asking",
    "loves",
    "likes",
    "called",
    "calls",
    "may",
    "might",
    "must",
    "should",
    "would",
    "will",
    "just",
    "got",
    "left",
    "doing",
    "planning",
    "preparing",
    "sorting",
    "working",
    "looking",
    "says",
    "said",
    "thinks",
    "think",
    "plan",
];
/// Words that say nothing by themselves.
const CHATTER: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "honestly",
    "just",
    "curious",
    "quick",
    "question",
    "thanks",
    "in",
    "advance",
    "sorry",
    "ok",
    "okay",
    "so",
    "well",
    "morning",
    "good",
    "afternoon",
    "there",
    "dear",
    "querent",
    "one",
    "more",
    "thing",
    "again",
    "and",
    "also",
    "team",
    "everybody",
    "all",
    "thank",
    "you",
    "please",
    "out",
    "of",
    "curiosity",
    "bother",
    "to",
    "check",
    "help",
    "me",
    "here",
    "excuse",
    "pardon",
    "let's",
    "now",
    "next",
    "by",
    "the",
    "way",
];
/// How people begin politely, before they say what they want.
const OPENINGS: &[&str] = &[
    "do you happen to know",
    "could you find out",
    "can you find out",
    "could you look up",
    "can you look up",
    "could you tell me",
    "can you tell me",
    "could you check",
    "can you check",
    "would you please",
    "could you please",
    "can we see",
    "could we see",
    "i'd love to know",
    "i would love to know",
    "i'd love to see",
    "i wonder",
    "i was wondering",
    "any idea",
];
/// Words by which a question leans on what was said before it.
const BACK: &[&str] = &[
    "he", "she", "him", "his", "her", "hers", "they", "them", "their", "theirs", "it", "its", "those",
    "these", "one", "ones",
];

/// The question without what is said around it.
pub(super) fn core(question: &str) -> &str {
    let mut core = without_first(question.trim());
    for _ in 0..3 {
        let shorter = without_end(without_opening(without_asker(without_lead(core))));
        if shorter.len() == core.len() {
            break;
        }
        core = shorter;
    }
    core
}

/// `We are planning a mailing, which customers …?` without its first part.
fn without_lead(question: &str) -> &str {
    let ends = |(at, mark): (usize, char)| {
        let apart = question[at + mark.len_utf8()..].starts_with(char::is_whitespace);
        (matches!(mark, ',' | ':' | ';' | '.' | '?' | '!' | '–' | '—') && (apart || mark == '—'))
            .then_some((at, at + mark.len_utf8()))
    };
    let Some((end, next)) = question.char_indices().find_map(ends) else {
        return question;
    };
    let (lead, rest) = (&question[..end], question[next..].trim_start());
    let rest = ["so ", "So ", "and ", "And ", "but ", "But ", "then "]
        .into_iter()
        .find_map(|joint| rest.strip_prefix(joint))
        .unwrap_or(rest);
    let (said, asked) = (words(lead), words(rest));
    let all_chatter = said.iter().all(|word| CHATTER.contains(&&**word));
    let is_told = said.first().is_some_and(|first| SUBJECTS.contains(&&**first))
        && said.iter().skip(1).take(5).any(|word| VERBS.contains(&&**word))
        || said
            .first()
            .is_some_and(|first| first.contains('\'') && SUBJECTS.contains(&&**first));
    let asks = asked.first().is_some_and(|first| ASKING.contains(&&**first)) && asked.len() > 2;
    if said.is_empty() || all_chatter && asked.len() > 1 {
        return rest;
    }
    if is_told && asks && !names_something(lead) && !leans_back(&asked) {
        return rest;
    }
    question
}

/// `Do you happen to know how many …` without its politeness.
fn without_opening(question: &str) -> &str {
    let said = words(question);
    let opening = OPENINGS.iter().find_map(|opening| {
        let opening: Vec<&str> = opening.split(' ').collect();
        let begins =
            said.len() > opening.len() + 1 && said.iter().zip(&opening).all(|(said, word)| said == word);
        begins.then_some(opening.len())
    });
    let rest = opening.and_then(|length| begins(question).nth(length));
    rest.map_or(question, |at| &question[at..])
}

/// `My boss wants to know how many …`, `for the meeting I need the …`, without who asks and what for.
fn without_asker(question: &str) -> &str {
    const WANTS: &[&[&str]] = &[
        &["wants", "to", "know"],
        &["want", "to", "know"],
        &["would", "like", "to", "know"],
        &["would", "like", "to", "see"],
        &["wants", "to", "see"],
        &["needs", "to", "know"],
        &["need", "to", "know"],
        &["needs", "to", "see"],
        &["is", "asking"],
        &["are", "asking"],
        &["keeps", "asking"],
        &["asked", "me"],
        &["is", "wondering"],
        &["wonders"],
    ];
    let begins: Vec<usize> = begins(question).take(9).collect();
    let said: Vec<String> = words(question).into_iter().take(9).collect();
    let Some(first) = said.first() else {
        return question;
    };
    let rest = |from: usize| begins.get(from).map(|at| &question[*at..]);
    if first == "for" {
        let wants = (2..said.len().saturating_sub(1))
            .find(|&at| matches!(&*said[at], "i" | "we") && matches!(&*said[at + 1], "need" | "want"));
        return wants
            .filter(|&at| !names_something(&question[..begins[at]]))
            .and_then(|at| rest(at + 2))
            .unwrap_or(question);
    }
    if ASKING.contains(&&**first) {
        return question;
    }
    let wants = (1..said.len().min(4)).find_map(|at| {
        Some(
            at + WANTS
                .iter()
                .find(|wants| said[at..].starts_with(&to_owned(wants)))?
                .len(),
        )
    });
    wants.and_then(rest).unwrap_or(question)
}

/// `…, so I can call them`, `… I want to call them.`, without what for.
fn without_end(question: &str) -> &str {
    let trimmed = question.trim_end_matches(['.', '!', '?', ' ']);
    let Some((at, mark)) = trimmed
        .char_indices()
        .rev()
        .find(|(_, mark)| matches!(mark, '.' | '?' | '!' | ',' | ';' | '–' | '—'))
    else {
        return question;
    };
    let (asked, tail) = (&trimmed[..at], &trimmed[at + mark.len_utf8()..]);
    if !tail.starts_with(char::is_whitespace) {
        return question;
    }
    let said = words(tail);
    let is = |at: usize, of: &[&str]| said.get(at).is_some_and(|word| of.contains(&&**word));
    let purpose = is(0, &["so"])
        && (1..3).any(|at| is(at, &["i", "we", "he", "she", "they", "i'll", "we'll"]))
        || is(0, &["because"])
        || is(0, &["i", "we", "he", "she", "they"])
            && is(
                1,
                &[
                    "want", "need", "wants", "needs", "have", "has", "would", "plan", "will",
                ],
            )
            && said
                .iter()
                .any(|word| matches!(&**word, "them" | "him" | "her" | "it"))
        || is(0, &["i'd", "i'll", "we'd", "we'll"])
            && said
                .iter()
                .any(|word| matches!(&**word, "them" | "him" | "her" | "it"));
    let enough = words(asked).len() > 2;
    if purpose && enough && !names_something(tail) {
        asked
    } else {
        question
    }
}

/// True for words among which may be a value: a name, a number, something in quotes.
pub(super) fn names_something(text: &str) -> bool {
    let named = |(at, word): (usize, &str)| {
        let bare = word.trim_matches(|mark: char| !mark.is_alphanumeric());
        let capital = at > 0 && bare.starts_with(char::is_uppercase);
        let first_person = bare == "I" || bare.starts_with("I'") || bare.starts_with("I’");
        capital && !first_person || bare.contains(|c: char| c.is_ascii_digit())
    };
    text.contains(['"', '“', '$', '€', '£', '#', '`']) || text.split_whitespace().enumerate().any(named)
}

/// True where the question needs what was said before it.
pub(super) fn leans_back(asked: &[String]) -> bool {
    let mut pairs = asked.windows(2);
    asked.iter().any(|word| BACK.contains(&&**word))
        || pairs.any(|two| match (&*two[0], &*two[1]) {
            // `are there` points to no place.
            ("is" | "are" | "was" | "were" | "been", "there") => false,
            (_, "there") => true,
            (before, "that" | "this") => matches!(before, "in" | "of" | "with" | "for" | "at" | "to"),
            _ => false,
        })
}

/// The words in lower case, without the marks around them.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| {
            word.trim_matches(|mark: char| !mark.is_alphanumeric())
                .to_lowercase()
                .replace('’', "'")
        })
        .collect()
}

/// Where each word begins.
fn begins(text: &str) -> impl Iterator<Item = usize> {
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, character)| {
        let begins = before.is_whitespace() && !character.is_whitespace();
        before = character;
        begins.then_some(at)
    })
}

fn to_owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::core;

    #[test]
    fn what_is_said_around_a_question_is_left_out() {
        for (question, expected) in [
            (
                "My boss wants to know how many hours we worked",
                "how many hours we worked",
            ),
            (
                "Karen would like to know which rooms are free",
                "which rooms are free",
            ),
            ("For the meeting I need revenue by month", "revenue by month"),
            ("Honestly, which product sells best?", "which product sells best?"),
            (
                "Sorry to bother you, but do you happen to know how many stores we have?",
                "how many stores we have?",
            ),
            (
                "We're doing budgets, what do contracts bring in?",
                "what do contracts bring in?",
            ),
            (
                "We may drop a few lines, so which products never sold?",
                "which products never sold?",
            ),
            (
                "Which clients ordered last year? I want to call them.",
                "Which clients ordered last year",
            ),
            (
                "which customers gave two stars, so I can call them?",
                "which customers gave two stars",
            ),
            (
                "Hi, I need to write to Ann Lee, what's her email?",
                "I need to write to Ann Lee, what's her email?",
            ),
        ] {
            assert_eq!(core(question), expected);
        }
    }

    #[test]
    fn what_says_something_stays() {
        for question in [
            "In 2025, how many orders were there?",
            "For each store, what is the revenue?",
            "Of our cats, how many are older than 3?",
            "Ann Lee is on the phone, what was in her last order?",
            "our premium members want discounts, which products do they buy most?",
            "we opened a shop by the lake, how many people work there?",
            "a lady wants the Linen Shirt, how many are left?",
            "a customer loves navy, what do we have in that colour?",
            "Did we lend more in 2026 than in 2025? Number of loans per year",
            "Who has the most? Top five of them",
            "Why do people quit? Number per reason",
            "customers in Boston, Salem and Lowell",
            "orders over 5,000",
        ] {
            assert_eq!(core(question), question);
        }
    }
}
