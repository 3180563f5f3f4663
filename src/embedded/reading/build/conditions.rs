//! What must hold, in words of whatever table it is said of.

use super::{
    super::{items::Meaning, question::Number, roles::Role},
    Builder, RelatedWanted, Wanted,
};
use crate::{
    schema::ColumnRef,
    semantic::{Aggregate, Attribute, Comparison, Condition, FieldRole, Formula, Operand, Scalar},
};

impl<'a> Builder<'a> {
    pub(super) fn related(&self) -> Option<Vec<RelatedWanted>> {
        let mut found = Vec::new();
        for (mention, sense) in self.played(Role::Related) {
            let Meaning::Dataset(table) = sense.meaning else {
                return None;
            };
            let how_many = match (&mention.compared, mention.negated) {
                (Some((comparison, Number::Written(number))), _) => (*comparison, number.parse().ok()?),
                // How many that is, is only known later.
                (Some(_), _) => return None,
                (None, true) => (Comparison::Equal, 0),
                (None, false) => (Comparison::AtLeast, 1),
            };
            found.push(RelatedWanted { table, how_many });
        }
        Some(found)
    }

    pub(super) fn conditions(&mut self) -> Option<Vec<Wanted>> {
        let mut found: Vec<Wanted> = Vec::new();
        let mut values: Vec<(ColumnRef, Vec<String>, bool, usize)> = Vec::new();
        for (mention, sense) in self.played(Role::Condition) {
            let table = self.table_of(sense);
            let condition = match &sense.meaning {
                Meaning::Value(at, stored) => {
                    let known = values.iter_mut().find(|(known, _, negated, _)| {
                        known == at
                            && *negated == mention.negated
                            && !self.question.both
                            && !self.question.versus
                    });
                    match known {
                        Some((_, stored_there, _, _)) => stored_there.push(stored.to_string()),
                        None => values.push((*at, vec![stored.to_string()], mention.negated, mention.at)),
                    }
                    continue;
                }
                Meaning::Filter(at) => self.context.model.filters[*at].condition.clone(),
                Meaning::Field(at) => {
                    let attribute = Attribute::own(at.column);
                    match (&mention.compared, self.context.model.field(*at).role) {
                        (Some((comparison, Number::Average)), _) => Condition::ToAll(
                            Scalar::Column(attribute.clone()),
                            *comparison,
                            Box::new(Aggregate::Average(Scalar::Column(attribute))),
                            Vec::new(),
                        ),
                        (Some((comparison, Number::Like(pattern))), _) => {
                            let like = Condition::Like(attribute, pattern.clone());
                            if *comparison == Comparison::NotEqual {
                                Condition::Not(Box::new(like))
                            } else {
                                like
                            }
                        }
                        (Some((comparison, number)), _) => {
                            let operand = match operand(number) {
                                Operand::Number(number)
                                    if !self.context.snapshot.schema.column(*at).kind.is_numeric() =>
                                {
                                    Operand::Text(number)
                                }
                                other => other,
                            };
                            Condition::Compare(Scalar::Column(attribute), *comparison, operand)
                        }
                        (None, FieldRole::Flag(_)) => {
                            found.push(Wanted {
                                table,
                                condition: Condition::Flag(attribute, !mention.negated),
                                negated: false,
                                at: mention.at,
                                end: mention.end,
                                alternative: mention.alternative,
                            });
                            continue;
                        }
                        (None, FieldRole::Measure(_)) if mention.after_share => Condition::Compare(
                            Scalar::Column(attribute),
                            Comparison::Greater,
                            Operand::Number("0".to_owned()),
                        ),
                        (None, FieldRole::Time) if !mention.negated => continue,
                        (None, _) if mention.negated => {
                            found.push(Wanted {
                                table,
                                condition: Condition::Missing(attribute),
                                negated: false,
                                at: mention.at,
                                end: mention.end,
                                alternative: mention.alternative,
                            });
                            continue;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            };
            found.push(Wanted {
                table,
                condition,
                negated: mention.negated,
                at: mention.at,
                end: mention.end,
                alternative: mention.alternative,
            });
        }
        found.extend(self.of_head()?);
        for (at, stored, negated, place) in values {
            let column = Scalar::Column(Attribute::own(at.column));
            let numeric = self.context.snapshot.schema.column(at).kind.is_numeric();
            let operand = |text: &String| {
                if numeric {
                    Operand::Number(text.clone())
                } else {
                    Operand::Text(text.clone())
                }
            };
            let condition = match &stored[..] {
                [only] => Condition::Compare(column, Comparison::Equal, operand(only)),
                several => Condition::In(column, several.iter().map(operand).collect()),
            };
            found.push(Wanted {
                table: at.table,
                condition,
                negated,
                at: place,
                end: place + 1,
                alternative: false,
            });
        }
        found.sort_by_key(|found| found.at);
        Some(found)
    }

    /// What is said of the head itself: what it comes to, its number, whether it is still there.
    pub(super) fn of_head(&mut self) -> Option<Vec<Wanted>> {
        let mut found = Vec::new();
        let head = self.played(Role::Head).next();
        let mut head_table = None;
        if let Some((mention, sense)) = head
            && let Meaning::Dataset(table) = sense.meaning
        {
            head_table = Some(table);
            let key = &self.context.snapshot.schema.tables[table].primary_key;
            let wanted = |condition| Wanted {
                table,
                condition,
                negated: false,
                at: mention.at,
                end: mention.end,
                alternative: false,
            };
            if let Some(number) = &mention.numbered {
                let [column] = key[..] else { return None };
                let operand = operand(number);
                found.push(wanted(Condition::Compare(
                    Scalar::Column(Attribute::own(column)),
                    Comparison::Equal,
                    operand,
                )));
            }
            if let Some((comparison, number)) = &mention.compared
                && !mention.counted
            {
                self.guesses += 0.3;
                let Formula::Rows {
                    aggregate: Aggregate::Sum(scalar),
                    ..
                } = self.main_amount(table)?
                else {
                    return None;
                };
                found.push(wanted(Condition::Compare(scalar, *comparison, operand(number))));
            }
        }
        if let Some(current) = self.question.current {
            let mut tables: Vec<usize> = head_table.into_iter().collect();
            let mentioned = self.question.mentions.iter().zip(&self.cast.parts);
            tables.extend(mentioned.filter_map(
                |(mention, (role, sense))| match mention.senses[*sense].meaning {
                    Meaning::Dataset(table) if *role != Role::Ignored => Some(table),
                    _ => None,
                },
            ));
            let ending = |table: &usize| self.ended(*table).map(|condition| (*table, condition));
            match tables.iter().find_map(ending) {
                Some((table, condition)) => found.push(Wanted {
                    table,
                    condition,
                    negated: current,
                    at: 0,
                    end: 0,
                    alternative: false,
                }),
                None => self.guesses += 1.0,
            }
        }
        Some(found)
    }

    /// That a row of a table has come to an end.
    pub(super) fn ended(&self, table: usize) -> Option<Condition> {
        let model = self.context.model;
        let named = |wanted: &[&str]| {
            model
                .filters
                .iter()
                .find(|filter| filter.dataset == table && wanted.contains(&filter.name.as_str()))
        };
        if let Some(active) = named(&["active", "current", "available"]) {
            return Some(Condition::Not(Box::new(active.condition.clone())));
        }
        None
    }
}

pub(super) fn operand(number: &Number) -> Operand {
    match number {
        Number::Written(number) => Operand::Number(number.clone()),
        Number::Parameter(number) => Operand::Parameter(*number),
        Number::Text(text) | Number::Like(text) => Operand::Text(text.clone()),
        Number::Average => Operand::Number("0".to_owned()),
    }
}

pub(super) fn written(number: &Number) -> Option<String> {
    match number {
        Number::Written(number) => Some(number.clone()),
        _ => None,
    }
}
