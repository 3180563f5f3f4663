//! Ways between tables: which keys lead from what is asked about to what is said of it.

use std::collections::HashMap;

use crate::question::{
    schema::{ForeignKey, Schema, words},
    semantic::{
        Attribute, Condition, DatasetRole, Formula, Hop, Operand, Piece, Scalar, SemanticModel, Term, Way,
    },
};

/// Keys of a way at most.
const LONGEST: usize = 4;
/// Ways to one table that are told apart.
const SEVERAL: usize = 4;

/// What a way costs more that leads to somebody in a part of his own.
const A_PART: f32 = 0.4;
/// What it costs more to go on from there.
const BEYOND_A_PART: f32 = 1.2;
/// What groups cost more that not every row is in.
const OPTIONAL: f32 = 0.1;
/// What it costs more to go on from what a view sums up.
const BEYOND_A_VIEW: f32 = 1.5;
/// What a way costs more over what is no trade, where something is bought or sold.
const NO_TRADE: f32 = 1.5;

/// All short ways from one table, by the table where they end; the cheapest first.
pub(super) struct Ways {
    to: HashMap<usize, Vec<(Way, f32)>>,
}

impl Ways {
    /// The ways from a table to all others within a few keys.
    pub(super) fn from(table: usize, schema: &Schema, model: &SemanticModel, trades: bool) -> Self {
        let mut to: HashMap<usize, Vec<(Way, f32)>> = HashMap::from([(table, vec![(Way::here(), 0.0)])]);
        let mut edge: Vec<(usize, Way, f32)> = vec![(table, Way::here(), 0.0)];
        for _ in 0..LONGEST {
            let mut next = Vec::new();
            for (at, way, cost) in &edge {
                for (key, foreign) in schema.foreign_keys.iter().enumerate() {
                    let (from, target) = (foreign.from[0].table, foreign.to[0].table);
                    for (near, far, up) in [(from, target, true), (target, from, false)] {
                        let hop = Hop { key, up };
                        let turns_back = way
                            .hops
                            .last()
                            .is_some_and(|last| last.key == key && last.up != up);
                        // Views repeat what tables hold, so that no way leads over one.
                        let over_a_view = !up && schema.tables[from].is_view;
                        // A table once more is only meant where the key leads to the table itself.
                        let again = far == table && from != target;
                        if near != *at
                            || over_a_view
                            || turns_back
                            || again
                            || far == near && way.hops.len() > 1
                        {
                            continue;
                        }
                        let mut cost = cost + if up { 1.0 } else { 1.2 };
                        cost += if foreign.declared { 0.0 } else { 0.1 };
                        if schema.tables[table].is_view && !way.hops.is_empty() {
                            cost += BEYOND_A_VIEW;
                        }
                        if up && plays_a_part(foreign, schema) {
                            cost += A_PART;
                        }
                        // What belongs to whoever approved something says nothing of it.
                        let beyond =
                            |last: &Hop| last.up && plays_a_part(&schema.foreign_keys[last.key], schema);
                        if way.hops.last().is_some_and(beyond) {
                            cost += BEYOND_A_PART;
                        }
                        // What is bought is on orders, not among the pages that were looked at.
                        if trades && !up && !has_amounts(from, schema, model) {
                            cost += NO_TRADE;
                        }
                        // Down and up again ties what merely shares something.
                        if up && way.hops.last().is_some_and(|last| !last.up) && !is_link(*at, model) {
                            cost += 0.4;
                        }
                        if !up && way.hops.last().is_some_and(|last| last.up) {
                            cost += 1.5;
                        }
                        let way = way.then(&Way { hops: vec![hop] });
                        let known = to.entry(far).or_default();
                        if known.len() < SEVERAL && (known.is_empty() || cost < known[0].1 + 1.6) {
                            known.push((way.clone(), cost));
                            next.push((far, way, cost));
                        }
                    }
                }
            }
            edge = next;
        }
        for ways in to.values_mut() {
            ways.sort_by(|one, other| one.1.total_cmp(&other.1));
        }
        Self { to }
    }

    /// The ways to a table, the cheapest first.
    pub(super) fn to(&self, table: usize) -> &[(Way, f32)] {
        self.to.get(&table).map_or(&[], Vec::as_slice)
    }

    /// The cheapest way to a table.
    pub(super) fn nearest(&self, table: usize) -> Option<&(Way, f32)> {
        self.to(table).first()
    }

    /// The cheapest way by which rows are grouped: to one row at most, or over a table that only links.
    pub(super) fn grouping(
        &self,
        table: usize,
        schema: &Schema,
        model: &SemanticModel,
    ) -> Option<(&Way, f32)> {
        let links = |hop: &Hop| hop.up || is_link(schema.foreign_keys[hop.key].from[0].table, model);
        let (way, cost) = self
            .single(table)
            .or_else(|| self.to(table).iter().find(|(way, _)| way.hops.iter().all(links)))?;
        let may_end = |hop: &Hop| {
            let mut from = schema.foreign_keys[hop.key].from.iter();
            hop.up && from.any(|at| !schema.column(*at).not_null)
        };
        let optional = if way.hops.iter().any(may_end) {
            OPTIONAL
        } else {
            0.0
        };
        Some((way, cost + optional))
    }

    /// The cheapest way to one row of a table at most.
    pub(super) fn single(&self, table: usize) -> Option<&(Way, f32)> {
        self.to(table).iter().find(|(way, _)| way.is_single())
    }
}

/// True for a table that says how many of something, or for how much.
pub(super) fn has_amounts(table: usize, schema: &Schema, model: &SemanticModel) -> bool {
    let fields = model.datasets[table].fields.iter().enumerate();
    let mut measures = fields.filter(|(_, field)| field.role.is_measure());
    // A list of prices says what things cost, not that any was bought.
    let happens = model.datasets[table].role == DatasetRole::Event;
    measures.any(|(column, _)| {
        let name = words::identifier_words(&schema.tables[table].columns[column].name);
        name.iter().any(|word| {
            matches!(
                word.as_str(),
                "quantity" | "qty" | "units" | "amount" | "amt" | "total" | "net" | "gross"
            ) || happens && word == "price"
        })
    })
}

/// True for a key that says more than to what it leads: who approved, whose home.
fn plays_a_part(key: &ForeignKey, schema: &Schema) -> bool {
    let [from] = key.from[..] else { return false };
    let stems = |name: &str| -> Vec<String> {
        let words = words::identifier_words(name);
        words.iter().map(|word| words::stem(word)).collect()
    };
    let to = key.to[0];
    let mut plain = stems(&schema.tables[to.table].name);
    plain.extend(stems(&schema.column(to).name));
    let says_key = |word: &str| {
        matches!(
            word,
            "id" | "key" | "fk" | "sk" | "no" | "nr" | "cd" | "code" | "ref"
        )
    };
    let name = stems(&schema.column(from).name);
    let adds = |word: &String| {
        !says_key(word)
            && !plain
                .iter()
                .any(|own| own == word || own.starts_with(word.as_str()))
    };
    name.iter().any(adds)
}

fn is_link(table: usize, model: &SemanticModel) -> bool {
    model.datasets[table].role == crate::question::semantic::DatasetRole::Link
}

/// A condition in words of a table, as one on the rows that refer to that table over a way.
pub(super) fn rebased(condition: &Condition, way: &Way) -> Condition {
    let attribute = |of: &Attribute| Attribute {
        way: way.then(&of.way),
        column: of.column,
    };
    let scalar = |of: &Scalar| rebased_scalar(of, way);
    let all = |of: &[Condition]| of.iter().map(|condition| rebased(condition, way)).collect();
    match condition {
        Condition::Compare(left, comparison, right) => {
            Condition::Compare(scalar(left), *comparison, rebased_operand(right, way))
        }
        Condition::In(left, values) => Condition::In(
            scalar(left),
            values.iter().map(|value| rebased_operand(value, way)).collect(),
        ),
        Condition::Like(of, pattern) => Condition::Like(attribute(of), pattern.clone()),
        Condition::Missing(of) => Condition::Missing(attribute(of)),
        Condition::Flag(of, set) => Condition::Flag(attribute(of), *set),
        Condition::During(of, from, to) => Condition::During(attribute(of), from.clone(), to.clone()),
        Condition::Related {
            way: further,
            how_many,
            conditions,
        } => Condition::Related {
            way: way.then(further),
            how_many: *how_many,
            conditions: conditions.clone(),
        },
        // What all of them come to stays what it was: `analytic` tells of which rows that is by the way to the value.
        Condition::ToAll(left, comparison, aggregate, conditions, peers) => Condition::ToAll(
            scalar(left),
            *comparison,
            aggregate.clone(),
            conditions.clone(),
            peers.clone(),
        ),
        Condition::AtEnd {
            time,
            first,
            each,
            among,
        } => Condition::AtEnd {
            time: attribute(time),
            first: *first,
            each: each.iter().map(scalar).collect(),
            among: all(among),
        },
        Condition::Not(inner) => Condition::Not(Box::new(rebased(inner, way))),
        Condition::Any(inner) => Condition::Any(all(inner)),
        Condition::All(inner) => Condition::All(all(inner)),
        Condition::Written(pieces) => Condition::Written(rebased_pieces(pieces, way)),
    }
}

fn rebased_operand(operand: &Operand, way: &Way) -> Operand {
    match operand {
        Operand::Scalar(scalar) => Operand::Scalar(rebased_scalar(scalar, way)),
        other => other.clone(),
    }
}

/// A value of a row of a table, as one of the rows that refer to it over a way.
pub(super) fn rebased_scalar(scalar: &Scalar, way: &Way) -> Scalar {
    let attribute = |of: &Attribute| Attribute {
        way: way.then(&of.way),
        column: of.column,
    };
    let boxed = |of: &Scalar| Box::new(rebased_scalar(of, way));
    match scalar {
        Scalar::Column(of) => Scalar::Column(attribute(of)),
        Scalar::Number(_) | Scalar::Moment(_) => scalar.clone(),
        Scalar::Times(one, other) => Scalar::Times(boxed(one), boxed(other)),
        Scalar::Minus(one, other) => Scalar::Minus(boxed(one), boxed(other)),
        Scalar::Over(one, other) => Scalar::Over(boxed(one), boxed(other)),
        Scalar::Or(one, other) => Scalar::Or(boxed(one), boxed(other)),
        Scalar::Span(one, other, unit) => Scalar::Span(boxed(one), boxed(other), *unit),
        Scalar::Period(of, grain) => Scalar::Period(attribute(of), *grain),
        Scalar::Part(of, part) => Scalar::Part(attribute(of), *part),
        Scalar::Truth(condition) => Scalar::Truth(Box::new(rebased(condition, way))),
        Scalar::Figure(further, aggregate) => Scalar::Figure(way.then(further), aggregate.clone()),
        Scalar::Written(pieces) => Scalar::Written(rebased_pieces(pieces, way)),
    }
}

fn rebased_pieces(pieces: &[Piece<Term>], way: &Way) -> Vec<Piece<Term>> {
    let there = pieces.iter().map(|piece| piece.map(|term| term.after(way)));
    there.collect()
}

/// Adds conditions to all aggregates of a formula that are over rows of this table.
pub(super) fn restricted(formula: &Formula, table: usize, conditions: &[Condition]) -> Formula {
    let mut formula = formula.clone();
    let _: Result<(), ()> = formula.each_aggregate(&mut |rows| {
        if let Formula::Rows {
            table: of,
            conditions: own,
            ..
        } = rows
            && *of == table
        {
            own.extend(conditions.iter().cloned());
        }
        Ok(())
    });
    formula
}
