//! `random()`, `setseed()`, `gen_random_uuid()`.

use std::cell::Cell;

use ring::rand::{SecureRandom, SystemRandom};

use super::{Nature::Volatile, Scalar, V, fail};
use crate::pgtypes::bytea::hex;

thread_local! {
    /// The state of the generator of this session's thread; 0 before it is seeded.
    static STATE: Cell<u64> = const { Cell::new(0) };
}

fn secure() -> [u8; 16] {
    let mut bytes = [0; 16];
    if SystemRandom::new().fill(&mut bytes).is_err() {
        bytes = (super::datetime::now() as u128).to_be_bytes();
    }
    bytes
}

/// xorshift64*, of which the upper bits are the better ones.
fn next() -> f64 {
    STATE.with(|state| {
        let mut bits = state.get();
        if bits == 0 {
            let bytes = secure();
            bits = u64::from_be_bytes([
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
            ]) | 1;
        }
        bits ^= bits >> 12;
        bits ^= bits << 25;
        bits ^= bits >> 27;
        state.set(bits);
        (bits.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// Chance.
pub(super) const FUNCTIONS: &[Scalar] = &[
    ("pg_random", 0, Volatile, |_| Ok(V::Real(next()))),
    ("pg_setseed", 1, Volatile, |v| {
        let seed = v[0].real();
        if !(-1.0..=1.0).contains(&seed) {
            return fail(
                "22023",
                format!("setseed parameter {seed} is out of allowed range [-1,1]"),
            );
        }
        STATE.with(|state| state.set(seed.to_bits() ^ 0x9E37_79B9_7F4A_7C15));
        Ok("".into())
    }),
    ("pg_gen_random_uuid", 0, Volatile, |_| {
        let mut bytes = secure();
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let hex = hex(&bytes);
        Ok(format!(
            "{}-{}-{}-{}-{}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
        .into())
    }),
];
