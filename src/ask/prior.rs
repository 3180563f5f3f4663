//! How often authors are right before anything is known of a question: by the family of a model, and by what people have said
//! of its answers.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// What is told of a model by its name: a part of it, and how often the SQL of such models is right. The first that fits counts.
const FAMILIES: &[(&str, f64)] = &[
    ("nano", 0.75),
    ("tiny", 0.6),
    ("lite", 0.8),
    ("mini", 0.85),
    ("small", 0.8),
    ("haiku", 0.85),
    ("flash", 0.85),
];
/// By the size that a name tells, in thousand millions of parameters: up to so many, and how often.
const SIZES: [(f64, f64); 4] = [(4.0, 0.6), (16.0, 0.75), (40.0, 0.82), (f64::INFINITY, 0.9)];
/// Of a model whose name says nothing. Measured of a strong one, where nothing was found in its SQL: 0.99 on business questions
/// and 0.91 on academic ones.
const UNKNOWN: f64 = 0.94;

/// How often the SQL of a model is right, as far as its name tells: `gpt-4.1-mini`, `qwen2.5-coder:7b`. 0 to 1.
pub fn prior(model: &str) -> f64 {
    let name = model.to_lowercase();
    let parts: Vec<&str> = name
        .split(|sign: char| !(sign.is_alphanumeric() || sign == '.'))
        .collect();
    let size = parts.iter().find_map(|part| {
        let number = part.strip_suffix('b')?;
        number.parse::<f64>().ok().filter(|size| *size > 0.0)
    });
    if let Some(size) = size {
        let fits = SIZES.iter().find(|(most, _)| size <= *most);
        return fits.map_or(UNKNOWN, |(_, often)| *often);
    }
    let family = FAMILIES.iter().find(|(family, _)| parts.contains(family));
    family.map_or(UNKNOWN, |(_, often)| *often)
}

/// What was known before counts as so many answers: after as many that people have judged, both weigh the same.
const BEFORE: f64 = 10.0;

/// What people have said of answers, by database and author. It is kept as long as the process runs.
#[derive(Debug, Default)]
pub struct Verified(Mutex<BTreeMap<(String, String), Judged>>);

/// How many answers were judged.
#[derive(Debug, Default, Clone, Copy)]
struct Judged {
    right: u32,
    wrong: u32,
}

impl Verified {
    /// Somebody has said whether an answer was right.
    pub fn note(&self, database: &str, author: &str, right: bool) {
        let mut judged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = judged
            .entry((database.to_owned(), author.to_owned()))
            .or_default();
        if right {
            counts.right += 1;
        } else {
            counts.wrong += 1;
        }
    }

    /// How often an author's SQL for a database is right, 0 to 1, if it was thought to be right with the probability `before`:
    /// the mean of a beta distribution.
    pub fn skill(&self, database: &str, author: &str, before: f64) -> f64 {
        let judged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_author = judged.get(&(database.to_owned(), author.to_owned()));
        let Judged { right, wrong } = of_author.copied().unwrap_or_default();
        (before * BEFORE + f64::from(right)) / (BEFORE + f64::from(right) + f64::from(wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_of_answers_counts_more_and_more() {
        let verified = Verified::default();
        let skill = || verified.skill("shop", "m", 0.8);
        assert!((skill() - 0.8).abs() < 1e-9);
        for _ in 0..10 {
            verified.note("shop", "m", false);
        }
        assert!((skill() - 0.4).abs() < 1e-9);
        verified.note("shop", "m", true);
        assert!(skill() > 0.4);
        // Of another database and another author that says nothing.
        assert!((verified.skill("bank", "m", 0.8) - 0.8).abs() < 1e-9);
        assert!((verified.skill("shop", "n", 0.8) - 0.8).abs() < 1e-9);
    }

    #[test]
    fn names_tell_of_sizes_and_families() {
        for (name, expected) in [
            ("gpt-4.1", UNKNOWN),
            ("gpt-4.1-mini", 0.85),
            ("claude-haiku-4-5", 0.85),
            ("gemini-2.5-flash", 0.85),
            ("gemini-2.5-pro", UNKNOWN),
            ("qwen2.5-coder:1.5b", 0.6),
            ("qwen2.5-coder:7b-instruct-q4_K_M", 0.75),
            ("Qwen2.5-Coder-32B", 0.82),
            ("llama-3.3-70b", 0.9),
            ("", UNKNOWN),
        ] {
            assert!((prior(name) - expected).abs() < 1e-9, "{name}");
        }
    }
}
