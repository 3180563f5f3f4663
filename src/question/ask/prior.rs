//! How often a model is right before anything is known of its answers: by its family.

/// What is told of a model by its name: a part of it, and how often the SQL of such models is right. The first that fits counts.
const FAMILIES: &[(&str, f64)] = &[
    ("nano", 0.75),
    ("tiny", 0.6),
    ("lite", 0.8),
    ("mini", 0.85),
    ("small", 0.8),
    ("haiku", 0.85),
    ("flash", 0.85),
];
/// By the size that a name tells, in thousand millions of parameters: up to so many, and how often.
const SIZES: [(f64, f64); 4] = [(4.0, 0.6), (16.0, 0.75), (40.0, 0.82), (f64::INFINITY, 0.9)];
/// Of a model whose name says nothing. Measured of a strong one, where nothing was found in its SQL and it assumed nothing: 1.00 on
/// business questions and 0.95 on academic ones, of whose references some are wrong.
const UNKNOWN: f64 = 0.95;

/// How often the SQL of a model is right, as far as its name tells: `gpt-4.1-mini`, `qwen2.5-coder:7b`. 0 to 1.
pub fn prior(model: &str) -> f64 {
    let name = model.to_lowercase();
    let parts = parts(&name);
    if let Some(size) = size(&parts) {
        let fits = SIZES.iter().find(|(most, _)| size <= *most);
        return fits.map_or(UNKNOWN, |(_, often)| *often);
    }
    let family = FAMILIES.iter().find(|(family, _)| parts.contains(family));
    family.map_or(UNKNOWN, |(_, often)| *often)
}

/// True for a model whose name tells that it is small.
pub fn is_small(model: &str) -> bool {
    size(&parts(&model.to_lowercase())).is_some_and(|size| size <= SIZES[0].0)
}

fn parts(name: &str) -> Vec<&str> {
    name.split(|sign: char| !(sign.is_alphanumeric() || sign == '.'))
        .collect()
}

/// The size that a name tells, in thousand millions of parameters: `1.5b`, `135m`.
fn size(parts: &[&str]) -> Option<f64> {
    parts.iter().find_map(|part| {
        let (number, unit) = match part.strip_suffix('b') {
            Some(number) => (number, 1.0),
            None => (part.strip_suffix('m')?, 0.001),
        };
        number
            .parse::<f64>()
            .ok()
            .map(|number| number * unit)
            .filter(|size| *size > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_of_sizes_and_families() {
        for (name, expected) in [
            ("gpt-4.1", UNKNOWN),
            ("gpt-4.1-mini", 0.85),
            ("claude-haiku-4-5", 0.85),
            ("gemini-2.5-flash", 0.85),
            ("gemini-2.5-pro", UNKNOWN),
            ("qwen2.5-coder:1.5b", 0.6),
            ("qwen2.5-coder:7b-instruct-q4_K_M", 0.75),
            ("Qwen2.5-Coder-32B", 0.82),
            ("llama-3.3-70b", 0.9),
            ("smollm2-135m-instruct", 0.6),
            ("", UNKNOWN),
        ] {
            assert!((prior(name) - expected).abs() < 1e-9, "{name}");
        }
    }

    #[test]
    fn small_models_are_told_by_their_size() {
        for (name, expected) in [
            ("qwen2.5-coder:1.5b", true),
            ("Qwen2.5-Coder-3B-Instruct", true),
            ("smollm2-135m-instruct", true),
            ("qwen2.5-coder:7b", false),
            ("gpt-4.1-nano", false),
            ("", false),
        ] {
            assert_eq!(is_small(name), expected, "{name}");
        }
    }
}
