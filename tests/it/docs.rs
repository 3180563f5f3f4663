//! The examples in the documentation: every configuration is read, every command is known.

use std::{fs, path::Path, time::Duration};

use querent::{
    error::ClientError,
    question::ask::{AskSettings, ask},
    sample,
    sqlite::engine::{Connection, Database, Options},
};

use crate::program::Place;

/// The blocks of a Markdown file in this language, each with its line.
fn blocks(file: &str, language: &str) -> Vec<(usize, String)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let mut found: Vec<(usize, String)> = vec![];
    let mut inside = None;
    for (line, number) in text.lines().zip(1..) {
        match inside {
            None if line == format!("```{language}") => {
                inside = Some(true);
                found.push((number, String::new()));
            }
            None if line.starts_with("```") => inside = Some(false),
            Some(_) if line == "```" => inside = None,
            Some(true) => {
                let (_, block) = found.last_mut().unwrap();
                block.push_str(line);
                block.push('\n');
            }
            _ => {}
        }
    }
    found
}

#[test]
fn configurations_are_read() {
    let place = Place::new();
    let check = |what: &str, configuration: &str| {
        place.write("example.toml", configuration);
        let mut command = place.command(&["config", "--config", "example.toml"]);
        for variable in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
            command.env(variable, "k");
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{what}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    for (file, at_least) in [("docs/models.md", 10), ("README.md", 2), ("docs/audit.md", 1)] {
        let blocks = blocks(file, "toml");
        assert!(blocks.len() >= at_least, "{file}: {}", blocks.len());
        for (line, block) in blocks {
            check(&format!("{file}:{line}"), &block);
        }
    }
    let docker = Path::new(env!("CARGO_MANIFEST_DIR")).join("docker/querent.toml");
    let docker = fs::read_to_string(docker).unwrap();
    check("docker/querent.toml", &docker);
    // What stands there as a comment is meant to be taken in.
    let uncommented: Vec<&str> = docker
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with('[') || rest.contains(" = ") => rest,
            _ => line,
        })
        .collect();
    check("docker/querent.toml with its comments", &uncommented.join("\n"));
}

#[test]
fn commands_are_known() {
    let place = Place::new();
    let mut commands = 0;
    for (line, block) in blocks("docs/models.md", "sh")
        .into_iter()
        .chain(blocks("README.md", "sh"))
        .chain(blocks("docs/lint.md", "sh"))
        .chain(blocks("docs/audit.md", "sh"))
    {
        for command in block.lines().filter_map(|line| line.strip_prefix("querent ")) {
            commands += 1;
            let words: Vec<&str> = command.split_whitespace().collect();
            let help = place.run(&[words[0], "--help"]);
            assert_eq!(help.code, 0, "{line}: {command}");
            for flag in words.iter().filter(|word| word.starts_with("--")) {
                assert!(help.out.contains(flag), "{line}: no {flag} in {}", help.out);
            }
            let models = words
                .windows(2)
                .filter(|pair| pair[0] == "--model")
                .map(|pair| pair[1]);
            let tiers: Vec<&str> = models.collect();
            let mut config = place.command(&["config"]);
            config.env("QUERENT_TIERS", format!("embedded,{}", tiers.join(",")));
            let output = config.output().unwrap();
            assert!(
                output.status.success(),
                "{line}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    assert!(commands >= 10, "{commands}");
}

/// The sample shop of today, as `shop.db`.
fn shop() -> Place {
    shop_of(querent::question::today())
}

fn shop_of(day: jiff::civil::Date) -> Place {
    let place = Place::new();
    sample::create(&place.path("shop.db"), day).unwrap();
    place
}

async fn open(place: &Place) -> Connection {
    let database = Database::open(&place.path("shop.db"), Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    database.connect().unwrap()
}

/// The lines that run the program: those of a shell in fences, and those that are indented.
fn examples(text: &str) -> impl Iterator<Item = String> {
    let lines = text
        .lines()
        .filter_map(|line| line.trim_start().find("querent ").map(|at| (at, line)));
    lines
        .filter(|(at, line)| *at == 0 || line.trim_start().starts_with("echo "))
        .map(|(_, line)| line.trim().split("   ").next().unwrap_or_default().to_owned())
}

/// Every example of a help text or of the documentation that needs neither a server nor a model does what it says.
#[test]
fn examples_of_commands_work() {
    let place = shop();
    let mut texts: Vec<(String, String)> = [
        "ask",
        "lint",
        "check",
        "audit",
        "config",
        "completions",
        "man",
        "demo",
        "serve",
    ]
    .iter()
    .map(|command| (format!("{command} --help"), place.run(&[command, "--help"]).out))
    .collect();
    texts.push(("--help".into(), place.run(&["--help"]).out));
    for file in ["README.md", "docs/asking.md", "docs/lint.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        texts.push((file.into(), fs::read_to_string(path).unwrap()));
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_querent")).parent().unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let mut ran = 0;
    for (text, example) in texts
        .iter()
        .flat_map(|(name, text)| examples(text).map(move |example| (name, example)))
    {
        let elsewhere = [
            "postgres://",
            "host=",
            "--model",
            "querent serve",
            "querent demo",
            "querent audit",
            "/etc/",
            "~/",
            "/usr/",
            "$(cat",
            "querent eval",
            "FOLDER",
        ];
        if !example.contains("shop.db") && !example.contains("querent config")
            || elsewhere.iter().any(|word| example.contains(word))
        {
            continue;
        }
        // What other programs do with it is their affair.
        let own = match example.split_once(" | ") {
            Some((own, _)) if own.starts_with("querent") => own,
            _ => &example,
        };
        let shell = place.command(&[]);
        let shell = std::process::Command::new("sh")
            .args(["-c", own])
            .current_dir(place.path(""))
            .envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .env("PATH", &path)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&shell.stderr);
        let finds = own.contains(" lint ");
        assert!(
            shell.status.success() || (finds && shell.status.code() == Some(1) && !told.contains("error")),
            "{text}: {own}: {told}"
        );
        ran += 1;
    }
    assert!(ran >= 12, "{ran}");
}

/// What docs/asking.md says can be asked is answered, and what it says cannot is refused with a hint.
#[tokio::test]
async fn questions_of_the_documentation_are_answered() {
    let place = shop();
    let connection = open(&place).await;
    let settings = AskSettings::default();
    let mut asked = 0;
    for (line, block) in blocks("docs/asking.md", "questions") {
        for question in block.lines() {
            let answer = ask(&connection, question, &settings).await;
            assert!(answer.is_ok(), "docs/asking.md:{line}: {question}: {answer:?}");
            asked += 1;
        }
    }
    for (line, block) in blocks("docs/asking.md", "refused") {
        for question in block.lines() {
            let told = ask(&connection, question, &settings).await.unwrap_err();
            let hint = told.hint().unwrap_or_default();
            assert!(
                hint.contains("Ask, for example: "),
                "docs/asking.md:{line}: {question}: {hint}"
            );
            let (_, wording) = hint.split_once("Ask, for example: ").unwrap();
            let answer = ask(&connection, wording, &settings).await;
            assert!(answer.is_ok(), "{question}: {wording}: {answer:?}");
            asked += 1;
        }
    }
    assert!(asked >= 30, "{asked}");
}

/// The notices that README shows are those of a run on the day that it names, but for the time that they take.
#[tokio::test]
async fn the_sample_of_the_readme_is_what_a_run_says() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let (_, day) = readme.split_once("querent demo --today ").unwrap();
    let place = shop_of(day.split('`').next().unwrap().parse().unwrap());
    let connection = open(&place).await;
    let mut seen = 0;
    let (_, block) = blocks("README.md", "text").remove(0);
    let lines: Vec<&str> = block.lines().collect();
    for pair in lines.windows(2) {
        let question = pair[0]
            .split_once("/* nl: ")
            .and_then(|(_, rest)| rest.split_once(" */"));
        let question = question.or_else(|| {
            pair[0]
                .split_once("nl('")
                .and_then(|(_, rest)| rest.split_once("')"))
        });
        let Some((question, _)) = question else { continue };
        match ask(&connection, question, &AskSettings::default()).await {
            Ok(answer) => {
                let told = format!(
                    "NOTICE:  nl: {} (confidence {:.2}, {},",
                    answer.sql.as_str(),
                    answer.confidence,
                    answer.tier
                );
                assert!(
                    pair[1].starts_with(&told),
                    "{question}: {told} is not {}",
                    pair[1]
                );
            }
            Err(error) => {
                assert!(
                    block.contains(&format!("DETAIL:  {}\n", error.detail().unwrap())),
                    "{error:?}"
                );
                assert!(
                    block.contains(&format!("HINT:  {}\n", error.hint().unwrap())),
                    "{error:?}"
                );
            }
        }
        seen += 1;
    }
    assert!(seen >= 3, "{seen}");
}
