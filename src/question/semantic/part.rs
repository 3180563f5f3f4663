//! The meaning of a part of a database: what is said of tables, columns and keys that are not in it is left out.

use std::collections::HashMap;

use super::{
    Aggregate, Attribute, ComputedField, Condition, Dataset, Figure, Formula, Hop, Metric, NamedFilter,
    Operand, Piece, Provenance, Scalar, SemanticModel, Term, Way, heading,
};
use crate::question::schema::{ColumnRef, ForeignKey, Schema};

impl SemanticModel {
    /// Leaves out what a table of codes that is not in the part says of a column.
    pub fn forget_codes(&mut self, at: ColumnRef, told: &[(String, String)]) {
        let labels = &mut self.datasets[at.table].fields[at.column].labels;
        labels.retain(|label| !told.contains(label));
        let names: Vec<String> = told
            .iter()
            .map(|(_, label)| heading(label).to_lowercase())
            .collect();
        self.filters.retain(|filter| {
            let is_code = |of: &Attribute| of.way.hops.is_empty() && of.column == at.column;
            let told = match &filter.condition {
                Condition::Compare(Scalar::Column(of), ..) => is_code(of) && names.contains(&filter.name),
                // `cancelled` of `cancelled by guest`.
                Condition::In(Scalar::Column(of), _) => {
                    is_code(of) && names.iter().any(|name| name.starts_with(&filter.name))
                }
                _ => false,
            };
            let inferred = filter.source == Provenance::Inferred && filter.dataset == at.table;
            !(inferred && told)
        });
    }
}

/// Where the tables, columns and keys of a whole database are in a part of it.
#[derive(Debug)]
pub struct Places<'a> {
    whole: &'a Schema,
    tables: Vec<Option<usize>>,
    columns: Vec<Vec<Option<usize>>>,
    keys: Vec<Option<usize>>,
    /// The keys of the whole that the part has, as the part has them.
    pub foreign_keys: Vec<ForeignKey>,
}

impl<'a> Places<'a> {
    /// By the names of tables and columns; both ends of a key must be there.
    pub fn new(whole: &'a Schema, part: &Schema) -> Self {
        let named = |schema: &Schema| -> HashMap<(Option<String>, String), usize> {
            let tables = schema.tables.iter().enumerate();
            tables
                .map(|(at, table)| ((table.schema.clone(), table.name.clone()), at))
                .collect()
        };
        let there = named(part);
        let mut places = Self {
            whole,
            tables: Vec::new(),
            columns: Vec::new(),
            keys: Vec::new(),
            foreign_keys: Vec::new(),
        };
        for table in &whole.tables {
            let at = there.get(&(table.schema.clone(), table.name.clone())).copied();
            let columns = at.map(|at| &part.tables[at].columns[..]).unwrap_or_default();
            let named: HashMap<&str, usize> = columns
                .iter()
                .enumerate()
                .map(|(at, column)| (column.name.as_str(), at))
                .collect();
            places.columns.push(
                table
                    .columns
                    .iter()
                    .map(|column| named.get(column.name.as_str()).copied())
                    .collect(),
            );
            places.tables.push(at);
        }
        for key in &whole.foreign_keys {
            let end = |columns: &[ColumnRef]| columns.iter().map(|at| places.column(*at)).collect();
            let found: Option<(Vec<_>, Vec<_>)> = Option::zip(end(&key.from), end(&key.to));
            let place = found.map(|(from, to)| {
                places.foreign_keys.push(ForeignKey {
                    from,
                    to,
                    declared: key.declared,
                    enforced: key.enforced,
                });
                places.foreign_keys.len() - 1
            });
            places.keys.push(place);
        }
        places
    }

    /// Where a table is.
    pub fn table(&self, table: usize) -> Option<usize> {
        self.tables.get(table).copied().flatten()
    }

    /// Where a column is.
    pub fn column(&self, at: ColumnRef) -> Option<ColumnRef> {
        Some(ColumnRef {
            table: self.table(at.table)?,
            column: (*self.columns.get(at.table)?.get(at.column)?)?,
        })
    }

    /// Where a key is.
    pub fn key(&self, key: usize) -> Option<usize> {
        self.keys.get(key).copied().flatten()
    }

    /// The table at the end of a way from a table.
    fn end(&self, from: usize, way: &Way) -> Option<usize> {
        way.hops.iter().try_fold(from, |_, hop| {
            let key = self.whole.foreign_keys.get(hop.key)?;
            let end = if hop.up { &key.to } else { &key.from };
            Some(end.first()?.table)
        })
    }

    fn way(&self, way: &Way) -> Option<Way> {
        let hop = |hop: &Hop| {
            Some(Hop {
                key: self.key(hop.key)?,
                up: hop.up,
            })
        };
        Some(Way {
            hops: way.hops.iter().map(hop).collect::<Option<_>>()?,
        })
    }

    fn attribute(&self, of: usize, attribute: &Attribute) -> Option<Attribute> {
        let at = ColumnRef {
            table: self.end(of, &attribute.way)?,
            column: attribute.column,
        };
        Some(Attribute {
            way: self.way(&attribute.way)?,
            column: self.column(at)?.column,
        })
    }

    fn scalar(&self, of: usize, scalar: &Scalar) -> Option<Scalar> {
        let part = |scalar: &Scalar| self.scalar(of, scalar).map(Box::new);
        Some(match scalar {
            Scalar::Column(attribute) => Scalar::Column(self.attribute(of, attribute)?),
            Scalar::Number(_) | Scalar::Moment(_) => scalar.clone(),
            Scalar::Times(one, other) => Scalar::Times(part(one)?, part(other)?),
            Scalar::Minus(one, other) => Scalar::Minus(part(one)?, part(other)?),
            Scalar::Over(one, other) => Scalar::Over(part(one)?, part(other)?),
            Scalar::Or(one, other) => Scalar::Or(part(one)?, part(other)?),
            Scalar::Span(from, to, unit) => Scalar::Span(part(from)?, part(to)?, *unit),
            Scalar::Period(attribute, grain) => Scalar::Period(self.attribute(of, attribute)?, *grain),
            Scalar::Part(attribute, part) => Scalar::Part(self.attribute(of, attribute)?, *part),
            Scalar::Truth(condition) => Scalar::Truth(Box::new(self.condition(of, condition)?)),
            Scalar::Figure(way, aggregate) => {
                let end = self.end(of, way)?;
                Scalar::Figure(self.way(way)?, Box::new(self.aggregate(end, aggregate)?))
            }
            Scalar::Written(pieces) => Scalar::Written(self.written(of, pieces)?),
        })
    }

    fn written(&self, of: usize, pieces: &[Piece<Term>]) -> Option<Vec<Piece<Term>>> {
        let piece = |piece: &Piece<Term>| {
            Some(match piece {
                Piece::Text(text) => Piece::Text(text.clone()),
                Piece::Part(Term::Column(attribute)) => {
                    Piece::Part(Term::Column(self.attribute(of, attribute)?))
                }
                Piece::Part(Term::Figure(figure)) => {
                    let far = self.end(of, &figure.way)?;
                    Piece::Part(Term::Figure(Box::new(Figure {
                        way: self.way(&figure.way)?,
                        aggregate: self.aggregate(far, &figure.aggregate)?,
                        conditions: self.conditions(far, &figure.conditions)?,
                    })))
                }
            })
        };
        pieces.iter().map(piece).collect()
    }

    fn operand(&self, of: usize, operand: &Operand) -> Option<Operand> {
        Some(match operand {
            Operand::Scalar(scalar) => Operand::Scalar(self.scalar(of, scalar)?),
            other => other.clone(),
        })
    }

    fn conditions(&self, of: usize, conditions: &[Condition]) -> Option<Vec<Condition>> {
        conditions
            .iter()
            .map(|condition| self.condition(of, condition))
            .collect()
    }

    fn condition(&self, of: usize, condition: &Condition) -> Option<Condition> {
        Some(match condition {
            Condition::Compare(value, comparison, with) => {
                Condition::Compare(self.scalar(of, value)?, *comparison, self.operand(of, with)?)
            }
            Condition::In(value, among) => {
                let among = among.iter().map(|operand| self.operand(of, operand));
                Condition::In(self.scalar(of, value)?, among.collect::<Option<_>>()?)
            }
            Condition::Like(attribute, pattern) => {
                Condition::Like(self.attribute(of, attribute)?, pattern.clone())
            }
            Condition::Missing(attribute) => Condition::Missing(self.attribute(of, attribute)?),
            Condition::Flag(attribute, set) => Condition::Flag(self.attribute(of, attribute)?, *set),
            Condition::During(attribute, from, to) => {
                Condition::During(self.attribute(of, attribute)?, from.clone(), to.clone())
            }
            Condition::Related {
                way,
                how_many,
                conditions,
            } => Condition::Related {
                conditions: self.conditions(self.end(of, way)?, conditions)?,
                way: self.way(way)?,
                how_many: *how_many,
            },
            Condition::ToAll(value, comparison, aggregate, conditions, peers) => Condition::ToAll(
                self.scalar(of, value)?,
                *comparison,
                Box::new(self.aggregate(of, aggregate)?),
                self.conditions(of, conditions)?,
                match peers {
                    Some(peers) => Some(self.attribute(of, peers)?),
                    None => None,
                },
            ),
            Condition::AtEnd {
                time,
                first,
                each,
                among,
            } => Condition::AtEnd {
                time: self.attribute(of, time)?,
                first: *first,
                each: (each.iter())
                    .map(|scalar| self.scalar(of, scalar))
                    .collect::<Option<_>>()?,
                among: self.conditions(of, among)?,
            },
            Condition::Not(condition) => Condition::Not(Box::new(self.condition(of, condition)?)),
            Condition::Any(conditions) => Condition::Any(self.conditions(of, conditions)?),
            Condition::All(conditions) => Condition::All(self.conditions(of, conditions)?),
            Condition::Written(pieces) => Condition::Written(self.written(of, pieces)?),
        })
    }

    fn aggregate(&self, of: usize, aggregate: &Aggregate) -> Option<Aggregate> {
        let value = |scalar: &Scalar| self.scalar(of, scalar);
        Some(match aggregate {
            Aggregate::Count => Aggregate::Count,
            Aggregate::CountDistinct(scalar) => Aggregate::CountDistinct(value(scalar)?),
            Aggregate::Sum(scalar) => Aggregate::Sum(value(scalar)?),
            Aggregate::Average(scalar) => Aggregate::Average(value(scalar)?),
            Aggregate::Minimum(scalar) => Aggregate::Minimum(value(scalar)?),
            Aggregate::Maximum(scalar) => Aggregate::Maximum(value(scalar)?),
            Aggregate::Median(scalar) => Aggregate::Median(value(scalar)?),
        })
    }

    fn formula(&self, formula: &Formula) -> Option<Formula> {
        // Only aggregates of rows name tables and columns; what is reckoned with them stays.
        let mut formula = formula.clone();
        let moved = formula.each_aggregate(&mut |rows| {
            let Formula::Rows {
                table,
                aggregate,
                conditions,
                time,
            } = rows
            else {
                return Ok(());
            };
            let time = match time {
                None => None,
                Some(time) => Some(self.attribute(*table, time).ok_or(())?),
            };
            *rows = Formula::Rows {
                aggregate: self.aggregate(*table, aggregate).ok_or(())?,
                conditions: self.conditions(*table, conditions).ok_or(())?,
                table: self.table(*table).ok_or(())?,
                time,
            };
            Ok::<(), ()>(())
        });
        moved.ok().map(|()| formula)
    }

    fn dataset(&self, at: usize, dataset: &Dataset) -> Dataset {
        let place = |column: usize| self.columns[at].get(column).copied().flatten();
        // The part's columns stand in their own order.
        let mut fields: Vec<(usize, &super::Field)> = (0..dataset.fields.len())
            .filter_map(|column| Some((place(column)?, &dataset.fields[column])))
            .collect();
        fields.sort_by_key(|(place, _)| *place);
        let computed = dataset.computed.iter().filter_map(|field| {
            Some(ComputedField {
                value: self.scalar(at, &field.value)?,
                ..field.clone()
            })
        });
        Dataset {
            role: dataset.role,
            display: dataset
                .display
                .iter()
                .filter_map(|column| place(*column))
                .collect(),
            time: dataset.time.and_then(place),
            end: dataset.end.and_then(place),
            fields: fields.into_iter().map(|(_, field)| field.clone()).collect(),
            computed: computed.collect(),
            wording: dataset.wording.clone(),
        }
    }
}

impl SemanticModel {
    /// The meaning of a part of the database. What needs something that is not in it is left out as a whole: no metric
    /// means something else there. Instructions and verified queries stay, being text.
    #[must_use]
    pub fn of_part(&self, places: &Places<'_>) -> Self {
        let mut datasets: Vec<(usize, Dataset)> = self
            .datasets
            .iter()
            .enumerate()
            .filter_map(|(at, dataset)| Some((places.table(at)?, places.dataset(at, dataset))))
            .collect();
        datasets.sort_by_key(|(place, _)| *place);
        let relationships = self.relationships.iter().enumerate();
        let metrics = self.metrics.iter().filter_map(|metric| {
            Some(Metric {
                dataset: places.table(metric.dataset)?,
                formula: places.formula(&metric.formula)?,
                ..metric.clone()
            })
        });
        let filters = self.filters.iter().filter_map(|filter| {
            Some(NamedFilter {
                dataset: places.table(filter.dataset)?,
                condition: places.condition(filter.dataset, &filter.condition)?,
                ..filter.clone()
            })
        });
        let hierarchies = self.hierarchies.iter().filter_map(|columns| {
            let columns: Vec<ColumnRef> = columns.iter().filter_map(|at| places.column(*at)).collect();
            (columns.len() > 1).then_some(columns)
        });
        Self {
            datasets: datasets.into_iter().map(|(_, dataset)| dataset).collect(),
            relationships: relationships
                .filter(|(key, _)| places.key(*key).is_some())
                .map(|(_, relationship)| relationship.clone())
                .collect(),
            metrics: metrics.collect(),
            filters: filters.collect(),
            hierarchies: hierarchies.collect(),
            instructions: self.instructions.clone(),
            verified: self.verified.clone(),
        }
    }
}
