//! What must hold, in words of whatever table it is said of.

use super::{
    super::{
        items::Meaning,
        lacked::lacks_holder,
        persons::{buys_here, is_person, works_here},
        question::{Mention, Number},
        roles::Role,
        ways::{has_amounts, rebased},
    },
    Builder, Choice, RelatedWanted, Wanted,
    absent::Absent,
    column_names::is_part_of,
    operands::{comparable, how_often, operand},
    peers::to_average,
    spans::{done_late, unit_of},
};

use crate::question::{
    schema::{ColumnRef, ForeignKey, words},
    semantic::{Attribute, Comparison, Condition, DatasetRole, FieldRole, Operand, Scalar, Way},
};

impl Builder<'_> {
    pub(super) fn related(&mut self) -> Option<Vec<RelatedWanted>> {
        let mut found = Vec::new();
        if lacks_holder(self.question, self.cast) {
            return None;
        }
        for (mention, sense) in self.played(Role::Related) {
            let Meaning::Dataset(table) = sense.meaning else {
                return None;
            };
            if self.is_compared_figure(mention) {
                continue;
            }
            let how_many = match (&mention.compared, mention.negated) {
                (Some((comparison, Number::Written(number))), _) => (*comparison, number.parse().ok()?),
                // How many that is, is only known later.
                (Some(_), _) => return None,
                (None, true) => (Comparison::Equal, 0),
                (None, false) => (Comparison::AtLeast, 1),
            };
            let until = match &mention.until {
                Some((comparison, Number::Written(number))) => Some((*comparison, number.parse().ok()?)),
                _ => None,
            };
            found.push(RelatedWanted {
                table,
                at: mention.at,
                end: mention.end,
                how_many,
                until,
                lacked: mention.lacked,
            });
        }
        if found.is_empty()
            && let Some(table) = self.happens_to()
        {
            self.possible.happened = true;
            if self.assumed.happened {
                found.push(RelatedWanted {
                    table,
                    at: 0,
                    end: 0,
                    how_many: (Comparison::AtLeast, 1),
                    until: None,
                    lacked: false,
                });
            }
        }
        Some(found)
    }

    /// `products that we sold in May`: what happened to them, where only a verb says so.
    fn happens_to(&self) -> Option<usize> {
        let says = self.question.trades || !self.question.unknown.is_empty();
        if !says || self.question.periods.is_empty() || self.question.never {
            return None;
        }
        let (_, sense) = self.played(Role::Head).next()?;
        let Meaning::Dataset(table) = sense.meaning else {
            return None;
        };
        let datasets = &self.context.model.datasets;
        if datasets[table].role == DatasetRole::Event {
            return None;
        }
        let event = self.refers_most(table)?;
        (datasets[event].role == DatasetRole::Event
            || has_amounts(event, &self.context.snapshot.schema, self.context.model))
        .then_some(event)
    }

    pub(super) fn conditions(&mut self) -> Option<Vec<Wanted>> {
        let mut found: Vec<Wanted> = Vec::new();
        let mut values: Vec<(ColumnRef, Vec<String>, &Mention)> = Vec::new();
        let mut parts: Vec<(ColumnRef, Vec<Condition>, &Mention)> = Vec::new();
        let side = self.side();
        for (mention, sense) in self.played(Role::Condition) {
            if side
                .as_ref()
                .is_some_and(|side| self.tells_apart(side, mention, sense))
            {
                continue;
            }
            let is_field = matches!(sense.meaning, Meaning::Field(_));
            if mention.against_next && mention.compared.is_none() && is_field {
                continue;
            }
            let table = self.table_of(sense);
            let condition = match &sense.meaning {
                Meaning::Value(at, stored) if mention.under && self.superior(*at).is_some() => {
                    let column = Scalar::Column(Attribute::own(at.column));
                    let is = Condition::Compare(column, Comparison::Equal, Operand::Text(stored.to_string()));
                    rebased(&is, &self.superior(*at)?)
                }
                Meaning::Filter(at)
                    if self
                        .coded(*at)
                        .is_some_and(|(column, _)| self.contrast() == Some(column)) =>
                {
                    let (column, code) = self.coded(*at)?;
                    match values.iter_mut().find(|(known, ..)| *known == column) {
                        Some((_, codes, _)) => codes.push(code),
                        None => values.push((column, vec![code], mention)),
                    }
                    continue;
                }
                // `not yet shipped` is what has no day on which it was, not what is in any other state.
                Meaning::Value(at, _) if mention.negated && self.says_when(mention, at.table) => return None,
                Meaning::Value(at, stored) => {
                    let known = values.iter_mut().find(|(known, _, first)| {
                        known == at
                            && first.negated == mention.negated
                            && !Self::ends_apart(first, mention)
                            && !self.question.both
                            && !(self.question.difference && self.contrast() == Some(*at))
                            && (mention.alternative || !self.is_named_between(first, mention))
                    });
                    match known {
                        Some((_, stored_there, _)) => stored_there.push(stored.to_string()),
                        None => values.push((*at, vec![stored.to_string()], mention)),
                    }
                    continue;
                }
                Meaning::Part(at, pattern) => {
                    let like = Condition::Like(Attribute::own(at.column), pattern.to_string());
                    let known = parts.iter_mut().find(|(known, _, first)| {
                        known == at && first.negated == mention.negated && !self.question.both
                    });
                    match known {
                        Some((_, alike, _)) => alike.push(like),
                        None => parts.push((*at, vec![like], mention)),
                    }
                    continue;
                }
                Meaning::Filter(at) => {
                    let condition = self.context.model.filters[*at].condition.clone();
                    // `more than 30 days late`
                    match (&mention.compared, mention.compared_in) {
                        (Some((comparison, number)), Some(unit)) if done_late(&condition).is_some() => {
                            let span = self.late_by(table, unit_of(unit)?)?;
                            Condition::Compare(span, *comparison, operand(number))
                        }
                        _ => condition,
                    }
                }
                Meaning::Dataset(_) if let Some(comparison) = mention.against => {
                    let (table, condition) = self.figures_compared(mention, sense, comparison)?;
                    found.push(Wanted::said(mention, table, condition));
                    continue;
                }
                Meaning::Dataset(_) => self.has_number(table, mention.numbered.as_ref()?)?,
                Meaning::Field(at) => {
                    let attribute = Attribute::own(at.column);
                    if let Some(comparison) = mention.against {
                        let (table, condition) = self.columns_compared(mention, *at, comparison)?;
                        found.push(Wanted::said(mention, table, condition));
                        continue;
                    }
                    if let Some((table, condition)) = self.pieces_in_all(*at, mention) {
                        found.push(Wanted::said(mention, table, condition));
                        continue;
                    }
                    if let Some(condition) = self.of_age(*at, mention) {
                        found.push(Wanted::said(mention, table, condition));
                        continue;
                    }
                    match (&mention.compared, self.context.model.field(*at).role) {
                        (Some((comparison, Number::Named)), role) => {
                            if !role.is_measure() {
                                return None;
                            }
                            let (table, condition) = self.against(*at, mention, *comparison)?;
                            found.push(Wanted::said(mention, table, condition));
                            continue;
                        }
                        // No day is earlier than the average one.
                        (Some((_, Number::Average)), FieldRole::Time) => return None,
                        (Some((comparison, Number::Average)), _) => {
                            to_average(Scalar::Column(attribute), *comparison, self.peers(at.table)?)
                        }
                        (Some((comparison, Number::Superior)), _) => self.than_superior(*at, *comparison)?,
                        (Some((comparison, Number::Like(pattern))), _) => {
                            let like = Condition::Like(attribute, pattern.clone());
                            if *comparison == Comparison::NotEqual {
                                Condition::Not(Box::new(like))
                            } else {
                                like
                            }
                        }
                        (Some((comparison, number)), role) => {
                            let kind = self.context.snapshot.schema.column(*at).kind;
                            if !comparable(number, *comparison, role, kind.is_numeric()) {
                                return None;
                            }
                            let kept = |number: &Number| match operand(&self.as_kept(*at, number)) {
                                Operand::Number(number) if !kind.is_numeric() => Operand::Text(number),
                                other => other,
                            };
                            let column = Scalar::Column(attribute);
                            mention.both_ends(Condition::Compare(column, *comparison, kept(number)), kept)
                        }
                        (None, _) if mention.present => Condition::Not(Box::new(self.none_of(*at))),
                        (None, FieldRole::Flag(_)) => {
                            // `may we contact` asks for those without a mark `do_not_contact`.
                            let is_so = mention.denied() == (!mention.says_no && self.names_a_denial(*at));
                            let flag = Condition::Flag(attribute, is_so);
                            found.push(Wanted {
                                negated: false,
                                ..Wanted::said(mention, table, flag)
                            });
                            continue;
                        }
                        (None, FieldRole::Measure(_)) if mention.after_share => Condition::Compare(
                            Scalar::Column(attribute),
                            Comparison::Greater,
                            Operand::Number("0".to_owned()),
                        ),
                        (
                            None,
                            FieldRole::Dimension | FieldRole::Identifier | FieldRole::Name | FieldRole::Text,
                        ) if self.question.share.is_some() && !mention.negated && self.may_miss(*at) => {
                            Condition::Not(Box::new(Condition::Missing(attribute)))
                        }
                        // A day that is only named is no other way to be so.
                        (None, FieldRole::Time) if mention.alternative => return None,
                        (None, FieldRole::Time) if !mention.negated => continue,
                        // What is always there is never missing.
                        (None, FieldRole::Time) if !self.may_miss(*at) => return None,
                        (None, _) if mention.negated && self.has_value_behind(mention) => return None,
                        (None, _) if mention.negated => {
                            found.push(Wanted {
                                negated: false,
                                ..Wanted::said(mention, table, self.none_of(*at))
                            });
                            continue;
                        }
                        _ => return None,
                    }
                }
                Meaning::Metric(_) => return None,
            };
            let often = matches!(sense.meaning, Meaning::Filter(_)).then(|| how_often(mention));
            found.push(Wanted {
                how_often: often.flatten(),
                ..Wanted::said(mention, table, condition)
            });
        }
        found.extend(self.of_head()?);
        if self.question.differs {
            found.push(self.columns_differ()?);
        }
        for (at, stored, mention) in values {
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
            let condition = self.with_parts(at, condition);
            found.push(Wanted {
                value_of: Some(at),
                how_often: how_often(mention),
                ..Wanted::said(mention, at.table, condition)
            });
        }
        for (at, mut alike, mention) in parts {
            let condition = match (alike.pop(), alike.is_empty()) {
                (Some(only), true) => only,
                (last, _) => Condition::Any(alike.into_iter().chain(last).collect()),
            };
            found.push(Wanted {
                value_of: Some(at),
                how_often: how_often(mention),
                ..Wanted::said(mention, at.table, condition)
            });
        }
        found.sort_by_key(|found| found.at);
        self.said_of_figures(self.as_of_today(found))
    }

    /// `with a pending order but no paid order`: true where the rows that one thing is said of stand before the other.
    fn is_named_between(&self, first: &Mention, next: &Mention) -> bool {
        let related = || self.played(Role::Related).map(|(mention, _)| mention.at);
        related().any(|at| (first.end..next.at).contains(&at)) && related().any(|at| at >= next.end)
    }

    /// `from Rome to Oslo`: one value for each end.
    fn ends_apart(first: &Mention, next: &Mention) -> bool {
        matches!((first.end_of_way, next.end_of_way), (Some(one), Some(other)) if one != other)
    }

    /// True where a word tells of a moment, too, that some rows of a table are still without.
    fn says_when(&self, mention: &Mention, table: usize) -> bool {
        mention.senses.iter().any(|sense| match sense.meaning {
            Meaning::Field(at) => {
                at.table == table && self.context.model.field(at).role == FieldRole::Time && self.may_miss(at)
            }
            _ => false,
        })
    }

    /// True for a column that some rows have no value in.
    pub(super) fn may_miss(&self, at: ColumnRef) -> bool {
        let profile = self.context.snapshot.profile.column(at);
        !self.context.snapshot.schema.column(at).not_null
            && profile.is_none_or(|profile| {
                profile.nulls + profile.blanks > 0 || profile.number_for_none().is_some()
            })
    }

    /// `electronics products` are those of its sub-categories, too: what is in a part of something is in it.
    fn with_parts(&self, at: ColumnRef, condition: Condition) -> Condition {
        let schema = &self.context.snapshot.schema;
        let own = |key: &ForeignKey| key.from[0].table == at.table && key.to[0].table == at.table;
        let head = self.played(Role::Head).next();
        let asks_for_it = self.head_of_list == Some(at.table)
            || head.is_some_and(|(_, head)| self.table_of(head) == at.table);
        let is_name = self.context.model.datasets[at.table].display.contains(&at.column);
        // Whoever belongs to somebody buys and works for himself.
        let name = words::identifier_words(&schema.tables[at.table].name);
        let is_partner = is_person(schema, at.table)
            || works_here(&schema.tables[at.table].name)
            || name.iter().any(|word| buys_here(word));
        // What stands against something else is meant as such.
        let compared = self.question.versus || self.question.both;
        match schema.foreign_keys.iter().position(own) {
            Some(key)
                if is_name
                    && !asks_for_it
                    && !is_partner
                    && !compared
                    && is_part_of(&schema.foreign_keys[key], schema) =>
            {
                let whole = rebased(&condition, &Way::up(key));
                Condition::Any(vec![condition, whole])
            }
            _ => condition,
        }
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
            let wanted = |condition| Wanted::at(mention, table, condition);
            if let Some(number) = &mention.numbered {
                found.push(wanted(self.has_number(table, number)?));
            }
            if let Some((comparison, number)) = &mention.compared
                && let Some(unit) = mention.compared_in
            {
                // `orders that took more than 5 days to arrive`
                found.push(wanted(self.lasts(
                    table,
                    mention.at,
                    (*comparison, number, unit),
                )?));
            } else if let Some((comparison, number)) = &mention.compared
                && (!mention.counted || !mention.numbered_before && self.is_of_all())
                && *number != Number::Named
            {
                self.guesses += 0.3;
                let scalar = self.price(table)?;
                let column = match &scalar {
                    Scalar::Column(of) if of.way.hops.is_empty() => Some(of.column),
                    _ => None,
                };
                let kept = |number: &Number| match column {
                    Some(column) => operand(&self.as_kept(ColumnRef { table, column }, number)),
                    None => operand(number),
                };
                let compared = match number {
                    // `orders above average`
                    Number::Average => to_average(scalar, *comparison, self.peers(table)?),
                    _ => mention.both_ends(Condition::Compare(scalar, *comparison, kept(number)), kept),
                };
                found.push(wanted(compared));
            }
        }
        // `that nobody uses`: without a row of what most often refers to them.
        if (self.question.never
            || self
                .played(Role::Ignored)
                .any(|(mention, _)| mention.never && !self.has_value_behind(mention)))
            && let Some((mention, sense)) = head
            && let Meaning::Dataset(table) = sense.meaning
        {
            let absent = self.absent(table);
            let taken = self.chosen(Choice::Absent, absent.len());
            self.guesses += 0.5;
            let condition = match absent.get(taken)? {
                Absent::Column(column) => self.none_in(table, *column),
                Absent::Rows(event) => {
                    let ways = self.context.ways(table);
                    let (way, _) = ways.nearest(*event)?;
                    // `bought nothing in 2024`: the period is one of what did not happen.
                    let mut during = Vec::new();
                    for period in &self.question.periods {
                        during.push(self.during(*event, period.at, period.period)?);
                        self.periods_used.set(true);
                    }
                    Condition::Related {
                        way: way.clone(),
                        how_many: (Comparison::Equal, 0),
                        conditions: during,
                    }
                }
            };
            found.push(Wanted::at(mention, table, condition));
        }
        let mut tables: Vec<usize> = head_table.into_iter().collect();
        let mentioned = self.question.mentions.iter().zip(&self.cast.parts);
        tables.extend(mentioned.filter_map(
            |(mention, (role, sense))| match mention.senses[*sense].meaning {
                Meaning::Dataset(table) if *role != Role::Ignored => Some(table),
                _ => None,
            },
        ));
        if head_table.is_none() {
            tables.extend(self.head_of_list);
        }
        found.extend(self.told_otherwise(&tables)?);
        if let Some(current) = self.question.current {
            let ending = |table: &usize| self.ended(*table).map(|condition| (*table, condition));
            match tables.iter().find_map(ending) {
                // `who quit in 2024`: the period says when it ended.
                Some((table, _)) if !current && self.ends_in_period(table) => {}
                Some((table, condition)) => found.push(Wanted {
                    negated: current,
                    ..Wanted::of_rows(table, condition)
                }),
                None => self.guesses += 1.0,
            }
        }
        Some(found)
    }
}
