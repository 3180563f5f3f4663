//! Calls and CASE as PostgreSQL tells them; see [`super::deparse`].

use sqlparser::ast::{CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::{
    Translator, Ty,
    deparse::{Said, shown},
    quoted, signatures,
};

impl Translator<'_> {
    pub(super) fn said_case(&mut self, conditions: &[CaseWhen], rest: Option<&Expr>, ty: Ty) -> Option<Said> {
        let mut text = "\nCASE".to_owned();
        let within = |part: &str| part.replace('\n', "\n    ");
        for when in conditions {
            let condition = self.said_as(&when.condition, Ty::Bool)?;
            let result = self.said_as(&when.result, ty)?;
            text.extend(["\n    WHEN ", &within(&condition), " THEN ", &within(&result)]);
        }
        let rest = match rest {
            Some(rest) => self.said_as(rest, ty)?,
            None => format!("NULL::{}", shown(ty)?),
        };
        text.extend(["\n    ELSE ", &within(&rest), "\nEND"]);
        Some(Said::new(text.replace(" \n", "\n"), ty))
    }

    pub(super) fn said_alone(&mut self, name: &str, inner: &Expr, ty: Ty) -> Option<Said> {
        let inner = self.said(inner)?;
        self.said_with(name, vec![inner], ty)
    }

    pub(super) fn said_call(&mut self, function: &Function, ty: Ty) -> Option<Said> {
        let [name] = function.name.0.as_slice() else {
            return None;
        };
        let name = super::folded(name.as_ident()?);
        let list = match &function.args {
            FunctionArguments::None if is_moment(&name) => return Some(Said::new(name.to_uppercase(), ty)),
            FunctionArguments::List(list) => list,
            _ => return None,
        };
        if !list.clauses.is_empty() || function.over.is_some() || name == "nextval" {
            return None;
        }
        let mut arguments = vec![];
        for argument in &list.args {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument else {
                return None;
            };
            arguments.push(self.said(argument)?);
        }
        let common = match name.as_str() {
            "coalesce" | "greatest" | "least" | "nullif" => Some(ty),
            _ => None,
        };
        let Some(common) = common else {
            return self.said_with(&name, arguments, ty);
        };
        let mut parts = vec![];
        for argument in arguments {
            parts.push(self.cast_to(argument, common, false)?.text);
        }
        Some(Said::new(
            format!("{}({})", name.to_uppercase(), parts.join(", ")),
            ty,
        ))
    }

    fn said_with(&mut self, name: &str, arguments: Vec<Said>, ty: Ty) -> Option<Said> {
        let given: Vec<Ty> = arguments.iter().map(|argument| argument.ty).collect();
        let chosen = signatures::choose(name, &given)?;
        let mut parts = vec![];
        for (argument, wanted) in arguments.into_iter().zip(&chosen.arguments) {
            parts.push(match wanted {
                Ty::Any | Ty::AnyElement | Ty::AnyArray => self.settled_text(argument)?,
                wanted => self.cast_to(argument, *wanted, false)?.text,
            });
        }
        Some(Said::new(format!("{}({})", quoted(name), parts.join(", ")), ty))
    }
}

pub(super) fn is_moment(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "current_date"
            | "current_time"
            | "current_timestamp"
            | "localtime"
            | "localtimestamp"
            | "current_user"
            | "session_user"
            | "user"
            | "current_role"
    )
}
