//! Rows as values: `t::text`, `t IS NULL`, `ROW(1, 'a')`, and texts that are read as a table's row: `('(1,a)'::t).*`.

use sqlparser::{
    ast::{AccessExpr, DataType, Expr, Ident, ObjectName},
    tokenizer::{Token, Word},
};

use super::{
    Refusal, Result, Stop, Translator, Ty,
    call::shown,
    cast::How,
    folded,
    named_column::check_is_one,
    parentheses::peeled,
    refuse,
    scope::{Relation, Scope, Typed},
    sql_expr::{SqlExpr, bare, call, chain, infix, is_not_null, null, number, text, when},
    types::Target,
    unsupported,
};

impl Translator<'_> {
    /// The relation whose row a name means, where no column has that name.
    pub(super) fn row_named(&mut self, name: &Ident) -> Option<Relation> {
        let wanted = folded(name);
        let of = |scope: &Scope| {
            scope
                .relations
                .iter()
                .find(|relation| relation.name == wanted)
                .cloned()
        };
        let mut levels = self.scopes.iter().enumerate().rev();
        let (level, relation) = levels.find_map(|(level, scope)| Some((level, of(scope)?)))?;
        check_is_one(&self.scopes[level], &wanted, None).ok()?;
        let is_column = self.column(std::slice::from_ref(name)).is_ok();
        if !is_column {
            self.note_level(level);
        }
        (!is_column).then_some(relation)
    }

    /// The relation whose row an expression means: by its name alone, or as `t.*` where a value stands.
    pub(super) fn row_meant(&mut self, expression: &Expr) -> Option<Relation> {
        match expression {
            Expr::Nested(inner) => self.row_meant(inner),
            Expr::Identifier(name) => self.row_named(name),
            Expr::QualifiedWildcard(name, _) => {
                let relation = self.row_behind_star(name).ok();
                // A function that gives values has them for rows.
                relation.filter(|relation| !relation.is_scalar)
            }
            _ => None,
        }
    }

    /// The relation in front of a star.
    pub(super) fn row_behind_star(&mut self, name: &ObjectName) -> Result<Relation> {
        let (schema, called) = self.split(name)?;
        let first = name.0.first().and_then(|part| part.as_ident());
        self.relation_called(
            (schema.as_deref(), &called),
            first.and_then(|first| self.at(first)),
        )
    }

    /// A whole row as JSON, where a name means a relation and no column.
    pub(super) fn whole_row(&mut self, expression: &Expr) -> Option<Typed> {
        self.row_by("pg_row_json", expression)
    }

    /// The same as this function writes it.
    pub(super) fn row_by(&mut self, function: &str, expression: &Expr) -> Option<Typed> {
        let relation = self.row_meant(expression)?;
        // Its fields have the table's own names, whatever an alias calls the columns.
        let is_stored = relation.source.is_some();
        let columns = relation.columns.iter().map(|column| {
            let value = relation.column(column);
            if is_stored {
                value.named(column.inner.clone())
            } else {
                value
            }
        });
        let row = self.as_document(function, columns.collect());
        Some(self.if_present(&relation, row).named(relation.name))
    }

    /// The same, also of a row that is written out: `ROW(1, 'a')`.
    pub(super) fn any_row_by(&mut self, function: &str, expression: &Expr) -> Option<Typed> {
        let fields = match expression {
            Expr::Nested(inner) => return self.any_row_by(function, inner),
            Expr::Tuple(values) => self.fields_numbered(values)?,
            Expr::Function(row) if row.name.to_string().eq_ignore_ascii_case("row") => {
                let values = super::from::plain_arguments(row).ok()?;
                self.fields_numbered(&values)?
            }
            other => return self.row_by(function, other),
        };
        Some(self.as_document(function, fields))
    }

    fn as_document(&mut self, function: &str, fields: Vec<Typed>) -> Typed {
        self.contents.row = true;
        let parts = fields.into_iter().flat_map(|value| {
            let name = serde_json::Value::from(value.name.as_deref().unwrap_or_default());
            [text(name.to_string()), value.as_json(Ty::Json)]
        });
        Typed::new(call(function, parts.collect::<Vec<_>>()), Ty::Json)
    }

    /// The fields of a row that is written out, by the names that PostgreSQL gives them.
    fn fields_numbered(&mut self, values: &[Expr]) -> Option<Vec<Typed>> {
        let fields = self.fields(values).ok()?;
        let numbered = (1..).zip(fields);
        Some(
            numbered
                .map(|(at, field)| field.named(format!("f{at}")))
                .collect(),
        )
    }

    /// The row of a relation as a value. There is none where an outer join found none.
    pub(super) fn row_of(&mut self, relation: &Relation) -> Typed {
        self.contents.row = true;
        let columns: Vec<Typed> = relation
            .columns
            .iter()
            .map(|column| relation.column(column))
            .collect();
        let row = self.composite(&columns);
        self.if_present(relation, row).named(relation.name.clone())
    }

    /// `t IS NULL`, of a row: that all its columns are, or that none is.
    pub(super) fn whole_row_is(&mut self, expression: &Expr, test: &str) -> Option<Typed> {
        let relation = self.row_meant(expression)?;
        self.contents.row = true;
        let shown = relation.columns.iter().filter(|column| column.shown);
        let columns = shown.map(|column| relation.column(column).expr);
        Some(all_are(columns, test))
    }

    /// `ROW(a, b)` where its text is wanted; `t.*` in it is all columns of a relation.
    pub(super) fn row_value(&mut self, values: &[Expr]) -> Result<Typed> {
        let fields = self.fields(values)?;
        Ok(self.composite(&fields).named("row"))
    }

    fn fields(&mut self, values: &[Expr]) -> Result<Vec<Typed>> {
        let mut fields = vec![];
        for value in values {
            if let Expr::QualifiedWildcard(name, _) = value {
                let relation = self.row_behind_star(name)?;
                let columns = relation.columns.iter().filter(|column| !column.hidden);
                fields.extend(columns.map(|column| relation.column(column)));
                continue;
            }
            let value = self.expression(value)?;
            fields.push(self.settled(value)?);
        }
        Ok(fields)
    }

    /// The fields of a text that is cast to the type of a table's rows; `None` for any other cast.
    pub(super) fn fields_of_cast(&mut self, expression: &Expr) -> Result<Option<Vec<Typed>>> {
        let (expression, data_type) = match expression {
            Expr::Nested(inner) => return self.fields_of_cast(inner),
            Expr::Function(function) => return self.populated_fields(function),
            Expr::Cast { expr, data_type, .. } => (expr, data_type),
            _ => return Ok(None),
        };
        let Some(relation) = self.row_type(data_type) else {
            return Ok(None);
        };
        if let Some(values) = written_out(expression) {
            return self.row_as(&values, &relation).map(Some);
        }
        let row = self.text(expression)?;
        let count = relation.columns.len();
        let mut fields = vec![];
        for (at, column) in relation.columns.iter().enumerate() {
            let field = call("pg_row_field", [row.clone(), number(at), number(count)]);
            let field = Typed::new(field, Ty::Text);
            let target = Target::with_told(column.ty, column.modifier);
            let field = self.convert(field, target, How::Explicit)?;
            fields.push(field.named(column.name.clone()));
        }
        Ok(Some(fields))
    }

    /// The fields of a row that is written out, as those of a table's row.
    fn row_as(&mut self, values: &[Expr], relation: &Relation) -> Result<Vec<Typed>> {
        let fields = self.fields(values)?;
        if fields.len() != relation.columns.len() {
            let how = if fields.len() < relation.columns.len() {
                "few"
            } else {
                "many"
            };
            return Err(Stop::Refused(Refusal {
                sqlstate: "42846",
                message: format!("cannot cast type record to {}", relation.name),
                detail: Some(format!("Input has too {how} columns.")),
                hint: None,
                position: None,
            }));
        }
        let mut row = vec![];
        for (field, column) in fields.into_iter().zip(&relation.columns) {
            let target = Target::with_told(column.ty, column.modifier);
            let field = self.convert(field, target, How::Explicit)?;
            row.push(field.named(column.name.clone()));
        }
        Ok(row)
    }

    /// A text read as a table's row, as a value.
    pub(super) fn cast_to_row(&mut self, expression: &Expr) -> Result<Option<Typed>> {
        let Some(fields) = self.fields_of_cast(expression)? else {
            return Ok(None);
        };
        let Expr::Cast { expr, data_type, .. } = expression else {
            return Ok(None);
        };
        let name = self.row_type(data_type).map(|relation| relation.name);
        let row = self.composite(&fields);
        if written_out(expr).is_some() {
            return Ok(Some(Typed { weak: true, ..row }.named("row")));
        }
        let text = self.text(expr)?;
        let row = Typed {
            weak: true,
            ..row.unless_null(text)
        };
        Ok(Some(row.named(name.unwrap_or_default())))
    }

    /// The fields of `(x).*`.
    pub(super) fn all_fields(&mut self, expression: &Expr) -> Result<Vec<Typed>> {
        if let Some(relation) = self.row_meant(expression) {
            let columns = relation.columns.iter().map(|column| relation.column(column));
            return Ok(columns.collect());
        }
        if let Some(fields) = self.fields_of_cast(expression)? {
            return Ok(fields);
        }
        let record = self.item(expression)?;
        match record.ty {
            Ty::Record(fields) => Ok(fields.iter().filter_map(|(name, _)| record.field(name)).collect()),
            Ty::Composite => unsupported("all fields of this", record.position),
            other => refuse(
                "42809",
                format!("type {} is not composite", other.shown()),
                record.position,
            ),
        }
    }

    /// `('(1,a)'::t).b`.
    pub(super) fn field_of_cast(&mut self, root: &Expr, chain: &[AccessExpr]) -> Result<Option<Typed>> {
        let [AccessExpr::Dot(Expr::Identifier(name)), rest @ ..] = chain else {
            return Ok(None);
        };
        let Some(fields) = self.fields_of_cast(root)? else {
            return Ok(None);
        };
        let wanted = folded(name);
        let mut fields = fields.into_iter();
        match fields.find(|field| field.name.as_deref() == Some(&wanted)) {
            Some(field) if rest.is_empty() => Ok(Some(field)),
            Some(field) => self.access(field, rest).map(Some),
            None => refuse(
                "42703",
                format!("column \"{wanted}\" not found in data type"),
                self.at(name),
            ),
        }
    }

    /// The table or view that a type is named after.
    pub(super) fn row_type(&self, data_type: &DataType) -> Option<Relation> {
        let DataType::Custom(name, modifiers) = data_type else {
            return None;
        };
        let (schema, name) = self.split(name).ok().filter(|_| modifiers.is_empty())?;
        let within = schema.as_deref().filter(|schema| *schema != "public");
        if within.is_some_and(|schema| !self.names.has_schema(schema)) {
            return None;
        }
        let columns = self.names.relation(within, &name)?;
        Some(Relation::of_table(&name, &columns))
    }
}

/// The values of `ROW(1, 'a')` and `(1, 'a')`.
fn written_out(expression: &Expr) -> Option<Vec<Expr>> {
    match peeled(expression) {
        Expr::Tuple(values) => Some(values.clone()),
        Expr::Function(row) if row.name.to_string().eq_ignore_ascii_case("row") => {
            super::from::plain_arguments(row).ok()
        }
        _ => None,
    }
}

/// What stands for the star of `(x).*`, which the parser knows behind names alone.
const ALL: &str = "pg:*";

/// The text with a name for each star behind a parenthesis, and with parentheses around `t.*` before what is done to its row;
/// `None` where there is none.
pub(super) fn stars_named(tokens: &[Token]) -> Option<String> {
    let is_star = |at: usize| at >= 2 && tokens[at - 2..=at] == [Token::RParen, Token::Period, Token::Mul];
    let is_value = |at: usize| {
        let mut behind = tokens.iter().skip(at + 3);
        matches!(
            tokens.get(at..at + 3),
            Some([Token::Word(_), Token::Period, Token::Mul])
        ) && (at == 0 || tokens[at - 1] != Token::Period)
            && behind
                .find(|token| !matches!(token, Token::Whitespace(_)))
                .is_some_and(takes_a_value)
    };
    let stars = (0..tokens.len())
        .filter(|at| is_star(*at) || is_value(*at))
        .count();
    let text = tokens.iter().enumerate().map(|(at, token)| match token {
        _ if is_star(at) => super::quoted(ALL),
        _ if is_value(at) => format!("({token}"),
        _ if at >= 2 && is_value(at - 2) => format!("{token})"),
        token => token.to_string(),
    });
    (stars > 0).then(|| text.collect())
}

/// True for what has a value in front of it, and never the columns of a select list.
fn takes_a_value(token: &Token) -> bool {
    match token {
        Token::Word(Word {
            value, quote_style, ..
        }) => {
            let words = ["is", "in", "not", "between"];
            quote_style.is_none() && words.iter().any(|word| value.eq_ignore_ascii_case(word))
        }
        Token::DoubleColon
        | Token::Eq
        | Token::Neq
        | Token::Lt
        | Token::LtEq
        | Token::Gt
        | Token::GtEq
        | Token::StringConcat => true,
        _ => false,
    }
}

/// What `(x).*` gives all fields of.
pub(super) fn whole(expression: &Expr) -> Option<&Expr> {
    let Expr::CompoundFieldAccess { root, access_chain } = expression else {
        return None;
    };
    match access_chain.as_slice() {
        [AccessExpr::Dot(Expr::Identifier(name))] if name.value == ALL => match &**root {
            Expr::Nested(inner) => Some(inner),
            root => Some(root),
        },
        _ => None,
    }
}

impl Translator<'_> {
    /// Values side by side as one, in the words in which PostgreSQL shows a row.
    pub(super) fn composite(&mut self, fields: &[Typed]) -> Typed {
        for field in fields {
            self.note_written(field.ty);
        }
        let parts: Vec<SqlExpr> = fields.iter().map(shown).collect();
        let row = Typed::new(call("pg_row_text", parts), Ty::Composite);
        Typed {
            row: Some(collation(fields)),
            ..row
        }
    }
}

impl Typed {
    /// The same, unless something is NULL: then it is, too.
    fn unless_null(self, condition: SqlExpr) -> Self {
        let condition = bare(is_not_null(condition));
        Self {
            expr: when(condition, self.expr).end(),
            ..self
        }
    }
}

/// That all of these are NULL, or that none is: `test` is IS or IS NOT.
pub(super) fn all_are(values: impl IntoIterator<Item = SqlExpr>, test: &str) -> Typed {
    let tests = values.into_iter().map(|value| bare(infix(value, test, null())));
    Typed::new(chain("AND", tests.collect::<Vec<_>>()), Ty::Bool)
}

/// The collation of rows with these fields, which says the type of each: `pg_row(int4,numeric,(text,date))`.
fn collation(fields: &[Typed]) -> String {
    let types: Vec<String> = fields
        .iter()
        .map(|field| match &field.row {
            Some(row) => row.trim_start_matches("pg_row").to_owned(),
            None => field.ty.kept(),
        })
        .collect();
    format!("pg_row({})", types.join(","))
}
