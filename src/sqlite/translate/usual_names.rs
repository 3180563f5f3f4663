//! What PostgreSQL calls a constraint or an index that nobody named.

use crate::error::beginning;

/// PostgreSQL keeps no more of a name, in bytes.
const LONGEST: usize = 63;

/// The name of one of these columns of a table, by its kind: as in `pg_constraint.contype`, `i` for an index of its own. Where
/// it is too long, the longer of table and columns is cut off, as far as both are of one length.
pub(crate) fn usual_name<C: AsRef<str>>(table: &str, columns: &[C], kind: char) -> String {
    let label = match kind {
        'p' => "pkey",
        'u' => "key",
        'f' => "fkey",
        'c' => "check",
        _ => "idx",
    };
    let columns = match columns {
        _ if kind == 'p' => String::new(),
        [_, _, ..] if kind == 'c' => String::new(),
        columns => joined(columns),
    };
    let apart = if columns.is_empty() { 1 } else { 2 };
    let room = LONGEST - label.len() - apart;
    let (mut of_table, mut of_columns) = (table.len(), columns.len());
    while of_table + of_columns > room {
        if of_table > of_columns {
            of_table -= 1;
        } else {
            of_columns -= 1;
        }
    }
    let mut parts = vec![beginning(table, of_table)];
    if !columns.is_empty() {
        parts.push(beginning(&columns, of_columns));
    }
    parts.push(label);
    parts.join("_")
}

/// The columns, as many as PostgreSQL looks at.
fn joined(columns: &[impl AsRef<str>]) -> String {
    let mut all = String::new();
    for column in columns {
        if !all.is_empty() {
            all.push('_');
        }
        all.push_str(column.as_ref());
        if all.len() > LONGEST {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_postgresqls() {
        let long = |letter: &str, times: usize| letter.repeat(times);
        for (table, columns, kind, expected) in [
            ("t", &["a", "b"][..], 'p', "t_pkey".to_owned()),
            ("t", &["a", "b"], 'u', "t_a_b_key".into()),
            ("t", &["a", "b"], 'f', "t_a_b_fkey".into()),
            ("t", &["a"], 'c', "t_a_check".into()),
            ("t", &["a", "b"], 'c', "t_check".into()),
            ("t", &[], 'c', "t_check".into()),
            ("t", &["a", "lower"], 'i', "t_a_lower_idx".into()),
            (&long("t", 63), &["a"], 'p', long("t", 58) + "_pkey"),
            (&long("t", 63), &["a"], 'u', long("t", 57) + "_a_key"),
            (
                &long("t", 40),
                &[&*long("c", 40)],
                'u',
                format!("{}_{}_key", long("t", 29), long("c", 29)),
            ),
            (&long("ä", 31), &["a"], 'p', long("ä", 29) + "_pkey"),
        ] {
            assert_eq!(
                usual_name(table, columns, kind),
                expected,
                "{table} {columns:?} {kind}"
            );
        }
    }
}
