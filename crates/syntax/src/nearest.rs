//! The nearest valid name to one that is not.

/// Who mistypes a longer name has most likely copied it: no slip is looked for.
const LONGEST: usize = 64;

/// So many candidates are looked at, one by one for each mistake.
const MOST_CANDIDATES: usize = 1000;

/// The candidate closest to `name` by edit distance (insert, delete, replace, swap neighbours), if one is close
/// enough to be a likely slip: at most a third of the name's letters, and at least one, may differ. Letter case
/// counts for half as much. Among equals the alphabetically first wins, so messages are stable.
///
/// Long names have no slips, and of many candidates only the first are looked at: a mistake must not cost more than it is worth.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = letters(name)?;
    let limit = (letters.len() / 3).max(1) * 2;
    candidates
        .into_iter()
        .take(MOST_CANDIDATES)
        .filter(|candidate| *candidate != name)
        // As many letters as the lengths differ by must be inserted or deleted; a letter has one byte at least.
        .filter(|candidate| candidate.len() <= 4 * LONGEST)
        .filter_map(|candidate| Some((within(&letters, &self::letters(candidate)?, limit)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The letters of a name, unless they are too many.
fn letters(name: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// Edit distance in half steps: 2 for an edit, 1 for a change of letter case.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    within(&a, &b, usize::MAX).unwrap_or(usize::MAX)
}

/// The distance, if it is at most so large. Of the table of distances of all beginnings three rows are kept.
fn within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()).saturating_mul(2) > limit {
        return None;
    }
    let (mut before, mut last) = (Vec::new(), (0..=b.len()).map(|j| 2 * j).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(2 * i);
        for j in 1..=b.len() {
            let change = match (a[i - 1], b[j - 1]) {
                (x, y) if x == y => 0,
                (x, y) if x.eq_ignore_ascii_case(&y) => 1,
                _ => 2,
            };
            let mut best = (last[j - 1] + change).min(last[j] + 2).min(row[j - 1] + 2);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: usize = before[j - 2];
                best = best.min(swapped + 2);
            }
            row.push(best);
        }
        (before, last) = (last, row);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_refuses_strangers() {
        let names = ["delivered", "paid", "Cus", "Mer"];
        assert_eq!(nearest("deliverd", names), Some("delivered"));
        assert_eq!(nearest("piad", names), Some("paid"));
        assert_eq!(nearest("cus", names), Some("Cus"));
        assert_eq!(nearest("zebra", names), None);
        assert_eq!([distance("ab", "ba"), distance("abc", "Abd"), distance("", "abc")], [2, 3, 6]);
    }

    #[test]
    fn no_mistake_costs_more_than_it_is_worth() {
        let (long, other) = ("a".repeat(10_000_000), "a".repeat(9_999_999));
        assert_eq!(nearest(&long, [other.as_str()]), None);
        assert_eq!(nearest("a", [other.as_str()]), None);
        let names: Vec<String> = (0..1_000_000).map(|number| format!("name{number}")).collect();
        for _ in 0..100 {
            assert_eq!(nearest("namd", names.iter().map(String::as_str)), None, "two letters differ");
        }
    }
}
