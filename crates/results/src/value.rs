//! Concrete values as people and as C write them.

use assay_cfa::CType;
use assay_term::Bits;

/// For people: decimal where the type is a number, hexadecimal otherwise.
pub fn describe(ctype: &CType, bits: Bits) -> String {
    match ctype {
        CType::Integer { name: "char", .. } if bits.value() == 10 => "'\\n'".to_string(),
        CType::Integer { name: "char", .. } if bits.value() == 9 => "'\\t'".to_string(),
        CType::Integer { name: "char", .. } if (32..127).contains(&bits.value()) => match bits.value() as u8 {
            quoted @ (b'\'' | b'\\') => format!("'\\{}'", quoted as char),
            plain => format!("'{}'", plain as char),
        },
        CType::Integer { signed: true, .. } => bits.signed().to_string(),
        CType::Integer { .. } | CType::Bool => bits.value().to_string(),
        CType::Float { .. } => match float(bits) {
            Some(value) if value.is_finite() && (value == 0.0 || (1e-5..1e16).contains(&value.abs())) => format!("{value:?}"),
            Some(value) if value.is_finite() => format!("{value:e}"),
            Some(value) => value.to_string(),
            None => hexadecimal(bits),
        },
        CType::Pointer if bits.is_zero() => "NULL".to_string(),
        _ => hexadecimal(bits),
    }
}

/// As a C constant expression of the type, exact; `None` where C has no constant for it (NaN, infinities, pointers).
pub fn c_constant(ctype: &CType, bits: Bits) -> Option<String> {
    match ctype {
        CType::Bool => Some(bits.value().to_string()),
        CType::Integer { width, signed, .. } => Some(integer_constant(*width, *signed, bits)),
        CType::Float { .. } => float_constant(bits),
        CType::Pointer if bits.is_zero() => Some("0".to_string()),
        _ => None,
    }
}

/// C has no negative constants: the smallest value of a signed type needs a subtraction.
fn integer_constant(width: u32, signed: bool, bits: Bits) -> String {
    let suffix = match (width > 32, signed) {
        (false, true) => "",
        (false, false) => "U",
        (true, true) => "LL",
        (true, false) => "ULL",
    };
    if !signed {
        return format!("{}{suffix}", bits.value());
    }
    let value = bits.signed();
    let smallest = -(1i128 << (width.clamp(32, 64) - 1));
    match value {
        v if v == smallest => format!("({}{suffix} - 1)", v + 1),
        v if v < 0 => format!("({v}{suffix})"),
        v => format!("{v}{suffix}"),
    }
}

fn float_constant(bits: Bits) -> Option<String> {
    let value = float(bits).filter(|v| v.is_finite())?;
    // The shortest decimal text that reads back as the same value; an 80-bit value may have more bits than that.
    match bits.width() {
        32 => Some(format!("{:?}f", f32::from_bits(bits.value() as u32))),
        64 => Some(format!("{value:?}")),
        _ => (extended_is_double(bits)).then(|| format!("{value:?}L")),
    }
}

/// The value of a float pattern; 80-bit and 128-bit ones are rounded.
pub fn float(bits: Bits) -> Option<f64> {
    match bits.width() {
        32 => Some(f32::from_bits(bits.value() as u32) as f64),
        64 => Some(f64::from_bits(bits.value() as u64)),
        80 => {
            let mantissa = bits.value() as u64;
            let exponent = ((bits.value() >> 64) & 0x7FFF) as i32;
            let sign = if bits.sign_bit() { -1.0 } else { 1.0 };
            Some(match (exponent, mantissa << 1) {
                (0x7FFF, 0) => sign * f64::INFINITY,
                (0x7FFF, _) => f64::NAN,
                _ => sign * scaled(mantissa as f64, exponent - 16383 - 63),
            })
        }
        _ => None,
    }
}

/// `value * 2^exponent` without an intermediate overflow.
fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// Whether an 80-bit value has at most the 53 significant bits of a double and its range.
fn extended_is_double(bits: Bits) -> bool {
    let exponent = ((bits.value() >> 64) & 0x7FFF) as i32 - 16383;
    bits.width() == 80 && (bits.value() as u64) & 0x7FF == 0 && ((-1022..=1023).contains(&exponent) || bits.value() as u64 == 0)
}

fn hexadecimal(bits: Bits) -> String {
    format!("{:#x}", bits.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: CType = CType::Integer { width: 32, signed: true, name: "int" };
    const ULONG: CType = CType::Integer { width: 64, signed: false, name: "unsigned long" };

    #[test]
    fn values_are_written_for_people_and_for_c() {
        let double = CType::Float { width: 64 };
        let cases = [
            (INT, 32, 5, "5", Some("5")),
            (INT, 32, u128::from(u32::MAX), "-1", Some("(-1)")),
            (INT, 32, 1 << 31, "-2147483648", Some("(-2147483647 - 1)")),
            (ULONG, 64, u128::from(u64::MAX), "18446744073709551615", Some("18446744073709551615ULL")),
            (double.clone(), 64, u128::from(1.5f64.to_bits()), "1.5", Some("1.5")),
            (double.clone(), 64, u128::from((-0.0f64).to_bits()), "-0.0", Some("-0.0")),
            (double.clone(), 64, u128::from(1e300f64.to_bits()), "1e300", Some("1e300")),
            (double, 64, u128::from(f64::NAN.to_bits()), "NaN", None),
            (CType::Float { width: 80 }, 80, 0x4000_C000_0000_0000_0000, "3.0", Some("3.0L")),
            (CType::Float { width: 32 }, 32, u128::from(0.1f32.to_bits()), "0.10000000149011612", Some("0.1f")),
            (CType::Pointer, 32, 0, "NULL", Some("0")),
            (CType::Pointer, 32, 4096, "0x1000", None),
        ];
        for (ctype, width, value, people, constant) in cases {
            let bits = Bits::new(width, value);
            assert_eq!(describe(&ctype, bits), people);
            assert_eq!(c_constant(&ctype, bits).as_deref(), constant);
        }
    }
}
