//! Functions and operators by the types of their arguments, read from `dialects/sqlite/signatures.txt` and
//! `dialects/sqlite/catalog/signatures.txt`, and which of several PostgreSQL would take.

use std::{collections::HashMap, sync::LazyLock};

use super::{Ty, template::Template};

/// One function or operator for certain types.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) kind: FunctionKind,
    pub(super) arguments: Vec<Ty>,
    /// True if the last argument may come again.
    pub(super) variadic: bool,
    pub(super) result: Ty,
    /// True if its value is another under other settings of the session.
    pub(super) is_by_settings: bool,
    /// True if each call may give another value.
    pub(super) is_volatile: bool,
    /// What SQLite is told.
    pub(super) template: Template,
}

/// What a function works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionKind {
    /// The values of a row.
    Plain,
    /// Many rows.
    Aggregate,
    /// A window of rows.
    Window,
    /// Gives rows: its value is a JSON array of them.
    Set,
}

const TEXTS: [&str; 2] = [
    include_str!("../../../dialects/sqlite/signatures.txt"),
    include_str!("../../../dialects/sqlite/catalog/signatures.txt"),
];

fn lines() -> impl Iterator<Item = &'static str> {
    TEXTS
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| !line.trim().is_empty() && !line.starts_with("-- "))
}

static ALL: LazyLock<HashMap<&'static str, Vec<Signature>>> = LazyLock::new(|| {
    let mut all: HashMap<&'static str, Vec<Signature>> = HashMap::new();
    for line in lines() {
        let (name, signature) =
            read(line).expect("the files of signatures are well formed: a test reads all of them");
        all.entry(name).or_default().push(signature);
    }
    all
});

/// `agg sum(int4) int8 = sum({0})`.
fn read(line: &'static str) -> Option<(&'static str, Signature)> {
    let (head, template) = line.split_once(" = ").unwrap_or((line, ""));
    let said =
        |head: &'static str, word: &str| head.strip_prefix(word).map_or((head, false), |head| (head, true));
    let (head, is_by_settings) = said(head, "settings ");
    let (head, is_volatile) = said(head, "volatile ");
    let (head, kind) = [
        ("agg ", FunctionKind::Aggregate),
        ("win ", FunctionKind::Window),
        ("set ", FunctionKind::Set),
    ]
    .into_iter()
    .find_map(|(word, kind)| Some((head.strip_prefix(word)?, kind)))
    .unwrap_or((head, FunctionKind::Plain));
    let open = head.find('(')?;
    let close = head.find(')')?;
    let name = head[..open].trim();
    let mut variadic = false;
    let arguments = head[open + 1..close]
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty())
        .map(|argument| {
            let argument = argument.strip_suffix("...").map_or(argument, |argument| {
                variadic = true;
                argument
            });
            Ty::named(argument)
        })
        .collect::<Option<Vec<Ty>>>()?;
    let result = Ty::named(head[close + 1..].trim())?;
    let template = match template.trim() {
        "" => Template::calling(name),
        template => Template::read(template)?,
    };
    Some((
        name,
        Signature {
            kind,
            arguments,
            variadic,
            result,
            is_by_settings,
            is_volatile,
            template,
        },
    ))
}

/// The kind of the functions of a name.
pub(super) fn kind(name: &str) -> Option<FunctionKind> {
    ALL.get(name)
        .and_then(|all| all.first())
        .map(|signature| signature.kind)
}

/// A signature that was chosen, with the types that its arguments must have.
pub(super) struct Chosen {
    pub(super) signature: &'static Signature,
    pub(super) arguments: Vec<Ty>,
    pub(super) result: Ty,
}

impl Chosen {
    /// The type of the first argument.
    pub(super) fn first(&self) -> Ty {
        self.arguments.first().copied().unwrap_or(Ty::Text)
    }
}

/// The signature for arguments of these types; `None` where there is none.
pub(super) fn choose(name: &str, given: &[Ty]) -> Option<Chosen> {
    best(name, given).or_else(|| {
        // A vector is an array to what takes any.
        let arrays: Vec<Ty> = given
            .iter()
            .map(|ty| match ty {
                Ty::Vector(of) => of.array(),
                other => *other,
            })
            .collect();
        (arrays != given).then(|| best(name, &arrays)).flatten()
    })
}

fn best(name: &str, given: &[Ty]) -> Option<Chosen> {
    let mut best: Option<(i64, Chosen)> = None;
    for signature in ALL.get(name)? {
        let Some((score, arguments, element)) = fits(signature, given) else {
            continue;
        };
        if best.as_ref().is_none_or(|(before, _)| score > *before) {
            let result = match signature.result {
                Ty::AnyElement | Ty::Any => element,
                Ty::AnyArray => element.array(),
                other => other,
            };
            best = Some((
                score,
                Chosen {
                    signature,
                    arguments,
                    result,
                },
            ));
        }
    }
    best.map(|(_, chosen)| chosen)
}

/// As [`choose`] for a binary operator, of which a literal is first taken to be of the other side's type.
pub(super) fn choose_operator(name: &str, left: Ty, right: Ty) -> Option<Chosen> {
    if let (Ty::Array(of), Ty::Array(with)) = (left, right)
        && name != "||"
        && of != with
        && ![*of, *with].contains(&Ty::Dynamic)
    {
        // `||` alone takes arrays of different elements.
        return None;
    }
    let same = match (left, right) {
        (Ty::Unknown, Ty::Unknown) => None,
        (Ty::Unknown, other) | (other, Ty::Unknown) => Some(other),
        _ => None,
    };
    if let Some(same) = same
        && let Some(chosen) = choose(name, &[same, same])
        && chosen.arguments == [same, same]
    {
        return Some(chosen);
    }
    choose(name, &[left, right])
}

fn fits(signature: &Signature, given: &[Ty]) -> Option<(i64, Vec<Ty>, Ty)> {
    let count = signature.arguments.len();
    if given.len() != count && !(signature.variadic && given.len() + 1 >= count) {
        return None;
    }
    let wanted = |at: usize| signature.arguments[at.min(count.saturating_sub(1))];
    // What stands for `anyelement`.
    let mut element = Ty::Unknown;
    let mut elements = vec![];
    for (at, ty) in given.iter().enumerate() {
        match (wanted(at), ty) {
            (Ty::AnyElement, ty) => elements.push(*ty),
            (Ty::AnyArray, Ty::Array(of)) => elements.push(**of),
            (Ty::AnyArray, Ty::Unknown | Ty::Dynamic) => {}
            (Ty::AnyArray, _) => return None,
            _ => {}
        }
    }
    if !elements.is_empty() {
        element = Ty::common(elements).ok()?;
        if element == Ty::Unknown {
            element = Ty::Text;
        }
    }
    let mut score = 0;
    let mut arguments = vec![];
    for (at, ty) in given.iter().enumerate() {
        let wanted = match wanted(at) {
            Ty::AnyElement => element,
            Ty::AnyArray if element == Ty::Unknown => Ty::Text.array(),
            Ty::AnyArray => element.array(),
            other => other,
        };
        let asked = signature.arguments[at.min(count.saturating_sub(1))];
        let any = matches!(asked, Ty::AnyElement | Ty::AnyArray);
        score += if asked == Ty::AnyArray && matches!(ty, Ty::Array(_)) {
            // An array is one before it is anything.
            1_500
        } else if *ty == wanted && matches!(ty, Ty::Array(_)) {
            2_000
        } else if any && *ty != Ty::Unknown && ty.becomes(wanted) {
            2
        } else if *ty == wanted {
            1_000
        } else if matches!(ty, Ty::Unknown | Ty::Dynamic) {
            match wanted {
                Ty::Text => 9,
                wanted if wanted.is_string() => 7,
                wanted if wanted.is_preferred() => 5,
                _ => 1,
            }
        } else if ty.becomes(wanted) {
            if wanted.is_preferred() && ty.family() == wanted.family() {
                10
            } else {
                1
            }
        } else {
            return None;
        };
        arguments.push(wanted);
    }
    if signature.variadic {
        score -= 1;
    }
    Some((score, arguments, element))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_well_formed() {
        for line in lines() {
            assert!(read(line).is_some(), "{line}");
        }
    }

    #[test]
    fn the_closest_signature_is_taken() {
        let check = |name: &str, given: &[Ty], expected: Option<Ty>| {
            assert_eq!(
                choose(name, given).map(|chosen| chosen.result),
                expected,
                "{name} {given:?}"
            );
        };
        check("+", &[Ty::Int4, Ty::Int4], Some(Ty::Int4));
        check("+", &[Ty::Int4, Ty::Int8], Some(Ty::Int8));
        check("+", &[Ty::Int4, Ty::Numeric], Some(Ty::Numeric));
        check("-", &[Ty::Date, Ty::Date], Some(Ty::Int4));
        check("sqrt", &[Ty::Int4], Some(Ty::Float8));
        check("left", &[Ty::Varchar, Ty::Int4], Some(Ty::Text));
        check("left", &[Ty::Date, Ty::Int4], None);
    }
}
