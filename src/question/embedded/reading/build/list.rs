//! Rows of one table, with what belongs to them.

use super::{
    super::{
        items::{Meaning, Sense},
        question::{Around, Mention},
        roles::Role,
    },
    Builder,
    exceeds::told,
    reach::how_many_there_are,
    spans::done_late,
};
use crate::question::{
    analytic::{AnalyticQuery, List, Shown},
    schema::{ColumnRef, ForeignKey, words},
    semantic::{
        Aggregate, Attribute, Comparison, Condition, DatasetRole, FieldRole, Figure, Formula, Scalar, Way,
    },
};

/// A column that fits as well as this is meant by its own name.
const EXACT: f32 = 0.95;

impl<'a> Builder<'a> {
    pub(super) fn list(
        &mut self,
        head: Option<(&'a Mention, &'a Sense)>,
        groups: &[(&'a Mention, &'a Sense)],
        rank_by: Option<(&'a Mention, &'a Sense)>,
    ) -> Option<AnalyticQuery> {
        let model = self.context.model;
        let shown_fields: Vec<_> = self.played(Role::Shown).collect();
        let persons = if head.is_none() && self.question.who {
            self.persons()
        } else {
            None
        };
        let subject = match (head, persons) {
            (Some((_, sense)), _) => self.table_of(sense),
            (None, Some(table)) => table,
            // `the movies from Korea`: only values tell what is listed.
            (None, None) => {
                let says = shown_fields.first().copied();
                let says = says.or_else(|| self.played(Role::Condition).next())?;
                match self.enumerated(&shown_fields) {
                    Some(table) => table,
                    None => self.of_value(says.1, shown_fields.is_empty())?,
                }
            }
        };
        self.head_of_list = Some(subject);
        if self.pieces_elsewhere(subject) {
            return None;
        }
        let ways = self.context.ways(subject);
        let mut shown: Vec<Shown> = Vec::new();
        let mut distinct = self.question.distinct;
        let mut hidden = Vec::new();
        let named_fields = |shown_fields: &[(&Mention, &Sense)]| {
            shown_fields
                .iter()
                .any(|(_, sense)| matches!(sense.meaning, Meaning::Field(at) if at.table == subject))
        };
        match head {
            Some(head @ (_, sense)) if matches!(sense.meaning, Meaning::Field(_)) => {
                let Meaning::Field(at) = sense.meaning else {
                    return None;
                };
                distinct |= model.field(at).role != FieldRole::Name;
                let keys = &self.context.snapshot.schema.foreign_keys;
                let leads_to = keys.iter().position(|key| key.from == [at]);
                if let Some(key) = leads_to.filter(|_| self.question.who || !head.0.says_key) {
                    // Whom a key leads to is told by name.
                    let target = keys[key].to[0].table;
                    shown.extend(self.display(target, &Way::up(key)));
                } else if self.is_part_of_name(head.1, at) {
                    shown.extend(self.display(subject, &Way::here()));
                } else {
                    shown.push(value(Way::here(), at.column));
                }
            }
            // `email and phone of the contact` shows these; `doctors with their fee` shows who they are too.
            Some((head, _)) => {
                let asks_for_fields = shown_fields.iter().any(|(mention, sense)| {
                    mention.at < head.at && matches!(sense.meaning, Meaning::Field(_))
                });
                if !(asks_for_fields && named_fields(&shown_fields)) {
                    shown.extend(self.display(subject, &Way::here()));
                    self.tell_event(subject, &mut shown);
                }
            }
            None if persons.is_some() => {
                self.guesses += 0.3;
                shown.extend(self.display(subject, &Way::here()));
            }
            None if shown_fields.is_empty() => {
                self.guesses += 0.3;
                shown.extend(self.display(subject, &Way::here()));
                self.tell_event(subject, &mut shown);
            }
            None if self.kind_is_listed(subject, &shown_fields) => {
                shown.extend(self.display(subject, &Way::here()));
            }
            None => {}
        }
        for (mention, sense) in &shown_fields {
            let table = self.table_of(sense);
            if self.names_a_reference(mention, sense, &shown_fields) {
                continue;
            }
            if self.is_other_date(subject, mention, sense) {
                return None;
            }
            // Whom a key leads to is shown by name.
            if let Meaning::Field(at) = sense.meaning
                && model.field(at).role == FieldRole::Reference
                && let Some(key) = self
                    .context
                    .snapshot
                    .schema
                    .foreign_keys
                    .iter()
                    .position(|key| key.from == [at])
            {
                let (way, cost) = ways.single(at.table)?;
                self.distance += cost + 1.0;
                let target = self.context.snapshot.schema.foreign_keys[key].to[0].table;
                for column in self.display(target, &way.then(&Way::up(key))) {
                    push_shown(&mut shown, column);
                }
                continue;
            }
            let (way, cost) = ways.single(table)?;
            self.distance += cost;
            match &sense.meaning {
                Meaning::Field(at) if self.is_part_of_name(sense, *at) => {
                    for column in self.display(table, way) {
                        push_shown(&mut shown, column);
                    }
                }
                Meaning::Field(at) => push_shown(&mut shown, value(way.clone(), at.column)),
                Meaning::Dataset(_) => {
                    if way.hops.is_empty() {
                        return None;
                    }
                    for column in self.display(table, way) {
                        push_shown(&mut shown, column);
                    }
                }
                _ => return None,
            }
        }
        self.show_beside(subject, &mut shown);
        self.show_superior(subject, &mut shown)?;
        let mut wanted = self.conditions()?;
        if self.of_value {
            wanted.extend(self.cheaper_of_value(subject));
        }
        // `how much is the Garnet Casserole?`
        let asks_for_price = self.question.how_much
            && shown_fields.is_empty()
            && self.question.rank.is_none()
            && model.datasets[subject].role != DatasetRole::Event;
        if asks_for_price && let Some(price) = self.price(subject) {
            shown = vec![Shown::Value(price)];
        }
        // How long it took is told where that is asked for or compared.
        for found in wanted.iter().filter(|found| found.table == subject) {
            match &found.condition {
                Condition::Compare(span @ Scalar::Span(..), ..) => {
                    push_shown(&mut shown, Shown::Value(span.clone()));
                }
                condition if self.question.how_long && done_late(condition).is_some() => {
                    let late = self.late_by(subject, self.unit())?;
                    push_shown(&mut shown, Shown::Value(late));
                }
                condition => {
                    for column in told(condition) {
                        push_shown(&mut shown, column);
                    }
                }
            }
        }
        if self.question.when {
            // When: as the condition's time has it, or else that of the rows.
            let of_condition = wanted
                .iter()
                .filter(|found| found.table == subject)
                .find_map(|found| time_in(&found.condition));
            let ended = self
                .ends_in_period(subject)
                .then(|| self.end_of(subject))
                .flatten();
            let named = self.time_field(0).filter(|at| at.table == subject);
            let column = of_condition
                .or(self.due_time(subject))
                .or(ended)
                .or(named.map(|at| at.column))
                .or(model.datasets[subject].time)?;
            push_shown(&mut shown, value(Way::here(), column));
        }
        let related = self.related()?;
        let periods = self.question.periods.clone();
        let again = self.question.again
            || self.question.both && periods.len() == 2
            || periods.iter().any(|period| period.negated);
        let pairs = self.shows_a_parent(&shown) || self.question.whom;
        if self.question.versus && !again && !(pairs && periods.len() < 2) {
            return None;
        }
        let mut conditions = self.of_rows(subject, (&wanted, &related), (&periods, again), &mut shown)?;
        conditions.extend(self.still_to_come(subject, &conditions));
        conditions.extend(self.valid_now(subject));
        if Self::contradicts_itself(&conditions) {
            return None;
        }
        // `customers with more than 15 orders`: how many they have may be told as well.
        let mut counted: Vec<Shown> = conditions.iter().filter_map(how_many_there_are).collect();
        counted.dedup();
        if self.question.counts_again
            && counted.is_empty()
            && let [only] = &related[..]
        {
            let (way, _) = ways.nearest(only.table)?;
            shown.push(Shown::Figure(Figure {
                way: way.clone(),
                aggregate: Aggregate::Count,
                conditions: Vec::new(),
            }));
        }
        // Who asks for columns by name gets these alone.
        let by_name = !shown_fields.is_empty()
            || head.is_some_and(|(_, sense)| !matches!(sense.meaning, Meaning::Dataset(_)));
        self.possible.counted = !counted.is_empty() && !self.question.counts_again && !by_name;
        if self.assumed.counted || self.question.counts_again {
            shown.extend(counted);
        }
        let mut within = Vec::new();
        let mut keys = Vec::new();
        for (_, sense) in groups {
            let table = self.table_of(sense);
            let (way, _) = ways.single(table)?;
            if let Meaning::Field(at) = sense.meaning {
                within.push(place_of(&mut shown, value(way.clone(), at.column)));
                continue;
            }
            let column = *model.datasets[table].display.first()?;
            within.push(place_of(&mut shown, value(way.clone(), column)));
            // Two that are called the same are two.
            let described = &self.context.snapshot.schema.tables[table];
            if let [key] = described.primary_key[..]
                && key != column
                && !described.columns[column].unique
            {
                keys.push(place_of(&mut shown, value(way.clone(), key)));
            }
        }
        keys.retain(|key| !within.contains(key));
        within.extend(&keys);
        let best_of_each = !within.is_empty();
        let rank = self.list_rank(subject, rank_by, &mut shown, &mut hidden, within)?;
        // What decides over the order may be told as well.
        self.possible.figure = !hidden.is_empty();
        if self.assumed.figure || best_of_each {
            hidden.clear();
        }
        hidden.extend(keys);
        if shown.is_empty() {
            return None;
        }
        // `who manage no projects` asks for the topmost, too.
        let lacks = |condition: &Condition| {
            matches!(
                condition,
                Condition::Related {
                    how_many: (Comparison::Equal, 0),
                    ..
                }
            )
        };
        let lacking = conditions.iter().any(lacks);
        Some(AnalyticQuery::List(List {
            subject,
            shown,
            conditions,
            distinct,
            rank,
            hidden,
            keep_missing: lacking || self.keeps_all(pairs),
        }))
    }

    /// True where rows are listed that lack what is shown beside them; in a list of pairs that is a second choice.
    fn keeps_all(&mut self, pairs: bool) -> bool {
        if !pairs {
            return !self.question.whom || self.question.every;
        }
        if !self.question.whom {
            self.choices = self.choices.max(2);
        }
        (self.choice == 1) != self.question.every
    }

    /// True where rows are shown with one of their own kind: whoever has no mentor is not among `drivers with their
    /// mentor`, but among all drivers.
    fn shows_a_parent(&self, shown: &[Shown]) -> bool {
        let keys = &self.context.snapshot.schema.foreign_keys;
        shown.iter().any(|shown| match shown {
            Shown::Value(Scalar::Column(Attribute { way, .. })) => way
                .hops
                .iter()
                .any(|hop| hop.up && keys[hop.key].from[0].table == keys[hop.key].to[0].table),
            _ => false,
        })
    }

    /// `the name of their manager`, `parent company`: the reference shows it already.
    pub(super) fn names_a_reference(
        &self,
        mention: &Mention,
        sense: &Sense,
        shown: &[(&Mention, &Sense)],
    ) -> bool {
        let model = self.context.model;
        let Meaning::Field(name) = sense.meaning else {
            return false;
        };
        model.field(name).role == FieldRole::Name
            && shown.iter().any(|(other, sense)| {
                let beside = other.end == mention.at || other.at <= mention.end + 3 && other.at > mention.at;
                matches!(sense.meaning, Meaning::Field(at) if model.field(at).role == FieldRole::Reference)
                    && beside
            })
    }

    /// Beside its key, what happened, or has no name, says when, what it came to, and all the rest, with names for what it
    /// refers to.
    pub(super) fn tell_event(&self, table: usize, shown: &mut Vec<Shown>) {
        let dataset = &self.context.model.datasets[table];
        let nameless = dataset.role == DatasetRole::Entity && dataset.display.is_empty();
        if dataset.role != DatasetRole::Event && !nameless {
            return;
        }
        let text = dataset
            .fields
            .iter()
            .position(|field| matches!(field.role, FieldRole::Name | FieldRole::Text));
        for column in text.into_iter().chain(dataset.time) {
            push_shown(shown, value(Way::here(), column));
        }
        if let Some(Formula::Rows {
            aggregate: Aggregate::Sum(scalar),
            ..
        }) = self.main_amount(table)
        {
            push_shown(shown, Shown::Value(scalar));
        }
        let keys = &self.context.snapshot.schema.foreign_keys;
        for column in 0..dataset.fields.len() {
            let at = ColumnRef { table, column };
            if self.context.model.computed(at).is_some() {
                continue;
            }
            // A row of the same table, such as the parent, is told where that is asked for.
            let other = |key: &ForeignKey| key.from == [at] && key.to[0].table != table;
            match keys.iter().position(other) {
                Some(key) => {
                    for name in self.display(keys[key].to[0].table, &Way::up(key)) {
                        push_shown(shown, name);
                    }
                }
                None => push_shown(shown, value(Way::here(), column)),
            }
        }
    }

    /// `names` of people are their first and last ones, though one column is called like that.
    fn is_part_of_name(&self, sense: &Sense, at: ColumnRef) -> bool {
        let display = &self.context.model.datasets[at.table].display;
        sense.score < EXACT && display.len() > 1 && display.contains(&at.column)
    }

    /// True where a kind is named before what is told of them: `hotels in Ghent and their phone`, `lamps with prices`.
    fn kind_is_listed(&self, subject: usize, shown: &[(&Mention, &Sense)]) -> bool {
        let first = shown.iter().map(|(mention, _)| mention.at).min();
        let kind = self.played(Role::Condition).find(|(mention, sense)| {
            let of_subject = match sense.meaning {
                Meaning::Part(at, _) => at.table == subject,
                Meaning::Value(at, _) => {
                    at.table == subject && self.context.model.field(at).role != FieldRole::Name
                }
                _ => false,
            };
            of_subject && matches!(mention.before, Around::Edge | Around::Show | Around::Which)
        });
        kind.zip(first)
            .is_some_and(|((mention, _), first)| mention.at < first)
    }

    /// What tells a person which row it is.
    pub(super) fn display(&self, table: usize, way: &Way) -> Vec<Shown> {
        let dataset = &self.context.model.datasets[table];
        let columns: Vec<usize> = if dataset.display.is_empty() {
            let key = &self.context.snapshot.schema.tables[table].primary_key;
            if key.is_empty() { vec![0] } else { key.clone() }
        } else {
            dataset.display.clone()
        };
        let mut shown: Vec<Shown> = Vec::new();
        if let Some(key) = self.told_with(table) {
            let target = self.context.snapshot.schema.foreign_keys[key].to[0].table;
            let names = &self.context.model.datasets[target].display;
            let up = way.then(&Way::up(key));
            shown.extend(names.iter().map(|column| value(up.clone(), *column)));
        }
        shown.extend(columns.into_iter().map(|column| value(way.clone(), column)));
        shown
    }

    /// The reference to what a row is told with, where its own number only counts within that: unit 3B of which house.
    fn told_with(&self, table: usize) -> Option<usize> {
        let datasets = &self.context.model.datasets;
        let [number] = datasets[table].display[..] else {
            return None;
        };
        let columns = &self.context.snapshot.profile.tables.get(table)?.as_ref()?.columns;
        let field = &datasets[table].fields[number];
        if field.role == FieldRole::Name || columns.get(number)?.is_unique() {
            return None;
        }
        let name = words::identifier_words(&self.context.snapshot.schema.tables[table].columns[number].name);
        let is_number = name
            .last()
            .is_some_and(|last| matches!(last.as_str(), "no" | "nr" | "nbr" | "num" | "number"));
        let keys = &self.context.snapshot.schema.foreign_keys;
        let mut owners = keys.iter().enumerate().filter(|(_, key)| {
            key.from.len() == 1
                && key.from[0].table == table
                && key.to[0].table != table
                && columns[key.from[0].column].nulls == 0
                && !datasets[key.to[0].table].display.is_empty()
                && datasets[key.to[0].table].role == DatasetRole::Entity
        });
        owners.next().filter(|_| is_number).map(|(key, _)| key)
    }
}

/// The column that says whether something has ended.
pub(super) fn time_in(condition: &Condition) -> Option<usize> {
    match condition {
        Condition::Missing(at) if at.way.hops.is_empty() => Some(at.column),
        Condition::Not(inner) => time_in(inner),
        _ => None,
    }
}

pub(super) fn push_shown(shown: &mut Vec<Shown>, column: Shown) {
    if !shown.contains(&column) {
        shown.push(column);
    }
}

/// The place where something is shown, with those before it.
fn place_of(shown: &mut Vec<Shown>, column: Shown) -> usize {
    let known = shown.iter().position(|known| *known == column);
    known.unwrap_or_else(|| {
        shown.push(column);
        shown.len() - 1
    })
}

pub(super) fn value(way: Way, column: usize) -> Shown {
    Shown::Value(Scalar::Column(Attribute { way, column }))
}
