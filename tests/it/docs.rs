//! The examples in the documentation: every configuration is read, every command is known.

use std::{fs, path::Path};

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
