//! What `AuthenticationSASL` messages hold (protocol chapter "SASL Authentication").

use super::LoginError;

pub(super) const REQUEST_SASL: u32 = 10;
pub(super) const REQUEST_SASL_CONTINUE: u32 = 11;
pub(super) const REQUEST_SASL_FINAL: u32 = 12;

/// The names of a list of mechanisms.
pub(super) fn mechanisms(list: &[u8]) -> Vec<&[u8]> {
    list.split(|byte| *byte == 0)
        .take_while(|name| !name.is_empty())
        .collect()
}

/// The server's request makes no sense.
pub(super) fn malformed() -> LoginError {
    LoginError::protocol("the server sent a malformed authentication request")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_with_an_empty_name() {
        let names: [&[u8]; 2] = [b"SCRAM-SHA-256-PLUS", b"SCRAM-SHA-256"];
        assert_eq!(mechanisms(b"SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"), names);
        assert!(mechanisms(b"\0").is_empty());
        assert!(mechanisms(b"").is_empty());
    }
}
