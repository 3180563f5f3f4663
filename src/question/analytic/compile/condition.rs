//! Conditions as SQL. A missing value never proves that something does not hold.

use super::{
    NoWay, aggregate,
    rows::{Rows, operator},
};
use crate::question::{
    schema::{ColumnKind, ColumnProfile, ColumnRef, Dialect, Format, literal},
    semantic::{Aggregate, Attribute, Comparison, Condition, FieldRole, FlagForm, Scalar, Way},
};

impl Rows<'_> {
    /// All of these; `None` where there are none.
    pub(super) fn conditions(&mut self, conditions: &[Condition]) -> Result<Vec<String>, NoWay> {
        conditions
            .iter()
            .map(|condition| self.condition(condition))
            .collect()
    }

    /// One condition.
    pub(super) fn condition(&mut self, condition: &Condition) -> Result<String, NoWay> {
        Ok(match condition {
            Condition::Compare(left, comparison, right) => {
                format!(
                    "{} {} {}",
                    self.scalar(left)?,
                    operator(*comparison),
                    self.operand(right)?
                )
            }
            Condition::In(left, values) => {
                let left = self.scalar(left)?;
                let values: Result<Vec<String>, NoWay> =
                    values.iter().map(|value| self.operand(value)).collect();
                format!("{left} IN ({})", values?.join(", "))
            }
            Condition::Like(attribute, pattern) => self.like(attribute, pattern)?,
            Condition::Missing(attribute) => self.missing(attribute, true)?,
            Condition::Flag(attribute, set) => self.flag(attribute, *set)?,
            Condition::During(attribute, from, to) => {
                self.during(attribute, from.as_deref(), to.as_deref())?
            }
            Condition::Related {
                way,
                how_many,
                conditions,
            } => self.has_related(way, *how_many, conditions)?,
            Condition::ToAll(left, comparison, of_all, conditions, peers) => {
                // Of rows that are referred to, all of those are meant.
                let way = way_between(left, of_all);
                let left = self.scalar(left)?;
                let own = match peers {
                    Some(peers) => Some(self.scalar(&Scalar::Column(Attribute {
                        way: way.then(&peers.way),
                        column: peers.column,
                    }))?),
                    None => None,
                };
                let mut all = self.all_at(&way);
                let figure = aggregate::aggregate(&mut all, of_all, &[])?;
                let mut found = all.conditions(conditions)?;
                if let (Some(peers), Some(own)) = (peers, own) {
                    let theirs = all.scalar(&Scalar::Column(peers.clone()))?;
                    found.push(format!("{theirs} = {own}"));
                }
                let filter = if found.is_empty() {
                    String::new()
                } else {
                    format!(" WHERE {}", found.join(" AND "))
                };
                format!(
                    "{left} {} (SELECT {figure} FROM {}{filter})",
                    operator(*comparison),
                    all.from()
                )
            }
            Condition::AtEnd {
                time,
                first,
                each,
                among,
            } => self.at_end(time, *first, each, among)?,
            Condition::Not(inner) => match &**inner {
                Condition::Missing(attribute) => self.missing(attribute, false)?,
                Condition::Not(inner) => self.condition(inner)?,
                // What one of them speaks of may be missing, as a parent is: that is no reason to hold back the row.
                any @ Condition::Any(_) => format!("{} IS NOT TRUE", self.condition(any)?),
                inner => format!("NOT ({})", self.condition(inner)?),
            },
            Condition::Any(conditions) => {
                // Where one of them holds, what another speaks of may be missing.
                let keeps = std::mem::replace(&mut self.keep_missing, true);
                let any = self.conditions(conditions);
                self.keep_missing = keeps;
                format!("({})", any?.join(" OR "))
            }
            Condition::All(conditions) => format!("({})", self.conditions(conditions)?.join(" AND ")),
            Condition::Written(pieces) => format!("({})", self.written(pieces)?),
        })
    }

    /// That a row is of the last moment, or the first, that there is for each of some values.
    fn at_end(
        &mut self,
        time: &Attribute,
        first: bool,
        each: &[Scalar],
        among: &[Condition],
    ) -> Result<String, NoWay> {
        let mut all = self.again();
        let (mut own, mut ends) = (Vec::new(), Vec::new());
        for scalar in each {
            own.push(self.scalar(scalar)?);
            ends.push(all.scalar(scalar)?);
        }
        let group = if ends.is_empty() {
            String::new()
        } else {
            format!(" GROUP BY {}", ends.join(", "))
        };
        own.push(self.column(time)?);
        ends.push(format!(
            "{}({})",
            if first { "MIN" } else { "MAX" },
            all.column(time)?
        ));
        let found = all.conditions(among)?;
        let filter = if found.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", found.join(" AND "))
        };
        let own = match &own[..] {
            [only] => only.clone(),
            several => format!("({})", several.join(", ")),
        };
        let from = all.from();
        Ok(format!(
            "{own} IN (SELECT {} FROM {from}{filter}{group})",
            ends.join(", ")
        ))
    }

    /// That a text fits a pattern.
    fn like(&mut self, attribute: &Attribute, pattern: &str) -> Result<String, NoWay> {
        let (column, pattern) = (self.column(attribute)?, literal(pattern));
        Ok(match self.of.snapshot.dialect {
            Dialect::Sqlite => format!("{column} LIKE {pattern}"),
            Dialect::Postgres => format!("{column} ILIKE {pattern}"),
        })
    }

    /// That a value is missing, or that it is there.
    fn missing(&mut self, attribute: &Attribute, missing: bool) -> Result<String, NoWay> {
        let column = self.column(attribute)?;
        let place = self.place(attribute)?;
        let profile = self.of.profile(place);
        // Where nothing is ever NULL, 0, nines or an empty text stand for what is missing.
        let mut keys = self.of.snapshot.schema.foreign_keys.iter();
        let nowhere = keys
            .any(|key| key.from == [place] && self.of.snapshot.profile.zero_refers_nowhere(place, key.to[0]));
        let number = profile
            .and_then(ColumnProfile::number_for_none)
            .or(nowhere.then_some(0));
        if let Some(number) = number {
            return Ok(format!("{column} {} {number}", if missing { "=" } else { "<>" }));
        }
        Ok(match profile {
            Some(profile) if profile.nulls == 0 && profile.blanks > 0 => {
                format!("trim({column}) {} ''", if missing { "=" } else { "<>" })
            }
            _ => format!("{column} IS {}NULL", if missing { "" } else { "NOT " }),
        })
    }

    fn flag(&mut self, attribute: &Attribute, set: bool) -> Result<String, NoWay> {
        let column = self.column(attribute)?;
        let place = self.place(attribute)?;
        let form = match self.of.model.field(place).role {
            FieldRole::Flag(form) => form,
            _ => FlagForm::Number,
        };
        let value = match (form, set) {
            (FlagForm::Boolean, _) if self.of.snapshot.dialect == Dialect::Postgres => {
                return Ok(if set { column } else { format!("NOT {column}") });
            }
            // PostgreSQL's clients may run it as it stands.
            (FlagForm::Boolean, set) => set.to_string().to_uppercase(),
            (FlagForm::Number, set) => u8::from(set).to_string(),
            (form, set) => literal(&self.spelled(place, form, set)),
        };
        Ok(format!("{column} = {value}"))
    }

    /// A flag's value in the letters in which the column has it.
    fn spelled(&self, place: ColumnRef, form: FlagForm, set: bool) -> String {
        let (yes, no): (&[&str], &[&str]) = match form {
            FlagForm::TrueFalse => (&["true"], &["false"]),
            FlagForm::Letter => (&["t"], &["f"]),
            FlagForm::YesNo => (&["yes"], &["no"]),
            _ => (&["y", "j"], &["n"]),
        };
        let wanted = if set { yes } else { no };
        let stored = self.of.profile(place).and_then(|profile| {
            let mut values = profile.frequent.iter();
            values.find(|(value, _)| {
                wanted
                    .iter()
                    .any(|wanted| value.trim().eq_ignore_ascii_case(wanted))
            })
        });
        stored.map_or_else(|| wanted[0].to_owned(), |(value, _)| value.clone())
    }

    fn during(
        &mut self,
        attribute: &Attribute,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<String, NoWay> {
        let kept = self.kept(attribute)?;
        let column = self.column(attribute)?;
        let mut parts = Vec::new();
        for (day, sign) in [(from, ">="), (to, "<")] {
            let Some(day) = day else { continue };
            let text = self.of.snapshot.schema.column(self.place(attribute)?).kind == ColumnKind::Text;
            // Digits that are kept as text compare with text.
            let bound = kept.bound(day).map(|bound| {
                if text && !bound.starts_with('\'') {
                    format!("'{bound}'")
                } else {
                    bound
                }
            });
            parts.push(match bound {
                Some(bound) => format!("{column} {sign} {bound}"),
                None => format!("{} {sign} '{day}'", kept.moment(&column)),
            });
        }
        // Where 0 stands for a missing date it lies before every day.
        if from.is_none() && matches!(kept.format, Some(Format::CompactDate | Format::UnixSeconds)) {
            parts.insert(0, format!("{column} > 0"));
        }
        Ok(parts.join(" AND "))
    }

    fn has_related(
        &mut self,
        way: &Way,
        (comparison, number): (Comparison, u64),
        conditions: &[Condition],
    ) -> Result<String, NoWay> {
        // "Has a manager": the reference itself tells.
        if way.is_single() {
            let mut there = self.conditions(conditions)?;
            if let Some(missing) = self.unreferred(way)? {
                there.insert(0, missing);
            }
            let there = there.join(" AND ");
            return Ok(match (comparison, number) {
                (Comparison::Equal, 0) | (Comparison::Less, 1) => format!("NOT ({there})"),
                _ => format!("({there})"),
            });
        }
        let (mut rows, mut found) = self.related(way)?;
        found.extend(rows.conditions(conditions)?);
        let found = found.join(" AND ");
        let from = rows.from();
        Ok(match (comparison, number) {
            (Comparison::AtLeast, 1) | (Comparison::Greater, 0) => {
                format!("EXISTS (SELECT 1 FROM {from} WHERE {found})")
            }
            (Comparison::Equal | Comparison::AtMost, 0) | (Comparison::Less, 1) => {
                format!("NOT EXISTS (SELECT 1 FROM {from} WHERE {found})")
            }
            (comparison, number) => {
                format!(
                    "(SELECT COUNT(*) FROM {from} WHERE {found}) {} {number}",
                    operator(comparison)
                )
            }
        })
    }

    /// The condition that the first reference of a way leads somewhere.
    fn unreferred(&mut self, way: &Way) -> Result<Option<String>, NoWay> {
        let Some(hop) = way.hops.first() else {
            return Ok(None);
        };
        let key = &self.of.snapshot.schema.foreign_keys[hop.key];
        let attribute = Attribute::own(key.from[0].column);
        Ok(Some(format!("{} IS NOT NULL", self.column(&attribute)?)))
    }
}

/// The way from the rows that something is said of to those whose value is compared with what all of them come to.
pub(crate) fn way_between(value: &Scalar, of_all: &Aggregate) -> Way {
    let (Scalar::Column(value), Aggregate::Average(Scalar::Column(own))) = (value, of_all) else {
        return Way::here();
    };
    let further = value.way.hops.len().saturating_sub(own.way.hops.len());
    if value.column != own.column || value.way.hops[further..] != own.way.hops[..] {
        return Way::here();
    }
    Way {
        hops: value.way.hops[..further].to_vec(),
    }
}
