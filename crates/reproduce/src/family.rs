//! Models of any size: those of the papers, and those that checkers of such systems are usually measured with.
//!
//! The verdict of every formula stands beside it: in ISPL as a comment, in Pact as `expect`.

mod auction;
mod cryptographers;
mod dining2005;
mod inside;
mod muddy;
mod processes;
mod trains;
mod transmission;

use cryptographers::First;
use inside::Language;

/// A model for every number from `least` to `most` on.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The language, as `--input` wants it.
    pub(crate) language: &'static str,
    /// The process that is meant, in CCS.
    pub(crate) process: Option<&'static str>,
    pub(crate) sizes: std::ops::RangeInclusive<usize>,
    pub(crate) about: &'static str,
    pub(crate) text: fn(usize) -> String,
}

macro_rules! families {
    ($($name:literal $language:literal $process:expr, $sizes:expr, $about:literal, $text:expr;)*) => {
        /// All families, in the order of the list that the program prints.
        pub(crate) const FAMILIES: &[Family] =
            &[$(Family {
                name: $name,
                language: $language,
                process: $process,
                sizes: $sizes,
                about: $about,
                text: $text,
            }),*];
    };
}

families! {
    "cryptographers" "ispl" None, 3..=1000, "dining cryptographers who speak at once",
        |n| cryptographers::at_once(n, First::Honest);
    "faulty" "ispl" None, 3..=1000, "the same, and the first one may lie",
        |n| cryptographers::at_once(n, First::MayLie);
    "in-turn" "ispl" None, 3..=1000, "dining cryptographers who speak one after the other",
        cryptographers::in_turn;
    "dining-2005" "ispl" None, 3..=12, "dining cryptographers as the MCMAS paper encodes them",
        |n| dining2005::table(n, First::Honest);
    "faulty-2005" "ispl" None, 3..=12, "the same, and the first one may lie",
        |n| dining2005::table(n, First::MayLie);
    "trains" "ispl" None, 2..=1000, "trains, one tunnel, a controller", trains::with_controller;
    "tunnel" "pact" None, 2..=100, "trains, one tunnel, a controller as the UMC paper encodes them",
        trains::of_the_umc_paper;
    "muddy" "ispl" None, 2..=20, "muddy children", muddy::children;
    "transmission" "ispl" None, 1..=1000, "sessions of bit transmission over channels that lose messages",
        transmission::sessions;
    "transmission-2005" "ispl" None, 1..=2, "bit transmission with faulty receiver 1 or 2 of the MCMAS paper",
        transmission::of_2005;
    "scheduler" "ccs" Some("Sched"), 2..=1000, "Milner's scheduler", processes::scheduler;
    "ring" "ccs" Some("Row"), 1..=1000, "one-place buffers in a row", processes::buffers;
    "auction" "pact" None, 1..=100, "an auction with commitments", auction::bidders;
    "pnaws-inside" "ccs" Some("Open"), 1..=1, "PNAWS with the decompositions of acts as states",
        |_| inside::pnaws(Language::Ccs);
    "pnaws-inside-ispl" "ispl" None, 1..=1, "the same as a program of three agents",
        |_| inside::pnaws(Language::Ispl);
    "netbill-inside" "ccs" Some("Open"), 1..=1, "NetBill with the decompositions of acts as states",
        |_| inside::netbill(Language::Ccs);
    "netbill-inside-ispl" "ispl" None, 1..=1, "the same as a program of three agents",
        |_| inside::netbill(Language::Ispl);
}

/// The family of this name.
pub(crate) fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// One line for each family: its name, its language, its sizes, what it is.
pub fn list() -> String {
    let line = |family: &Family| {
        let sizes = format!("{} to {}", family.sizes.start(), family.sizes.end());
        format!("{:20} {:5} {sizes:10} {}\n", family.name, family.language, family.about)
    };
    FAMILIES.iter().map(line).collect()
}

/// The model of a family, or what is wrong with the name or the size.
pub fn model(name: &str, size: &str) -> Result<String, String> {
    let Some(family) = family(name) else {
        return Err(format!("there is no family `{name}`; there are\n{}", list()));
    };
    match size.parse() {
        Ok(size) if family.sizes.contains(&size) => Ok((family.text)(size)),
        _ => Err(format!("`{name}` needs a number from {} to {}", family.sizes.start(), family.sizes.end())),
    }
}

/// The verdicts that stand beside the formulas of an ISPL text.
pub(crate) fn written_verdicts(text: &str) -> Vec<String> {
    let verdict = |line: &str| line.rsplit_once("; -- ").map(|(_, verdict)| verdict.to_lowercase());
    text.lines().filter_map(verdict).collect()
}
