//! What fields say of columns, and how people call things.

use super::document::{AiContext, Field, FieldExtension, FieldKind};
use crate::question::semantic::{self, FieldRole, FlagForm, Wording};

/// What a field of a file says of a column.
pub(super) fn overlay(known: &mut semantic::Field, field: &Field, told: &FieldExtension) {
    if field.dimension.as_ref().and_then(|dimension| dimension.is_time) == Some(true) {
        known.role = FieldRole::Time;
    }
    if let Some(kind) = told.role
        && kind != FieldKind::from(known.role)
    {
        known.role = role_of(kind, told, known.role);
    }
    if let (FieldRole::Measure(adds), Some(additivity)) = (&mut known.role, told.additivity) {
        *adds = additivity;
    }
    if told.unit.is_some() {
        known.unit.clone_from(&told.unit);
    }
    if !told.labels.is_empty() {
        let label = |(code, label): (&String, &serde_json::Value)| {
            let label = label.as_str().map_or_else(|| label.to_string(), str::to_owned);
            (code.clone(), label)
        };
        known.labels = told.labels.iter().map(label).collect();
    }
    say(
        &mut known.wording,
        field.description.as_deref(),
        field.ai_context.as_ref(),
        field.label.as_deref(),
    );
}

fn role_of(kind: FieldKind, told: &FieldExtension, before: FieldRole) -> FieldRole {
    match kind {
        FieldKind::Identifier => FieldRole::Identifier,
        FieldKind::Reference => FieldRole::Reference,
        FieldKind::Name => FieldRole::Name,
        FieldKind::Dimension => FieldRole::Dimension,
        FieldKind::Measure => FieldRole::Measure(told.additivity.unwrap_or(semantic::Additivity::Sum)),
        FieldKind::Time => FieldRole::Time,
        FieldKind::Flag => match before {
            FieldRole::Flag(form) => FieldRole::Flag(form),
            _ => FieldRole::Flag(FlagForm::Number),
        },
        FieldKind::Code => FieldRole::Code,
        FieldKind::Text => FieldRole::Text,
        FieldKind::Document => FieldRole::Document,
    }
}

pub(super) fn say(
    to: &mut Wording,
    description: Option<&str>,
    told: Option<&AiContext>,
    label: Option<&str>,
) {
    let (instructions, synonyms) = context(told);
    if description.is_some() {
        to.description = description.map(str::to_owned);
    }
    if instructions.is_some() {
        to.instructions = instructions;
    }
    for name in synonyms.iter().map(String::as_str).chain(label) {
        if !to.synonyms.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            to.synonyms.push(name.to_owned());
        }
    }
}

/// What the file calls something is a name of it too.
pub(super) fn add_name(to: &mut Wording, called: &str, stored: &str) {
    let known = called.eq_ignore_ascii_case(stored)
        || to.synonyms.iter().any(|name| name.eq_ignore_ascii_case(called));
    if !known {
        to.synonyms.push(called.to_owned());
    }
}

pub(super) fn context(told: Option<&AiContext>) -> (Option<String>, Vec<String>) {
    let Some(told) = told else {
        return (None, Vec::new());
    };
    let (instructions, synonyms) = told.parts();
    (instructions.map(str::to_owned), synonyms.to_vec())
}
