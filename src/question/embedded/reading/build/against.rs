//! Values of a row that are compared with each other: what is there with what there should be, who ordered with who paid.

use super::{
    super::{
        items::Meaning,
        question::{Due, Mention},
    },
    Builder,
};
use crate::question::{
    schema::{ColumnKind, ColumnRef, Format, words},
    semantic::{Attribute, Comparison, Condition, FieldRole, Operand, Scalar},
};

impl Builder<'_> {
    /// That another value of the row compares so with this one, with the table in whose words that is.
    pub(super) fn against(
        &mut self,
        with: ColumnRef,
        mention: &Mention,
        comparison: Comparison,
    ) -> Option<(usize, Condition)> {
        let pairs = self.question.mentions.iter().zip(&self.cast.parts);
        let before = pairs.filter(|(other, _)| other.end <= mention.at);
        let mut named = before.filter_map(|(other, (_, sense))| match other.senses[*sense].meaning {
            Meaning::Field(at) if at != with && self.context.model.field(at).role.is_measure() => Some(at),
            _ => None,
        });
        let what = match named.next_back() {
            Some(at) => at,
            None => ColumnRef {
                table: with.table,
                column: self.counterpart(with)?,
            },
        };
        let ways = self.context.ways(what.table);
        let (way, cost) = ways.single(with.table)?;
        self.distance += cost;
        let with = Scalar::Column(Attribute {
            way: way.clone(),
            column: with.column,
        });
        let what_is = Scalar::Column(Attribute::own(what.column));
        Some((
            what.table,
            Condition::Compare(what_is, comparison, Operand::Scalar(with)),
        ))
    }

    /// The column whose values a limit or a target of the same row is set for.
    fn counterpart(&self, with: ColumnRef) -> Option<usize> {
        let columns = &self.context.snapshot.schema.tables[with.table].columns;
        let stems = |column: usize| -> Vec<String> {
            let name = words::identifier_words(&columns[column].name);
            name.iter().map(|word| words::stem(word)).collect()
        };
        let own = stems(with.column);
        let is_limit = own.iter().any(|word| {
            matches!(
                word.as_str(),
                "reorder"
                    | "reord"
                    | "min"
                    | "minimum"
                    | "max"
                    | "maximum"
                    | "level"
                    | "safeti"
                    | "threshold"
                    | "limit"
            )
        });
        let fields = self.context.model.datasets[with.table].fields.iter().enumerate();
        let mut found: Vec<(usize, usize)> = fields
            .filter(|(column, field)| *column != with.column && field.role.is_measure())
            .filter_map(|(column, _)| {
                let name = stems(column);
                let shared = name.iter().filter(|word| own.contains(word)).count();
                let stock = is_limit
                    && name.iter().any(|word| {
                        matches!(
                            word.as_str(),
                            "stock" | "hand" | "onhand" | "inventori" | "avail" | "balanc"
                        )
                    });
                let fits = shared * 2 + usize::from(stock) * 3;
                (fits > 0).then_some((column, fits))
            })
            .collect();
        found.sort_by_key(|(_, fits)| std::cmp::Reverse(*fits));
        found.first().map(|(column, _)| *column)
    }

    /// That two references of a row lead to different ones, or to the same: ordered by one branch, delivered to another.
    pub(super) fn two_parts(&mut self, tables: &[usize]) -> Option<(usize, Condition)> {
        let (apart, said) = self.question.two_parts.as_ref()?;
        let (table, one, other) = tables.iter().find_map(|table| {
            self.parts_of(*table, said)
                .map(|(one, other)| (*table, one, other))
        })?;
        // `from a city other than Leeds` may mean something else.
        self.choices = self.choices.max(2);
        if self.choice == 1 {
            return None;
        }
        let column = |column| Scalar::Column(Attribute::own(column));
        let comparison = if *apart {
            Comparison::NotEqual
        } else {
            Comparison::Equal
        };
        Some((
            table,
            Condition::Compare(column(one), comparison, Operand::Scalar(column(other))),
        ))
    }

    /// Two references of a table to the same other one, those that the question speaks of first.
    fn parts_of(&self, table: usize, said: &[String]) -> Option<(usize, usize)> {
        let schema = &self.context.snapshot.schema;
        let keys = schema.foreign_keys.iter();
        let own: Vec<(usize, usize, usize)> = keys
            .filter(|key| key.from.len() == 1 && key.from[0].table == table)
            .map(|key| {
                let name = words::identifier_words(&schema.column(key.from[0]).name);
                let fits = name.iter().filter(|word| {
                    let stem = words::stem(word);
                    let short = stem.len() >= 3 && said.iter().any(|said| said.starts_with(&stem));
                    short
                        || said
                            .iter()
                            .any(|said| said.len() >= 4 && stem.starts_with(said.as_str()))
                });
                (key.from[0].column, key.to[0].table, fits.count())
            })
            .collect();
        let mut best: Option<(usize, usize, usize)> = None;
        for (at, (one, to, fits)) in own.iter().enumerate() {
            for (other, also, more) in &own[at + 1..] {
                if to == also && best.is_none_or(|(.., known)| fits + more > known) {
                    best = Some((*one, *other, fits + more));
                }
            }
        }
        best.map(|(one, other, _)| (one, other))
    }

    /// How rows stand to today, where the question says so.
    pub(super) fn due(&self, tables: &[usize]) -> Option<(usize, Condition)> {
        let due = self.question.due?;
        // `when does it run out` asks for the day.
        let names_day = due != Due::Overdue && !self.question.periods.is_empty();
        if self.question.when && matches!(due, Due::Expired | Due::Valid) || names_day {
            return None;
        }
        let today = self.context.today.to_string();
        // `swimmers with an expired medical`: it is said of what stands right behind it.
        let behind = self.question.mentions.iter().zip(&self.cast.parts);
        let behind = behind.filter(|(mention, _)| mention.at == self.question.due_at + 1);
        let behind = behind.filter_map(|(mention, (_, sense))| match mention.senses[*sense].meaning {
            Meaning::Dataset(table) if tables.contains(&table) => Some(table),
            _ => None,
        });
        let tables: Vec<usize> = behind.chain(tables.iter().copied()).collect();
        tables.iter().find_map(|table| {
            if due == Due::Overdue
                && let Some(overdue) = self.overdue(*table)
            {
                return Some((*table, overdue));
            }
            let column = self.due_time(*table)?;
            let time = Attribute::own(column);
            let condition = match due {
                Due::Upcoming | Due::Valid => Condition::During(time, Some(today.clone()), None),
                Due::Expired => Condition::During(time, None, Some(today.clone())),
                Due::Overdue => {
                    let passed = Condition::During(time, None, Some(today.clone()));
                    let done = self.done(*table, column);
                    let missing = || done.map(|done| Condition::Missing(Attribute::own(done)));
                    match self.still_open(*table).or_else(missing) {
                        Some(open) => Condition::All(vec![passed, open]),
                        None => passed,
                    }
                }
            };
            Some((*table, condition))
        })
    }

    /// `overdue books`: those with something that is, where only what refers to them can be.
    pub(super) fn due_of_others(&self, tables: &[usize]) -> Option<(usize, Condition)> {
        if self.question.due != Some(Due::Overdue) {
            return None;
        }
        tables.iter().find_map(|&table| {
            let events = (0..self.context.model.datasets.len()).filter(|event| *event != table);
            let ways = self.context.ways(table);
            let near = events.filter_map(|event| {
                let (way, cost) = ways.nearest(event)?;
                Some((way, *cost, self.overdue(event)?))
            });
            let (way, _, condition) = near.min_by(|one, other| one.1.total_cmp(&other.1))?;
            let related = Condition::Related {
                way: way.clone(),
                how_many: (Comparison::AtLeast, 1),
                conditions: vec![condition],
            };
            Some((table, related))
        })
    }

    /// The time that stands so to today as the question says.
    pub(super) fn due_time(&self, table: usize) -> Option<usize> {
        let due = self.question.due?;
        let dataset = &self.context.model.datasets[table];
        let columns = &self.context.snapshot.schema.tables[table].columns;
        let named = |wanted: &[&str]| {
            wanted.iter().find_map(|wanted| {
                dataset.fields.iter().enumerate().position(|(column, field)| {
                    field.role == FieldRole::Time
                        && columns[column].kind != ColumnKind::Time
                        && field.format != Some(Format::Time)
                        && words::identifier_words(&columns[column].name)
                            .iter()
                            .any(|word| word == wanted)
                })
            })
        };
        match due {
            Due::Overdue => named(&[
                "due",
                "deadline",
                "promised",
                "expected",
                "planned",
                "scheduled",
                "sched",
                "schd",
            ]),
            Due::Expired | Due::Valid => named(&[
                "expires",
                "expiry",
                "expire",
                "exp",
                "expiration",
                "until",
                "thru",
                "end",
                "ends",
            ])
            .or_else(|| {
                // `valid_to`, and not from when on.
                columns.iter().enumerate().position(|(column, described)| {
                    let name = words::identifier_words(&described.name);
                    let ends =
                        name.iter().any(|word| word == "to") && name.iter().any(|word| word == "valid");
                    ends && dataset.fields[column].role == FieldRole::Time
                })
            }),
            Due::Upcoming => {
                named(&["scheduled", "sched", "schd", "planned", "starts", "start", "strt"]).or(dataset.time)
            }
        }
    }

    /// That a row has not been settled, by a column of what became of it.
    fn still_open(&self, table: usize) -> Option<Condition> {
        let open = |said: &str| {
            matches!(
                said.to_lowercase().as_str(),
                "open"
                    | "unpaid"
                    | "outstanding"
                    | "overdue"
                    | "partly paid"
                    | "partially paid"
                    | "partial"
                    | "late"
            )
        };
        let profile = self.context.snapshot.profile.tables.get(table)?.as_ref()?;
        let fields = self.context.model.datasets[table].fields.iter().enumerate();
        fields
            .zip(&profile.columns)
            .find_map(|((column, field), profile)| {
                if !matches!(field.role, FieldRole::Code | FieldRole::Dimension) {
                    return None;
                }
                let stored = profile.frequent.iter().map(|(value, _)| value.as_str());
                let labelled = |value: &str| {
                    field
                        .labels
                        .iter()
                        .any(|(code, label)| code == value && open(label))
                };
                let meant: Vec<Operand> = stored
                    .filter(|value| open(value) || labelled(value))
                    .map(|value| Operand::Text(value.to_owned()))
                    .collect();
                let of = Scalar::Column(Attribute::own(column));
                (!meant.is_empty()).then_some(Condition::In(of, meant))
            })
    }

    /// The time at which that was done which had to be done by another.
    fn done(&self, table: usize, due: usize) -> Option<usize> {
        let filters = self.context.model.filters.iter();
        let mut late = filters.filter(|filter| filter.dataset == table && filter.name == "late");
        let of_late = late.find_map(|filter| match &filter.condition {
            Condition::Compare(Scalar::Period(done, _), _, _) => Some(done.column),
            _ => None,
        });
        of_late.or_else(|| self.context.model.datasets[table].end.filter(|end| *end != due))
    }
}
