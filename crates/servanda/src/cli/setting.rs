//! Values of parameters: one, or several that are gone through.

use std::sync::Arc;

use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span};

/// The most settings that are gone through in one run.
const MOST_SETTINGS: usize = 1000;

/// What a parameter given on the command line is called in messages.
const OPTION: &str = "--param";

/// A parameter, the values it takes one after the other, and where that is said.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) name: String,
    /// At least one.
    pub(crate) values: Vec<i64>,
    pub(crate) source: Arc<SourceFile>,
    /// The place of the name.
    pub(crate) span: Span,
}

/// `N=5`, `N=2..8`, `N=2,4,8`
pub(crate) fn parameter(text: &str) -> Result<Setting, String> {
    let wrong = || "expected NAME=NUMBER, such as N=5, or NAME=VALUES, such as N=2..8 or N=2,4,8".to_owned();
    let (written, several) = text.split_once('=').ok_or_else(wrong)?;
    let name = written.trim();
    if name.is_empty() {
        return Err(wrong());
    }
    let start = written.len() - written.trim_start().len();
    Ok(Setting {
        name: name.to_owned(),
        values: values(several)?,
        source: Arc::new(SourceFile::new(OPTION, text)),
        span: Span::new(start, start + name.len()),
    })
}

/// Numbers and ranges, with commas between them; each number once.
pub(crate) fn values(text: &str) -> Result<Vec<i64>, String> {
    let integer =
        |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{}` is not an integer", text.trim()));
    let mut found = Vec::new();
    for part in text.split(',') {
        let (low, high) = match part.split_once("..") {
            Some((low, high)) => (integer(low)?, integer(high)?),
            None => {
                let only = integer(part)?;
                (only, only)
            }
        };
        if low > high {
            return Err(format!("there is nothing from {low} to {high}"));
        }
        if high.abs_diff(low) >= MOST_SETTINGS as u64 || found.len() > MOST_SETTINGS {
            return Err(format!("these are more than {MOST_SETTINGS} values"));
        }
        for value in low..=high {
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    Ok(found)
}

/// All combinations of the values, the first parameter changing slowest. Of a parameter that is set twice the last setting counts.
pub(crate) fn combinations(settings: &[Setting]) -> Result<Vec<Vec<Setting>>, String> {
    let mut kept: Vec<&Setting> = Vec::new();
    for setting in settings {
        match kept.iter_mut().find(|other| other.name == setting.name) {
            Some(other) => *other = setting,
            None => kept.push(setting),
        }
    }
    let count = kept.iter().try_fold(1_usize, |count, setting| count.checked_mul(setting.values.len()));
    if count.is_none_or(|count| count > MOST_SETTINGS) {
        return Err(format!("{OPTION}: these are more than {MOST_SETTINGS} combinations of values"));
    }
    let mut found: Vec<Vec<Setting>> = vec![Vec::new()];
    for setting in kept {
        let with = |before: &Vec<Setting>, value: i64| {
            let one = Setting { values: vec![value], ..setting.clone() };
            before.iter().cloned().chain([one]).collect()
        };
        found = found
            .iter()
            .flat_map(|before| setting.values.iter().map(move |value| with(before, *value)))
            .collect();
    }
    Ok(found)
}

/// The values where each parameter has one.
///
/// # Errors
///
/// A parameter has several.
pub(crate) fn single(settings: &[Setting]) -> Result<Vec<(String, i64)>, Vec<Finding>> {
    let mut combinations = combinations(settings).unwrap_or_default().into_iter();
    match (combinations.next(), combinations.next()) {
        (Some(only), None) => Ok(parameters(&only)),
        _ => {
            let several = settings.iter().filter(|setting| setting.values.len() > 1);
            let error = |setting: &Setting| {
                let message = format!("`{}` has several values here", setting.name);
                let error = Diagnostic::error(Code::BadValue, message, setting.span);
                let help = "only `servanda check` and `servanda size` go through several values";
                Finding::placed(error.help(help), &setting.source)
            };
            Err(several.map(error).collect())
        }
    }
}

/// The values of a combination.
pub(crate) fn parameters(combination: &[Setting]) -> Vec<(String, i64)> {
    let pair = |setting: &Setting| Some((setting.name.clone(), *setting.values.first()?));
    combination.iter().filter_map(pair).collect()
}

/// What is wrong with a parameter that the text does not have is wrong where it is set, not in the text.
pub(crate) fn where_it_is_set(finding: Finding, settings: &[Setting]) -> Finding {
    if finding.diagnostic.code != Code::UnknownParameter {
        return finding;
    }
    // The message names the parameter.
    let named = |setting: &&Setting| finding.diagnostic.message.contains(&format!("`{}`", setting.name));
    match settings.iter().find(named) {
        Some(setting) => {
            Finding::placed(Diagnostic { span: setting.span, ..finding.diagnostic }, &setting.source)
        }
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ranges_and_lists() {
        let parse = |text: &str| parameter(text).map(|setting| (setting.name, setting.values));
        assert_eq!(parse("N=5"), Ok(("N".to_owned(), vec![5])));
        assert_eq!(parse("low = -2"), Ok(("low".to_owned(), vec![-2])));
        assert_eq!(parse("N=2..5"), Ok(("N".to_owned(), vec![2, 3, 4, 5])));
        assert_eq!(parse("N=-1..1"), Ok(("N".to_owned(), vec![-1, 0, 1])));
        assert_eq!(parse("N=2,4, 8"), Ok(("N".to_owned(), vec![2, 4, 8])));
        assert_eq!(parse("N=9,2..4,3"), Ok(("N".to_owned(), vec![9, 2, 3, 4])));
        let bad = [
            "N",
            "N=",
            "=5",
            "N=x",
            "N=1.5",
            "N=8..2",
            "N=1..",
            "N=..3",
            "N=1,,2",
            "N=1..1000000",
            "N=1...3",
        ];
        for bad in bad {
            assert!(parameter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn all_combinations_and_the_last_setting_counts() {
        let settings = ["M=7", "N=2,3", "M=0..1"].map(|text| parameter(text).unwrap());
        let found: Vec<_> = combinations(&settings).unwrap().iter().map(|it| parameters(it)).collect();
        let pairs = |m: i64, n: i64| vec![("M".to_owned(), m), ("N".to_owned(), n)];
        assert_eq!(found, [pairs(0, 2), pairs(0, 3), pairs(1, 2), pairs(1, 3)]);
        let many = ["A=1..40", "B=1..40"].map(|text| parameter(text).unwrap());
        assert!(combinations(&many).is_err());
        assert_eq!(combinations(&[]).unwrap().len(), 1);
    }
}
