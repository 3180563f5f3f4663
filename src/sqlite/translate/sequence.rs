//! Sequences: what creates, changes and drops them, and the columns that count by one.

use sqlparser::ast::{DataType, Expr, ObjectName, SequenceOptions, UnaryOperator, Value};

use super::{NOTHING, Result, Stop, Translator, string, types, unsupported};

/// Tables in which the file keeps what SQLite has none of.
pub(crate) const KEPT: [&str; 3] = ["querent_sequences", "querent_large_objects", "querent_extensions"];
/// Where sequences are kept.
const TABLE: &str = "TABLE IF NOT EXISTS querent_sequences (name TEXT PRIMARY KEY, last_value INTEGER NOT NULL, \
                     is_called INTEGER NOT NULL, start_value INTEGER NOT NULL, increment_by INTEGER NOT NULL, \
                     min_value INTEGER NOT NULL, max_value INTEGER NOT NULL, cycle INTEGER NOT NULL, \
                     data_type TEXT, owned_table TEXT, owned_column TEXT)";

/// What makes that table: the file's, or the session's own.
pub(super) fn table(temporary: bool) -> String {
    format!("CREATE {}{TABLE}", if temporary { "TEMP " } else { "" })
}

/// A key that new rows get by themselves, and its sequence.
#[derive(Debug, Clone)]
pub(crate) struct KeySequence {
    /// The schema that the statement names.
    pub(crate) schema: Option<String>,
    pub(crate) table: String,
    pub(crate) sequence: String,
    /// The greatest number that the key takes.
    pub(crate) most: i64,
}

/// What a new sequence is like.
#[derive(Debug, Default, Clone)]
pub(super) struct Sequence<'s> {
    pub(super) data_type: Option<&'s DataType>,
    pub(super) options: &'s [SequenceOptions],
    /// The table and column that it goes with.
    pub(super) owner: Option<(String, String)>,
    /// True where it ends with the session.
    pub(super) temporary: bool,
}

impl Translator<'_> {
    pub(super) fn create_sequence(
        &mut self,
        name: &ObjectName,
        if_not_exists: bool,
        sequence: &Sequence<'_>,
    ) -> Result<String> {
        let (schema, name) = self.split(name)?;
        let temporary = match schema.as_deref() {
            None => sequence.temporary,
            Some("public" | "main") => false,
            Some("temp") => true,
            Some(_) => return unsupported("a sequence in another schema", None),
        };
        self.add_sequence(
            &name,
            if_not_exists,
            &Sequence {
                temporary,
                ..sequence.clone()
            },
        )?;
        Ok(NOTHING.into())
    }

    /// Has a sequence made before the statement runs.
    pub(super) fn add_sequence(
        &mut self,
        name: &str,
        if_not_exists: bool,
        sequence: &Sequence<'_>,
    ) -> Result<()> {
        let [mut start, mut step, mut min, mut max] = [const { None }; 4];
        let mut cycle = false;
        for option in sequence.options {
            match option {
                SequenceOptions::IncrementBy(value, _) => step = Some(whole(value)?),
                SequenceOptions::MinValue(value) => min = value.as_ref().map(whole).transpose()?,
                SequenceOptions::MaxValue(value) => max = value.as_ref().map(whole).transpose()?,
                SequenceOptions::StartWith(value, _) => start = Some(whole(value)?),
                SequenceOptions::Cache(_) => {}
                SequenceOptions::Cycle(no) => cycle = !no,
            }
        }
        let shown = |value: Option<i64>| value.map_or_else(|| "NULL".to_owned(), |value| value.to_string());
        let ty = sequence
            .data_type
            .and_then(types::target)
            .map_or(super::Ty::Int8, |target| target.ty);
        let (table, column) = match &sequence.owner {
            Some((table, column)) => (string(table), string(column)),
            None => ("NULL".into(), "NULL".into()),
        };
        self.first(self::table(sequence.temporary));
        self.first(format!(
            "SELECT pg_create_sequence({}, {}, {}, {}, {}, {}, {}, {}, {table}, {column}, {})",
            string(name),
            i32::from(if_not_exists),
            shown(start),
            shown(step),
            shown(min),
            shown(max),
            i32::from(cycle),
            string(&ty.internal()),
            i32::from(sequence.temporary),
        ));
        Ok(())
    }

    /// The name of a sequence in an argument, which may be cast to `regclass`.
    pub(super) fn sequence_name(mut argument: &Expr) -> &Expr {
        while let Expr::Cast { expr, data_type, .. } = argument {
            if !matches!(
                data_type.to_string().to_ascii_lowercase().as_str(),
                "regclass" | "text"
            ) {
                break;
            }
            argument = expr;
        }
        argument
    }
}

/// True for an option by which a sequence does not count by one from one.
pub(super) fn counts_otherwise(option: &SequenceOptions) -> bool {
    match option {
        SequenceOptions::IncrementBy(value, _) | SequenceOptions::StartWith(value, _) => {
            !matches!(whole(value), Ok(1))
        }
        SequenceOptions::MinValue(value) | SequenceOptions::MaxValue(value) => value.is_some(),
        SequenceOptions::Cache(_) => false,
        SequenceOptions::Cycle(no) => !no,
    }
}

fn whole(value: &Expr) -> Result<i64> {
    match value {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().map_err(|_| Stop::AsItStands),
            _ => Err(Stop::AsItStands),
        },
        Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr,
        } => whole(expr).map(|value| -value),
        Expr::UnaryOp {
            op: UnaryOperator::Plus,
            expr,
        } => whole(expr),
        _ => Err(Stop::AsItStands),
    }
}
