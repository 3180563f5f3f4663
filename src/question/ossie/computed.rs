//! What the value of a computed field is, told by its expression: a number, a truth value, a day; what may be added up, and
//! which words it may come to.

use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
    Value,
};

use super::{
    apply::Applying,
    document::{Dataset, Field, FieldExtension},
    expression,
    names::Names,
    wording::overlay,
};
use crate::question::{
    schema::{ColumnKind, ColumnRef, Format, Snapshot},
    semantic::{self, Additivity, ComputedField, FieldRole, FlagForm, Piece, Scalar, SemanticModel, Term},
};

/// Values of a field that are told apart at most.
const MOST_VALUES: usize = 50;

/// What an expression comes to.
#[derive(Debug, Clone, Default)]
struct Typed {
    kind: ColumnKind,
    /// Over what it may be added up, where it is made of something that is measured.
    adds: Option<Additivity>,
    format: Option<Format>,
    /// True for a moment as a number of days.
    is_day_number: bool,
    /// All that it may be, where it is one of some words.
    values: Vec<String>,
    is_constant: bool,
}

/// How deep fields may be made of fields that stand behind them.
const DEEPEST: usize = 16;

impl Applying {
    /// The fields that are computed, of which each may use others, in whatever order they stand.
    pub(super) fn computed(
        &mut self,
        tables: &[(&Dataset, usize)],
        snapshot: &Snapshot,
        model: &mut SemanticModel,
    ) {
        let mut wanted: Vec<(&Field, usize, String)> = Vec::new();
        for (dataset, table) in tables {
            for field in &dataset.fields {
                let name = field.name.value.to_lowercase();
                if self.fields.contains_key(&(*table, name)) {
                    continue;
                }
                if let Some(text) = self.text(&field.name, &field.expression) {
                    wanted.push((field, *table, text));
                }
            }
        }
        for round in 0.. {
            let before = wanted.len();
            let mut left = Vec::new();
            let mut wrong = Vec::new();
            for (field, table, text) in wanted {
                match expression::scalar(&text, table, &self.names(snapshot, model)) {
                    Ok(pieces) => self.add_computed((field, &text), pieces, table, (snapshot, model)),
                    Err(message) => {
                        wrong.push((field, message));
                        left.push((field, table, text));
                    }
                }
            }
            if left.len() == before || round == DEEPEST {
                for (field, message) in wrong {
                    let message = format!("{}: {message}", field.name.value);
                    self.wrong(field.expression.referenced, message);
                }
                return;
            }
            wanted = left;
        }
    }

    fn add_computed(
        &mut self,
        (field, text): (&Field, &str),
        pieces: Vec<Piece<Term>>,
        table: usize,
        (snapshot, model): (&Snapshot, &mut SemanticModel),
    ) {
        let told: FieldExtension = self.extension(&field.custom_extensions);
        let tree = expression::read(text).ok();
        let names = self.names(snapshot, model);
        let mut comes_to = tree.map_or_else(Typed::default, |tree| typed(&tree, table, &names));
        let known = meaning(field, &told, &mut comes_to);
        model.datasets[table].computed.push(ComputedField {
            name: field.name.value.clone(),
            value: value_of(pieces),
            kind: comes_to.kind,
            values: comes_to.values,
            field: known,
            column: None,
            source: self.source(field.name.referenced),
        });
    }
}

fn value_of(pieces: Vec<Piece<Term>>) -> Scalar {
    match &pieces[..] {
        [Piece::Part(Term::Column(attribute))] => Scalar::Column(attribute.clone()),
        _ => Scalar::Written(pieces),
    }
}

/// What a field means: what its file says, and else what its expression tells.
fn meaning(field: &Field, told: &FieldExtension, typed: &mut Typed) -> semantic::Field {
    if let Some(kind) = field.datatype.as_deref().and_then(kind_of) {
        typed.kind = kind;
    }
    let is_grouped = field.dimension.is_some();
    let role = match (typed.kind, typed.adds) {
        (ColumnKind::Boolean, _) => FieldRole::Flag(FlagForm::Boolean),
        (ColumnKind::Date | ColumnKind::Timestamp, _) => FieldRole::Time,
        (ColumnKind::Integer | ColumnKind::Number, Some(adds)) if !is_grouped => FieldRole::Measure(adds),
        _ => FieldRole::Dimension,
    };
    let mut known = semantic::Field {
        role,
        format: typed.format,
        ..semantic::Field::default()
    };
    overlay(&mut known, field, told);
    if known.role == FieldRole::Flag(FlagForm::Number) && typed.kind == ColumnKind::Boolean {
        known.role = FieldRole::Flag(FlagForm::Boolean);
    }
    known
}

fn kind_of(datatype: &str) -> Option<ColumnKind> {
    Some(match datatype {
        "String" => ColumnKind::Text,
        "Integer" => ColumnKind::Integer,
        "Decimal" | "Float" => ColumnKind::Number,
        "Boolean" => ColumnKind::Boolean,
        "Date" => ColumnKind::Date,
        "Time" => ColumnKind::Time,
        "DateTime" | "DateTimeTz" => ColumnKind::Timestamp,
        "Opaque" => ColumnKind::Other,
        _ => return None,
    })
}

/// What an expression over the rows of a table comes to.
fn typed(tree: &Expr, table: usize, names: &Names<'_>) -> Typed {
    let of = |tree: &Expr| typed(tree, table, names);
    let kind = |kind| Typed {
        kind,
        ..Typed::default()
    };
    match tree {
        Expr::Nested(inner)
        | Expr::UnaryOp {
            op: UnaryOperator::Minus | UnaryOperator::Plus,
            expr: inner,
        } => of(inner),
        Expr::Ceil { expr, .. } | Expr::Floor { expr, .. } => of(expr),
        Expr::Identifier(name) => column(std::slice::from_ref(name), table, names),
        Expr::CompoundIdentifier(parts) => column(parts, table, names),
        Expr::Value(value) => Typed {
            is_constant: true,
            ..match &value.value {
                Value::Number(..) => kind(ColumnKind::Number),
                Value::Boolean(_) => kind(ColumnKind::Boolean),
                Value::SingleQuotedString(text) => Typed {
                    values: vec![text.clone()],
                    ..Typed::default()
                },
                _ => Typed::default(),
            }
        },
        Expr::TypedString(typed) => kind(of_type(&typed.data_type)),
        Expr::Cast { expr, data_type, .. } => cast(&of(expr), of_type(data_type)),
        Expr::Extract { .. } | Expr::Position { .. } => kind(ColumnKind::Integer),
        Expr::Substring { .. } | Expr::Trim { .. } => kind(ColumnKind::Text),
        Expr::Case {
            conditions,
            else_result,
            ..
        } => {
            let results = conditions.iter().map(|when| &when.result);
            one_of(results.chain(else_result.as_deref()).map(of))
        }
        Expr::Function(function) => called(function, table, names),
        Expr::BinaryOp { left, op, right } => match op {
            BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo => reckoned(&of(left), op, &of(right)),
            BinaryOperator::StringConcat => kind(ColumnKind::Text),
            _ => kind(ColumnKind::Boolean),
        },
        Expr::UnaryOp {
            op: UnaryOperator::Not,
            ..
        }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotTrue(_)
        | Expr::IsNotFalse(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::InList { .. }
        | Expr::Between { .. }
        | Expr::Like { .. }
        | Expr::ILike { .. } => kind(ColumnKind::Boolean),
        _ => Typed::default(),
    }
}

/// A column, or another computed field.
fn column(parts: &[sqlparser::ast::Ident], table: usize, names: &Names<'_>) -> Typed {
    let Ok(named) = names.look_up(parts, Some(table)) else {
        return Typed::default();
    };
    let adds = |role| match role {
        FieldRole::Measure(adds) => Some(adds),
        _ => None,
    };
    if let Scalar::Column(attribute) = &named.value
        && attribute.way.hops.is_empty()
    {
        let at = ColumnRef {
            table: named.table,
            column: attribute.column,
        };
        let field = names.model.field(at);
        // A day may be kept as text.
        let kind = match (names.snapshot.schema.column(at).kind, field.format) {
            (ColumnKind::Text, Some(Format::Date)) => ColumnKind::Date,
            (ColumnKind::Text, Some(Format::DateTime)) => ColumnKind::Timestamp,
            (kind, _) => kind,
        };
        return Typed {
            kind,
            adds: adds(field.role),
            format: field.format,
            ..Typed::default()
        };
    }
    let mut computed = names.model.datasets[named.table].computed.iter();
    let known = computed.find(|field| field.value == named.value);
    known.map_or_else(Typed::default, |field| Typed {
        kind: field.kind,
        adds: adds(field.field.role),
        format: field.field.format,
        values: field.values.clone(),
        ..Typed::default()
    })
}

fn of_type(of: &DataType) -> ColumnKind {
    match of {
        DataType::Date => ColumnKind::Date,
        DataType::Timestamp(..) | DataType::Datetime(_) => ColumnKind::Timestamp,
        DataType::Boolean | DataType::Bool => ColumnKind::Boolean,
        DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) | DataType::SmallInt(_) => {
            ColumnKind::Integer
        }
        DataType::Double(_)
        | DataType::DoublePrecision
        | DataType::Float(_)
        | DataType::Real
        | DataType::Numeric(_)
        | DataType::Decimal(_) => ColumnKind::Number,
        _ => ColumnKind::Text,
    }
}

fn cast(from: &Typed, kind: ColumnKind) -> Typed {
    let format = match kind {
        ColumnKind::Date => Some(Format::Date),
        ColumnKind::Timestamp => Some(Format::DateTime),
        _ => None,
    };
    Typed {
        kind,
        adds: from.adds.filter(|_| kind.is_numeric()),
        format,
        ..Typed::default()
    }
}

/// One of several: what any of them tells, and all words that they may be.
fn one_of(results: impl Iterator<Item = Typed>) -> Typed {
    let results: Vec<Typed> = results.collect();
    let words = |found: &Typed| !found.values.is_empty();
    if results.iter().all(words) {
        let mut values: Vec<String> = Vec::new();
        for value in results.iter().flat_map(|found| &found.values) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values.truncate(MOST_VALUES);
        return Typed {
            values,
            ..Typed::default()
        };
    }
    let measured = results.iter().find(|found| found.adds.is_some());
    let told = measured.or_else(|| results.iter().find(|found| !found.is_constant));
    Typed {
        values: Vec::new(),
        is_constant: false,
        ..told.or(results.first()).cloned().unwrap_or_default()
    }
}

fn reckoned(left: &Typed, op: &BinaryOperator, right: &Typed) -> Typed {
    use Additivity::{Average, Last, Sum};
    let day_numbers = left.is_day_number && right.is_day_number;
    let days = day_numbers || left.kind.is_temporal() && right.kind.is_temporal();
    let adds = match op {
        BinaryOperator::Divide if right.adds.is_some() || !right.is_constant && left.adds.is_some() => {
            Some(Average)
        }
        BinaryOperator::Minus if days => Some(Average),
        _ => match (left.adds, right.adds) {
            (Some(Sum), _) | (_, Some(Sum)) => Some(Sum),
            (Some(Last), _) | (_, Some(Last)) => Some(Last),
            (one, other) => one.or(other),
        },
    };
    // A day some days later is a day.
    let shifts = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus)
        && left.kind.is_temporal()
        && !right.kind.is_temporal();
    Typed {
        kind: if shifts { left.kind } else { ColumnKind::Number },
        adds: adds.filter(|_| !shifts),
        format: left.format.filter(|_| shifts),
        is_constant: left.is_constant && right.is_constant,
        ..Typed::default()
    }
}

fn called(function: &Function, table: usize, names: &Names<'_>) -> Typed {
    let arguments = || {
        let list = match &function.args {
            FunctionArguments::List(list) => &list.args[..],
            _ => &[],
        };
        list.iter().filter_map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(typed(expression, table, names)),
            _ => None,
        })
    };
    let kind = |kind| Typed {
        kind,
        ..Typed::default()
    };
    match function.name.to_string().to_lowercase().as_str() {
        "coalesce" | "ifnull" | "iif" | "greatest" | "least" => one_of(arguments()),
        // Over the rows of another table that lead to each.
        "count" => Typed {
            adds: Some(Additivity::Sum),
            ..kind(ColumnKind::Integer)
        },
        "sum" => Typed {
            adds: Some(Additivity::Sum),
            ..kind(ColumnKind::Number)
        },
        "avg" | "median" | "percentile_cont" => Typed {
            adds: Some(Additivity::Average),
            ..kind(ColumnKind::Number)
        },
        "nullif" | "min" | "max" => arguments().next().unwrap_or_default(),
        "round" | "abs" | "ceil" | "ceiling" | "floor" | "trunc" => Typed {
            kind: ColumnKind::Number,
            ..arguments().next().unwrap_or_default()
        },
        "date" | "make_date" => cast(&Typed::default(), ColumnKind::Date),
        "datetime" | "to_timestamp" | "date_trunc" => cast(&Typed::default(), ColumnKind::Timestamp),
        "julianday" => Typed {
            is_day_number: true,
            ..kind(ColumnKind::Number)
        },
        "length" | "char_length" | "instr" | "strpos" | "sign" | "mod" | "date_part" | "unixepoch" => {
            kind(ColumnKind::Integer)
        }
        _ => Typed::default(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::question::{
        ossie::inferred,
        schema::{Column, Schema, Snapshot, Table},
    };

    #[test]
    fn expressions_tell_what_they_come_to() {
        let column = |name: &str, kind| Column {
            name: name.to_owned(),
            kind,
            ..Column::default()
        };
        let table = Table {
            name: "lines".to_owned(),
            columns: vec![
                column("quantity", ColumnKind::Integer),
                column("unit_price", ColumnKind::Number),
                column("ordered", ColumnKind::Date),
                column("shipped", ColumnKind::Date),
                column("status", ColumnKind::Text),
            ],
            ..Table::default()
        };
        let schema = Schema {
            tables: vec![table],
            ..Schema::default()
        };
        let snapshot = Snapshot {
            schema: std::sync::Arc::new(schema),
            ..Snapshot::default()
        };
        let mut understood = inferred(&snapshot);
        let roles = [Additivity::Sum, Additivity::Average].map(FieldRole::Measure);
        for (column, role) in roles.into_iter().enumerate() {
            understood.model.datasets[0].fields[column].role = role;
        }
        let empty = BTreeMap::default();
        let names = Names {
            snapshot: &snapshot,
            model: &understood.model,
            datasets: &empty,
            fields: &BTreeMap::default(),
            relationships: &BTreeMap::default(),
        };
        let check = |text: &str, kind: ColumnKind, adds: Option<Additivity>, values: &[&str]| {
            let tree = expression::read(text).expect(text);
            let found = typed(&tree, 0, &names);
            assert_eq!((found.kind, found.adds), (kind, adds), "{text}");
            assert_eq!(found.values, values, "{text}");
        };
        let (number, text) = (ColumnKind::Number, ColumnKind::Text);
        let (sum, average) = (Some(Additivity::Sum), Some(Additivity::Average));
        check("quantity * unit_price * (1 - 0.1)", number, sum, &[]);
        check("unit_price * 1.2", number, average, &[]);
        check("ROUND(quantity / 100.0)", number, sum, &[]);
        check("unit_price / quantity", number, average, &[]);
        check("COALESCE(quantity, 0)", ColumnKind::Integer, sum, &[]);
        check("shipped - ordered", number, average, &[]);
        check("julianday(shipped) - julianday(ordered)", number, average, &[]);
        check("EXTRACT(YEAR FROM ordered)", ColumnKind::Integer, None, &[]);
        check("quantity > 3", ColumnKind::Boolean, None, &[]);
        check("status IN ('a', 'b')", ColumnKind::Boolean, None, &[]);
        check("CAST(ordered AS DATE)", ColumnKind::Date, None, &[]);
        check("COALESCE(shipped, ordered)", ColumnKind::Date, None, &[]);
        check("UPPER(status)", text, None, &[]);
        check(
            "CASE WHEN quantity > 9 THEN 'large' WHEN quantity > 1 THEN 'some' ELSE 'large' END",
            text,
            None,
            &["large", "some"],
        );
        check(
            "CASE WHEN status = 'a' THEN unit_price ELSE 0 END",
            number,
            average,
            &[],
        );
        check(
            "CASE WHEN status = 'a' THEN status ELSE 'none' END",
            text,
            None,
            &[],
        );
    }
}
