//! What is still owed: what is due less what has been paid.

use super::{
    Evidence,
    lexicon::{PAID, PLANNED, stems, table_stems},
    metrics::{find_total, metric, own},
};
use crate::question::{
    schema::ColumnRef,
    semantic::{
        Additivity, Aggregate, Attribute, Condition, Dataset, FieldRole, Formula, Hop, Metric, Operand,
        Scalar, Way,
    },
};

/// What is due less what is paid of it.
pub(super) fn outstanding(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Metric> {
    let dataset = &datasets[table];
    let summed = (0..dataset.fields.len())
        .filter(|&column| dataset.fields[column].role == FieldRole::Measure(Additivity::Sum))
        .map(|column| ColumnRef { table, column });
    let called = |wanted: &'static [&'static str]| {
        move |at: &ColumnRef| {
            stems(&of.schema.column(*at).name)
                .iter()
                .any(|word| wanted.contains(&word.as_str()))
        }
    };
    let paid: Vec<ColumnRef> = summed.clone().filter(called(&["paid"])).collect();
    let due = summed
        .clone()
        .filter(|at| !paid.contains(at))
        .find(called(&["due", "bill", "invoic", "owe", "charg"]));
    let in_parts = due.or_else(|| find_total(of, table, dataset).filter(|_| paid.len() > 1));
    let known = |at| {
        Box::new(Scalar::Or(
            Box::new(own(at)),
            Box::new(Scalar::Number("0".to_owned())),
        ))
    };
    let mut by_parts = in_parts.is_some() && !paid.is_empty();
    let mut metric = if let (Some(due), [_, ..]) = (in_parts, &paid[..]) {
        let left = paid.iter().fold(known(due), |left, paid| {
            Box::new(Scalar::Minus(left, known(*paid)))
        });
        metric("outstanding amount".to_owned(), table, Aggregate::Sum(*left))
    } else {
        let total = find_total(of, table, dataset)?;
        let unpaid = |amount| metric("outstanding amount".to_owned(), table, Aggregate::Sum(amount));
        if let Some(not_paid) = not_paid(of, table, dataset) {
            let mut unpaid = unpaid(own(total));
            if let Formula::Rows { conditions, .. } = &mut unpaid.formula {
                conditions.push(not_paid);
            }
            unpaid
        } else {
            let paid = Box::new(Scalar::Or(
                Box::new(payments(of, table, datasets)?),
                Box::new(Scalar::Number("0".to_owned())),
            ));
            by_parts = true;
            unpaid(Scalar::Minus(known(total), paid))
        }
    };
    // What is not paid is also said as a condition: `the amount of open invoices`.
    if !by_parts {
        metric.wording.synonyms = vec!["amount owed".to_owned()];
        return Some(metric);
    }
    metric.wording.synonyms = [
        "outstanding",
        "open amount",
        "unpaid amount",
        "amount owed",
        "owed",
        "arrears",
        "balance due",
    ]
    .map(str::to_owned)
    .to_vec();
    Some(metric)
}

/// What has been paid of a bill, where a table of payments refers to it and tells of nothing that became of them.
fn payments(of: &Evidence<'_>, table: usize, datasets: &[Dataset]) -> Option<Scalar> {
    let is = |table: usize, wanted: &[&str]| {
        let name = table_stems(&of.schema.tables[table].name);
        name.last().is_some_and(|word| wanted.contains(&word.as_str()))
    };
    if !is(table, &["invoic", "bill", "fine", "fee"]) {
        return None;
    }
    let keys = of.schema.foreign_keys.iter().enumerate();
    let mut of_payments = keys.filter(|(_, key)| {
        let from = key.from[0].table;
        let states = datasets[from].fields.iter().enumerate().any(|(column, field)| {
            let name = stems(&of.schema.column(ColumnRef { table: from, column }).name);
            matches!(
                field.role,
                FieldRole::Code | FieldRole::Dimension | FieldRole::Flag(_)
            ) && name
                .iter()
                .any(|word| matches!(word.as_str(), "status" | "state" | "ok" | "fail" | "cancel"))
        });
        key.to[0].table == table && key.from.len() == 1 && is(from, &["payment", "receipt"]) && !states
    });
    let (key, from) = of_payments.next()?;
    let from = from.from[0].table;
    let amount = find_total(of, from, &datasets[from])?;
    let down = Way {
        hops: vec![Hop { key, up: false }],
    };
    Some(Scalar::Figure(down, Box::new(Aggregate::Sum(own(amount)))))
}

/// That an amount has not been paid: by what became of it, or by the day on which it was.
fn not_paid(of: &Evidence<'_>, table: usize, dataset: &Dataset) -> Option<Condition> {
    let at = |column| ColumnRef { table, column };
    let fields = || dataset.fields.iter().enumerate();
    let paid = fields().find(|(column, field)| {
        let some = of
            .column(at(*column))
            .is_some_and(|profile| profile.missing() > 0.0);
        let name = stems(&of.schema.column(at(*column)).name);
        field.role == FieldRole::Time && some && PAID.any(&name) && !PLANNED.any(&name)
    });
    let open = fields().find_map(|(column, field)| {
        if !matches!(field.role, FieldRole::Code | FieldRole::Dimension) {
            return None;
        }
        let is_open = |said: &str| {
            let said = said.to_lowercase();
            matches!(
                said.as_str(),
                "open" | "unpaid" | "outstanding" | "overdue" | "partly paid" | "partially paid" | "partial"
            )
        };
        let stored = of
            .column(at(column))?
            .frequent
            .iter()
            .map(|(value, _)| value.as_str());
        let labelled = |value: &str| {
            let mut labels = field.labels.iter();
            labels.any(|(code, label)| code == value && is_open(label))
        };
        let values: Vec<Operand> = stored
            .filter(|value| is_open(value) || labelled(value))
            .map(|value| Operand::Text(value.to_owned()))
            .collect();
        (!values.is_empty()).then(|| Condition::In(own(at(column)), values))
    });
    // What is open is not paid only where something says that it can be.
    let is_bill = table_stems(&of.schema.tables[table].name).iter().any(|word| {
        matches!(
            word.as_str(),
            "invoic" | "bill" | "fine" | "fee" | "due" | "instal" | "rent"
        )
    });
    match (open, paid) {
        (Some(open), paid) if is_bill || paid.is_some() => Some(open),
        (None, Some((column, _))) => Some(Condition::Missing(Attribute::own(column))),
        _ => None,
    }
}
