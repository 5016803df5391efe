//! Times and durations, in nanoseconds.

use super::fields::ValueKind;
use super::number;

/// A moment, or a length of time, in nanoseconds.
pub type Nanos = i64;

servanda_syntax::named! {
    /// What the numbers of a log count.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Unit {
        /// Told by their size: seconds up to 10^11, then milliseconds, microseconds and nanoseconds.
        #[default]
        Auto = "auto",
        /// Seconds.
        Seconds = "s",
        /// Milliseconds.
        Milliseconds = "ms",
        /// Microseconds.
        Microseconds = "us",
        /// Nanoseconds.
        Nanoseconds = "ns",
    }
}

impl Unit {
    /// Nanoseconds in one of them.
    fn size(self, whole: i64) -> i64 {
        match self {
            Unit::Auto => match whole.unsigned_abs() {
                0..100_000_000_000 => 1_000_000_000,
                100_000_000_000..100_000_000_000_000 => 1_000_000,
                100_000_000_000_000..100_000_000_000_000_000 => 1_000,
                _ => 1,
            },
            Unit::Seconds => 1_000_000_000,
            Unit::Milliseconds => 1_000_000,
            Unit::Microseconds => 1_000,
            Unit::Nanoseconds => 1,
        }
    }
}

/// The moment that a value of a log stands for: a number, a number as a text, or a time of RFC 3339.
pub(crate) fn moment(kind: ValueKind, text: &str, unit: Unit) -> Option<Nanos> {
    match kind {
        ValueKind::Number => counted(text, unit),
        ValueKind::Text => rfc3339(text).or_else(|| number::is_number(text).then(|| counted(text, unit))?),
        _ => None,
    }
}

fn counted(text: &str, unit: Unit) -> Option<Nanos> {
    let (text, negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    if text.contains(['e', 'E']) {
        // Written by programs that round anyway.
        let value: f64 = text.parse().ok()?;
        let nanos = value * unit.size(value as i64) as f64;
        return (nanos.abs() < 9e18).then_some(if negative { -nanos } else { nanos } as i64);
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: i64 = whole.parse().ok()?;
    let size = unit.size(whole);
    let nanos = whole.checked_mul(size)?.checked_add(part(fraction, size))?;
    Some(if negative { -nanos } else { nanos })
}

/// So many of a unit as the digits behind the point say.
fn part(digits: &str, unit: i64) -> i64 {
    digits
        .bytes()
        .take(9)
        .fold((0, unit), |(sum, unit), digit| {
            let unit = unit / 10;
            (sum + i64::from(digit.wrapping_sub(b'0')) * unit, unit)
        })
        .0
}

/// `2025-11-15T10:00:00.5Z`, with any offset, a space for the `T`, or without an offset.
fn rfc3339(text: &str) -> Option<Nanos> {
    let bytes = text.as_bytes();
    let field = |at: usize, length: usize| -> Option<i64> {
        let digits = text.get(at..at + length)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|byte| wanted.contains(byte));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (field(0, 4)?, field(5, 2)?, field(8, 2)?);
    let (hour, minute, second) = (field(11, 2)?, field(14, 2)?, field(17, 2)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let rest = text.get(19..)?;
    let (fraction, rest) = match rest.strip_prefix(['.', ',']) {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
        None => ("", rest),
    };
    let offset = match rest.as_bytes() {
        [] | [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), ..] => {
            let digits = rest[1..].replace(':', "");
            let (hours, minutes) = (digits.get(..2)?.parse::<i64>().ok()?, digits.get(2..4).unwrap_or("00"));
            let seconds = hours * 3600 + minutes.parse::<i64>().ok()? * 60;
            if *sign == b'-' { -seconds } else { seconds }
        }
        _ => return None,
    };
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    seconds.checked_mul(1_000_000_000)?.checked_add(part(fraction, 1_000_000_000))
}

/// Days since 1970, by Howard Hinnant's rule: years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `10s`, `1.5h`, `200ms`: a length of time in a mapping.
pub fn duration(text: &str) -> Result<Nanos, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let size: i64 = match unit.trim() {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return Err("expected a length of time, as `10s`, `1.5m` or `200ms`".to_owned()),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let whole: Option<i64> = whole.parse().ok().filter(|_| digits(fraction));
    let nanos = whole.and_then(|whole| whole.checked_mul(size)?.checked_add(part(fraction, size)));
    nanos.ok_or_else(|| {
        "expected a length of time, as `10s`, `1.5m` or `200ms`, shorter than 292 years".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let number = |text| moment(ValueKind::Number, text, Unit::Auto);
        assert_eq!(number("0.014989"), Some(14_989_000));
        assert_eq!(number("1794744401"), Some(1_794_744_401_000_000_000));
        assert_eq!(number("1794744401732"), Some(1_794_744_401_732_000_000));
        assert_eq!(number("1.5e3"), Some(1_500_000_000_000));
        assert_eq!(number("-1.5"), Some(-1_500_000_000));
        assert_eq!(moment(ValueKind::Number, "5", Unit::Milliseconds), Some(5_000_000));
        let text = |text| moment(ValueKind::Text, text, Unit::Auto);
        assert_eq!(text("1794744401732904855"), Some(1_794_744_401_732_904_855));
        assert_eq!(text("1970-01-02T00:00:00.25Z"), Some(86_400_250_000_000));
        assert_eq!(text("2000-03-01T01:00:00+01:00"), Some(951_868_800_000_000_000));
        assert_eq!(text("1969-12-31 23:59:59"), Some(-1_000_000_000));
        assert_eq!(text("yesterday"), None);
        assert_eq!(text("9999-99-99T00:00:00Z"), None);
        assert_eq!(text("2025-01-01T00:00:00+é"), None);
    }

    #[test]
    fn durations_are_read() {
        assert_eq!(duration("10s"), Ok(10_000_000_000));
        assert_eq!(duration("1.5m"), Ok(90_000_000_000));
        assert_eq!(duration("200ms"), Ok(200_000_000));
        for bad in ["", "10", "s", "1x", "-1s", "1.2.3s", "99999999999d"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
