//! The list of formulas that the papers print: `examples/papers/formulas.txt`, whose head says what its lines mean.

use crate::run::root;

/// A formula that a paper prints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed {
    pub(crate) paper: String,
    pub(crate) formula: String,
    pub(crate) today: String,
    pub(crate) model: String,
    pub(crate) options: Vec<String>,
    pub(crate) printed: String,
    pub(crate) verdict: String,
    pub(crate) reason: String,
    /// What the printed spelling gives, where that is not the verdict.
    pub(crate) read: String,
}

/// All of them, in the order of the file.
pub(crate) fn printed() -> Result<Vec<Printed>, String> {
    let path = root().join("examples/papers/formulas.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines.split(|line| line.is_empty()).filter(|record| !record.is_empty()).map(record).collect()
}

fn record(lines: &[&str]) -> Result<Printed, String> {
    let mut printed = Printed::default();
    for line in lines {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("`{line}` has no key"))?;
        let value = value.to_owned();
        match key {
            "paper" => printed.paper = value,
            "formula" => printed.formula = value,
            "today" => printed.today = value,
            "model" => printed.model = value,
            "options" => printed.options = value.split(' ').map(str::to_owned).collect(),
            "printed" => printed.printed = value,
            "verdict" => printed.verdict = value,
            "reason" => printed.reason = value,
            "read" => printed.read = value,
            _ => return Err(format!("`{key}` is no key")),
        }
    }
    Ok(printed)
}

#[cfg(test)]
mod tests {
    use super::printed;
    use crate::run::Model;

    #[test]
    fn every_record_is_complete_and_its_model_is_there() {
        let all = printed().unwrap();
        assert!(all.len() > 40);
        for entry in all {
            for (key, value) in [("formula", &entry.formula), ("today", &entry.today)] {
                assert!(!value.is_empty(), "{}: no {key}", entry.paper);
            }
            assert!(["true", "false", "none"].contains(&&*entry.printed), "{}", entry.paper);
            assert!(["true", "false"].contains(&&*entry.verdict), "{}", entry.paper);
            // Where the two differ there is a reason.
            assert!(entry.printed == entry.verdict || !entry.reason.is_empty(), "{}", entry.paper);
            assert!(!Model::named(&entry.model).unwrap().text.is_empty(), "{}", entry.paper);
        }
    }
}
