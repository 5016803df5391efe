//! How many states there will be, from how many lie at each of the first distances.

/// Fewer distances say nothing.
const FEWEST: usize = 5;

/// So many steps away from the initial states are far: who takes a step from all states at once takes that many.
const DEEP: usize = 150;

/// How many states lie at each distance, in the mean, where they go far.
pub(super) fn mean_width(widths: &[usize]) -> Option<usize> {
    let depth = widths.len().saturating_sub(1);
    (depth >= DEEP).then(|| widths.iter().sum::<usize>() / depth)
}

/// About how many states there are, where a search from the nearest ones on was given up in the middle of the last distance. In most models
/// the states at a distance become more and more and then fewer, and the logarithm of their number rises by less and less: where it does so
/// evenly they are spread as a bell curve is. Often it does so ever more slowly, and there are more; numbers that come to the end of their
/// ranges make fewer. Infinity where there is no end in sight, zero where nothing is known.
pub(super) fn states_expected(widths: &[usize]) -> f64 {
    let Some((_, whole)) = widths.split_last().filter(|(_, whole)| whole.len() >= FEWEST) else { return 0.0 };
    let logarithm = |back: usize| (whole[whole.len() - back].max(1) as f64).ln();
    // Two steps at a time, since many models take every other one by a different agent.
    let rise = (logarithm(1) - logarithm(3)) / 2.0;
    let before = (logarithm(3) - logarithm(5)) / 2.0;
    let (seen, slower) = (whole.iter().sum::<usize>() as f64, (before - rise) / 2.0);
    if rise <= 0.0 {
        return 2.0 * seen;
    }
    if slower <= 0.0 {
        return f64::INFINITY;
    }
    let most = (logarithm(1) + rise * rise / (2.0 * slower)).exp();
    seen.max(most * (std::f64::consts::TAU / slower).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A level for each distance, up to one that is given up in the middle.
    fn expected(widths: &[usize]) -> f64 {
        states_expected(&[widths, &[widths[widths.len() - 1] / 2]].concat())
    }

    #[test]
    fn a_bell_curve_is_continued() {
        // All sums of 24 dice of which each shows one of two numbers: 2 to the power of 24.
        let mut binomial = vec![1_usize];
        for k in 0..24 {
            binomial.push(binomial[k] * (24 - k) / (k + 1));
        }
        let (all, found) = (f64::from(1 << 24), expected(&binomial[..8]));
        assert!(found > all / 3.0 && found < all * 3.0, "{found}");
        let found = expected(&binomial[..16]);
        assert!(found > f64::from(1 << 23) && found < 2.0 * all, "{found}");
    }

    #[test]
    fn what_grows_by_the_same_factor_has_no_end_and_what_does_not_grow_is_half_seen() {
        assert_eq!(expected(&[1, 2, 4, 8, 16, 32]), f64::INFINITY);
        assert_eq!(expected(&[4; 10]), 80.0);
        assert_eq!(expected(&[1, 2, 3]), 0.0);
    }

    #[test]
    fn states_go_far_where_they_do() {
        assert_eq!(mean_width(&[7; 301]), Some(7));
        assert_eq!(mean_width(&[7; 100]), None);
        assert_eq!(mean_width(&[]), None);
    }
}
