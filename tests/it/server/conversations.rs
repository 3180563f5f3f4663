//! Every conversation in `tests/wire`, sent as it is, and again byte for byte.

use std::{fs, path::Path};

use super::{
    harness::TestServer,
    raw::{Client, client_message},
};

#[test]
fn conversations_go_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pt"))
        .collect();
    files.sort();
    assert!(files.len() > 5, "the conversations have been found");
    for file in files {
        for slowly in [false, true] {
            let server = TestServer::start();
            let mut client = server.client();
            client.slowly = slowly;
            check(&file, &mut client);
        }
    }
}

/// A line `> …` sends, a line `< …` expects, anything else is a remark.
fn check(file: &Path, client: &mut Client) {
    let text = fs::read_to_string(file).unwrap();
    for (number, line) in text.lines().enumerate() {
        if let Some(message) = line.strip_prefix("> ") {
            client.send(&client_message(message));
        } else if let Some(expected) = line.strip_prefix("< ") {
            let found = client.next();
            let at = format!("{}:{}", file.display(), number + 1);
            match expected.strip_suffix('…') {
                Some(start) => assert!(found.starts_with(start), "{at}: {found}"),
                None => assert_eq!(found, expected, "{at}"),
            }
        }
    }
}
