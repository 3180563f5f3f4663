//! Units in which columns keep what is weighed and measured, and questions ask for it.

/// Units of weight, length and volume, each in the smallest of its kind.
const SIZES: [&[(&[&str], f64)]; 3] = [
    &[
        (&["g", "gram", "grams", "gramme", "grammes", "gr"], 1.0),
        (&["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"], 1e3),
        (&["t", "ton", "tons", "tonne", "tonnes"], 1e6),
    ],
    &[
        (
            &["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
            1.0,
        ),
        (
            &["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
            10.0,
        ),
        (&["m", "metre", "metres", "meter", "meters"], 1e3),
        (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], 1e6),
    ],
    &[
        (
            &["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
            1.0,
        ),
        (&["cl", "centilitre", "centilitres"], 10.0),
        (&["l", "litre", "litres", "liter", "liters"], 1e3),
        (
            &["hl", "hectolitre", "hectolitres", "hectoliter", "hectoliters"],
            1e5,
        ),
    ],
];

/// Which kind of unit a word is, and how large.
pub(super) fn size(word: &str) -> Option<(usize, f64)> {
    SIZES.iter().enumerate().find_map(|(kind, units)| {
        let unit = units.iter().find(|(words, _)| words.contains(&word))?;
        Some((kind, unit.1))
    })
}

/// A unit of time, by its word or the stem of it, and how many minutes it has.
pub(super) fn minutes_in(word: &str) -> Option<(&'static str, f64)> {
    Some(match word {
        "min" | "mins" | "minutes" | "minute" | "minut" => ("min", 1.0),
        "hours" | "hour" | "hrs" | "hr" | "h" => ("hours", 60.0),
        "sec" | "secs" | "seconds" | "second" | "s" => ("seconds", 1.0 / 60.0),
        "days" | "day" => ("days", 1440.0),
        _ => return None,
    })
}
