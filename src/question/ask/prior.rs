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
    let parts: Vec<&str> = name
        .split(|sign: char| !(sign.is_alphanumeric() || sign == '.'))
        .collect();
    let size = parts.iter().find_map(|part| {
        let number = part.strip_suffix('b')?;
        number.parse::<f64>().ok().filter(|size| *size > 0.0)
    });
    if let Some(size) = size {
        let fits = SIZES.iter().find(|(most, _)| size <= *most);
        return fits.map_or(UNKNOWN, |(_, often)| *often);
    }
    let family = FAMILIES.iter().find(|(family, _)| parts.contains(family));
    family.map_or(UNKNOWN, |(_, often)| *often)
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
            ("", UNKNOWN),
        ] {
            assert!((prior(name) - expected).abs() < 1e-9, "{name}");
        }
    }
}
