//! The numbers and labels of the rules in each paper.

use servanda_logic::{ActKind, Features, Formula, Kind, LabelPattern};

use crate::Logic;
use crate::automaton::Rule;

/// What a rule does, whatever its number.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    And,
    Or,
    /// `E(ψ)` with `ψ` a state formula.
    ExistsState,
    Not,
    Question,
    ForAll,
    Act {
        kind: ActKind,
        negated: bool,
    },
    Commitment {
        debtor: String,
    },
    Equivalent,
    OrInSet,
    Next,
    Previous,
    Argument,
    Until,
    Since,
}

/// The name an act has in the labels of a paper.
pub(crate) fn act_name(kind: ActKind, logic: Logic) -> &'static str {
    match (logic, kind) {
        (Logic::Actl, _) => kind.short(),
        (Logic::CtlCa, ActKind::Create) => "C",
        (Logic::CtlCa, ActKind::Withdraw) => "W",
        (Logic::CtlCa, ActKind::Satisfy) => "S",
        (Logic::CtlCa, ActKind::Violate) => "V",
        (Logic::CtlCa, ActKind::Reactivate) => "Rea",
        (Logic::CtlCa, ActKind::Accept) => "Acc",
        (Logic::CtlCa, ActKind::Attack) => "Att",
        (Logic::CtlCa, ActKind::Challenge | ActKind::Refuse | ActKind::Justify | ActKind::Defend) => {
            kind.short()
        }
    }
}

fn act_rule(kind: ActKind, logic: Logic) -> &'static str {
    match (kind, logic) {
        // ACTL* has no reactivation; it brings about what a creation does.
        (ActKind::Create | ActKind::Reactivate, Logic::Actl) => "R6",
        (ActKind::Withdraw, Logic::Actl) => "R7",
        (ActKind::Satisfy, Logic::Actl) => "R8",
        (ActKind::Violate, Logic::Actl) => "R9",
        (ActKind::Challenge, Logic::Actl) => "R10",
        (ActKind::Accept, Logic::Actl) => "R11",
        (ActKind::Refuse, Logic::Actl) => "R12",
        (ActKind::Justify, Logic::Actl) => "R13",
        (ActKind::Attack, Logic::Actl) => "R14",
        (ActKind::Defend, Logic::Actl) => "R15",
        (ActKind::Create, Logic::CtlCa) => "R7",
        (ActKind::Withdraw, Logic::CtlCa) => "R8",
        (ActKind::Satisfy, Logic::CtlCa) => "R9",
        (ActKind::Violate, Logic::CtlCa) => "R10",
        (ActKind::Reactivate, Logic::CtlCa) => "R11",
        (ActKind::Challenge, Logic::CtlCa) => "R12",
        (ActKind::Accept, Logic::CtlCa) => "R13",
        (ActKind::Refuse, Logic::CtlCa) => "R14",
        (ActKind::Justify, Logic::CtlCa) => "R15",
        (ActKind::Attack, Logic::CtlCa) => "R16",
        (ActKind::Defend, Logic::CtlCa) => "R17",
    }
}

impl Step {
    /// The rule in the words of a paper.
    pub(crate) fn rule(&self, logic: Logic) -> Rule {
        let pick = |actl: &'static str, ctlca: &'static str| match logic {
            Logic::Actl => actl,
            Logic::CtlCa => ctlca,
        };
        let (name, label) = match self {
            Step::And => ("R1", "∧".to_owned()),
            Step::Or => ("R2", "∨".to_owned()),
            Step::ExistsState => ("R3", "∨".to_owned()),
            Step::Not => ("R4", "¬".to_owned()),
            Step::Question => ("R5", "?".to_owned()),
            Step::ForAll => (pick("R5", "R6"), "¬".to_owned()),
            Step::Act { kind, negated } => {
                let sign = if *negated { "¬" } else { "" };
                (act_rule(*kind, logic), format!("<{sign}{}>", act_name(*kind, logic)))
            }
            Step::Commitment { debtor } => (pick("R16", "R18"), format!("[{}_{debtor}]", pick("SC", "PC"))),
            Step::Equivalent => (pick("R17", "R19"), pick("<≡>", "⇔").to_owned()),
            Step::OrInSet => (pick("R19", "R21"), "∨".to_owned()),
            Step::Next => (pick("R20", "R24"), pick("X", "X+").to_owned()),
            Step::Previous => ("R23", "X-".to_owned()),
            Step::Argument => (pick("R21", "R25"), "∧".to_owned()),
            Step::Until => (pick("R22", "R27"), "∨".to_owned()),
            Step::Since => ("R26", "∨".to_owned()),
        };
        Rule { name, label }
    }
}

/// The paper whose language a formula is written in.
pub(crate) fn usual_logic(formula: &Formula) -> Logic {
    if Features::of(formula).contains(Features::LINEAR_PAST) || has_ctlca_words(formula) {
        Logic::CtlCa
    } else {
        Logic::Actl
    }
}

fn has_ctlca_words(formula: &Formula) -> bool {
    let own = match formula.kind() {
        Kind::Commitment(commitment) => commitment.tag.is_some(),
        Kind::Act(act) | Kind::Does(LabelPattern::Act(act)) => {
            act.kind == servanda_logic::Arg::Is(ActKind::Reactivate)
        }
        _ => false,
    };
    let mut found = own;
    formula.for_each_child(|child| found = found || has_ctlca_words(child));
    found
}
