//! Functions of angles in degrees, which are exact where the angles are plain ones, and hyperbolic functions.

use std::f64::consts::PI;

use super::{
    Failure,
    Nature::Strict,
    Out, Scalar, V, fail,
    number::{inverse, periodic},
};

/// Radians of a degree.
const DEGREE: f64 = PI / 180.0;

/// Of angles up to 30 degrees, so that the sine of 30 is a half.
fn sine_to_30(degrees: f64) -> f64 {
    (degrees * DEGREE).sin() / (30.0 * DEGREE).sin() / 2.0
}

/// Of angles up to 60 degrees, so that the cosine of 60 is a half.
fn cosine_to_60(degrees: f64) -> f64 {
    1.0 - (1.0 - (degrees * DEGREE).cos()) / (1.0 - (60.0 * DEGREE).cos()) / 2.0
}

fn sine_to_90(degrees: f64) -> f64 {
    if degrees <= 30.0 {
        sine_to_30(degrees)
    } else {
        cosine_to_60(90.0 - degrees)
    }
}

fn cosine_to_90(degrees: f64) -> f64 {
    if degrees <= 60.0 {
        cosine_to_60(degrees)
    } else {
        sine_to_30(90.0 - degrees)
    }
}

/// An angle between 0 and 90 degrees, and by what the sine and the cosine of the given one differ from its own.
fn turned(degrees: f64) -> Result<(f64, f64, f64), Failure> {
    if degrees.is_infinite() {
        return fail("22003", "input is out of range");
    }
    let (mut angle, mut sine, mut cosine) = (degrees % 360.0, 1.0, 1.0);
    if angle < 0.0 {
        (angle, sine) = (-angle, -sine);
    }
    if angle > 180.0 {
        (angle, sine) = (360.0 - angle, -sine);
    }
    if angle > 90.0 {
        (angle, cosine) = (180.0 - angle, -cosine);
    }
    Ok((angle, sine, cosine))
}

/// There is one zero only.
fn plain(number: f64) -> V {
    V::Real(if number == 0.0 { 0.0 } else { number })
}

fn sine(degrees: f64) -> Out {
    let (angle, sine, _) = turned(degrees)?;
    Ok(V::Real(sine * sine_to_90(angle)))
}

fn cosine(degrees: f64) -> Out {
    let (angle, _, cosine) = turned(degrees)?;
    Ok(V::Real(cosine * cosine_to_90(angle)))
}

fn tangent(degrees: f64) -> Out {
    let (angle, sine, cosine) = turned(degrees)?;
    let of_45 = sine_to_90(45.0) / cosine_to_90(45.0);
    Ok(plain(
        sine * cosine * (sine_to_90(angle) / cosine_to_90(angle) / of_45),
    ))
}

fn cotangent(degrees: f64) -> Out {
    let (angle, sine, cosine) = turned(degrees)?;
    let of_45 = cosine_to_90(45.0) / sine_to_90(45.0);
    Ok(plain(
        sine * cosine * (cosine_to_90(angle) / sine_to_90(angle) / of_45),
    ))
}

/// Of a number from 0 to 1.
fn arc_sine(number: f64) -> f64 {
    if number <= 0.5 {
        number.asin() / 0.5_f64.asin() * 30.0
    } else {
        90.0 - number.acos() / 0.5_f64.acos() * 60.0
    }
}

/// Of a number from 0 to 1.
fn arc_cosine(number: f64) -> f64 {
    if number <= 0.5 {
        90.0 - number.asin() / 0.5_f64.asin() * 30.0
    } else {
        number.acos() / 0.5_f64.acos() * 60.0
    }
}

fn within(number: f64, is_within: bool, function: fn(f64) -> f64) -> Out {
    if is_within || number.is_nan() {
        Ok(V::Real(function(number)))
    } else {
        fail("22003", "input is out of range")
    }
}

/// Functions of angles and hyperbolic functions.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_sind", 1, Strict, |v| sine(v[0].real())),
    ("pg_cosd", 1, Strict, |v| cosine(v[0].real())),
    ("pg_tand", 1, Strict, |v| tangent(v[0].real())),
    ("pg_cotd", 1, Strict, |v| cotangent(v[0].real())),
    ("pg_cot", 1, Strict, |v| {
        periodic(v[0].real(), |angle| 1.0 / angle.tan())
    }),
    ("pg_asind", 1, Strict, |v| {
        inverse(v[0].real(), |number| arc_sine(number.abs()).copysign(number))
    }),
    ("pg_acosd", 1, Strict, |v| {
        inverse(v[0].real(), |number| {
            if number < 0.0 {
                90.0 + arc_sine(-number)
            } else {
                arc_cosine(number)
            }
        })
    }),
    ("pg_atand", 1, Strict, |v| {
        Ok(V::Real(v[0].real().atan() / 1.0_f64.atan() * 45.0))
    }),
    ("pg_atan2d", 2, Strict, |v| {
        let angle = v[0].real().atan2(v[1].real());
        Ok(V::Real(angle / 1.0_f64.atan() * 45.0))
    }),
    ("pg_sinh", 1, Strict, |v| Ok(V::Real(v[0].real().sinh()))),
    ("pg_cosh", 1, Strict, |v| Ok(V::Real(v[0].real().cosh()))),
    ("pg_tanh", 1, Strict, |v| Ok(V::Real(v[0].real().tanh()))),
    ("pg_asinh", 1, Strict, |v| Ok(V::Real(v[0].real().asinh()))),
    ("pg_acosh", 1, Strict, |v| {
        within(v[0].real(), v[0].real() >= 1.0, f64::acosh)
    }),
    ("pg_atanh", 1, Strict, |v| {
        within(v[0].real(), v[0].real().abs() <= 1.0, f64::atanh)
    }),
];
