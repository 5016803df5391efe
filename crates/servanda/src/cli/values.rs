//! The values that options take.

use std::sync::LazyLock;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use servanda::{Drawing, EngineChoice, Language, TARGETS, Writer, engine_names};
use servanda_abta as abta;
use servanda_audit::After;
use servanda_engine as engine;
use servanda_equiv::{Comparison, Relation};
use servanda_model::{ActReading, Level};

/// `500ms`, `60s`, `2m`, `1h`; a plain number is in seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`: write ms, s, m or h")),
    };
    let number: f64 =
        number.parse().map_err(|_| "expected a time such as 500ms, 60s, 2m or 1h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "the time is too long".to_owned())
}

/// `8G`, `512M`, `64K`, also `GiB` and `GB`; always powers of 1024. A plain number is in bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(format!("unknown unit `{unit}`: write K, M or G")),
    };
    let number: f64 = number.parse().map_err(|_| "expected an amount such as 512M or 8G".to_owned())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err("the amount is too large".to_owned()) }
}

/// The values of options: those of types of the libraries, under the names that the command line has for them.
macro_rules! option_values {
    ($($(#[$doc:meta])* $value:ident of $of:ty: $all:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $value(pub(crate) $of);

        impl $value {
            fn all() -> &'static (Vec<&'static str>, Vec<$value>) {
                static ALL: LazyLock<(Vec<&'static str>, Vec<$value>)> =
                    LazyLock::new(|| $all.into_iter().map(|(name, value)| (name, $value(value))).unzip());
                &ALL
            }
        }

        impl ValueEnum for $value {
            fn value_variants<'a>() -> &'a [Self] {
                &$value::all().1
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let (names, values) = $value::all();
                values.iter().position(|value| value == self).map(|at| names[at].into())
            }
        }
    )*};
}

option_values! {
    /// A language that can be read.
    InputKind of Language: Language::ALL.iter().map(|language| (language.front_end().ending, *language));
    /// Who does the work.
    EngineValue of EngineChoice:
    [("auto", EngineChoice::Auto)].into_iter().chain(engine_names().map(|name| (name, EngineChoice::Only(name))));
    /// What a model can be written as.
    ConversionTarget of &'static Writer: TARGETS.iter().map(|target| (target.name, target));
    /// What two models are compared by.
    ComparisonChoice of Comparison: Comparison::all().map(|comparison| (comparison.word(), comparison));
    /// When two models count as the same.
    RelationChoice of Relation: Relation::ALL.map(|relation| (relation.word(), relation));
    /// What to draw with.
    DrawingKind of Drawing: Drawing::NAMED;
    /// What becomes of a slice after a line that is not possible.
    AfterValue of After: After::NAMED;
    /// How much has to be as wanted.
    LevelValue of Level: Level::NAMED;
    /// How act formulas are read.
    Acts of ActReading: ActReading::NAMED;
    /// What branching past sees.
    Past of engine::Past: engine::Past::NAMED;
    /// Where a property must hold.
    Validity of engine::Validity: engine::Validity::NAMED;
    /// The rules that make an automaton.
    AbtaRules of abta::Rules: abta::Rules::NAMED;
    /// Whose rules and numbers.
    AbtaLogic of abta::Logic: abta::Logic::NAMED;
}

/// `LABEL=LABEL`; where the one ends and the other begins only the models can tell.
pub(crate) fn renaming(text: &str) -> Result<String, String> {
    if text.contains('=') { Ok(text.to_owned()) } else { Err("expected LABEL=LABEL".to_owned()) }
}

/// What is written for each conversion target, in paragraphs.
pub(crate) fn about_targets() -> String {
    TARGETS.iter().map(|target| format!("--to {} {}\n\n", target.name, target.about)).collect()
}

/// What a file of any language is called in help texts; `what` says what it is for.
pub(crate) fn any_file(what: &str) -> String {
    format!("{what}: {}, or `-` for standard input", Language::endings("or"))
}

/// The number and what follows it. A number has digits and a point only, so there is no `inf` and nothing negative.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("60"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1h"), Ok(Duration::from_secs(3600)));
        for bad in ["", "s", "-1s", "1 year", "1e9", "inf", "nan", "1..2s", "99999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn amounts() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("8GiB"), Ok(8 << 30));
        assert_eq!(bytes("512m"), Ok(512 << 20));
        assert_eq!(bytes("1.5K"), Ok(1536));
        assert_eq!(bytes("100"), Ok(100));
        for bad in ["", "G", "-1G", "8X", "99999999999999999999G"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
