//! The startup packet: which version of the protocol is spoken, and the settings in it.

use crate::wire::SessionStart;

use super::{client::Client, error::SessionError};

/// The newest minor version of protocol 3 that is spoken here.
const NEWEST_MINOR: u16 = 2;

/// What the client and this server agree on.
pub(super) struct Startup {
    /// The minor version of protocol 3.
    pub(super) minor: u16,
    /// `user`, `database` and settings, in the client's order.
    pub(super) parameters: Vec<(String, String)>,
}

impl Startup {
    /// Reads the packet; what the client has to be told of the version is put out.
    pub(super) fn negotiate(start: &SessionStart, client: &mut Client) -> Result<Self, SessionError> {
        let parameters = start.parameters()?;
        let (_, asked) = start.version();
        // There is no 3.1.
        let minor = if asked == 1 { 0 } else { asked.min(NEWEST_MINOR) };
        // Options of the protocol itself; none is known here (protocol chapter "Start-up").
        let unknown: Vec<&str> = parameters
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| name.starts_with("_pq_."))
            .collect();
        if minor != asked || !unknown.is_empty() {
            client.out.negotiate_protocol_version(minor, &unknown);
        }
        Ok(Self { minor, parameters })
    }

    /// As much of a secret as a cancel request can carry: four bytes up to protocol 3.1, more from 3.2 on.
    pub(super) fn secret<'a>(&self, secret: &'a [u8]) -> &'a [u8] {
        if self.minor >= 2 { secret } else { &secret[..4] }
    }
}

/// `-c name=value` and `--name=value`, a backslash before each space that belongs to a value.
pub(super) fn command_line_options(text: &str) -> Vec<(String, String)> {
    let mut words = vec![String::new()];
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => words.last_mut().expect("never empty").extend(characters.next()),
            c if c.is_whitespace() => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    let mut options = vec![];
    let mut words = words.into_iter().filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let setting = match word.strip_prefix("--") {
            Some(setting) => Some(setting.replace('-', "_")),
            None if word == "-c" => words.next(),
            None => word.strip_prefix("-c").map(str::to_owned),
        };
        if let Some((name, value)) = setting.as_deref().and_then(|setting| setting.split_once('=')) {
            options.push((name.to_owned(), value.to_owned()));
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::command_line_options;

    #[test]
    fn options_are_read_as_postgres_does() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = command_line_options(text);
            let found: Vec<_> = found.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("-c statement_timeout=5s", &[("statement_timeout", "5s")]);
        check(
            "-cgeqo=off --client-min-messages=error",
            &[("geqo", "off"), ("client_min_messages", "error")],
        );
        check("-c search_path=a,\\ b", &[("search_path", "a, b")]);
        check("", &[]);
    }
}
