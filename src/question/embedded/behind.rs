//! What is said behind a question: a guess, what it is for, and what the list is to show (`… Names and emails please`).

use std::borrow::Cow;

use super::framing::names_something;

/// How a guess begins.
const GUESSES: &[&str] = &[
    "i'm guessing",
    "im guessing",
    "i am guessing",
    "i guess",
    "i think",
    "i bet",
    "i suppose",
    "i believe",
    "i assume",
    "i'd guess",
    "i'd say",
    "i hope",
    "my guess",
    "my bet",
    "probably",
    "thanks",
    "thank you",
    "cheers",
];
/// How one begins who says what is to be shown.
const SHOWING: &[&str] = &[
    "list them with",
    "list it with",
    "list those with",
    "show them with",
    "show it with",
    "i want to see",
    "i'd like to see",
    "i would like to see",
    "i want to have",
    "i'd like to have",
    "i would like",
    "i only need",
    "i also need",
    "we also need",
    "i just need",
    "i need",
    "we need",
    "i want",
    "i'd like",
    "give me",
    "show me",
    "send me",
    "tell me",
    "show",
    "list",
    "include",
    "including",
    "add",
    "with",
    "plus",
    "just",
    "only",
];
/// What is said first, and adds nothing.
const FIRST: &[&str] = &[
    "if so",
    "please",
    "and",
    "also",
    "then",
    "if yes",
    "can you",
    "could you",
];
/// What is said last, and adds nothing.
const LAST: &[&str] = &[
    "please",
    "thanks",
    "for each of them",
    "for each one",
    "for each",
    "of each",
    "each",
    "too",
    "as well",
    "also",
    "will do",
    "is enough",
];
/// Words that stand in no plain enumeration.
const SAYS_MORE: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "do",
    "does",
    "did",
    "has",
    "have",
    "had",
    "which",
    "who",
    "what",
    "when",
    "where",
    "how",
    "why",
    "that",
    "if",
    "than",
    "per",
    "by",
    "for",
    "in",
    "since",
    "only",
    "not",
    "no",
    "without",
    "least",
    "them",
    "those",
    "it",
    "top",
    "first",
    "last",
    "most",
    "each",
    "to",
    "from",
    "both",
    "figures",
    "figure",
    "we",
    "i",
    "you",
    "they",
    "so",
    "because",
    "can",
    "would",
    "should",
    "at",
    "on",
    "all",
    "with",
    "share",
    "percentage",
    "percent",
    "average",
    "rate",
];
/// Words of a question about figures, which more of them may follow.
const FIGURES: &[&str] = &[
    "how",
    "average",
    "total",
    "sum",
    "count",
    "number",
    "share",
    "percentage",
    "per",
    "by",
    "each",
    "compare",
];
/// What somebody wants who wants to be shown something.
const TO_BE_SHOWN: &[&str] = &[
    "see", "know", "have", "get", "find", "show", "list", "compare", "check",
];

/// The question without guesses and purposes behind it, and with what is to be shown as part of it.
pub(super) fn told_on(question: &str) -> Cow<'_, str> {
    let mut told = Cow::Borrowed(question);
    for _ in 0..3 {
        let Some(shorter) = without_last(&told) else { break };
        told = Cow::Owned(shorter);
    }
    told
}

/// The question with its last part dropped or made part of it.
fn without_last(question: &str) -> Option<String> {
    let trimmed = question.trim_end_matches([' ', '.', '!', '?', ':', ')', '(', ';']);
    // A closing bracket belongs to what stands in it.
    let trimmed = if question[trimmed.len()..].starts_with(')') && trimmed.contains('(') {
        question.trim_end_matches([' ', '.', '!', '?'])
    } else {
        trimmed
    };
    if let Some((asked, tail)) = parted(trimmed, &[", "]) {
        let said = words(tail);
        if is_purpose(&said) && !names_something(tail) && words(asked).len() > 2 {
            return Some(asked.to_owned());
        }
    }
    let (asked, tail) = parted(trimmed, &["? ", ". ", "! ", " - ", " – ", " — ", "; "])?;
    let (asked, said) = (asked.trim_end_matches(['.', '!', '?', ' ']), words(tail));
    let before = words(asked);
    // `incl. supplier`: a word cut short ends no sentence.
    let cut_short = |word: &String| {
        matches!(
            word.as_str(),
            "incl"
                | "excl"
                | "approx"
                | "no"
                | "nr"
                | "vs"
                | "dr"
                | "mr"
                | "mrs"
                | "ms"
                | "st"
                | "e.g"
                | "i.e"
        )
    };
    if before.len() < 3 || before.last().is_some_and(cut_short) {
        return None;
    }
    if starts(&said, GUESSES).is_some() {
        return Some(asked.to_owned());
    }
    if names_something(tail) {
        return None;
    }
    if is_purpose(&said) {
        return Some(asked.to_owned());
    }
    if before.iter().any(|word| FIGURES.contains(&&**word)) {
        return None;
    }
    let (list, adds) = enumerated(tail)?;
    Some(match list.len() {
        0 => return None,
        // `Slow movers: which products …` lists nothing before its colon.
        _ if adds || list.len() == 1 || asked.contains(':') => {
            format!("{asked}, with the {}", list.join(" and "))
        }
        _ => format!("{asked}: {}", list.join(", ")),
    })
}

/// What stands before the last of some marks, and behind it.
fn parted<'q>(question: &'q str, marks: &[&str]) -> Option<(&'q str, &'q str)> {
    let last = marks
        .iter()
        .filter_map(|mark| Some((question.rfind(mark)?, mark.len())))
        .max()?;
    Some((&question[..last.0], question[last.0 + last.1..].trim()))
}

/// True for `we want to write to them`: what the answer is for.
fn is_purpose(said: &[String]) -> bool {
    let is = |at: usize, of: &[&str]| said.get(at).is_some_and(|word| of.contains(&&**word));
    let wants = is(0, &["i", "we", "he", "she", "they"])
        && is(1, &["want", "need", "have", "plan", "wants", "needs", "would"]);
    let to = 2 + usize::from(is(2, &["like"]));
    let verb = wants && is(to, &["to"]) && said.len() > to + 2 && !is(to + 1, TO_BE_SHOWN);
    let it = wants && is(1, &["need", "want"]) && is(2, &["it", "this", "that"]) && is(3, &["for", "to"]);
    let is_for = is(0, &["it's", "this", "that's"]) && (is(1, &["for"]) || is(1, &["is"]) && is(2, &["for"]));
    verb || it || is_for
}

/// What is to be shown, and whether that is added to what is shown anyway.
fn enumerated(tail: &str) -> Option<(Vec<String>, bool)> {
    let (mut text, mut led) = (tail.trim(), false);
    let mut adds = false;
    for _ in 0..4 {
        let said = words(text);
        if let Some(used) = starts(&said, FIRST) {
            adds |= said[0] == "also";
            text = behind_words(text, used);
        } else if let Some(used) = starts(&said, SHOWING).filter(|_| !led) {
            let joins =
                |word: &String| matches!(word.as_str(), "with" | "include" | "including" | "add" | "plus");
            adds |= said[..used].iter().any(joins) || said[..used].contains(&"also".to_owned());
            (text, led) = (behind_words(text, used), true);
        } else {
            break;
        }
    }
    let mut text = text.trim_end_matches(['.', '!', '?', ' ', ',']).to_owned();
    for _ in 0..2 {
        let said = words(&text);
        let end = LAST.iter().find(|end| {
            let end: Vec<&str> = end.split(' ').collect();
            said.len() > end.len()
                && said[said.len() - end.len()..]
                    .iter()
                    .zip(&end)
                    .all(|(said, end)| said == end)
        });
        let Some(end) = end else { break };
        adds |= matches!(*end, "too" | "as well" | "also");
        led = true;
        let keep = said.len() - end.split(' ').count();
        text = text.split_whitespace().take(keep).collect::<Vec<_>>().join(" ");
        text = text.trim_end_matches(',').to_owned();
    }
    let parts: Vec<String> = text
        .replace(" and ", ", ")
        .replace(" & ", ", ")
        .split(", ")
        .map(|part| {
            let said = words(part).into_iter();
            let article = |word: &String| {
                matches!(
                    word.as_str(),
                    "the" | "a" | "an" | "their" | "its" | "his" | "her" | "your"
                )
            };
            said.skip_while(article).collect::<Vec<_>>().join(" ")
        })
        .filter(|part| !part.is_empty())
        .collect();
    let plain = |part: &String| {
        let said: Vec<&str> = part.split(' ').collect();
        said.len() < 6 && !said.iter().any(|word| SAYS_MORE.contains(word))
    };
    let several = parts.len() > 1;
    let all = parts.iter().all(plain);
    // Of what somebody asks for by name, what is no plain name is shown anyway, or is not known.
    let list: Vec<String> = parts.into_iter().filter(plain).collect();
    ((all && several || led) && !list.is_empty()).then_some((list, adds))
}

/// How many words a text begins with one of some phrases.
fn starts(said: &[String], phrases: &[&str]) -> Option<usize> {
    phrases.iter().find_map(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let begins =
            said.len() > phrase.len() || said.len() == phrase.len() && phrase.len() > 1 || said.len() == 1;
        let same = said.len() >= phrase.len() && said.iter().zip(&phrase).all(|(said, word)| said == word);
        (begins && same).then_some(phrase.len())
    })
}

/// What stands behind so many words.
fn behind_words(text: &str, used: usize) -> &str {
    let mut rest = text;
    for _ in 0..used {
        rest = rest.trim_start();
        rest = rest.find(char::is_whitespace).map_or("", |end| &rest[end..]);
    }
    rest.trim_start()
}

/// The words in lower case, without the marks around them.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| {
            word.trim_matches(|mark: char| !mark.is_alphanumeric())
                .to_lowercase()
                .replace('’', "'")
        })
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::told_on;

    #[test]
    fn what_is_to_be_shown_is_told_in_one() {
        for (question, expected) in [
            (
                "has anyone been hired since May? names, job and depot please",
                "has anyone been hired since May: names, job, depot",
            ),
            (
                "Clients with three or more visits this year - name and phone",
                "Clients with three or more visits this year: name, phone",
            ),
            (
                "Which parts ran out this week? Give me the shelf too",
                "Which parts ran out this week, with the shelf",
            ),
            (
                "Do we have anything below 12 euros? If so, please list it with the price",
                "Do we have anything below 12 euros, with the price",
            ),
            (
                "Which tickets are more than 7 days old? I need the ticket number and when it was opened",
                "Which tickets are more than 7 days old, with the ticket number",
            ),
            (
                "Which month was the best one? I'm guessing December :)",
                "Which month was the best one",
            ),
            (
                "Visits by hour of the day, we want to plan the shifts",
                "Visits by hour of the day",
            ),
        ] {
            assert_eq!(told_on(question), expected);
        }
    }

    #[test]
    fn what_says_more_stays() {
        for question in [
            "Did we lend more in 2026 than in 2025? Number of loans per year",
            "Who has the most? Top five of them",
            "How many clients are there? And of them, how many are new?",
            "members from Bath, names and email",
            "orders of Ann Lee, I want to see the last one",
            "average weight of parcels (in kg)",
            "Which dogs are vaccinated? Only those from Salem",
        ] {
            assert_eq!(told_on(question), question);
        }
    }
}
