//! Bounds: of questions, of models, of clients.

use std::time::Duration;

use super::{ConfigError, declare::settings, reader::Reader};

/// The least that the longest value may be, in bytes.
pub(super) const SHORTEST_VALUE: u64 = 1000;

settings! {
    /// Bounds for questions and clients.
    #[derive(Debug, Clone)]
    pub struct Limits in "limits." {
        pub rows: Option<u64> = "100000", "rows that a question may return; 0 for no limit";
        pub bytes: Option<u64> as Bytes = "256MB", "bytes that a question may return; 0 for no limit";
        pub cost: Option<u64> =
            "10000000", "estimated cost of a question's SQL on PostgreSQL, in the planner's units; 0 for no limit";
        pub value_bytes: u64 as Bytes =
            "1MB", "the longest value that a question's SQL may read or make in a SQLite file";
        pub memory: u64 as Bytes = "128MB", "memory that SQLite may take for the SQL of a question; 0 for no limit";
        pub temporary_bytes: u64 as Bytes =
            "256MB", "what the SQL of a question may put into temporary files on a SQLite file; 0 for no limit";
        pub statement_timeout: Duration = "30s", "time for the SQL of a question to run; 0 for no limit";
        pub question_timeout: Duration = "2min", "time to find the SQL of a question";
        pub optimise_from: Duration =
            "100ms", "answers whose trial run takes this long are looked at for cheaper SQL and for an index; 0 for none";
        pub attempts: usize = "2", "corrections per question at most";
        pub model_calls: Option<u64> = "12", "calls of models for one question; 0 for no limit";
        pub tokens: Option<u64> = "0", "tokens that models read and write for one question; 0 for no limit";
        pub tokens_per_session: Option<u64> =
            "0", "tokens that models read and write for one session; 0 for no limit";
        pub spend_per_day: Option<f64> as Money =
            "0", "US dollars that models may cost in a day (UTC), by price_in and price_out; 0 for no limit";
        pub prompt_tokens: u64 =
            "12000", "tokens of one prompt; of a larger schema the part is shown that the question is about";
        pub connections: usize = "100", "clients at once";
        pub handshake_timeout: Duration = "30s", "time to say who one is, encryption included, and then to prove it";
        pub idle_timeout: Option<Duration> = "0", "how long a client may be silent outside a transaction; 0 for ever";
        pub drain_timeout: Duration = "10s", "how long statements may go on after SIGTERM";
    }
}

impl Limits {
    pub(super) fn check(&self, read: &Reader<'_>) -> Result<(), ConfigError> {
        if self.value_bytes < SHORTEST_VALUE {
            return Err(read.refuse("limits.value_bytes", "is too small", "allow at least 1kB"));
        }
        if self.connections == 0 {
            return Err(read.refuse("limits.connections", "is 0", "allow at least one client"));
        }
        for (name, time, hint) in [
            (
                "limits.handshake_timeout",
                self.handshake_timeout,
                "give clients some time to log in, such as 30s",
            ),
            (
                "limits.question_timeout",
                self.question_timeout,
                "give a question some time, such as 30s",
            ),
        ] {
            if time.is_zero() {
                return Err(read.refuse(name, "is 0", hint));
            }
        }
        if self.prompt_tokens == 0 {
            return Err(read.refuse(
                "limits.prompt_tokens",
                "is 0",
                "leave room for a question and its tables, such as 12000",
            ));
        }
        Ok(())
    }
}
