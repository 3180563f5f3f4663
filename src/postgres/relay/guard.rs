//! How each statement of a simple Query that runs a question is kept from writing. What stands around it depends on the
//! block that it runs in: PostgreSQL makes one implicit block of a string of statements, in which there are no
//! savepoints, and which can become read-only but not read-write again.

use crate::statement::{Context, Control, Question, SessionStatement, Statement};

/// What a statement does to the block around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockEffect {
    /// Nothing.
    Empty,
    /// It runs a question.
    Asks,
    /// It declares a cursor for a question that outlives the transaction: the rows are made when that ends.
    Holds,
    /// It is ours, and reads.
    Reads,
    /// The client's own, which may write.
    Client,
    /// `BEGIN`.
    Begin,
    /// `COMMIT`, `ROLLBACK`.
    End,
    /// Nobody knows what block follows.
    Unknown,
}

/// What stands around a statement that runs a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// Nothing more: the block is read-only already.
    Nothing,
    /// The rest of the block becomes read-only.
    ReadOnly,
    /// The block becomes read-only and ends behind it.
    Apart,
    /// A savepoint, whose release makes the transaction read-write again.
    Savepoint,
    /// Nothing keeps it from writing. What it reads must not do so, and is looked at before it and behind it, where an
    /// error undoes what it has done.
    Checked,
}

/// The block that the present statement runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// An implicit one, in which something of the client's may have run.
    Implicit { used: bool },
    /// An implicit one that is read-only to its end.
    ReadOnly,
    /// One that BEGIN began.
    Explicit,
    /// Either.
    Unknown,
}

/// The statements of one Query.
#[derive(Debug)]
pub(super) struct Guards {
    steps: Vec<BlockEffect>,
    block: Block,
}

impl Guards {
    /// `status` is `ReadyForQuery`'s; `None` where something is under way.
    pub(super) fn new(steps: Vec<BlockEffect>, status: Option<u8>) -> Self {
        let block = match status {
            Some(b'I') => Block::Implicit { used: false },
            Some(b'T') => Block::Explicit,
            _ => Block::Unknown,
        };
        Self { steps, block }
    }

    /// True for a statement that runs a question, now or at the end of the transaction.
    pub(super) fn asks(&self, at: usize) -> bool {
        matches!(self.steps[at], BlockEffect::Asks | BlockEffect::Holds)
    }

    /// True for a statement behind which questions may find other settings, roles or tables than before.
    pub(super) fn may_change(&self, at: usize) -> bool {
        !matches!(
            self.steps[at],
            BlockEffect::Empty | BlockEffect::Reads | BlockEffect::Begin
        )
    }

    /// True if something of the client's own runs in the same Query.
    pub(super) fn is_mixed(&self) -> bool {
        let ours =
            |step: &BlockEffect| matches!(step, BlockEffect::Asks | BlockEffect::Holds | BlockEffect::Reads);
        let steps = || self.steps.iter().filter(|step| **step != BlockEffect::Empty);
        steps().count() > 1 && !steps().all(ours)
    }

    /// True for a statement that has no transaction but its own, which more beside it would make one of several. A cursor that
    /// needs one is refused there.
    pub(super) fn is_alone(&self, at: usize) -> bool {
        matches!(self.block, Block::Implicit { .. }) && !self.is_mixed() && !self.asks(at)
    }

    /// What keeps the statement at this position from writing; `None` where nothing does.
    pub(super) fn wrapper(&mut self, at: usize) -> Option<Wrapper> {
        match self.block {
            Block::Unknown => None,
            Block::ReadOnly => Some(Wrapper::Nothing),
            Block::Explicit => (self.steps[at] != BlockEffect::Holds).then_some(Wrapper::Savepoint),
            Block::Implicit { used } => {
                let mut rest = self.steps[at + 1..]
                    .iter()
                    .take_while(|step| **step != BlockEffect::End);
                if rest.all(|step| {
                    matches!(
                        step,
                        BlockEffect::Empty | BlockEffect::Asks | BlockEffect::Holds | BlockEffect::Reads
                    )
                }) {
                    self.block = Block::ReadOnly;
                    Some(Wrapper::ReadOnly)
                } else {
                    (!used).then_some(Wrapper::Apart)
                }
            }
        }
    }

    /// Goes on behind the statement at this position.
    pub(super) fn pass(&mut self, at: usize) {
        self.block = match (self.steps[at], self.block) {
            (BlockEffect::Unknown, _) => Block::Unknown,
            (BlockEffect::Begin, _) => Block::Explicit,
            (BlockEffect::End, _) => Block::Implicit { used: false },
            (BlockEffect::Client, Block::Implicit { .. }) => Block::Implicit { used: true },
            (_, block) => block,
        };
    }
}

/// Words that begin what changes the block, or may.
const BLOCK_WORDS: [&str; 7] = ["begin", "start", "commit", "end", "rollback", "abort", "prepare"];

impl BlockEffect {
    /// What a statement of this text does. `recognised` is how it would be carried out.
    pub(super) fn of(
        statement: &Statement,
        text: &str,
        recognised: Option<&SessionStatement>,
        runs_question: bool,
    ) -> Self {
        match statement {
            Statement::Empty => return Self::Empty,
            Statement::Question(question) => return Self::of_question(question, recognised),
            Statement::Control(Control::Show { .. }) => return Self::Reads,
            _ if runs_question => return Self::Asks,
            _ => {}
        }
        match recognised {
            Some(SessionStatement::Begin(_)) => Self::Begin,
            Some(SessionStatement::Commit { chain: false } | SessionStatement::Rollback { chain: false }) => {
                Self::End
            }
            Some(SessionStatement::Commit { .. } | SessionStatement::Rollback { .. }) => Self::Unknown,
            Some(SessionStatement::Prepare { .. } | SessionStatement::RollbackTo(_)) => Self::Client,
            _ => {
                let first = text
                    .split(|character: char| !character.is_ascii_alphabetic())
                    .find(|word| !word.is_empty())
                    .unwrap_or_default();
                // A comment may stand before it.
                let plain = text.trim_start().starts_with(first) && !first.is_empty();
                if plain && !BLOCK_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word)) {
                    Self::Client
                } else if matches!(recognised, Some(SessionStatement::Ordinary(_)) | None) {
                    Self::Unknown
                } else {
                    Self::Client
                }
            }
        }
    }

    fn of_question(question: &Question, recognised: Option<&SessionStatement>) -> Self {
        match question.context {
            Context::Query | Context::Explain | Context::Copy => Self::Asks,
            Context::Cursor => match recognised {
                Some(SessionStatement::Declare(cursor)) if !cursor.hold => Self::Client,
                _ => Self::Holds,
            },
            Context::Prepare | Context::Write => Self::Client,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_decides() {
        let check = |status: u8, text: &str, expected: &str| {
            let steps: Vec<BlockEffect> = text
                .chars()
                .map(|letter| match letter {
                    'q' => BlockEffect::Asks,
                    'h' => BlockEffect::Holds,
                    'r' => BlockEffect::Reads,
                    'b' => BlockEffect::Begin,
                    'e' => BlockEffect::End,
                    '?' => BlockEffect::Unknown,
                    ' ' => BlockEffect::Empty,
                    _ => BlockEffect::Client,
                })
                .collect();
            let mut guards = Guards::new(steps.clone(), Some(status));
            let mut told = String::new();
            for (at, step) in steps.iter().enumerate() {
                if matches!(step, BlockEffect::Asks | BlockEffect::Holds) {
                    told.push(match guards.wrapper(at) {
                        None => '!',
                        Some(Wrapper::Nothing) => '.',
                        Some(Wrapper::ReadOnly) => 'o',
                        Some(Wrapper::Apart) => 'a',
                        Some(Wrapper::Savepoint) => 's',
                        Some(Wrapper::Checked) => 'c',
                    });
                }
                guards.pass(at);
            }
            assert_eq!(told, expected, "{text}");
        };
        check(b'I', "q", "o");
        check(b'I', "q r q ", "o.");
        check(b'I', "cq", "o");
        check(b'I', "qc", "a");
        check(b'I', "qqcq", "aao");
        check(b'I', "cqc", "!");
        check(b'I', "cqecqc", "o!");
        check(b'I', "bqcqe", "ss");
        check(b'I', "bqeq", "so");
        check(b'I', "qbc", "a");
        check(b'I', "h", "o");
        check(b'I', "hc", "a");
        check(b'I', "bh", "!");
        check(b'T', "cqc", "s");
        check(b'T', "cqeqc", "sa");
        check(b'T', "?q", "!");
        check(b'E', "q", "!");
    }
}
