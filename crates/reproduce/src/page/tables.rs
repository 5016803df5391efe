//! The numbered tables of the papers.

use super::Page;
use crate::run::{Model, Servanda, grouped};
use crate::table::Table;

/// What the MCMAS paper prints for 3 to 8 cryptographers: size of the model, bits, nodes, MiB, seconds.
const DINING: [(&str, u32, &str, &str, &str); 6] = [
    ("7 · 10^13", 46, "10^4", "4.4", "1.2"),
    ("2 · 10^18", 62, "6 · 10^4", "5.2", "5.2"),
    ("2 · 7.5^22", 76, "8 · 10^4", "5.6", "18.8"),
    ("1.2 · 10^27", 90, "1.6 · 10^5", "7.1", "126.2"),
    ("2 · 10^31", 104, "1.7 · 10^5", "7.5", "649"),
    ("1.3 · 10^36", 120, "1.2 · 10^7", "230", "9,644"),
];

fn bits(values: usize) -> u32 {
    values.next_power_of_two().trailing_zeros()
}

pub(super) fn write(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    bit_transmission(page, servanda)?;
    dining(page, servanda)?;
    case_studies(page, servanda)
}

fn bit_transmission(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    page.text += "### MCMAS, Tables 1 to 4: bit transmission with faults\n\n\
        Tables 1 and 2 are the evolutions of the sender and of the first receiver; the family `transmission-2005` has them line by \
        line. The paper gives one figure for both receivers. The size of the model is the paper's estimate, \
        the square of the number of all combinations of local states and actions; the same is computed here.\n\n";
    let mut table = Table::new(&["receiver", "", "paper", "here"]);
    for (receiver, local) in [(1, 5usize), (2, 6)] {
        let answer =
            servanda.check_named(&format!("family transmission-2005 {receiver}"), &["--engine", "bdd"])?;
        let combinations = 4 * 3 * local * 2 * 4 * 4;
        let size = format!(
            "{} = {:.1} · 10^6",
            grouped(&(combinations * combinations).to_string()),
            (combinations * combinations) as f64 / 1e6
        );
        let mut row = |what: &str, paper: &str, here: String| {
            table.row(&[receiver.to_string(), what.to_owned(), paper.to_owned(), here]);
        };
        row("Table 3: size of the model", "≈ 4 · 10^6", size);
        row("reachable states", "not given", answer.states());
        row("Table 3: nodes", "≈ 10^3", answer.nodes());
        row("Table 3: memory, MiB", "≈ 4.5", answer.memory());
        row("Table 4: seconds, one formula (here both)", "0.05", answer.time());
    }
    page.text += &format!("{table}\n");
    Ok(())
}

fn dining(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    page.text += "### MCMAS, Tables 5 and 6: the dining cryptographers\n\n\
        The encoding of Section 5.2.1: an Environment with `(n + 1) · 2^n` local states and one action, cryptographers with 27 local \
        states and 3 actions (family `dining-2005`). The number of bits, two for each of the state (now and next) and one for each of the \
        actions, comes out as printed for every `n`, so the encoding is the paper's. `|M|` is 2 to that power; the paper's `2 · \
        7.5^22` must be 7.5 · 10^22, and its `2 · 10^18` is 4.6 · 10^18. Here all three formulas are decided, there one; nodes are of a second run with `--stats`.\n\n";
    let heads = [
        "n",
        "bits: paper",
        "here",
        "size: paper",
        "here",
        "nodes: paper",
        "here",
        "MiB: paper",
        "here",
        "s: paper",
        "here",
        "reachable states",
        "verdicts",
    ];
    let mut table = Table::new(&heads);
    let mut total = 0.0;
    for (n, (size, printed_bits, nodes, memory, seconds)) in (3..).zip(DINING) {
        let name = format!("family dining-2005 {n}");
        let Some(answer) = page.answer(servanda.check_named(&name, &[])) else { continue };
        let plain = servanda.verdicts(&Model::named(&name)?)?;
        let count = u32::try_from(n).unwrap_or_default();
        let state = count * bits(27) + bits((n + 1) << n);
        let all = 2 * state + count * bits(3);
        if all != printed_bits || answer.verdicts != ["true", "true", "true"] {
            page.problem(format!("{name}: {all} bits, {:?}", answer.verdicts));
        }
        total += plain.seconds;
        table.row(&[
            n.to_string(),
            printed_bits.to_string(),
            all.to_string(),
            format!("≈ {size}"),
            format!("{:.1e}", 2f64.powi(all.cast_signed())).replace('e', " · 10^"),
            format!("≈ {nodes}"),
            answer.nodes(),
            format!("≈ {memory}"),
            plain.memory(),
            seconds.to_owned(),
            plain.time(),
            answer.states(),
            answer.verdicts.join(", "),
        ]);
    }
    page.text += &format!("{table}\nTogether: {total:.2} s here, 10,444 s in the paper.\n\n");
    Ok(())
}

fn case_studies(page: &mut Page, servanda: &Servanda) -> Result<(), String> {
    page.text += include_str!("inside.md");
    let mut table = Table::new(&["", "paper", "here, `Open`", "here, `Closed`", "here, ISPL"]);
    let studies = [
        (
            "PNAWS",
            "pnaws",
            [
                "35,525",
                "35,709",
                "77,244",
                "39,475 (Table 4), 39,575 (Fig. 8)",
                "152,093",
                "7.675",
                "8",
                "false",
                "EG complianceTermination: true",
            ],
        ),
        (
            "NetBill",
            "netbill",
            [
                "2,574",
                "2,593",
                "5,911",
                "2,851",
                "9,332",
                "0.484",
                "≈ 0.5",
                "false",
                "AF purchase_violation: false; AF purchase_compliance: false",
            ],
        ),
    ];
    for (title, family, paper) in studies {
        let [product, states, transitions, reachable, nodes, seconds, mcmas, deadlock, formulas] = paper;
        let can_deadlock = ["--formula", "EF !E does(_)"];
        let open = servanda.check_named(&format!("family {family}-inside 1:Open"), &can_deadlock)?;
        let closed = servanda.check_named(&format!("family {family}-inside 1:Closed"), &can_deadlock)?;
        let program =
            servanda.check_named(&format!("family {family}-inside-ispl 1"), &["--engine", "bdd"])?;
        let none = || "other language".to_owned();
        let mut row = |what: &str, paper: &str, open: String, closed: String, program: String| {
            table.row(&[format!("{title}: {what}"), paper.to_owned(), open, closed, program]);
        };
        row("the product", product, open.states(), closed.states(), program.states());
        row("CWB-NC: states", states, open.states(), closed.states(), none());
        row("CWB-NC: transitions", transitions, open.transitions(), closed.transitions(), none());
        row("CWB-NC: seconds, building and verifying", seconds, open.time(), closed.time(), none());
        row("`can_deadlock`", deadlock, open.verdicts.join(""), closed.verdicts.join(""), none());
        row("MCMAS: reachable states", reachable, none(), none(), program.states());
        row("MCMAS: nodes", nodes, none(), none(), program.nodes());
        row("MCMAS: seconds", mcmas, none(), none(), program.time());
        row("MCMAS: verdicts", formulas, none(), none(), program.verdicts.join(", "));
        row("memory, MiB", "not given", open.memory(), closed.memory(), program.memory());
        let wanted = if family == "pnaws" { ["true", "false"] } else { ["false", "false"] };
        if open.verdicts != ["false"] || closed.verdicts != ["false"] || program.verdicts != wanted {
            page.problem(format!(
                "{title}: {:?} {:?} {:?}",
                open.verdicts, closed.verdicts, program.verdicts
            ));
        }
        if open.states() != product || program.states() != product || open.deadlocks.as_deref() != Some("0") {
            page.problem(format!("{title}: {} and {} states", open.states(), program.states()));
        }
    }
    page.text += &format!(
        "{table}\nThe second formula of PNAWS, `AG complianceTermination`, is ours: it shows that the first does not hold for want of anything else.\n\n"
    );
    Ok(())
}
