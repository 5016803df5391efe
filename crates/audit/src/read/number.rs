//! Numbers as they are written: compared and added exactly, never rounded.

use std::cmp::Ordering;

/// A number that is not zero, taken apart: its sign, its digits and where the point is. Digits of the whole and of the fraction follow
/// each other; neither the first nor the last is a zero.
struct Parts<'n> {
    negative: bool,
    whole: &'n str,
    fraction: &'n str,
    /// The number is `0.DIGITS` times ten to this.
    exponent: i64,
}

/// Takes a number apart; `None` for zero and for what is no number.
fn parts(text: &str) -> Option<Parts<'_>> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    // An exponent of more than eighteen digits is as good as the largest.
    let written: i64 =
        exponent.trim_start_matches('+').parse().unwrap_or(match exponent.as_bytes().first() {
            Some(b'-') => i64::MIN / 4,
            _ => i64::MAX / 4,
        });
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let exponent = written.clamp(i64::MIN / 4, i64::MAX / 4);
    if whole.is_empty() {
        let digits = fraction.trim_start_matches('0');
        let zeros = (fraction.len() - digits.len()) as i64;
        return (!digits.is_empty()).then_some(Parts {
            negative,
            whole: "",
            fraction: digits,
            exponent: exponent - zeros,
        });
    }
    let length = whole.len() as i64;
    let whole = if fraction.is_empty() { whole.trim_end_matches('0') } else { whole };
    Some(Parts { negative, whole, fraction, exponent: exponent + length })
}

/// Is it a number, as JSON writes them?
pub(crate) fn is_number(text: &str) -> bool {
    let mut json = super::json::Json::new(text);
    let value = json.value(1);
    matches!(value, Ok((super::json::Shape::Number, 0, end)) if end == text.len())
}

/// Compares two numbers by what they are worth.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return a.cmp(&b);
    }
    match (parts(a), parts(b)) {
        (None, None) => Ordering::Equal,
        (None, Some(b)) => {
            if b.negative {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Some(a), None) => {
            if a.negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (Some(a), Some(b)) if a.negative != b.negative => b.negative.cmp(&a.negative),
        (Some(a), Some(b)) => {
            let digits = |it: &Parts<'_>| it.whole.bytes().chain(it.fraction.bytes()).collect::<Vec<u8>>();
            let size = a.exponent.cmp(&b.exponent).then_with(|| digits(&a).cmp(&digits(&b)));
            if a.negative { size.reverse() } else { size }
        }
    }
}

/// An integer of at most eighteen digits.
#[inline]
fn small(text: &str) -> Option<i64> {
    if text.len() > 18 { None } else { text.parse().ok() }
}

/// A number as an integer of so many digits behind the point.
fn scaled(text: &str) -> Option<(i128, u32)> {
    let Some(parts) = parts(text) else { return Some((0, 0)) };
    let count = (parts.whole.len() + parts.fraction.len()) as i64;
    let scale = u32::try_from((count - parts.exponent).max(0)).ok()?;
    let zeros = u32::try_from((parts.exponent - count).max(0)).ok()?;
    let digits = parts.whole.bytes().chain(parts.fraction.bytes());
    let value = digits
        .take(64)
        .try_fold(0i128, |value, digit| value.checked_mul(10)?.checked_add(i128::from(digit - b'0')))?;
    let value = value.checked_mul(10i128.checked_pow(zeros)?)?;
    Some((if parts.negative { -value } else { value }, scale))
}

/// The sum, or the difference, written out; `None` where that takes more than 38 digits.
pub(crate) fn add(a: &str, b: &str, subtract: bool) -> Option<String> {
    let ((a, places_a), (b, places_b)) = (scaled(a)?, scaled(b)?);
    let places = places_a.max(places_b);
    let widen = |value: i128, by: u32| value.checked_mul(10i128.checked_pow(by)?);
    let (a, b) = (widen(a, places - places_a)?, widen(b, places - places_b)?);
    let sum = if subtract { a.checked_sub(b)? } else { a.checked_add(b)? };
    let digits = format!("{:0>width$}", sum.unsigned_abs(), width = places as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
    let fraction = fraction.trim_end_matches('0');
    let sign = if sum < 0 { "-" } else { "" };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_exactly() {
        let rising = [
            "-1e400",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-1",
            "-0.001",
            "0",
            "1e-400",
            "0.1",
            "0.10000000000000000001",
            "1",
            "9007199254740992",
            "9007199254740993",
            "1e100",
            "1e999999999999999999999",
        ];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [("1", "1.0"), ("100", "1e2"), ("0", "-0.0"), ("0.5", "5E-1"), ("12.30", "1.23e+1")] {
            assert_eq!(compare(a, b), Ordering::Equal, "{a} {b}");
        }
    }

    #[test]
    fn sums_are_exact_or_none() {
        let sum = |a, b| add(a, b, false);
        assert_eq!(sum("9007199254740992", "1").as_deref(), Some("9007199254740993"));
        assert_eq!(sum("0.1", "0.2").as_deref(), Some("0.3"));
        assert_eq!(sum("1e3", "-1").as_deref(), Some("999"));
        assert_eq!(add("1", "1.05", true).as_deref(), Some("-0.05"));
        assert_eq!(add("5", "5", true).as_deref(), Some("0"));
        assert_eq!(sum("1e100", "1"), None);
        assert_eq!(sum("1e-2147483648", "1"), None);
    }
}
