//! Operators: how they are written and how tightly they bind, for the parser and the printer alike.

use crate::tree::{Binary, EpistemicOp, Join, Unary};

/// How tightly something binds, loosest first: the rows of the table in the parser's documentation.
pub(crate) type Level = u8;
pub(crate) const EQUIVALENCE: Level = 0;
pub(crate) const IMPLICATION: Level = 1;
pub(crate) const DISJUNCTION: Level = 2;
pub(crate) const CONJUNCTION: Level = 3;
pub(crate) const TEMPORAL: Level = 4;
pub(crate) const PREFIX: Level = 5;
pub(crate) const COMPARISON: Level = 6;
pub(crate) const SUM: Level = 7;
pub(crate) const PRODUCT: Level = 8;
pub(crate) const MINUS: Level = 9;
pub(crate) const TERM: Level = 10;

/// The operators with two operands: how they bind, how they are printed and how else they may be written.
const BINARY: &[(Binary, Level, &[&str])] = &[
    (Binary::And, CONJUNCTION, &["&", "and"]),
    (Binary::Or, DISJUNCTION, &["|", "or"]),
    (Binary::Implies, IMPLICATION, &["->"]),
    (Binary::Iff, EQUIVALENCE, &["<->"]),
    (Binary::Until, TEMPORAL, &["U", "U+"]),
    (Binary::WeakUntil, TEMPORAL, &["W"]),
    (Binary::Release, TEMPORAL, &["R"]),
    (Binary::Since, TEMPORAL, &["S", "U-"]),
    (Binary::So, TEMPORAL, &["so"]),
    (Binary::Equal, COMPARISON, &["="]),
    (Binary::NotEqual, COMPARISON, &["!=", "<>"]),
    (Binary::Less, COMPARISON, &["<"]),
    (Binary::LessEqual, COMPARISON, &["<="]),
    (Binary::Greater, COMPARISON, &[">"]),
    (Binary::GreaterEqual, COMPARISON, &[">="]),
    (Binary::Add, SUM, &["+"]),
    (Binary::Subtract, SUM, &["-"]),
    (Binary::Multiply, PRODUCT, &["*"]),
    (Binary::Divide, PRODUCT, &["/"]),
    (Binary::Remainder, PRODUCT, &["%"]),
    (Binary::Min, TERM, &["min"]),
    (Binary::Max, TERM, &["max"]),
];

/// What stands before an operand: how it is printed and how else it may be written, and the operators it stands for, outermost first.
const PREFIXES: &[(&[&str], &[Unary])] = &[
    (&["!", "not"], &[Unary::Not]),
    (&["?"], &[Unary::Challenged]),
    (&["-"], &[Unary::Minus]),
    (&["X", "X+"], &[Unary::Next]),
    (&["F", "F+"], &[Unary::Finally]),
    (&["G", "G+"], &[Unary::Globally]),
    (&["Y", "X-"], &[Unary::Previous]),
    (&["P", "F-"], &[Unary::Once]),
    (&["H", "G-"], &[Unary::Historically]),
    (&["A"], &[Unary::ForAll]),
    (&["E"], &[Unary::Exists]),
    (&["AX", "AX+"], &[Unary::ForAll, Unary::Next]),
    (&["EX", "EX+"], &[Unary::Exists, Unary::Next]),
    (&["AF", "AF+"], &[Unary::ForAll, Unary::Finally]),
    (&["EF", "EF+"], &[Unary::Exists, Unary::Finally]),
    (&["AG", "AG+"], &[Unary::ForAll, Unary::Globally]),
    (&["EG", "EG+"], &[Unary::Exists, Unary::Globally]),
    // CTL*CA refers to the past of a path, so these are not `AY` and its kin.
    (&["AX-"], &[Unary::ForAll, Unary::Previous]),
    (&["EX-"], &[Unary::Exists, Unary::Previous]),
    (&["AF-"], &[Unary::ForAll, Unary::Once]),
    (&["EF-"], &[Unary::Exists, Unary::Once]),
    (&["AG-"], &[Unary::ForAll, Unary::Historically]),
    (&["EG-"], &[Unary::Exists, Unary::Historically]),
    (&["AY"], &[Unary::AllPrevious]),
    (&["EY"], &[Unary::SomePrevious]),
    (&["AH"], &[Unary::AllPast]),
    (&["EP"], &[Unary::SomePast]),
];

/// No operator is longer: most words of a text are, and need not be compared with every spelling.
const LONGEST: usize = 3;

/// The operators that something before an operand stands for, outermost first.
pub fn prefix(text: &str) -> Option<&'static [Unary]> {
    if text.len() > LONGEST {
        return None;
    }
    PREFIXES.iter().find(|(spellings, _)| spellings.contains(&text)).map(|(_, operators)| *operators)
}

/// Can this word be read as something else than a name? The printer puts such names in parentheses.
pub(crate) fn is_operator_word(word: &str) -> bool {
    prefix(word).is_some()
        || Binary::written(word).is_some()
        || matches!(word, "in" | "any" | "all" | "sum" | "if" | "then" | "else")
}

impl Unary {
    /// The ASCII spelling.
    pub fn symbol(self) -> &'static str {
        PREFIXES.iter().find(|(_, operators)| *operators == [self]).map_or("", |(spellings, _)| spellings[0])
    }
}

impl Binary {
    /// The ASCII spelling.
    pub fn symbol(self) -> &'static str {
        BINARY[self as usize].2[0]
    }

    /// The operator that is written so between its operands.
    pub fn written(text: &str) -> Option<Binary> {
        if text.len() > LONGEST {
            return None;
        }
        BINARY
            .iter()
            .find(|(op, _, spellings)| !op.is_called() && spellings.contains(&text))
            .map(|(op, ..)| *op)
    }

    /// The operator that is written so before its operands, which stand in parentheses.
    pub fn called(word: &str) -> Option<Binary> {
        [Binary::Min, Binary::Max].into_iter().find(|op| op.symbol() == word)
    }

    /// Is it written before its operands?
    pub fn is_called(self) -> bool {
        matches!(self, Binary::Min | Binary::Max)
    }

    /// Does it compare two values?
    pub fn is_comparison(self) -> bool {
        self.level() == COMPARISON
    }

    /// Are its operands formulas, not values?
    pub fn joins_formulas(self) -> bool {
        self.level() <= TEMPORAL
    }

    /// Does it refer to a path?
    pub fn is_temporal(self) -> bool {
        self.level() == TEMPORAL
    }

    pub(crate) fn level(self) -> Level {
        BINARY[self as usize].1
    }

    /// Is `a op b op c` read as `a op (b op c)`?
    pub(crate) fn groups_to_the_right(self) -> bool {
        matches!(self.level(), EQUIVALENCE | IMPLICATION | TEMPORAL)
    }
}

impl EpistemicOp {
    /// All of them.
    pub const ALL: [EpistemicOp; 7] = [
        EpistemicOp::Knows,
        EpistemicOp::EverybodyKnows,
        EpistemicOp::DistributedKnowledge,
        EpistemicOp::CommonKnowledge,
        EpistemicOp::Correct,
        EpistemicOp::KnowsAssumingCorrect,
        EpistemicOp::Believes,
    ];

    /// The word written before the parentheses.
    pub fn symbol(self) -> &'static str {
        ["K", "GK", "DK", "GCK", "O", "KH", "B"][self as usize]
    }

    /// The modality that is written so.
    pub fn written(word: &str) -> Option<EpistemicOp> {
        EpistemicOp::ALL.into_iter().find(|op| op.symbol() == word)
    }

    /// Does it refer to one agent?
    pub fn has_agent(self) -> bool {
        use EpistemicOp::{Believes, Correct, Knows, KnowsAssumingCorrect};
        matches!(self, Knows | Correct | KnowsAssumingCorrect | Believes)
    }

    /// Does it refer to a group?
    pub fn has_group(self) -> bool {
        !matches!(self, EpistemicOp::Knows | EpistemicOp::Correct)
    }
}

impl Join {
    /// The word that starts the comprehension.
    pub fn symbol(self) -> &'static str {
        ["any", "all", "sum"][self as usize]
    }

    /// What joins operands as this operator does, where their grouping does not matter.
    pub fn of(op: Binary) -> Option<Join> {
        [Join::Any, Join::All, Join::Sum].into_iter().find(|join| join.operator() == op)
    }

    /// The operator between the parts.
    pub fn operator(self) -> Binary {
        [Binary::Or, Binary::And, Binary::Add][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operator_is_longer_than_the_longest() {
        let prefixes = PREFIXES.iter().flat_map(|(spellings, _)| *spellings);
        let between = BINARY.iter().flat_map(|(_, _, spellings)| *spellings);
        assert_eq!(prefixes.chain(between).map(|spelling| spelling.len()).max(), Some(LONGEST));
    }

    #[test]
    fn rows_stand_in_the_order_of_the_operators() {
        for (position, (op, ..)) in BINARY.iter().enumerate() {
            assert_eq!(*op as usize, position, "{}", op.symbol());
        }
        for op in EpistemicOp::ALL {
            assert_eq!(EpistemicOp::written(op.symbol()), Some(op));
        }
    }
}
