//! Questions that come with Bind: what is described before they are there is what comes then.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    backend::{ResultColumn, SqlType, Value, column},
    pgtypes::Format,
    question::schema::Dialect,
    service::conversation,
    sqlite::engine,
    statement::{self, Action, Context, Question, QuestionText},
};

use super::{
    error::SessionError,
    extended::changed_result,
    parameters::{self, ParameterType},
    plan::{Detail, Plan, Prepared},
    portal::Portal,
    run::Session,
    sql::Sql,
};

/// A statement whose question comes with Bind.
pub(super) struct Late {
    text: String,
    /// How many characters stand before it.
    before: usize,
    question: Question,
    /// What it returns depends on the question: until that is there, each row is described as one value.
    by_row: bool,
    told: Mutex<Described>,
}

/// What the client was last told that a statement returns.
#[derive(Clone, Default)]
enum Described {
    #[default]
    Nothing,
    /// The columns that it is described with before the question is there.
    Before,
    /// Those of a portal.
    Portal(Vec<ResultColumn>),
}

/// What a portal was made from whose question came with Bind, as long as it has not begun.
pub(super) struct Bound {
    /// Its plan waits for a question.
    waiting: Arc<Prepared>,
    /// The statement with each row as one value, where it may have to run so.
    by_row: Option<Arc<Prepared>>,
}

impl Late {
    fn told(&self) -> Described {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn tell(&self, told: Described) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }

    /// The client was told of the statement's columns.
    pub(super) fn described(&self) {
        self.tell(Described::Before);
    }
}

impl Bound {
    fn late(&self) -> &Late {
        match &self.waiting.plan {
            Plan::AskAtBind(late) => late,
            _ => unreachable!("it is made from nothing else"),
        }
    }

    /// The client was told of the portal's own columns.
    pub(super) fn described(&self, columns: &[ResultColumn]) {
        self.late().tell(Described::Portal(columns.to_vec()));
    }
}

impl Portal {
    /// Its rows will come as the client was told that they would, or not at all.
    pub(super) fn settle(&mut self) -> Result<(), SessionError> {
        let Some(bound) = self.bound.take() else {
            return Ok(());
        };
        let told = match bound.late().told() {
            Described::Nothing => return Ok(()),
            Described::Portal(columns) => columns,
            Described::Before => {
                if let Some(by_row) = bound.by_row {
                    self.prepared = by_row;
                    self.formats = vec![self.formats.first().copied().unwrap_or(Format::Text)];
                }
                bound.waiting.columns.clone()
            }
        };
        if told == self.prepared.columns {
            Ok(())
        } else {
            Err(changed_result()
                .with_hint("The answer to this question has other columns: prepare it again."))
        }
    }
}

impl Session {
    /// Settles what a statement will do whose question comes with Bind.
    pub(super) async fn plan_late(
        &mut self,
        own: &str,
        before: usize,
        question: Question,
        detail: Detail<'_>,
    ) -> Prepared {
        let casts = engine::parameter_casts(own);
        let told: Vec<Option<SqlType>> = (1..=usize::from(question.parameters))
            .map(|number| casts.get(&number).copied())
            .collect();
        let types = parameters::types(detail.declared(), &told, true);
        let reports = conversation::columns(question.asked[0].action).filter(|_| question.direct);
        let (types, columns, by_row) = if let Some(columns) = reports {
            (types, columns, false)
        } else if let Some(fixed) = self.fixed(own, before, &question, detail).await {
            (fixed.types, fixed.columns, false)
        } else if question.context == Context::Query {
            (types, vec![column("nl", SqlType::Json)], true)
        } else {
            (types, vec![], false)
        };
        let late = Late {
            text: own.to_owned(),
            before,
            question,
            by_row,
            told: Mutex::default(),
        };
        Prepared {
            plan: Plan::AskAtBind(late),
            types,
            columns,
        }
    }

    /// What a statement is that returns the same whatever the answers are.
    async fn fixed(
        &mut self,
        own: &str,
        before: usize,
        question: &Question,
        detail: Detail<'_>,
    ) -> Option<Prepared> {
        let mut declared = detail.declared().to_vec();
        declared.resize(usize::from(question.parameters).max(declared.len()), 0);
        let mut found = Vec::new();
        for answers in conversation::stand_ins(question, Dialect::Sqlite) {
            let borrowed: Vec<&str> = answers.iter().map(String::as_str).collect();
            let rewritten = statement::rewrite(own, question, &borrowed);
            let sql = Sql::around(own, before, rewritten, answers, None);
            let planned = self.plan_sql(sql, Detail::Described(&declared)).await;
            found.push(planned.ok()?);
        }
        let second = found.pop()?;
        let first = found.pop()?;
        (first.columns == second.columns && first.types == second.types).then_some(first)
    }

    /// Asks what came with Bind.
    pub(super) async fn bind_late(
        &mut self,
        waiting: Arc<Prepared>,
        values: &[Value],
    ) -> Result<(Arc<Prepared>, Bound, Vec<ParameterType>), SessionError> {
        let Plan::AskAtBind(late) = &waiting.plan else {
            unreachable!("only a plan that waits for its question is asked at Bind")
        };
        let mut question = late.question.clone();
        for asked in &mut question.asked {
            if let QuestionText::Parameter(number) = asked.text {
                let words = words(values.get(usize::from(number) - 1), asked.action)?;
                asked.text = QuestionText::Literal(words);
            }
        }
        // What nobody has told is whatever the answer makes of it.
        let types: Vec<u32> = waiting.types.iter().map(|ty| ty.told().unwrap_or(0)).collect();
        let planned = self
            .ask_all(&late.text, late.before, &question, Detail::Described(&types))
            .await?;
        let settled = planned.types;
        // The values that were bound are as many as were declared.
        let planned = Prepared {
            types: waiting.types.clone(),
            ..planned
        };
        let by_row = match (&planned.plan, late.told()) {
            (Plan::Database { sql, .. }, Described::Before) if late.by_row => {
                let sql = sql.by_row(&free_name(&planned.columns));
                let by_row = self.plan_sql(sql, Detail::Described(&types)).await?;
                Some(Arc::new(by_row))
            }
            _ => None,
        };
        Ok((Arc::new(planned), Bound { waiting, by_row }, settled))
    }
}

/// The words of a question out of a bound value.
fn words(value: Option<&Value>, action: Action) -> Result<String, SessionError> {
    let words = match value {
        Some(Value::Text(words)) => String::from_utf8_lossy(words).trim().to_owned(),
        None | Some(Value::Null) => {
            return Err(SessionError::failed("22004", "the question is NULL")
                .with_hint("Bind the question's text to the parameter."));
        }
        Some(_) => {
            return Err(SessionError::failed("42804", "the question is not text")
                .with_hint("Bind a parameter of the type text."));
        }
    };
    if words.is_empty() && !action.allows_empty() {
        return Err(SessionError::failed("NL001", "the question is empty")
            .with_hint("Bind the question's text to the parameter."));
    }
    Ok(words)
}

/// A name that no column has.
fn free_name(columns: &[ResultColumn]) -> String {
    let is_free = |name: &String| {
        !columns
            .iter()
            .any(|column| column.name.eq_ignore_ascii_case(name))
    };
    let mut names = (1..).map(|number: u32| format!("nl_row_{number}"));
    names.find(is_free).expect("numbers do not end")
}
