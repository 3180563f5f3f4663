//! What names mean at a place: the relations of the query and of those around it.

use super::{
    Origin, ResultColumn, Ty,
    aggregate_level::Around,
    declared,
    elements::unnamed_elements,
    presence::Nullable,
    sql::{Sql, sql},
    sql_expr::{self, SqlExpr, bare, call, cast, is_not_null, null, number, query, text, word},
    ty::Family,
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
    /// For what SQLite makes of something: true where its values alone tell the type, which is text otherwise.
    pub(super) by_values: bool,
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
            by_values: false,
            contents: Contents::default(),
        }
    }

    /// What SQLite makes of it, whatever that is.
    pub(super) fn by_values(expr: SqlExpr) -> Self {
        Self {
            by_values: true,
            ..Self::new(expr, Ty::Dynamic)
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
        self.origin.filter(|_| read_as_stored(&self.expr).is_column())
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

    /// A column of any type as the text that clients are shown.
    pub(super) fn into_text(self) -> Self {
        Self {
            expr: call("pg_as_text", [self.expr]),
            ty: Ty::Text,
            ..self
        }
    }

    /// True for a column of any type.
    pub(super) fn is_any(&self) -> bool {
        self.ty == Ty::Dynamic && !self.by_values
    }

    /// To be reckoned with: a value of any type has to be a number then.
    pub(super) fn reckoned(&self) -> SqlExpr {
        if self.is_any() {
            call("pg_any_number", [self.expr.clone()])
        } else {
            self.plain()
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

/// The call that reads a column in the spelling of its type.
const CANONICAL: &str = "pg_canonical";

/// The column that is read in the spelling of its type, or the expression itself.
fn read_as_stored(expr: &SqlExpr) -> &SqlExpr {
    let read = expr.called().filter(|call| call.name == CANONICAL);
    read.and_then(|call| call.arguments.first()).unwrap_or(expr)
}

/// One part of a JSON array.
pub(super) fn part_of_json(array: SqlExpr, at: usize) -> SqlExpr {
    call("json_extract", [array, text(format!("$[{at}]"))])
}

/// An array of what a function makes of each of the members, which are given as JSON; of no array none.
pub(super) fn each_member(array: SqlExpr, members: SqlExpr, (function, kept): (&str, &str)) -> SqlExpr {
    let made = call("pg_array_agg", [call(function, [word("value")]), text(kept)]);
    let made = call("coalesce", [made, text("{}")]);
    let members = unnamed_elements(members);
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
    /// As in [`Typed`].
    pub(super) by_values: bool,
    /// True where its values are read in the spelling of its type.
    pub(super) is_respelled: bool,
    /// As in [`super::NamedColumn`].
    pub(super) is_foreign: bool,
    /// True while what is made of its values is written in the place of others: a word is no number there, and not 0.
    pub(super) is_strict: bool,
}

impl ScopeColumn {
    /// What the relation of this name has of it.
    pub(super) fn read_from(&self, relation: &str) -> SqlExpr {
        let mut value = sql_expr::column(relation, &self.inner);
        if self.is_respelled {
            let mut arguments = vec![value, text(self.ty.internal())];
            arguments.extend(self.scale.map(number));
            value = call(CANONICAL, arguments);
        }
        if self.is_strict && self.is_foreign && self.ty.family() == Family::Number {
            value = call("pg_no_word", [value]);
        }
        value
    }

    /// The column of a query that stands by itself.
    pub(super) fn typed(&self, expr: SqlExpr) -> Typed {
        Typed {
            exact: self.exact,
            scale: self.scale,
            modifier: self.modifier,
            row: self.row.clone(),
            by_values: self.by_values,
            contents: Contents::of_column(self.is_volatile),
            ..Typed::new(expr, self.ty)
        }
    }

    /// As a client is told of it: a column of any type as text, which the catalogue has it be.
    pub(super) fn told(self) -> ResultColumn {
        ResultColumn {
            name: self.name,
            ty: match self.ty {
                Ty::Dynamic if self.by_values => None,
                Ty::Dynamic => Some(Ty::Text),
                ty => Some(ty),
            },
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
    /// True where an alias calls it so.
    pub(super) is_aliased: bool,
    /// True for a function that gives one column, which its name alone means too.
    pub(super) is_scalar: bool,
    /// The query in SQLite's words that stands in its place, where it is neither table nor view.
    pub(super) definition: Option<Sql>,
    /// The schema and the name of the table or view that it is.
    pub(super) source: Option<(Option<String>, String)>,
    /// Set where an outer join may find no row of it.
    pub(super) nullable: Option<Nullable>,
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
    /// The items of the select list that are constants which only other sets group by: what is written alike is no less there.
    pub(super) absent_items: Vec<usize>,
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
            by_values: column.by_values,
            owner: Some(self.name.clone()),
            ..Typed::new(self.reference(column), column.ty)
        }
    }

    fn reference(&self, column: &ScopeColumn) -> SqlExpr {
        let own = || column.read_from(&self.inner);
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
                        by_values: column.hidden,
                        is_respelled: column.is_respelled,
                        is_foreign: column.is_foreign,
                        is_strict: false,
                    }
                })
                .collect(),
            is_table: true,
            ..Self::default()
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
