//! Rules of the source tree that the compiler does not know: layers, sizes, who may do what.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

mod layers;
mod source;

use layers::{LAYERS, layer, within};
use source::{Named, named};

/// Lines that a source file may have.
const MAX_LINES: usize = 500;

/// What may stand only in some places: words that follow each other in a path, the modules that may have them, and why.
const CONFINED: &[(&str, &[&str], &str)] = &[
    (
        "rusqlite",
        &[
            "sample",
            "service::store",
            "sqlite::catalog",
            "sqlite::engine",
            "sqlite::functions",
            "sqlite::memory",
        ],
        "only these open databases, the store a file of its own",
    ),
    (
        "tokio_postgres",
        &["postgres", "service::http", "service::store"],
        "only these speak to a server as its clients, the store about a schema of its own, the console to its own server",
    ),
    (
        "reqwest",
        &["question::model", "telemetry"],
        "only these speak HTTP",
    ),
    (
        "Parser::",
        &["eval", "question::validator", "statement::grammar"],
        "a text of a client or a file is read where its depth is bounded first",
    ),
    ("env::var", &["config"], "settings are read in one place"),
    ("env::var_os", &["config"], "settings are read in one place"),
    ("env::vars", &["config"], "settings are read in one place"),
];

fn judge(wrong: &[String]) {
    assert!(wrong.is_empty(), "{wrong:#?}");
}

struct Source {
    /// From the root of the repository.
    path: String,
    /// The module, by its words from the root of the crate.
    module: Vec<String>,
    text: String,
}

impl Source {
    /// What it names.
    fn named(&self) -> Vec<Named> {
        named(&self.text, &self.module)
    }
}

fn sources(top: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(top);
    let mut folders = vec![root.clone()];
    let mut found = vec![];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inside = path.strip_prefix(&root).unwrap();
                let inside = inside.with_extension("");
                let mut module: Vec<_> = inside
                    .iter()
                    .map(|word| word.to_str().unwrap().to_owned())
                    .collect();
                if ["lib", "mod"]
                    .iter()
                    .any(|word| module.ends_with(&[(*word).to_owned()]))
                {
                    module.pop();
                }
                let text = fs::read_to_string(&path).unwrap();
                let path = format!("{top}/{}.rs", inside.display());
                found.push(Source { path, module, text });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

#[test]
fn modules_import_downwards_only() {
    let allowed: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let mut wrong = BTreeSet::new();
    for source in sources("src") {
        let own = layer(&source.module);
        for name in source
            .named()
            .iter()
            .filter(|name| name.own && !name.path.is_empty())
        {
            let wanted = layer(&name.path);
            let fine = own
                .zip(wanted)
                .is_some_and(|(own, wanted)| own == wanted || allowed[own].contains(&wanted));
            if !fine {
                let (own, path) = (own.unwrap_or("what has no layer"), name.path.join("::"));
                wrong.insert(format!("{}: {own} may not import {path}", source.path));
            }
        }
    }
    judge(&Vec::from_iter(wrong));
}

/// The legs could be two programs, and a question's way knows neither.
#[test]
fn the_legs_and_the_question_are_apart() {
    let mut wrong = vec![];
    for (layer, below) in LAYERS {
        let others: &[&str] = match layer.split("::").next() {
            Some("sqlite") => &["postgres"],
            Some("postgres") => &["sqlite"],
            Some("question") => &["postgres", "service", "sqlite"],
            _ => &[],
        };
        let apart = |one: &&&str| others.iter().any(|other| one.split("::").next() == Some(other));
        wrong.extend(
            below
                .iter()
                .filter(apart)
                .map(|one| format!("{layer} imports {one}")),
        );
    }
    judge(&wrong);
}

#[test]
fn the_layers_have_no_circle() {
    let mut rest: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    loop {
        let bottom: Vec<_> = rest
            .iter()
            .filter(|(_, below)| below.iter().all(|module| !rest.contains_key(module)))
            .map(|(module, _)| *module)
            .collect();
        if bottom.is_empty() {
            break;
        }
        rest.retain(|module, _| !bottom.contains(module));
    }
    assert!(rest.is_empty(), "in a circle: {:?}", rest.keys());
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut wrong = vec![];
    for source in sources("src").into_iter().chain(sources("tests")) {
        let lines = source.text.lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{}: too long", source.path));
        }
        let intro = source
            .text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .count();
        // The crate's own introduction may be longer.
        let most = if source.path == "src/lib.rs" { 20 } else { 5 };
        if !(1..=most).contains(&intro) {
            wrong.push(format!("{}: opens with {intro} lines of //!", source.path));
        }
    }
    judge(&wrong);
}

#[test]
fn some_things_are_confined() {
    let mut wrong = BTreeSet::new();
    for source in sources("src") {
        // Tests beside the code may look behind the curtain.
        if source.path.ends_with("/tests.rs") {
            continue;
        }
        for name in source.named().iter().filter(|name| !name.in_tests) {
            let path = format!("::{}::", name.path.join("::"));
            for (words, allowed, why) in CONFINED {
                let leads = path.contains(&format!("::{}::", words.trim_end_matches("::")))
                    // What only names a type does nothing with it yet.
                    && !(words.ends_with("::") && path.ends_with(&format!("::{words}")));
                if leads && !allowed.iter().any(|module| within(&source.module, module)) {
                    wrong.insert(format!(
                        "{}: {words} stands only in {allowed:?}: {why}",
                        source.path
                    ));
                }
            }
            let vouches = name.built && name.path.last().is_some_and(|last| last == "ValidatedSql");
            if vouches && !within(&source.module, "question::validator") {
                wrong.insert(format!("{}: only the validator vouches for SQL", source.path));
            }
        }
    }
    judge(&Vec::from_iter(wrong));
}

#[test]
fn the_rules_see_what_they_should() {
    let text = r#"
        use crate::{ask::{ask, Answer as Reply}, backend::*};
        // crate::cli
        const A: &str = "crate::wire";
        fn f<'a>(a: &'a crate::error::E) -> super::x::Y { println!("crate::a::b {}", crate::m::n()); rusqlite::open() }
        mod tests { use super::Z; fn f() { crate::V { w: self::W } } }
    "#;
    let module = ["one".to_owned(), "two".to_owned()];
    let seen: Vec<_> = named(text, &module)
        .iter()
        .map(|name| {
            let marks = [(name.own, '.'), (name.in_tests, 't'), (name.built, 'b')];
            let marks: String = marks
                .iter()
                .filter(|(is, _)| *is)
                .map(|(_, mark)| *mark)
                .collect();
            format!("{} {marks}", name.path.join("::"))
        })
        .collect();
    let expected = [
        "ask::ask .",
        "ask::Answer .",
        "backend .",
        "error::E .",
        "one::x::Y .",
        "m::n .",
        "rusqlite::open ",
        "one::two::Z .t",
        "V .tb",
        "V .t",
        "one::two::tests::W .t",
    ];
    assert_eq!(seen, expected);
}
