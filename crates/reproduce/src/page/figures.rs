//! Figures of the papers that have numbers in them: decompositions, tableaux and automata.

use serde_json::Value;

use super::Page;
use crate::run::{Model, Servanda};
use crate::table::{Table, code};

/// Where, what of, the formula, the rules; states and the states of the acceptance set, as printed.
const AUTOMATA: [(&str, &str, &str, u64, &[u64]); 3] = [
    (
        "ACTL\\*, Table 2, Fig. 3, Example 3",
        "AG (Ch(Ag2, SC(Ag1, Ag2, phi1)) -> F Jus(Ag1, SC(Ag1, Ag2, phi1), phi2))",
        "actl",
        17,
        &[1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
    ),
    ("CTL\\*CA, Fig. 6 and 7, Example 2", "E (G F p)", "ctlca", 7, &[1, 3, 5, 6]),
    (
        "CTL\\*CA, Fig. 8 and 9, Example 3",
        "A (F G Acc(Ag2, PC(Ag1, Ag2, t, phi)))",
        "ctlca",
        11,
        &[1, 2, 4, 6, 8, 9, 10, 11],
    ),
];

const CASE_STUDY: (&str, &str, &str, u64, &[u64]) = (
    "CTL\\*CA, Fig. 12 and 13",
    "AG (Ch(Ag2, PC(Ag1, Ag2, t, phi)) -> F Jus(Ag1, PC(Ag1, Ag2, t, phi), phi2))",
    "ctlca",
    18,
    &[1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
);

fn numbers(list: &[u64]) -> String {
    list.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

pub(super) fn write(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    page.text += "### ACTL\\*, Fig. 2: decompositions\n\n";
    let figure = Model::named("figure2.pact")?;
    let mut table = Table::new(&["act", "paper", "here", "claimed in `figure2.pact`"]);
    let conform = servanda.conform(&figure)?;
    for (act, printed) in [("Cr", 2), ("Ch", 3), ("Jus", 5)] {
        let about = |list: &str| {
            let entries = conform[list].as_array().into_iter().flatten();
            let is_it = |entry: &&Value| {
                entry["label"].as_str().is_some_and(|label| label.starts_with(&format!("{act}(")))
            };
            entries.clone().find(is_it).cloned().unwrap_or_default()
        };
        let states = about("acts")["decomposition"]["states"].as_array().map_or(0, Vec::len);
        let agrees = about("claims")["matches"] == Value::Bool(true);
        if states != printed || !agrees {
            page.problem(format!("the decomposition of {act}: {states} states, as claimed: {agrees}"));
        }
        let claim = if agrees { "as the rules make it" } else { "not as the rules make it" };
        table.row(&[code(act), format!("{printed} states"), format!("{states} states"), claim.to_owned()]);
    }
    page.text += &format!(
        "{table}\n### Tableaux and automata\n\nBy `servanda abta --rules paper`, which follows the printed rules and says where they are unsound. No verdict rests on these automata.\n\n"
    );
    let mut table = Table::new(&["where", "formula", "states: paper", "here", "acceptance: paper", "here"]);
    for (place, formula, logic, states, accepting) in AUTOMATA.into_iter().chain([CASE_STUDY]) {
        let made = servanda.abta(formula, &["--rules", "paper", "--logic", logic])?;
        let found = made["tableau"]["states"].as_array().map_or(0, Vec::len) as u64;
        let sets = made["tableau"]["acceptance"].as_array().cloned().unwrap_or_default();
        let set: Vec<u64> = sets
            .first()
            .and_then(|set| set["states"].as_array())
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .collect();
        if found != states || set != accepting {
            page.problem(format!("{place}: {found} states, accepting {set:?}"));
        }
        table.row(&[
            place.to_owned(),
            code(formula),
            states.to_string(),
            found.to_string(),
            numbers(accepting),
            numbers(&set),
        ]);
    }
    page.text += &format!("{table}\n");
    deadlock(page, servanda)?;
    umc(page, servanda)
}

/// Figures 7 and 10: what the Concurrency Workbench says of the search.
fn deadlock(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    page.text += "### ACTL\\*, Fig. 7 and 10: the search for a deadlock\n\n\
        The Workbench counts how often it expanded a state; the search here meets each pair of a state and a state of the automaton at \
        most once, and what is given is how many pairs there are.\n\n";
    let made = servanda.abta("EF !E does(_)", &[])?;
    let count = |part: &str| made[part]["states"].as_array().map_or(0, Vec::len);
    let automaton = count("automaton");
    let mut table = Table::new(&[
        "",
        "automaton: paper",
        "here",
        "expansions: paper",
        "pairs here",
        "verdict: paper",
        "here",
    ]);
    let printed = [
        ("PNAWS", "pnaws", "4 states, simplified", "107,127"),
        ("NetBill", "netbill", "6 states, not simplified", "7,779"),
    ];
    for (title, family, states, expansions) in printed {
        let name = format!("family {family}-inside 1:Open");
        let answer = servanda.check_named(&name, &["--formula", "EF !E does(_)", "--engine", "tableau"])?;
        let explored: u64 = answer.states.as_deref().and_then(|count| count.parse().ok()).unwrap_or_default();
        table.row(&[
            title.to_owned(),
            states.to_owned(),
            format!("{} states, {automaton} simplified", count("tableau")),
            expansions.to_owned(),
            crate::run::grouped(&(explored * automaton as u64).to_string()),
            "false".to_owned(),
            answer.verdicts.join(""),
        ]);
    }
    page.text += &format!("{table}\n");
    Ok(())
}

/// Section 7 of the UMC paper: the sizes in the text.
fn umc(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    let answer = servanda.size(&Model::named("family tunnel 2")?, &["--engine", "enumerate"])?;
    let mut table = Table::new(&["", "paper", "here"]);
    let mut row =
        |what: &str, paper: &str, here: String| table.row(&[what.to_owned(), paper.to_owned(), here]);
    row("global states `G`", "3 · 2 · 3 = 18", "18: the same local states".to_owned());
    row("bits of a global state", "5", "5: two for each train, one for the light".to_owned());
    row("joint actions", "6", "6: `a1` to `a6`".to_owned());
    row("reachable states `W`", "not given", answer.states());
    row("transitions", "not given", answer.transitions());
    row(
        "states without successor, for which the paper adds loops",
        "not given",
        answer.deadlocks.unwrap_or_default(),
    );
    page.text += &format!("### UMC, Section 7: trains, tunnel and controller\n\n{table}\n");
    Ok(())
}
