//! dbt's templates for the names in a filter.

use regex::{Captures, Regex};

use super::{
    column_of, dataset_of,
    file::{Entity, File, SemanticModel},
};

/// `{{ Dimension('order__status') }} = 'paid'` as `orders.status = 'paid'`.
pub(super) fn condition(file: &File, text: &str) -> Result<String, String> {
    let template =
        Regex::new(r"\{\{\s*(\w+)\(\s*'([^']*)'([^)]*)\)\s*\}\}").map_err(|error| error.to_string())?;
    let mut wrong = None;
    let said = template.replace_all(text, |found: &Captures<'_>| {
        let path: Vec<&str> = match found[3].split_once("entity_path") {
            Some((_, list)) => list.split('\'').skip(1).step_by(2).collect(),
            None => Vec::new(),
        };
        let place = match &found[1] {
            "Dimension" | "TimeDimension" => dimension(file, &found[2], &path),
            "Entity" => entity(file, &found[2]),
            _ => None,
        };
        place.unwrap_or_else(|| {
            wrong = Some(format!("{} is not known", &found[0]));
            String::new()
        })
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(format!("({said})")),
    }
}

/// The field that `order__customer__country` names, over the entities before it.
fn dimension(file: &File, name: &str, path: &[&str]) -> Option<String> {
    let mut passed: Vec<&str> = path.to_vec();
    passed.extend(name.split("__"));
    let field = passed.pop()?;
    let owner = passed.pop()?;
    let is_owner = |semantic: &&SemanticModel| {
        let has_key =
            |entity: &Entity| entity.name == owner && matches!(entity.kind.as_str(), "primary" | "unique");
        semantic.entities.iter().any(has_key)
            && semantic
                .dimensions
                .iter()
                .any(|dimension| dimension.name == field)
    };
    let semantic = file.semantic_models.iter().find(is_owner)?;
    // The reference says which row of a table is meant, where there are several.
    let is_referred = file
        .semantic_models
        .iter()
        .flat_map(|semantic| &semantic.entities)
        .any(|entity| entity.name == owner && entity.kind == "foreign");
    let last = if is_referred {
        owner.to_owned()
    } else {
        dataset_of(file, semantic)
    };
    let mut parts: Vec<String> = passed.into_iter().map(str::to_owned).collect();
    parts.push(last);
    parts.push(field.to_owned());
    Some(parts.join("."))
}

fn entity(file: &File, name: &str) -> Option<String> {
    let last = name.rsplit("__").next()?;
    file.semantic_models.iter().find_map(|semantic| {
        let is_key = |entity: &&Entity| entity.name == last && entity.kind == "primary";
        let key = semantic.entities.iter().find(is_key)?;
        Some(format!("{}.{}", dataset_of(file, semantic), column_of(key)))
    })
}
