//! The page that sets what the papers print beside what the program gives.

mod errata;
mod figures;
mod tables;

use crate::family::{FAMILIES, written_verdicts};
use crate::formulas::{Printed, printed};
use crate::run::{Answer, Model, Servanda};
use crate::table::{Table, code, wrapped};

/// The page, and what is not as it should be.
#[derive(Default)]
pub struct Page {
    /// In Markdown.
    pub text: String,
    /// Where an answer is not the one that the papers or this repository lead to expect.
    pub problems: Vec<String>,
}

const PAPERS: [(&str, &str); 5] = [
    ("ACTL*", "Model Checking Agent Communication (ACTL\\*)"),
    ("SCCTL*", "A New Model Checking Approach for Verifying Agent Communication Protocols (SCCTL\\*)"),
    ("CTL*CA", "Model checking communicative agent-based systems (CTL\\*CA)"),
    ("MCMAS", "Automatic verification of multi-agent systems by model checking via OBDDs (MCMAS)"),
    ("UMC", "Verification of multiagent systems via unbounded model checking (UMC)"),
];

const HEAD: &str = "\
# Reproduction

What the five papers print, beside what this program gives. `bench/reproduce` wrote this page: it builds the \
program, makes the models (`bench/reproduce families` lists the families, `bench/reproduce family NAME N` prints one) \
and asks for every verdict and figure. Times are seconds of one run each, memory is MiB at the peak of that run, the \
program itself included; both are of the machine that the page was made on, and the papers' are of theirs. Nodes are \
the most that the engine `bdd` held at a time. Which definition is where in the code is in [papers.md](papers.md).

";

/// Asks for everything.
pub fn write(servanda: &Servanda) -> Result<Page, String> {
    let mut page = verdicts(servanda)?;
    page.text.insert_str(0, HEAD);
    page.text += "\n## Tables and figures\n\n";
    tables::write(&mut page, servanda)?;
    figures::write(&mut page, servanda)?;
    let made = families(servanda, 4);
    page.text += &made.text;
    page.problems.extend(made.problems);
    page.text += errata::TEXT;
    page.text = wrapped(&page.text);
    Ok(page)
}

/// The formulas of all papers.
pub fn verdicts(servanda: &Servanda) -> Result<Page, String> {
    let mut page = Page::default();
    let formulas = printed()?;
    page.text += "## Verdicts\n\n\
        Every formula that a paper prints as something to be decided, and the laws that it states: the list is\n\
        [examples/papers/formulas.txt](../examples/papers/formulas.txt), with today's spelling beside the papers'. *as printed* says\n\
        whether the papers' spelling, as it stands in the list, was read and gave the same verdict.\n\
        `servanda check --project examples/papers` decides them all in that spelling.\n\n";
    let mut notes = Vec::new();
    for (short, title) in PAPERS {
        page.text += &format!("### {title}\n\n");
        let own: Vec<&Printed> =
            formulas.iter().filter(|entry| entry.paper.starts_with(&format!("{short},"))).collect();
        page.paper(servanda, &own, &mut notes);
    }
    page.text += "### Notes\n\n";
    for (at, note) in notes.iter().enumerate() {
        page.text += &format!("{}. {note}\n", at + 1);
    }
    Ok(page)
}

/// All families, at this size or the nearest one that they have.
pub fn families(servanda: &Servanda, size: usize) -> Page {
    let mut page = Page::default();
    page.text += "## Families\n\n\
        Models of any size on which checkers of such systems are measured, and those above. In ISPL and Pact files the verdict of every\n\
        formula is written beside it; of processes it is asked whether they always go on.\n\n";
    let mut table = Table::new(&["family", "size", "states", "verdicts", "nodes", "s", "MiB"]);
    for family in FAMILIES {
        let size = size.clamp(*family.sizes.start(), *family.sizes.end());
        let name = format!("family {} {size}", family.name);
        let question: &[&str] = if family.language == "ccs" { &["--formula", "AG E does(_)"] } else { &[] };
        let answer = servanda.check_named(&name, &[question, &["--engine", "bdd"]].concat());
        let Some(answer) = page.answer(answer) else { continue };
        let expected = match family.language {
            "ccs" => vec!["true".to_owned()],
            "ispl" => written_verdicts(&(family.text)(size)),
            _ => answer.expected.clone(),
        };
        if answer.verdicts != expected || expected.is_empty() {
            page.problem(format!("{name}: {:?}, not {expected:?}", answer.verdicts));
        }
        table.row(&[
            code(family.name),
            size.to_string(),
            answer.states(),
            answer.verdicts.join(", "),
            answer.nodes(),
            answer.time(),
            answer.memory(),
        ]);
    }
    page.text += &format!("{table}\n");
    page
}

impl Page {
    /// A difference that the page does not explain.
    fn problem(&mut self, what: String) -> String {
        self.problems.push(what.clone());
        what
    }

    fn answer(&mut self, answer: Result<Answer, String>) -> Option<Answer> {
        answer.map_err(|error| self.problem(error)).ok()
    }

    fn paper(&mut self, servanda: &Servanda, entries: &[&Printed], notes: &mut Vec<String>) {
        let heads = ["where", "formula", "of", "paper", "here", "as printed", "states", "nodes", "s", "MiB"];
        let mut table = Table::new(&heads);
        for entry in entries {
            let model = match Model::named(&entry.model) {
                Ok(model) => model,
                Err(error) => {
                    self.problem(format!("{}: {error}", entry.paper));
                    continue;
                }
            };
            let options: Vec<&str> = entry.options.iter().map(String::as_str).collect();
            let ask = |formula: &str, engine: &str| {
                servanda.check(&model, &[&options[..], &["--formula", formula, "--engine", engine]].concat())
            };
            let Some(answer) = self.answer(ask(&entry.today, "auto")) else { continue };
            let here = answer.verdicts.first().cloned().unwrap_or_default();
            if here != entry.verdict {
                self.problem(format!("{}: {here}, not {}", entry.paper, entry.verdict));
            }
            let nodes = match ask(&entry.today, "bdd") {
                Ok(answer) if answer.verdicts[..] == [here.clone()] => answer.nodes(),
                Ok(answer) if answer.verdicts == ["unknown"] => "not decided".to_owned(),
                Ok(answer) => self.problem(format!("{}: bdd says {:?}", entry.paper, answer.verdicts)),
                Err(error) => self.problem(format!("{}: {error}", entry.paper)),
            };
            let as_printed = match ask(&entry.formula, "auto") {
                Ok(answer) if answer.verdicts[..] == [here.clone()] => "the same".to_owned(),
                Ok(answer) if answer.verdicts[..] == [entry.read.clone()] => entry.read.clone(),
                Ok(answer) => self.problem(format!("{}: as printed {:?}", entry.paper, answer.verdicts)),
                Err(error) => self.problem(format!("{}, as printed: {error}", entry.paper)),
            };
            let mut place = entry.paper.split_once(", ").map_or(&*entry.paper, |(_, place)| place).to_owned();
            if !entry.reason.is_empty() {
                notes.push(entry.reason.clone());
                place += &format!(" (note {})", notes.len());
            }
            let printed = if entry.printed == "none" { "no verdict" } else { &entry.printed };
            table.row(&[
                place,
                code(&entry.formula),
                code(&entry.model),
                printed.to_owned(),
                if here == entry.printed || entry.printed == "none" { here } else { format!("**{here}**") },
                as_printed,
                answer.states(),
                nodes,
                answer.time(),
                answer.memory(),
            ]);
        }
        self.text += &format!("{table}\n");
    }
}
