//! Rules of the source tree that the compiler does not know: layers, sizes, who may do what.

use std::{collections::BTreeMap, fs, path::Path};

mod source;

use source::{code, imports};

/// Which modules each top-level module may import: downwards only.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("net", &[]),
    ("config", &["error", "statement"]),
    ("telemetry", &["config", "error"]),
    ("statement", &["error"]),
    ("schema", &["error"]),
    ("grammar", &[]),
    ("semantic", &["lexicon", "schema"]),
    ("analytic", &["schema", "semantic"]),
    (
        "ossie",
        &["analytic", "grammar", "schema", "semantic", "validator"],
    ),
    (
        "validator",
        &[
            "analytic",
            "embedded",
            "error",
            "grammar",
            "schema",
            "semantic",
            "statement",
        ],
    ),
    ("translate", &["grammar", "pgtypes"]),
    ("pgtypes", &["error"]),
    (
        "catalog",
        &["error", "pgtypes", "schema", "statement", "translate"],
    ),
    (
        "backend",
        &[
            "catalog",
            "error",
            "grammar",
            "net",
            "pgtypes",
            "schema",
            "telemetry",
            "translate",
            "validator",
        ],
    ),
    ("wire", &["error", "pgtypes"]),
    ("cancellation", &[]),
    ("opening", &["net", "wire"]),
    ("scram", &["error"]),
    ("store", &["backend", "config"]),
    ("audit", &["config", "error", "store", "telemetry"]),
    ("lexicon", &[]),
    ("embedded", &["analytic", "lexicon", "schema", "semantic"]),
    ("model", &["config", "error", "telemetry"]),
    (
        "prompt",
        &[
            "analytic",
            "embedded",
            "error",
            "ossie",
            "schema",
            "semantic",
            "validator",
        ],
    ),
    (
        "ask",
        &[
            "backend",
            "embedded",
            "error",
            "model",
            "ossie",
            "prompt",
            "schema",
            "semantic",
            "statement",
            "telemetry",
            "validator",
        ],
    ),
    ("access", &["config", "error", "schema", "validator"]),
    (
        "conversation",
        &[
            "access",
            "ask",
            "audit",
            "backend",
            "config",
            "error",
            "model",
            "ossie",
            "prompt",
            "schema",
            "statement",
            "store",
            "telemetry",
            "validator",
        ],
    ),
    (
        "session",
        &[
            "access",
            "ask",
            "audit",
            "backend",
            "cancellation",
            "config",
            "conversation",
            "error",
            "model",
            "net",
            "opening",
            "pgtypes",
            "prompt",
            "schema",
            "scram",
            "statement",
            "telemetry",
            "validator",
            "wire",
        ],
    ),
    (
        "relay",
        &[
            "access",
            "ask",
            "audit",
            "backend",
            "cancellation",
            "config",
            "conversation",
            "error",
            "model",
            "net",
            "opening",
            "prompt",
            "schema",
            "scram",
            "statement",
            "telemetry",
            "validator",
            "wire",
        ],
    ),
    (
        "server",
        &[
            "analytic",
            "ask",
            "audit",
            "backend",
            "cancellation",
            "config",
            "conversation",
            "error",
            "model",
            "net",
            "opening",
            "ossie",
            "prompt",
            "relay",
            "schema",
            "session",
            "statement",
            "store",
            "telemetry",
            "wire",
        ],
    ),
    (
        "console",
        &[
            "audit",
            "config",
            "conversation",
            "eval",
            "ossie",
            "server",
            "store",
            "telemetry",
        ],
    ),
    ("sample", &["error"]),
    (
        "eval",
        &[
            "ask",
            "backend",
            "config",
            "embedded",
            "error",
            "model",
            "ossie",
            "prompt",
            "schema",
            "statement",
            "validator",
        ],
    ),
    (
        "cli",
        &[
            "access",
            "analytic",
            "ask",
            "audit",
            "backend",
            "config",
            "console",
            "conversation",
            "error",
            "eval",
            "model",
            "ossie",
            "prompt",
            "sample",
            "schema",
            "semantic",
            "server",
            "session",
            "statement",
            "store",
            "telemetry",
            "validator",
        ],
    ),
    ("main", &["cli"]),
];

/// Lines that a source file may have.
const MAX_LINES: usize = 500;

/// What may stand only in some places: the text, the modules that may have it, and why.
const CONFINED: &[(&str, &[&str], &str)] = &[
    (
        "rusqlite",
        &["backend", "catalog", "sample", "store"],
        "only these open databases, the store a file of its own",
    ),
    (
        "tokio_postgres",
        &["backend", "console", "relay", "store"],
        "only these speak to a server as its clients, the store about a schema of its own, the console to its own server",
    ),
    ("ValidatedSql {", &["validator"], "only it vouches for SQL"),
    ("reqwest", &["model", "telemetry"], "only these speak HTTP"),
    (
        "Parser::",
        &["eval", "grammar", "validator"],
        "a text of a client or a file is read where its depth is bounded first",
    ),
    ("env::var", &["config"], "settings are read in one place"),
];

fn judge(wrong: &[String]) {
    assert!(wrong.is_empty(), "{wrong:#?}");
}

struct Source {
    /// From the root of the repository.
    path: String,
    /// The top-level module.
    module: String,
    text: String,
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
                let module = inside.components().next().unwrap().as_os_str().to_str().unwrap();
                let module = module.trim_end_matches(".rs").to_owned();
                let text = fs::read_to_string(&path).unwrap();
                let path = format!("{top}/{}", inside.display());
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
    let mut wrong = vec![];
    for source in sources("src").iter().filter(|source| source.module != "lib") {
        let Some(allowed) = allowed.get(source.module.as_str()) else {
            wrong.push(format!(
                "{}: the module {} has no layer",
                source.path, source.module
            ));
            continue;
        };
        for import in imports(&code(&source.text)) {
            if import != source.module && !allowed.contains(&import.as_str()) {
                wrong.push(format!(
                    "{}: {} may not import {import}",
                    source.path, source.module
                ));
            }
        }
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
        let most = if source.module == "lib" { 20 } else { 5 };
        if !(1..=most).contains(&intro) {
            wrong.push(format!("{}: opens with {intro} lines of //!", source.path));
        }
    }
    judge(&wrong);
}

#[test]
fn some_things_are_confined() {
    let mut wrong = vec![];
    for source in sources("src") {
        // Tests beside the code may look behind the curtain.
        let tests = source.path.ends_with("/tests.rs");
        let code = code(&source.text);
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (text, allowed, why) in CONFINED.iter().filter(|_| !tests) {
            // `-> ValidatedSql {` and `impl ValidatedSql {` construct nothing.
            let used = code.match_indices(text).any(|(at, _)| {
                let before = code[..at].trim_end();
                !["->", "impl", "for", "struct"]
                    .iter()
                    .any(|word| before.ends_with(word))
            });
            if used && !allowed.contains(&source.module.as_str()) {
                wrong.push(format!(
                    "{}: {text} stands only in {allowed:?}: {why}",
                    source.path
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rules_see_what_they_should() {
    let text = "use crate::{ask::{ask, Answer}, backend};\n// crate::cli\nlet a = \"crate::wire\"; crate::error::E; 'a'; 'static";
    assert_eq!(
        imports(&code(text)).into_iter().collect::<Vec<_>>(),
        ["ask", "backend", "error"]
    );
    assert_eq!(
        code("r#\"crate::x\"# 'x' '\\'' b \"\\\"\" y")
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["b", "y"]
    );
}
