//! What to know about an automaton: where the papers' one and the sound one differ, and how to read it.

use servanda_logic::{ActKind, Arg, Formula, Kind, is_state_formula};

use crate::ActReading;
use crate::facts::{Fact, Facts};
use crate::options::{Logic, Options, Rules};
use crate::paper::usual_logic;

/// Something to know about an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place in docs/formulas.md section 10 where papers contradict themselves, if it is about one: there the papers'
    /// automaton and the sound one differ.
    pub item: Option<u8>,
    /// What is to be known.
    pub text: String,
}

/// The notes that apply to this formula, differences first.
pub(crate) fn notes(formula: &Formula, facts: &Facts, options: Options, logic: Option<Logic>) -> Vec<Note> {
    let differences = differences(formula, facts, logic);
    let differences =
        differences.into_iter().map(|(item, text)| Note { item: Some(item), text: text.to_owned() });
    let reading = match (options.rules, logic) {
        (Rules::Paper, Some(logic)) => paper_reading(formula, facts, logic),
        _ => sound_reading(formula, facts, options.acts),
    };
    let reading = reading.into_iter().map(|text| Note { item: None, text: text.to_owned() });
    differences.chain(reading).collect()
}

fn differences(formula: &Formula, facts: &Facts, logic: Option<Logic>) -> Vec<(u8, &'static str)> {
    let has = |fact| facts.contains(&fact);
    let accepts = any_act(formula, |act| act == ActKind::Accept);
    let notes = [
        (
            has(Fact::Step),
            1,
            "papers, a run at `X`: all successors, even of a positive node, so that `EX p` would need `p` everywhere; \
             sound: a step under E is some transition, a step under A is all of them",
        ),
        (
            has(Fact::Action) || any_act(formula, |_| true),
            2,
            "papers, an action label with no matching transition: a successful leaf, so that `E Cr(..)` would hold where \
             nobody can create; sound: under E such a step fails",
        ),
        (
            has(Fact::Cycle),
            3,
            "papers, the search: one depth-first search with one mark, where a second arrival at a failed node can succeed, \
             and one test for a set of acceptance sets; sound: strongly connected components with generalised acceptance, \
             judged at the steps",
        ),
        (
            has(Fact::PathSet),
            4,
            "papers, R17 (R19 of CTL*CA): E(Φ, Ψ) splits into E(Φ) and E(Ψ) for any two parts, though one path must satisfy \
             both; sound: only a state formula is split off",
        ),
        (
            has(Fact::Commitment),
            5,
            "papers, R16 (R18 of CTL*CA): a commitment becomes E(Φ, φ), one path; sound: `SC` is universal over the \
             accessible paths",
        ),
        (
            has(Fact::ActInCompany),
            6,
            "papers, R6 to R15 (R7 to R17 of CTL*CA): an act takes a step of the model and leaves the `X` of the other \
             formulas where they are, so that these come one step late; sound: one step for all",
        ),
        (
            has(Fact::Past),
            7,
            "papers, `X-`: a run visits all predecessors; sound: the past of the run itself, as history literals",
        ),
        (
            accepts && logic.unwrap_or_else(|| usual_logic(formula)) == Logic::CtlCa,
            8,
            "papers, CTL*CA: `!Ac` is rewritten to `Ref`; sound: `!Ac` also holds on a step with any other act",
        ),
        (
            settles_paths(formula),
            12,
            "papers, `Sat` and `Vio`: the next state satisfies the content; sound: the rest of the path does",
        ),
    ];
    notes.into_iter().filter(|(applies, ..)| *applies).map(|(_, item, text)| (item, text)).collect()
}

/// The texts of the notes that apply.
fn applying<const N: usize>(notes: [(bool, &'static str); N]) -> Vec<&'static str> {
    notes.into_iter().filter(|(applies, _)| *applies).map(|(_, text)| text).collect()
}

fn paper_reading(formula: &Formula, facts: &Facts, logic: Logic) -> Vec<&'static str> {
    let has = |fact| facts.contains(&fact);
    applying([
        (
            has(Fact::SilentConjunction),
            "the conjuncts of a path formula are formulas of the set at once: R18 has no row in Table 2",
        ),
        (
            has(Fact::Always),
            "`G` is unfolded under the label of the until rule and leaves one row, as in the examples",
        ),
        (
            has(Fact::Release),
            "`R` and `W` are unfolded under the label of the until rule; the papers do not have them",
        ),
        (
            has(Fact::NegatedAct) && logic != Logic::Scctl,
            "`<¬Act>` leaves what the act itself brings about, as row (9) of Table 2 does",
        ),
        (
            has(Fact::ArgumentStep),
            "the rule for `X` strips all `X` of a set; the `X` that an argument brings is stripped alone, as in row (14) of \
             Table 2, for it is a step inside the decomposition of the act",
        ),
        (
            logic != Logic::Scctl
                && any_act(formula, |act| matches!(act, ActKind::Justify | ActKind::Defend)),
            "a justification brings about `support so content`, as R13 says; row (10) of Table 2 prints the two the other \
             way round, and row (11) does not",
        ),
        (
            has(Fact::BooleanLeaf),
            "a boolean combination of atoms that was set apart stays whole, as leaf (16) of Table 2 does",
        ),
        (
            logic == Logic::Scctl,
            "the SCCTL* paper prints the rules `<C>` and `<Act>` and leaves those of CTL* \"as usual\": they have no numbers; a \
             commitment on its own, which its syntax does not have, is opened by R16 of ACTL*",
        ),
        (has(Fact::NoRule), "what no rule of the papers takes apart is a leaf"),
        (
            logic == Logic::CtlCa,
            "the rule figures of the CTL*CA paper are lost: R1 to R7, R14, R18, R19, R24, R25 and R27 are named in its \
             prose, R8 to R17 follow the order of its labels, R21, R23 and R26 are guesses",
        ),
    ])
}

fn sound_reading(formula: &Formula, facts: &Facts, acts: ActReading) -> Vec<&'static str> {
    let has = |fact| facts.contains(&fact);
    let act = match acts {
        ActReading::Actl => {
            "an act formula is `does(act)` now and what the act brings about one step on (reading actl)"
        }
        ActReading::Scctl => {
            "an act formula is `does(act)` now, and for other acts than `Cr` the creation now or before (reading scctl)"
        }
        ActReading::Ctlca => {
            "`Cr` is `does(Cr)` now and the commitment one step on; any other act is `does(act)` now and such a creation \
             now or before (reading ctlca)"
        }
    };
    applying([
        (any_act(formula, |_| true), act),
        (
            has(Fact::Commitment),
            "`[i -> j]`: on entering such a state a run fixes what i owes j in that state of the model; from there on only \
             paths that keep all of it count. `A[i -> j](false)` says that there is none, `E[i -> j](true)` that there is one",
        ),
        (
            has(Fact::Past),
            "`Y ψ` is a history literal: the automaton runs on the model with one remembered bit for each, false at the start \
             and after every transition the value that ψ had before it",
        ),
        (
            has(Fact::Opaque),
            "knowledge, strategies, branching past and `?` are literals: whoever runs the automaton must decide them",
        ),
        (has(Fact::Action), "a deadlock is continued by a loop whose label matches no action"),
    ])
}

/// Is there an act of such a kind, in contents and supports too?
fn any_act(formula: &Formula, wanted: fn(ActKind) -> bool) -> bool {
    let mut found = match formula.kind() {
        Kind::Act(act) => matches!(act.kind, Arg::Is(kind) if wanted(kind)),
        _ => false,
    };
    formula.for_each_child(|child| found = found || any_act(child, wanted));
    found
}

/// Is a commitment satisfied or violated whose content refers to a path?
fn settles_paths(formula: &Formula) -> bool {
    let mut found = match formula.kind() {
        Kind::Act(act) => match (&act.kind, &act.commitment) {
            (Arg::Is(kind), Arg::Is(commitment)) if kind.settles() => match commitment.kind() {
                Kind::Commitment(terms) => {
                    matches!(&terms.content, Arg::Is(content) if !is_state_formula(content))
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    };
    formula.for_each_child(|child| found = found || settles_paths(child));
    found
}
