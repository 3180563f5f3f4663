//! What names mean at a place: the relations of the query and of those around it.

use sqlparser::ast::Ident;

use super::{
    Origin, Result, ResultColumn, Translator, Ty,
    aggregate_level::Around,
    declared, folded, refuse,
    sql::{Sql, sql},
    sql_expr::{self, SqlExpr, bare, call, cast, chain, is_not_null, null, number, query, text, word},
    volatile::Contents,
};

/// An expression in SQLite's words, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub(super) expr: SqlExpr,
    pub(super) ty: Ty,
    /// The name that PostgreSQL gives a column of it.
    pub(super) name: Option<String>,
    /// The relation of a column, by its name in the query.
    pub(super) owner: Option<String>,
    /// True for a name that a cast around it replaces by its type's.
    pub(super) weak: bool,
    /// For a `numeric`: true where it may be the text of its digits.
    pub(super) exact: bool,
    /// For a `numeric` column: the digits behind its point.
    pub(super) scale: Option<i64>,
    /// The length or the digits that PostgreSQL tells of it, as `pg_attribute.atttypmod` has them.
    pub(super) modifier: Option<i32>,
    /// The column that it is, as long as nothing is made of it.
    pub(super) origin: Option<Origin>,
    /// For a row: the collation by which it is compared, where the types of its fields are known.
    pub(super) row: Option<String>,
    pub(super) literal: Option<Literal>,
    /// The number of a parameter.
    pub(super) parameter: Option<usize>,
    pub(super) not_null: bool,
    pub(super) position: Option<usize>,
    /// For an item of a select list: what stands in it.
    pub(super) contents: Contents,
}

/// What a literal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Literal {
    Null,
    Text(String),
    Number(String),
}

impl Typed {
    /// An expression of this type.
    pub(super) fn new(expr: SqlExpr, ty: Ty) -> Self {
        Self {
            expr,
            ty,
            name: None,
            owner: None,
            weak: false,
            exact: ty == Ty::Numeric,
            scale: None,
            modifier: None,
            origin: None,
            row: None,
            literal: None,
            parameter: None,
            not_null: false,
            position: None,
            contents: Contents::default(),
        }
    }

    pub(super) fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }

    pub(super) fn at(self, position: Option<usize>) -> Self {
        Self { position, ..self }
    }

    /// The column that it is handed on from: nothing was made of what is still a name.
    pub(super) fn origin(&self) -> Option<Origin> {
        self.origin.filter(|_| self.expr.is_column())
    }

    /// The same item as another value, as of another type.
    pub(super) fn instead_of(self, contents: Contents) -> Self {
        Self { contents, ..self }
    }

    /// As clients see it.
    pub(super) fn shown(&self) -> SqlExpr {
        let value = || self.expr.clone();
        match self.ty {
            Ty::Registered(kind) => call(format!("{kind}out"), [value()]),
            Ty::Array(Ty::Registered(kind)) => {
                let members = call("pg_array_json", [value(), text("oid")]);
                each_member(value(), members, (&format!("{kind}out"), "text"))
            }
            _ => self.full(),
        }
    }

    /// An array as text.
    pub(super) fn printed_array(&self) -> SqlExpr {
        match self.ty {
            Ty::Array(of @ (Ty::Date | Ty::Timestamp | Ty::Timestamptz | Ty::Interval)) => {
                call("pg_text_array", [self.expr.clone(), text(of.internal())])
            }
            _ => self.shown(),
        }
    }

    /// As JSON of this type has it, where what is numbered stands by its name.
    pub(super) fn as_json(&self, json: Ty) -> SqlExpr {
        let ty = text(self.ty.kept());
        call(format!("pg_to_{}", json.internal()), [self.shown(), ty])
    }

    /// With all the digits that PostgreSQL would have.
    pub(super) fn full(&self) -> SqlExpr {
        match (self.ty, self.exact, self.scale) {
            (Ty::Numeric, false, Some(scale)) => call("pg_num_scale", [self.expr.clone(), number(scale)]),
            _ => self.expr.clone(),
        }
    }

    /// With all its digits as part of the value itself.
    pub(super) fn scaled(self) -> Self {
        if self.ty != Ty::Numeric || self.exact || self.scale.is_none() {
            return self;
        }
        Self {
            expr: self.full(),
            exact: true,
            scale: None,
            ..self
        }
    }

    /// As SQLite compares and orders it best.
    pub(super) fn plain(&self) -> SqlExpr {
        match &self.literal {
            Some(Literal::Number(digits)) if self.ty == Ty::Numeric => number(digits),
            _ => self.expr.clone(),
        }
    }

    /// As [`Typed::plain`] for a `numeric` beside one that SQLite keeps as its own number.
    pub(super) fn number(&self) -> SqlExpr {
        match self.parameter {
            Some(_) if self.ty == Ty::Numeric && self.exact => cast(self.expr.clone(), "NUMERIC"),
            _ => self.plain(),
        }
    }

    /// A field of a record.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        let Ty::Record(fields) = self.ty else { return None };
        let at = fields.iter().position(|(field, _)| *field == name)?;
        let field = part_of_json(self.expr.clone(), at);
        Some(Self::new(field, fields[at].1).named(name))
    }
}

/// One part of a JSON array.
pub(super) fn part_of_json(array: SqlExpr, at: usize) -> SqlExpr {
    call("json_extract", [array, text(format!("$[{at}]"))])
}

/// An array of what a function makes of each of the members, which are given as JSON; of no array none.
pub(super) fn each_member(array: SqlExpr, members: SqlExpr, (function, kept): (&str, &str)) -> SqlExpr {
    let made = call("pg_array_agg", [call(function, [word("value")]), text(kept)]);
    let made = call("coalesce", [made, text("{}")]);
    let members = call("json_each", [members]);
    sql_expr::when(
        bare(is_not_null(array)),
        query(sql!["SELECT ", made, " FROM ", members]),
    )
    .end()
}

/// A column of a relation.
#[derive(Debug, Clone)]
pub(super) struct ScopeColumn {
    pub(super) name: String,
    /// What it is called in SQLite's statement, without its relation.
    pub(super) inner: String,
    /// The whole expression in SQLite's words, where it is not the relation's column of that name.
    pub(super) computed: Option<SqlExpr>,
    pub(super) ty: Ty,
    pub(super) exact: bool,
    pub(super) scale: Option<i64>,
    pub(super) modifier: Option<i32>,
    /// As in [`Typed`].
    pub(super) row: Option<String>,
    pub(super) origin: Option<Origin>,
    pub(super) not_null: bool,
    /// Its place in the table's primary key, from 1.
    pub(super) key: usize,
    /// False for what stands in the other relation of a join too.
    pub(super) shown: bool,
    /// True for a column of a virtual table that `*` leaves out.
    pub(super) hidden: bool,
    /// True for what gives another value each time it is worked out.
    pub(super) is_volatile: bool,
}

impl ScopeColumn {
    /// The column of a query that stands by itself.
    pub(super) fn typed(&self, expr: SqlExpr) -> Typed {
        Typed {
            exact: self.exact,
            scale: self.scale,
            modifier: self.modifier,
            row: self.row.clone(),
            contents: Contents::of_column(self.is_volatile),
            ..Typed::new(expr, self.ty)
        }
    }

    /// As a client is told of it.
    pub(super) fn told(self) -> ResultColumn {
        ResultColumn {
            name: self.name,
            ty: Some(self.ty).filter(|ty| *ty != Ty::Dynamic),
            modifier: self.modifier,
            origin: self.origin,
        }
    }
}

/// Something to select from.
#[derive(Debug, Clone, Default)]
pub(super) struct Relation {
    pub(super) name: String,
    /// What it is called in SQLite's statement.
    pub(super) inner: String,
    pub(super) columns: Vec<ScopeColumn>,
    /// True for a table, which has a `rowid` too.
    pub(super) is_table: bool,
    /// True for a function that gives one column, which its name alone means too.
    pub(super) is_scalar: bool,
    /// The query in SQLite's words that stands in its place, where it is neither table nor view.
    pub(super) definition: Option<Sql>,
}

/// The relations of one query.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) relations: Vec<Relation>,
    /// Columns that USING merged: name and expression.
    pub(super) merged: Vec<(String, Typed)>,
    /// What is grouped by, once that is known.
    pub(super) grouped: Option<Vec<SqlExpr>>,
    /// How many names had been made for relations without one when the query had read its FROM: later ones are of
    /// expressions, which are the same whatever they are called inside of them.
    pub(super) unnamed: usize,
    /// What only other sets group by: it is NULL here.
    pub(super) absent: Vec<SqlExpr>,
    pub(super) around: Around,
    /// A query in FROM whose rows are worked out before they are read, and the same without that.
    pub(super) worked_out: Option<(Sql, Sql)>,
}

impl Relation {
    /// A column as an expression.
    pub(super) fn column(&self, column: &ScopeColumn) -> Typed {
        Typed {
            name: Some(column.name.clone()),
            exact: column.exact,
            scale: column.scale,
            modifier: column.modifier,
            row: column.row.clone(),
            origin: column.origin,
            not_null: column.not_null,
            owner: Some(self.name.clone()),
            ..Typed::new(self.reference(column), column.ty)
        }
    }

    fn reference(&self, column: &ScopeColumn) -> SqlExpr {
        let own = || sql_expr::column(&self.inner, &column.inner);
        column.computed.clone().unwrap_or_else(own)
    }

    /// The word for the number of a row that is no column's name.
    pub(super) fn rowid(&self) -> &'static str {
        let is_taken = |word: &str| {
            let mut columns = self.columns.iter();
            columns.any(|column| column.name.eq_ignore_ascii_case(word))
        };
        let free = ["rowid", "_rowid_", "oid"]
            .into_iter()
            .find(|word| !is_taken(word));
        free.unwrap_or("rowid")
    }

    /// The number of a row.
    pub(super) fn row(&self) -> SqlExpr {
        sql_expr::column_word(&self.inner, self.rowid())
    }

    /// A base table.
    pub(super) fn of_table(name: &str, columns: &[super::NamedColumn]) -> Self {
        Self {
            name: name.to_owned(),
            inner: name.to_owned(),
            columns: columns
                .iter()
                .map(|column| {
                    let target = declared::read(&column.declared);
                    ScopeColumn {
                        name: column.name.clone(),
                        inner: column.name.clone(),
                        computed: None,
                        ty: target.ty,
                        exact: target.ty == Ty::Numeric && declared::keeps_digits(&column.declared),
                        scale: target
                            .modifier
                            .filter(|_| target.ty == Ty::Numeric)
                            .map(|(_, scale)| scale),
                        modifier: target.told(),
                        row: None,
                        origin: column.origin,
                        not_null: column.not_null,
                        key: column.key,
                        shown: true,
                        hidden: column.hidden,
                        is_volatile: column.is_volatile,
                    }
                })
                .collect(),
            is_table: true,
            is_scalar: false,
            definition: None,
        }
    }
}

/// What only other sets group by.
pub(super) fn absent(value: Typed) -> Typed {
    Typed {
        expr: null(),
        exact: false,
        scale: None,
        not_null: false,
        ..value
    }
}

impl Translator<'_> {
    /// The value of a function in FROM that gives one column, by the function's own name.
    fn value_of(&self, name: &str) -> Option<Typed> {
        let relation = self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| &scope.relations)
            .find(|relation| relation.name.eq_ignore_ascii_case(name))?;
        match relation.columns.as_slice() {
            [column] if relation.is_scalar => Some(relation.column(column).named(name)),
            _ => None,
        }
    }

    fn note_read(&mut self, column: &Typed, level: usize) {
        self.note_level(level);
        let reads = self.reads.iter_mut();
        reads.for_each(|reads| reads.push(column.expr.clone()));
    }

    /// The column that a name means.
    pub(super) fn column(&mut self, names: &[Ident]) -> Result<Typed> {
        let Some((last, before)) = names.split_last() else {
            return refuse("42601", "a name is missing", None);
        };
        let wanted = folded(last);
        let relation = before.last().map(folded);
        let position = names.first().and_then(|first| self.at(first));
        let innermost = self.scopes.len();
        for (level, scope) in self.scopes.iter().enumerate().rev() {
            let mut found: Vec<Typed> = vec![];
            if relation.is_none()
                && let Some((_, merged)) = scope
                    .merged
                    .iter()
                    .find(|(name, _)| name.eq_ignore_ascii_case(&wanted))
            {
                found.push(merged.clone());
            } else {
                for candidate in &scope.relations {
                    if relation
                        .as_ref()
                        .is_some_and(|relation| !candidate.name.eq_ignore_ascii_case(relation))
                    {
                        continue;
                    }
                    let columns = candidate
                        .columns
                        .iter()
                        .filter(|column| column.name.eq_ignore_ascii_case(&wanted))
                        .filter(|column| column.shown || relation.is_some());
                    found.extend(columns.map(|column| candidate.column(column)));
                }
            }
            if found.len() > 1 {
                return refuse(
                    "42702",
                    format!("column reference \"{wanted}\" is ambiguous"),
                    position,
                );
            }
            if let Some(column) = found.pop() {
                if level + 1 == innermost && self.aggregates == 0 && scope.absent.contains(&column.expr) {
                    return Ok(absent(column).at(position));
                }
                if level + 1 == innermost
                    && self.aggregates == 0
                    && let Some(grouped) = &scope.grouped
                    && !grouped.contains(&column.expr)
                {
                    let owner = column.owner.iter().map(|owner| format!("{owner}."));
                    let name = column.name.iter().cloned();
                    return refuse(
                        "42803",
                        format!(
                            "column \"{}\" must appear in the GROUP BY clause or be used in an aggregate function",
                            owner.chain(name).collect::<String>()
                        ),
                        position,
                    );
                }
                self.note_read(&column, level);
                return Ok(column.at(position));
            }
            let system = match wanted.as_str() {
                "rowid" => Some(("rowid", Ty::Int8)),
                "_rowid_" => Some(("_rowid_", Ty::Int8)),
                "tableoid" => Some(("tableoid", Ty::Oid)),
                "xmin" => Some(("xmin", Ty::Oid)),
                "ctid" => Some(("ctid", Ty::Text)),
                _ => None,
            };
            if let Some((word, ty)) = system {
                let table = scope.relations.iter().find(|candidate| {
                    candidate.is_table
                        && relation
                            .as_ref()
                            .is_none_or(|relation| candidate.name.eq_ignore_ascii_case(relation))
                });
                if let Some(table) = table.cloned() {
                    self.note_level(level);
                    let own = match word {
                        // A row stays at its number as long as it is there.
                        "ctid" => chain("||", [text("(0,"), table.row(), text(")")]),
                        _ => sql_expr::column_word(&table.inner, word),
                    };
                    return Ok(Typed::new(own, ty).named(wanted).at(position));
                }
            }
        }
        if relation.is_none()
            && let Some(alone) = self.value_of(&wanted)
        {
            self.note_read(&alone, innermost.saturating_sub(1));
            return Ok(alone.at(position));
        }
        match relation {
            Some(relation) => {
                if self.has_relation(&relation) {
                    refuse(
                        "42703",
                        format!("column {relation}.{wanted} does not exist"),
                        position,
                    )
                } else {
                    refuse(
                        "42P01",
                        format!("missing FROM-clause entry for table \"{relation}\""),
                        position,
                    )
                }
            }
            None => refuse("42703", format!("column \"{wanted}\" does not exist"), position),
        }
    }

    /// True for the name of a relation of the queries around.
    pub(super) fn has_relation(&self, name: &str) -> bool {
        self.scopes
            .iter()
            .flat_map(|scope| &scope.relations)
            .any(|relation| relation.name.eq_ignore_ascii_case(name))
    }
}
