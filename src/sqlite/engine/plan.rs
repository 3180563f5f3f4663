//! SQLite's plan of a query, as EXPLAIN QUERY PLAN tells it.

use crate::backend::{FullScan, Value};

/// The tables that are read from end to end, by the lines of a plan.
pub(super) fn full_scans(lines: &[Vec<Value>]) -> Vec<FullScan> {
    let texts = lines.iter().filter_map(|line| match line.last() {
        Some(Value::Text(text)) => std::str::from_utf8(text).ok(),
        _ => None,
    });
    texts.filter_map(full_scan).collect()
}

fn full_scan(line: &str) -> Option<FullScan> {
    let (name, indexed_by) = if let Some(rest) = line.strip_prefix("SCAN ") {
        // By an index alone, or in the order of one, is from end to end as well; rows of its own have no index.
        let name = rest.split(" USING ").next()?;
        if ["CONSTANT ROW", "SUBQUERY"].iter().any(|own| name.contains(own)) || rest.contains("VIRTUAL TABLE")
        {
            return None;
        }
        (name, vec![])
    } else {
        // `SEARCH o USING AUTOMATIC COVERING INDEX (customer_id=? AND day>?)`
        let (name, rest) = line.strip_prefix("SEARCH ")?.split_once(" USING AUTOMATIC ")?;
        let columns = rest.split_once('(')?.1.split_once(')')?.0;
        let columns = columns
            .split(" AND ")
            .filter_map(|term| term.split(['=', '<', '>']).next());
        (name, columns.map(str::to_owned).collect())
    };
    // A join tells of its kind behind the name.
    let name = name.split(" LEFT-JOIN").next()?.trim();
    Some(FullScan {
        name: name.to_owned(),
        left: None,
        indexed_by,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::text;

    #[test]
    fn scans_and_passing_indexes_are_told() {
        let lines = [
            "QUERY PLAN",
            "SCAN o",
            "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH l USING AUTOMATIC COVERING INDEX (order_id=? AND day>?)",
            "SCAN CONSTANT ROW",
            "USE TEMP B-TREE FOR GROUP BY",
            "SCAN big table USING COVERING INDEX i",
        ];
        let found = full_scans(&lines.map(|line| vec![text(line)]));
        let found: Vec<_> = found
            .iter()
            .map(|scan| format!("{} {:?}", scan.name, scan.indexed_by))
            .collect();
        assert_eq!(found, ["o []", r#"l ["order_id", "day"]"#, "big table []"]);
    }
}
