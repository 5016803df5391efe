//! The numbers and labels of the rules in each paper.

use servanda_logic::{ActKind, Arg, Features, Formula, Kind, LabelPattern};

use crate::Logic;
use crate::automaton::Rule;

/// The acts: their rules in the ACTL* paper and in the CTL*CA paper, and their names in the latter. ACTL* has no reactivation; it
/// brings about what a creation does. Neither has the last three: a release brings about what a withdrawal does, and to delegate or to
/// assign is to bring about a commitment, as a creation does.
const ACTS: [(ActKind, [&str; 2], &str); ActKind::ALL.len()] = [
    (ActKind::Create, ["R6", "R7"], "C"),
    (ActKind::Withdraw, ["R7", "R8"], "W"),
    (ActKind::Satisfy, ["R8", "R9"], "S"),
    (ActKind::Violate, ["R9", "R10"], "V"),
    (ActKind::Reactivate, ["R6", "R11"], "Rea"),
    (ActKind::Challenge, ["R10", "R12"], "Ch"),
    (ActKind::Accept, ["R11", "R13"], "Acc"),
    (ActKind::Refuse, ["R12", "R14"], "Ref"),
    (ActKind::Justify, ["R13", "R15"], "Jus"),
    (ActKind::Attack, ["R14", "R16"], "Att"),
    (ActKind::Defend, ["R15", "R17"], "Def"),
    (ActKind::Release, ["R7", "R8"], "Rel"),
    (ActKind::Delegate, ["R6", "R7"], "Del"),
    (ActKind::Assign, ["R6", "R7"], "Ass"),
];

impl Logic {
    /// What the ACTL* paper or the CTL*CA paper has; SCCTL* is written like the first.
    pub(crate) fn pick<T>(self, [actl, ctlca]: [T; 2]) -> T {
        match self {
            Logic::Actl | Logic::Scctl => actl,
            Logic::CtlCa => ctlca,
        }
    }

    /// A rule by its names and labels in the papers.
    pub(crate) fn rule(self, names: [&'static str; 2], labels: [&str; 2]) -> Rule {
        // SCCTL* leaves the rules of CTL* "as usual" and gives them no numbers.
        let name = if self == Logic::Scctl { "CTL*" } else { self.pick(names) };
        Rule { name, label: self.pick(labels).to_owned() }
    }

    /// The rule for an act, and the name the act has in its label.
    pub(crate) fn act_rule(self, kind: ActKind, negated: bool) -> (Rule, &'static str) {
        let row = ACTS.iter().find(|(act, ..)| *act == kind);
        let (_, names, ctlca) = row.copied().unwrap_or(ACTS[0]);
        let act = self.pick([kind.short(), ctlca]);
        let sign = if negated { "¬" } else { "" };
        if self == Logic::Scctl {
            let name = if kind == ActKind::Create { "C" } else { "Act" };
            return (Rule { name, label: format!("<{sign}{name}>") }, kind.short());
        }
        (Rule { name: self.pick(names), label: format!("<{sign}{act}>") }, act)
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
    let mut found = match formula.kind() {
        Kind::Commitment(commitment) => commitment.tag.is_some(),
        Kind::Act(act) | Kind::Does(LabelPattern::Act(act)) => act.kind == Arg::Is(ActKind::Reactivate),
        _ => false,
    };
    formula.for_each_child(|child| found = found || has_ctlca_words(child));
    found
}
