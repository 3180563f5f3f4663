//! What docker/ and docs/operations.md promise: the files and commands in them are tried here as far as that goes
//! without Docker and systemd.
#![allow(
    clippy::print_stderr,
    reason = "what was skipped is for whoever runs the tests"
)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use querent::config::{Environment, Settings};
use serde_json::Value;

use crate::{
    console::served::Served,
    postgres::server::{Options, PostgresServer, SUPERUSER},
    program::Place,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// docker/querent.toml as it stands, or what it would be with its commented settings.
fn shipped_settings(commented: bool) -> Settings {
    let mut text = read("docker/querent.toml");
    if commented {
        let setting = |line: &str| line.starts_with("# [") || line.contains(" = \"");
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|_| setting(line)).unwrap_or(line))
            .collect();
        text = lines.join("\n");
    }
    load(&text)
}

fn load(toml: &str) -> Settings {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("querent.toml");
    fs::write(&file, toml).unwrap();
    Settings::load(Some(&file), &Environment::default(), &[])
        .unwrap_or_else(|error| panic!("{error}: {toml}"))
}

fn compose() -> Value {
    serde_saphyr::from_str(&read("docker/compose.yaml")).unwrap()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().unwrap_or_else(|| panic!("no list: {value}"));
    items
        .iter()
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

/// The instructions of docker/Dockerfile, continued lines joined.
fn dockerfile() -> Vec<(String, String)> {
    let text = read("docker/Dockerfile").replace("\\\n", " ");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(word, rest)| (word.to_owned(), rest.trim().to_owned()))
        .collect()
}

/// The command of the image's health check, asking this port.
fn health_check(port: u16) -> Command {
    let instructions = dockerfile();
    let (_, text) = instructions
        .iter()
        .find(|(word, _)| word == "HEALTHCHECK")
        .unwrap();
    let command: Vec<String> = serde_json::from_str(text.split_once("CMD ").unwrap().1).unwrap();
    let asks = "/dev/tcp/127.0.0.1/7433";
    assert!(command.iter().any(|word| word.contains(asks)), "{command:?}");
    let command: Vec<String> = command
        .iter()
        .map(|word| word.replace(asks, &format!("/dev/tcp/127.0.0.1/{port}")))
        .collect();
    let mut check = Command::new(&command[0]);
    check.args(&command[1..]);
    check
}

fn is_healthy(served: &Served) -> bool {
    health_check(served.console).status().unwrap().success()
}

#[test]
fn the_image_has_what_it_builds_from() {
    let sent: BTreeSet<String> = read("docker/Dockerfile.dockerignore")
        .lines()
        .filter_map(|line| line.strip_prefix('!').map(str::to_owned))
        .collect();
    let mut copied = BTreeSet::new();
    for (word, rest) in dockerfile() {
        if word == "COPY" && !rest.starts_with("--from") {
            let mut words: Vec<&str> = rest.split_whitespace().collect();
            words.pop();
            copied.extend(words.into_iter().map(str::to_owned));
        }
    }
    assert_eq!(sent, copied);
    for path in &copied {
        assert!(root().join(path).exists(), "{path}");
    }
    // What the sources include lies in what is copied.
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // The image is built without the tests.
            if path.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            for (_, rest) in text
                .match_indices("include_str!(\"")
                .chain(text.match_indices("include_bytes!(\""))
                .map(|(at, _)| text[at..].split_once('"').unwrap())
            {
                let file = path.parent().unwrap().join(rest.split_once('"').unwrap().0);
                let file = file.canonicalize().unwrap();
                let inside = file.strip_prefix(root()).unwrap();
                let top = inside.components().next().unwrap().as_os_str().to_str().unwrap();
                assert!(copied.contains(top), "{}", file.display());
            }
        }
    }
}

#[test]
fn the_environment_of_the_image_is_known() {
    let place = Place::new();
    let mut command = place.command(&["config"]);
    for (word, rest) in dockerfile() {
        if word == "ENV" {
            command.envs(rest.split_once('='));
        }
    }
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && told.contains("from environment QUERENT_LISTEN"),
        "{told}"
    );
}

#[test]
fn the_health_check_of_the_image_works() {
    let served = Served::start("");
    assert!(is_healthy(&served));
    fs::remove_file(served.place.path("pets.db")).unwrap();
    std::thread::sleep(Duration::from_millis(1_100));
    assert!(!is_healthy(&served));
    // Nobody is there.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    assert!(!health_check(nobody.port()).status().unwrap().success());
}

#[test]
fn the_shipped_settings_are_known() {
    let settings = shipped_settings(false);
    assert!(shipped_settings(true).tls.certificate.is_some());
    let drain = settings.limits.drain_timeout;
    // Whoever kills waits longer than the server drains.
    let grace = compose()["services"]["querent"]["stop_grace_period"].clone();
    for patience in [grace.as_str().unwrap().to_owned(), unit_value("TimeoutStopSec")] {
        let seconds: u64 = patience.strip_suffix('s').unwrap().parse().unwrap();
        assert!(Duration::from_secs(seconds) > drain, "{patience}");
    }
}

/// The value of a key of docker/querent.service.
fn unit_value(key: &str) -> String {
    let text = read("docker/querent.service");
    let found = text
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("no {key}")).to_owned()
}

#[test]
fn the_service_starts() {
    let (backend, settings) = ("${BACKEND}", "/etc/querent/querent.toml");
    let command = unit_value("ExecStart");
    let shipped = root().join("docker/querent.toml");
    let arguments: Vec<String> = command
        .split(' ')
        .map(|word| match word {
            word if word == backend => "sqlite:pets.db".to_owned(),
            word if word == settings => shipped.display().to_string(),
            word => word.to_owned(),
        })
        .collect();
    assert_eq!(arguments[..2], ["/usr/local/bin/querent", "serve"]);
    assert!(
        command.contains(backend) && command.contains(settings),
        "{command}"
    );
    let mut rest: Vec<&str> = arguments[2..].iter().map(String::as_str).collect();
    rest.extend(["--console", "127.0.0.1:0"]);
    let served = Served::start_in(Place::new(), "", &rest);
    assert_eq!(served.get("/healthz").code, 200);
    assert_eq!(unit_value("ExecReload"), "/bin/kill -HUP $MAINPID");
}

#[test]
fn what_is_installed_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let installed = Command::new(root().join("scripts/install"))
        .arg(env!("CARGO_BIN_EXE_querent"))
        .env("PREFIX", "/usr")
        .env("DESTDIR", folder.path())
        .output()
        .unwrap();
    assert!(
        installed.status.success(),
        "{}",
        String::from_utf8_lossy(&installed.stderr)
    );
    let there = |path: &str| fs::read_to_string(folder.path().join("usr").join(path)).unwrap_or_default();
    // Each command has a page, and each shell knows of each command.
    let help = Command::new(folder.path().join("usr/bin/querent"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let commands: Vec<&str> = commands
        .map_while(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 8, "{help}");
    for command in commands {
        let page = there(&format!("share/man/man1/querent-{command}.1"));
        assert!(page.contains(".TH"), "{command}: {page}");
        for shell in [
            "share/bash-completion/completions/querent",
            "share/zsh/site-functions/_querent",
            "share/fish/vendor_completions.d/querent.fish",
        ] {
            assert!(there(shell).contains(command), "{command} in {shell}");
        }
    }
    assert!(there("lib/systemd/system/querent.service").contains("\nExecStart=/usr/bin/querent serve "));
    for notice in ["LICENSE-WORDNET", "LICENSE-SCOWL"] {
        let text = there(&format!("share/doc/querent/{notice}"));
        assert!(text.contains("Permission"), "{notice}");
        assert!(
            read("docker/Dockerfile").contains(&format!("/build/lexicon/{notice} ")),
            "{notice}"
        );
    }
}

#[test]
fn systemd_understands_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("querent.service");
    // The program is not installed here.
    let unit = read("docker/querent.service").replace("/usr/local/bin/querent ", "/bin/true ");
    fs::write(&file, unit).unwrap();
    let Ok(output) = Command::new("systemd-analyze").arg("verify").arg(&file).output() else {
        eprintln!("SKIPPED: there is no systemd-analyze (Debian: systemd)");
        return;
    };
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && !told.contains("querent.service"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_composition_works() {
    let services = compose()["services"].clone();
    // Every file that is mounted is there; where the settings come from is looked up below.
    let mut mounted = vec![];
    for service in services.as_object().unwrap().values() {
        for volume in texts(&service["volumes"]) {
            let (from, to) = volume.split_once(':').unwrap();
            if let Some(file) = from.strip_prefix("./") {
                let file: PathBuf = root().join("docker").join(file);
                assert!(file.exists(), "{volume}");
                mounted.push((to.trim_end_matches(":ro").to_owned(), file));
            } else {
                assert!(compose()["volumes"].get(from).is_some(), "{volume}");
            }
        }
    }
    let build = &services["querent"]["build"];
    let context = root().join("docker").join(build["context"].as_str().unwrap());
    assert!(context.join(build["dockerfile"].as_str().unwrap()).exists());

    let options = Options {
        hba: "host all all 127.0.0.1/32 scram-sha-256",
        ..Options::default()
    };
    let Some(mut postgres) = PostgresServer::with(&options) else {
        return;
    };
    let file = root().join("docker/shop.sql");
    let loaded = Command::new("psql")
        .arg("-h")
        .arg(postgres.socket_folder())
        .args([
            "-p",
            &postgres.port.to_string(),
            "-U",
            SUPERUSER,
            "-v",
            "ON_ERROR_STOP=1",
            "-Xqf",
        ])
        .arg(file)
        .output();
    let Ok(loaded) = loaded else {
        eprintln!("SKIPPED: there is no psql (Debian: postgresql-client)");
        return;
    };
    assert!(
        loaded.status.success(),
        "{}",
        String::from_utf8_lossy(&loaded.stderr)
    );

    let arguments: Vec<String> = texts(&services["querent"]["command"])
        .into_iter()
        .skip(1)
        .map(|word| {
            let file = mounted.iter().find(|(to, _)| *to == word);
            let word = file.map_or(word, |(_, from)| from.display().to_string());
            word.replace("//postgres:5432/", &format!("//127.0.0.1:{}/", postgres.port))
        })
        .collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(["--console", "127.0.0.1:0"]);
    let served = Served::start_in(Place::new(), "", &arguments);
    assert!(is_healthy(&served));
    let config = |password: &str| {
        let port = served.port;
        format!("host=127.0.0.1 port={port} user=shop dbname=shop password={password}")
    };
    assert!(
        tokio_postgres::connect(&config("wrong"), tokio_postgres::NoTls)
            .await
            .is_err()
    );
    let (client, connection) = tokio_postgres::connect(&config("shop"), tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    let counted = "SELECT (SELECT count(*) FROM customers), (SELECT count(*) FROM order_items)";
    let row = client.query_one(counted, &[]).await.unwrap();
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (100, 600));
    // The question of the documentation.
    let question = "how many customers are there in each country?";
    assert!(read("docs/operations.md").contains(question));
    let rows = client.query(&format!("-- nl: {question}"), &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.get::<_, i64>(1)).sum::<i64>(), 100);
    postgres.stop();
    std::thread::sleep(Duration::from_millis(1_100));
    assert!(!is_healthy(&served));
}

#[test]
fn the_documentation_names_settings_that_exist() {
    let text = read("docs/operations.md");
    let settings = Settings::default();
    let known: BTreeSet<&str> = settings.entries().map(|entry| entry.name).collect();
    let sections: BTreeSet<&str> = known
        .iter()
        .filter_map(|key| Some(key.split_once('.')?.0))
        .collect();
    let mut seen = 0;
    for word in text.split('`').skip(1).step_by(2) {
        let name = word.split(' ').next().unwrap_or_default();
        let Some((section, key)) = name.split_once('.') else {
            continue;
        };
        if sections.contains(section) && key != "*" {
            assert!(known.contains(name), "{word}");
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
    for block in text.split("```toml\n").skip(1) {
        load(block.split("```").next().unwrap());
    }
}
