//! Where numbers stand on an axis.

/// An axis: from numbers to places, evenly or by orders of magnitude.
pub(super) struct Scale {
    /// The numbers at the ends, or their logarithms.
    ends: (f64, f64),
    places: (f64, f64),
    logarithmic: bool,
}

/// From here on growth is shown by orders of magnitude.
const MUCH: f64 = 50.0;

/// About so many marks on an axis.
const MARKS: f64 = 5.0;

impl Scale {
    /// From the least to the greatest number.
    pub(super) fn between(numbers: &[f64], places: (f64, f64)) -> Self {
        let (least, most) = extremes(numbers);
        // One number alone stands in the middle.
        let ends = if least < most { (least, most) } else { (least - 1.0, most + 1.0) };
        Scale { ends, places, logarithmic: false }
    }

    /// From nothing to the greatest number; by orders of magnitude where they differ much.
    pub(super) fn growing(numbers: &[f64], places: (f64, f64)) -> Self {
        let (least, most) = extremes(numbers);
        if least > 0.0 && most / least >= MUCH {
            return Scale { ends: (least.log10().floor(), most.log10().ceil()), places, logarithmic: true };
        }
        let most = if most > 0.0 { most } else { 1.0 };
        let step = step(most);
        Scale { ends: (0.0, (most / step).ceil() * step), places, logarithmic: false }
    }

    pub(super) fn place(&self, number: f64) -> f64 {
        let number = if self.logarithmic { number.max(f64::MIN_POSITIVE).log10() } else { number };
        let share = (number - self.ends.0) / (self.ends.1 - self.ends.0);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// Round numbers with their places.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = self.ends;
        let step =
            if self.logarithmic { ((last - first) / MARKS).ceil().max(1.0) } else { step(last - first) };
        let mut found = Vec::new();
        let mut at = first;
        while at <= last + step / 1000.0 {
            let shown = if self.logarithmic { 10_f64.powf(at) } else { at };
            found.push((self.place(shown), number(shown)));
            at += step;
        }
        found
    }

    /// The numbers themselves where they are few, round ones where they are many.
    pub(super) fn ticks_at(&self, numbers: &[f64]) -> Vec<(f64, String)> {
        let mut numbers = numbers.to_vec();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        if numbers.len() <= 10 {
            return numbers.into_iter().map(|it| (self.place(it), number(it))).collect();
        }
        let step = step(self.ends.1 - self.ends.0).max(1.0);
        let first = (self.ends.0 / step).ceil() as i64;
        let last = (self.ends.1 / step).floor() as i64;
        (first..=last).map(|at| at as f64 * step).map(|at| (self.place(at), number(at))).collect()
    }
}

fn extremes(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().reduce(f64::min).unwrap_or(0.0);
    (least, numbers.iter().copied().reduce(f64::max).unwrap_or(0.0))
}

/// 1, 2 or 5 times a power of ten, so that a few of them make the whole.
fn step(whole: f64) -> f64 {
    let rough = whole / MARKS;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

/// A number as people write it: digits while they are few, else with its power of ten.
pub(super) fn number(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if size >= 1e7 => format!("{number:.0e}"),
        size if size >= 100.0 || number.fract() == 0.0 => format!("{number:.0}"),
        size if size >= 0.001 => {
            let digits = format!("{number:.3}");
            digits.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{number:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<(f64, String)>) -> Vec<String> {
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn round_numbers_on_even_axes_and_powers_on_others() {
        let even = Scale::growing(&[10.0, 47.0], (100.0, 0.0));
        assert_eq!(labels(even.ticks()), ["0", "10", "20", "30", "40", "50"]);
        assert!((even.place(25.0) - 50.0).abs() < 1e-9);
        let powers = Scale::growing(&[3.0, 40_000.0], (100.0, 0.0));
        assert_eq!(labels(powers.ticks()), ["1", "10", "100", "1000", "10000", "100000"]);
        assert!((powers.place(1.0) - 100.0).abs() < 1e-9 && powers.place(100_000.0).abs() < 1e-9);
    }

    #[test]
    fn values_of_a_parameter_are_marked_themselves() {
        let numbers = [2.0, 4.0, 8.0, 4.0];
        assert_eq!(labels(Scale::between(&numbers, (0.0, 60.0)).ticks_at(&numbers)), ["2", "4", "8"]);
        let one = Scale::between(&[3.0], (0.0, 60.0));
        assert!((one.place(3.0) - 30.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_and_what_never_grows_have_an_axis_too() {
        for numbers in [&[][..], &[0.0, 0.0], &[5.0, 5.0]] {
            let scale = Scale::growing(numbers, (100.0, 0.0));
            assert!(scale.ticks().iter().all(|(at, _)| at.is_finite()), "{numbers:?}");
        }
    }
}
