//! The nearest valid name to one that is not.

/// The candidate closest to `name` by edit distance (insert, delete, replace, swap neighbours), if one is close
/// enough to be a likely slip: at most a third of the name's letters, and at least one, may differ. Letter case
/// counts for half as much. Among equals the alphabetically first wins, so messages are stable.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1) * 2;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance in half steps: 2 for an edit, 1 for a change of letter case.
pub fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = 2 * i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = 2 * j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = match (a[i - 1], b[j - 1]) {
                (x, y) if x == y => 0,
                (x, y) if x.eq_ignore_ascii_case(&y) => 1,
                _ => 2,
            };
            let mut best = (rows[i - 1][j - 1] + change).min(rows[i - 1][j] + 2).min(rows[i][j - 1] + 2);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 2);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
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
    }
}
