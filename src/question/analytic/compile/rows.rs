//! The rows of one table with what they belong to: FROM, its joins, and expressions over them.

use std::{cell::Cell, collections::BTreeMap};

use super::{Database, NoWay, aggregate};
use crate::question::{
    analytic::time,
    schema::{ColumnRef, Dialect, Format, literal},
    semantic::{
        Aggregate, Attribute, Comparison, DatasetRole, Figure, Hop, Operand, Piece, Scalar, Term, Way,
    },
};

/// The rows of one table, joined to what is named of others.
pub(super) struct Rows<'a> {
    pub(super) of: Database<'a>,
    /// The table.
    pub(super) root: usize,
    /// How often each table's name was used in the whole statement, so that no two references meet.
    used: &'a Names,
    aliases: BTreeMap<Way, String>,
    joins: Vec<String>,
    /// True where a row stays though what it belongs to is missing.
    pub(super) keep_missing: bool,
}

/// The names that a statement has given to its tables.
#[derive(Default)]
pub(super) struct Names {
    given: std::cell::RefCell<Vec<String>>,
    ctes: Cell<usize>,
}

impl Names {
    /// A name for one more reference to a table.
    fn give(&self, of: Database<'_>, table: usize) -> String {
        let mut given = self.given.borrow_mut();
        let name = &of.snapshot.schema.tables[table].name;
        let mut number = 1;
        loop {
            let wanted = if number == 1 {
                name.clone()
            } else {
                format!("{name}_{number}")
            };
            if !given.iter().any(|given| given.eq_ignore_ascii_case(&wanted)) {
                given.push(wanted.clone());
                return of.identifier(&wanted);
            }
            number += 1;
        }
    }

    /// A name for a part of the statement that no table has.
    pub(super) fn part(&self, of: Database<'_>) -> String {
        loop {
            let number = self.ctes.get() + 1;
            self.ctes.set(number);
            let wanted = format!("part_{number}");
            if of.snapshot.schema.table_named(&wanted).is_none() {
                return wanted;
            }
        }
    }
}

impl<'a> Rows<'a> {
    pub(super) fn new(of: Database<'a>, used: &'a Names, root: usize, keep_missing: bool) -> Self {
        let alias = used.give(of, root);
        Self {
            of,
            root,
            used,
            aliases: BTreeMap::from([(Way::here(), alias)]),
            joins: Vec::new(),
            keep_missing,
        }
    }

    /// FROM without its word.
    pub(super) fn from(&self) -> String {
        let mut from = self.of.source(self.root, &self.aliases[&Way::here()]);
        for join in &self.joins {
            from.push(' ');
            from.push_str(join);
        }
        from
    }

    /// The name of the table at the end of a way to one row at most.
    pub(super) fn alias(&mut self, way: &Way) -> Result<String, NoWay> {
        if let Some(alias) = self.aliases.get(way) {
            return Ok(alias.clone());
        }
        let (hop, before) = way.hops.split_last().ok_or(NoWay)?;
        // A row belongs to several others only where a table links them: each is a group of its own.
        let links = |table: usize| self.of.model.datasets[table].role == DatasetRole::Link;
        if !hop.up && !links(self.of.end(self.root, way)?) {
            return Err(NoWay);
        }
        let nearer = self.alias(&Way {
            hops: before.to_vec(),
        })?;
        let table = self.of.end(self.root, way)?;
        let alias = self.used.give(self.of, table);
        let key = &self.of.snapshot.schema.foreign_keys[hop.key];
        // Only a declared key holds what it promises.
        let optional = !key.declared
            || key
                .from
                .iter()
                .any(|from| !self.of.snapshot.schema.column(*from).not_null);
        let outer = self.keep_missing && optional
            || self
                .joins
                .iter()
                .any(|join| join.starts_with("LEFT") && join.contains(&nearer));
        self.joins.push(format!(
            "{}JOIN {} ON {}",
            if outer { "LEFT " } else { "" },
            self.of.source(table, &alias),
            self.of.tie(*hop, &nearer, &alias)
        ));
        self.aliases.insert(way.clone(), alias.clone());
        Ok(alias)
    }

    /// The rows of the same table once more, tied to nothing.
    pub(super) fn again(&self) -> Self {
        Self::new(self.of, self.used, self.root, false)
    }

    /// All rows of the table where a way ends.
    pub(super) fn all_at(&self, way: &Way) -> Self {
        let root = way.end(self.root, &self.of.snapshot.schema);
        Self::new(self.of, self.used, root, false)
    }

    /// A condition that holds of every row.
    fn is_there(&self) -> Result<String, NoWay> {
        let key = self.of.snapshot.schema.identity(self.root);
        let columns = &self.of.snapshot.schema.tables[self.root].columns;
        let column = columns
            .get(key.first().copied().unwrap_or_default())
            .ok_or(NoWay)?;
        Ok(format!(
            "{}.{} IS NOT NULL",
            self.own(),
            self.of.identifier(&column.name)
        ))
    }

    /// The name of the table itself.
    pub(super) fn own(&self) -> &str {
        &self.aliases[&Way::here()]
    }

    /// The rows at the end of a way to many, whose ends are tied to a row of these: what comes behind FROM, and the
    /// conditions of the tie.
    pub(super) fn related(&mut self, way: &Way) -> Result<(Rows<'a>, Vec<String>), NoWay> {
        let first_down = way.hops.iter().position(|hop| !hop.up).ok_or(NoWay)?;
        let (near, far) = way.hops.split_at(first_down);
        let outer = self.alias(&Way { hops: near.to_vec() })?;
        let end = self.of.end(self.root, way)?;
        let mut rows = Rows::new(self.of, self.used, end, false);
        // Backwards from the far table to the one that is tied to this row.
        let mut nearer = rows.own().to_owned();
        for (at, hop) in far.iter().enumerate().skip(1).rev() {
            let table = self.of.end(
                self.root,
                &Way {
                    hops: way.hops[..first_down + at].to_vec(),
                },
            )?;
            let alias = self.used.give(self.of, table);
            rows.joins.push(format!(
                "JOIN {} ON {}",
                self.of.source(table, &alias),
                self.of.tie(*hop, &alias, &nearer)
            ));
            nearer = alias;
        }
        let tie = self.of.tie(far[0], &outer, &nearer);
        Ok((rows, vec![tie]))
    }

    /// A column by its name.
    pub(super) fn column(&mut self, attribute: &Attribute) -> Result<String, NoWay> {
        let table = self.of.end(self.root, &attribute.way)?;
        let column = attribute.column;
        if let Some(field) = self.of.model.computed(ColumnRef { table, column }) {
            return self.computed(&attribute.way, &field.value);
        }
        let alias = self.alias(&attribute.way)?;
        let columns = &self.of.snapshot.schema.tables[table].columns;
        let column = columns.get(attribute.column).ok_or(NoWay)?;
        Ok(format!("{alias}.{}", self.of.identifier(&column.name)))
    }

    /// What is computed of a row at the end of a way. Where there is no row there is no value, whatever comes of NULL.
    fn computed(&mut self, way: &Way, value: &Scalar) -> Result<String, NoWay> {
        let alias = self.alias(way)?;
        let text = match value {
            Scalar::Column(attribute) => {
                return self.term(&Term::Column(attribute.clone()).after(way));
            }
            Scalar::Written(pieces) => {
                let there = pieces.iter().map(|piece| piece.map(|term| term.after(way)));
                self.written(&there.collect::<Vec<_>>())?
            }
            _ => return Err(NoWay),
        };
        let Some(last) = way.hops.last().filter(|_| self.may_lack(&alias)) else {
            return Ok(format!("({text})"));
        };
        let key = Attribute {
            way: way.clone(),
            column: self.of.snapshot.schema.foreign_keys[last.key].to[0].column,
        };
        Ok(format!(
            "(CASE WHEN {} IS NOT NULL THEN {text} END)",
            self.column(&key)?
        ))
    }

    /// True for a table that not every row has a partner in.
    fn may_lack(&self, alias: &str) -> bool {
        let outer = |join: &String| {
            let named = join
                .strip_prefix("LEFT JOIN ")
                .and_then(|join| join.split_once(" ON "));
            named.is_some_and(|(name, _)| name == alias || name.ends_with(&format!(" AS {alias}")))
        };
        self.joins.iter().any(outer)
    }

    /// Where a column stands in the schema.
    pub(super) fn place(&self, attribute: &Attribute) -> Result<ColumnRef, NoWay> {
        let table = self.of.end(self.root, &attribute.way)?;
        let column = attribute.column;
        let is_there = column < self.of.snapshot.schema.tables[table].columns.len();
        if is_there {
            Ok(ColumnRef { table, column })
        } else {
            Err(NoWay)
        }
    }

    /// How a column keeps times.
    pub(super) fn kept(&self, attribute: &Attribute) -> Result<time::Kept, NoWay> {
        let place = self.place(attribute)?;
        Ok(time::Kept {
            dialect: self.of.snapshot.dialect,
            kind: self.of.snapshot.schema.column(place).kind,
            format: self.of.format(place),
        })
    }

    /// A value of a row.
    pub(super) fn scalar(&mut self, scalar: &Scalar) -> Result<String, NoWay> {
        Ok(match scalar {
            Scalar::Column(attribute) => self.column(attribute)?,
            Scalar::Number(number) => number.clone(),
            Scalar::Times(one, other) => format!("{} * {}", self.factor(one)?, self.factor(other)?),
            Scalar::Minus(one, other) => format!("{} - {}", self.scalar(one)?, self.factor(other)?),
            Scalar::Over(one, other) => {
                format!("1.0 * {} / NULLIF({}, 0)", self.factor(one)?, self.scalar(other)?)
            }
            Scalar::Or(one, other) => format!("COALESCE({}, {})", self.scalar(one)?, self.scalar(other)?),
            Scalar::Span(from, to, unit) => {
                let dates = self.is_day(from)? && self.is_day(to)?;
                time::span(
                    self.of.snapshot.dialect,
                    &self.moment(from)?,
                    &self.moment(to)?,
                    *unit,
                    dates,
                )
            }
            Scalar::Period(attribute, grain) => {
                let column = self.column(attribute)?;
                self.kept(attribute)?.period(&column, *grain)
            }
            Scalar::Part(attribute, part) => {
                let column = self.column(attribute)?;
                self.kept(attribute)?.part(&column, *part)
            }
            Scalar::Moment(day) => match self.of.snapshot.dialect {
                Dialect::Sqlite => format!("'{day}'"),
                Dialect::Postgres => format!("DATE '{day}'"),
            },
            Scalar::Truth(condition) => {
                format!("CASE WHEN {} THEN 1 ELSE 0 END", self.condition(condition)?)
            }
            Scalar::Figure(way, aggregate) => {
                let (mut far, ties) = self.related(way)?;
                let of_them = super::aggregate::aggregate(&mut far, aggregate, &[])?;
                format!(
                    "(SELECT {of_them} FROM {} WHERE {})",
                    far.from(),
                    ties.join(" AND ")
                )
            }
            Scalar::Written(pieces) => self.written(pieces)?,
        })
    }

    /// What somebody wrote, with its columns by their names here.
    pub(super) fn written(&mut self, pieces: &[Piece<Term>]) -> Result<String, NoWay> {
        let piece = |piece: &Piece<Term>| match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Part(term) => self.term(term),
        };
        pieces.iter().map(piece).collect()
    }

    fn term(&mut self, term: &Term) -> Result<String, NoWay> {
        match term {
            Term::Column(attribute) => self.column(attribute),
            Term::Figure(figure) => self.figure(figure),
        }
    }

    /// A figure over the rows that belong to a row, as a query of its own.
    pub(super) fn figure(&mut self, figure: &Figure) -> Result<String, NoWay> {
        if self.of.as_models {
            let names = Names::default();
            let mut far = Rows::new(self.of, &names, self.of.end(self.root, &figure.way)?, false);
            let mut only = far.conditions(&figure.conditions)?;
            // Only its columns tell which rows are counted.
            if figure.aggregate == Aggregate::Count && only.is_empty() {
                only.push(far.is_there()?);
            }
            return aggregate::aggregate(&mut far, &figure.aggregate, &only);
        }
        let (mut far, mut found) = self.related(&figure.way)?;
        let of_them = aggregate::aggregate(&mut far, &figure.aggregate, &[])?;
        found.extend(far.conditions(&figure.conditions)?);
        let query = format!(
            "(SELECT {of_them} FROM {} WHERE {})",
            far.from(),
            found.join(" AND ")
        );
        let by_hand = self.of.snapshot.dialect == Dialect::Sqlite;
        Ok(match figure.aggregate {
            Aggregate::Median(_) if by_hand => aggregate::median_of_list(&query),
            _ => query,
        })
    }

    fn factor(&mut self, scalar: &Scalar) -> Result<String, NoWay> {
        let text = self.scalar(scalar)?;
        Ok(match scalar {
            Scalar::Minus(..) | Scalar::Over(..) | Scalar::Truth(_) | Scalar::Written(_) => {
                format!("({text})")
            }
            _ => text,
        })
    }

    /// A time as the database's functions take it.
    fn moment(&mut self, scalar: &Scalar) -> Result<String, NoWay> {
        match scalar {
            Scalar::Column(attribute) => {
                let column = self.column(attribute)?;
                Ok(self.kept(attribute)?.moment(&column))
            }
            other => self.scalar(other),
        }
    }

    /// True for a day without a time.
    fn is_day(&self, scalar: &Scalar) -> Result<bool, NoWay> {
        Ok(match scalar {
            Scalar::Moment(_) => true,
            Scalar::Column(attribute) => {
                let place = self.place(attribute)?;
                let date =
                    self.of.snapshot.schema.column(place).kind == crate::question::schema::ColumnKind::Date;
                date || matches!(
                    self.of.format(place),
                    Some(
                        Format::CompactDate | Format::DayMonthYear | Format::MonthDayYear | Format::YearMonth
                    )
                )
            }
            _ => false,
        })
    }

    pub(super) fn operand(&mut self, operand: &Operand) -> Result<String, NoWay> {
        Ok(match operand {
            Operand::Text(text) => literal(text),
            Operand::Number(number) => number.clone(),
            Operand::Parameter(number) => format!("${number}"),
            Operand::Scalar(scalar) => self.factor(scalar)?,
        })
    }
}

/// What stands between two values.
pub(super) fn operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
    }
}

impl Database<'_> {
    /// What a value of a table's rows is called, where no column's name says it.
    pub(super) fn name_of(&self, root: usize, scalar: &Scalar) -> Option<&str> {
        let Scalar::Column(attribute) = scalar else {
            return None;
        };
        let at = ColumnRef {
            table: self.end(root, &attribute.way).ok()?,
            column: attribute.column,
        };
        self.model.computed(at).map(|field| field.name.as_str())
    }

    /// The table at the end of a way.
    pub(super) fn end(self, start: usize, way: &Way) -> Result<usize, NoWay> {
        let mut table = start;
        for hop in &way.hops {
            let key = self.snapshot.schema.foreign_keys.get(hop.key).ok_or(NoWay)?;
            let (from, to) = (key.from[0].table, key.to[0].table);
            let (near, far) = if hop.up { (from, to) } else { (to, from) };
            if near != table {
                return Err(NoWay);
            }
            table = far;
        }
        Ok(table)
    }

    /// The condition that joins the two ends of a key; `near` is the nearer one.
    fn tie(self, hop: Hop, near: &str, far: &str) -> String {
        let key = &self.snapshot.schema.foreign_keys[hop.key];
        let (from, to) = if hop.up { (near, far) } else { (far, near) };
        let name = |at: &ColumnRef| self.identifier(&self.snapshot.schema.column(*at).name);
        let ties = key.from.iter().zip(&key.to);
        let ties: Vec<String> = ties
            .map(|(one, other)| format!("{from}.{} = {to}.{}", name(one), name(other)))
            .collect();
        ties.join(" AND ")
    }

    /// A table as FROM names it.
    fn source(self, table: usize, alias: &str) -> String {
        let table = &self.snapshot.schema.tables[table];
        let name = self.identifier(&table.name);
        let whole = match &table.schema {
            Some(schema) if table.qualified => format!("{}.{name}", self.identifier(schema)),
            _ => name.clone(),
        };
        if alias == name && whole == name {
            whole
        } else {
            format!("{whole} AS {alias}")
        }
    }
}
