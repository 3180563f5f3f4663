//! Every conversation in `tests/relay`, through Querent and with the server itself: the same bytes come back.

use std::{collections::BTreeSet, fs, path::Path};

use super::harness::Relay;
use crate::server::raw::{Client, client_message, show};

#[test]
fn ordinary_sql_gets_the_servers_own_bytes() {
    check("sql.pt");
}

#[test]
fn questions_get_what_their_sql_gets() {
    check("questions.pt");
}

/// What is sent before the answers are read.
#[derive(Default)]
struct Turn {
    through: Vec<u8>,
    direct: Vec<u8>,
    /// How often the server is ready again.
    ready: usize,
    /// Errors are told in Querent's own words.
    own_errors: BTreeSet<String>,
    line: usize,
}

fn check(file: &str) {
    let Some(relay) = Relay::start() else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/relay")
        .join(file);
    let text = fs::read_to_string(&path).unwrap();
    for slowly in [false, true] {
        let (mut through, mut direct) = (relay.client(), relay.direct());
        through.slowly = slowly;
        for turn in turns(&text) {
            let at = format!("{}:{} slowly={slowly}", path.display(), turn.line);
            direct.send(&turn.direct);
            let expected = answers(&mut direct, turn.ready);
            through.send(&turn.through);
            let found = answers(&mut through, turn.ready);
            compare(&at, &turn, &expected, &found);
        }
    }
}

/// Errors that Querent tells in its own words are compared by their code, everything else by its bytes.
fn compare(at: &str, turn: &Turn, expected: &[(u8, Vec<u8>)], found: &[(u8, Vec<u8>)]) {
    let lines = |messages: &[(u8, Vec<u8>)]| -> Vec<String> {
        messages.iter().map(|(tag, body)| show(*tag, body)).collect()
    };
    let found: Vec<_> = found
        .iter()
        .filter(|(tag, body)| !(*tag == b'N' && show(*tag, body).contains(" nl: ")))
        .cloned()
        .collect();
    if turn.own_errors.is_empty() {
        assert_eq!(lines(&found), lines(expected), "{at}");
        assert!(found == expected, "{at}: the same in words, but not in bytes");
        return;
    }
    let code = |line: &str| line.split(' ').nth(2).unwrap_or_default().to_owned();
    let found: Vec<String> = lines(&found)
        .into_iter()
        .map(|line| {
            if line.starts_with("E ") && turn.own_errors.contains(&code(&line)) {
                "E".to_owned()
            } else {
                line
            }
        })
        .collect();
    let expected: Vec<String> = lines(expected)
        .into_iter()
        .map(|line| {
            if line.starts_with("E ") {
                "E".to_owned()
            } else {
                line
            }
        })
        .collect();
    assert_eq!(found, expected, "{at}");
}

fn answers(client: &mut Client, ready: usize) -> Vec<(u8, Vec<u8>)> {
    let mut messages = vec![];
    let mut left = ready;
    while left > 0 {
        let Some((tag, body)) = client.message() else {
            messages.push((b'!', b"closed".to_vec()));
            return messages;
        };
        left -= usize::from(tag == b'Z');
        messages.push((tag, body));
    }
    messages
}

/// `> …` goes to both, `q …` to Querent, `d …` to the server, `e CODE` announces an error of Querent's own,
/// `= n` tells how often the server will be ready; an empty line ends a turn.
fn turns(text: &str) -> Vec<Turn> {
    let mut turns = vec![];
    let mut turn = Turn::default();
    for (number, line) in text.lines().chain([""]).enumerate() {
        let message = line.get(2..).unwrap_or_default();
        match line.get(..2) {
            Some("> ") => {
                turn.through.extend(client_message(message));
                turn.direct.extend(client_message(message));
            }
            Some("q ") => turn.through.extend(client_message(message)),
            Some("d ") => turn.direct.extend(client_message(message)),
            Some("e ") => {
                turn.own_errors.insert(message.to_owned());
            }
            Some("= ") => turn.ready = message.parse().unwrap(),
            _ => {}
        }
        let ready = [
            "> Query",
            "> Sync",
            "> FunctionCall",
            "> Call",
            "d Query",
            "d Sync",
        ];
        turn.ready += usize::from(ready.iter().any(|start| line.starts_with(start)));
        if line.is_empty() && !turn.direct.is_empty() {
            turn.line = number;
            turns.push(std::mem::take(&mut turn));
        }
    }
    turns
}
