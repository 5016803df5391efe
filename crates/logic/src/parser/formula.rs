//! Operators and how tightly they bind.

use servanda_syntax::{Code, Diagnostic, Span};

use super::Parser;
use crate::token::TokenKind;
use crate::tree::{Binary, Comprehension, Formula, Goal, Group, Join, Kind, Strategic, Unary};

/// How many tokens ahead the end of a group is looked for: looking without limit at every `<` of a text would take time
/// in proportion to the square of its length.
const LONGEST_GROUP: usize = 1000;

/// How tightly a connective binds and whether it groups to the right.
struct Connective {
    op: Binary,
    level: u8,
    to_the_right: bool,
}

impl Connective {
    fn new(op: Binary) -> Self {
        let (level, to_the_right) = match op {
            Binary::Iff => (1, true),
            Binary::Implies => (2, true),
            Binary::Or => (3, false),
            Binary::And => (4, false),
            _ => (5, true),
        };
        Connective { op, level, to_the_right }
    }
}

/// The connective a word stands for.
fn connective_word(word: &str) -> Option<Binary> {
    Some(match word {
        "U" | "U+" => Binary::Until,
        "W" => Binary::WeakUntil,
        "R" => Binary::Release,
        "S" | "U-" => Binary::Since,
        "so" => Binary::So,
        "and" => Binary::And,
        "or" => Binary::Or,
        _ => return None,
    })
}

/// The operators a word stands for, outermost first.
pub(super) fn prefix_word(word: &str) -> Option<&'static [Unary]> {
    Some(match word {
        "not" => &[Unary::Not],
        "X" | "X+" => &[Unary::Next],
        "F" | "F+" => &[Unary::Finally],
        "G" | "G+" => &[Unary::Globally],
        "Y" | "X-" => &[Unary::Previous],
        "P" | "F-" => &[Unary::Once],
        "H" | "G-" => &[Unary::Historically],
        "A" => &[Unary::ForAll],
        "E" => &[Unary::Exists],
        "AX" => &[Unary::ForAll, Unary::Next],
        "EX" => &[Unary::Exists, Unary::Next],
        "AF" => &[Unary::ForAll, Unary::Finally],
        "EF" => &[Unary::Exists, Unary::Finally],
        "AG" => &[Unary::ForAll, Unary::Globally],
        "EG" => &[Unary::Exists, Unary::Globally],
        "AY" => &[Unary::AllPrevious],
        "EY" => &[Unary::SomePrevious],
        "AH" => &[Unary::AllPast],
        "EP" => &[Unary::SomePast],
        _ => return None,
    })
}

/// Can this word be read as something else than a name? The printer puts such names in parentheses.
pub(crate) fn is_operator_word(word: &str) -> bool {
    prefix_word(word).is_some()
        || connective_word(word).is_some()
        || matches!(word, "in" | "any" | "all" | "sum")
}

fn comparison(kind: &TokenKind) -> Option<Binary> {
    Some(match kind {
        TokenKind::Equal => Binary::Equal,
        TokenKind::NotEqual => Binary::NotEqual,
        TokenKind::Less => Binary::Less,
        TokenKind::LessEqual => Binary::LessEqual,
        TokenKind::Greater => Binary::Greater,
        TokenKind::GreaterEqual => Binary::GreaterEqual,
        _ => return None,
    })
}

/// An arithmetic operator and how tightly it binds.
fn arithmetic_operator(kind: &TokenKind) -> Option<(Binary, u8)> {
    Some(match kind {
        TokenKind::Plus => (Binary::Add, 1),
        TokenKind::Minus => (Binary::Subtract, 1),
        TokenKind::Star => (Binary::Multiply, 2),
        TokenKind::Slash => (Binary::Divide, 2),
        TokenKind::Percent => (Binary::Remainder, 2),
        _ => return None,
    })
}

impl Parser {
    /// Reads a formula or expression, as far as it goes.
    pub fn formula(&mut self) -> Option<Formula> {
        self.nested(|parser| parser.connected(0))
    }

    /// Reads an expression that ends before any comparison, such as an index or the bound of a range.
    pub fn arithmetic(&mut self) -> Option<Formula> {
        self.nested(|parser| parser.calculated(0))
    }

    /// Operands joined by connectives that bind at least as tightly as `loosest`.
    pub(super) fn connected(&mut self, loosest: u8) -> Option<Formula> {
        let mut left = self.prefixed()?;
        while let Some(connective) = self.connective() {
            if connective.level < loosest {
                break;
            }
            self.step();
            let right = match connective.to_the_right {
                true => self.nested(|parser| parser.connected(connective.level))?,
                false => self.connected(connective.level + 1)?,
            };
            left = self.grown(left.binary(connective.op, right))?;
        }
        Some(left)
    }

    /// The connective at the current token.
    fn connective(&mut self) -> Option<Connective> {
        let op = match self.peek() {
            TokenKind::And => Binary::And,
            TokenKind::Or => Binary::Or,
            TokenKind::Arrow => Binary::Implies,
            TokenKind::DoubleArrow => Binary::Iff,
            TokenKind::Equal if self.at_fat_arrow() => {
                self.fat_arrow();
                Binary::Implies
            }
            // Before dashes the word is the control state at which the next transition of a protocol starts.
            TokenKind::Word(word) if self.peek_nth(1) != &TokenKind::Dashes => connective_word(word)?,
            _ => return None,
        };
        Some(Connective::new(op))
    }

    /// Is this `=>`, which other notations have for implication?
    fn at_fat_arrow(&self) -> bool {
        self.at(&TokenKind::Equal)
            && self.peek_nth(1) == &TokenKind::Greater
            && self.nth(1).span.start == self.span().end
    }

    /// Reports `=>` and goes on as if it were the arrow.
    #[cold]
    fn fat_arrow(&mut self) {
        let span = self.span().to(self.nth(1).span);
        let error = Diagnostic::error(Code::UnknownOperator, "`=>` is not an operator", span);
        self.report(error.help("write `->` for implication or `>=` for comparison"));
        self.step();
    }

    /// An operand with the operators in front of it.
    fn prefixed(&mut self) -> Option<Formula> {
        let start = self.span();
        let operators: &[Unary] = match self.peek() {
            TokenKind::Not => &[Unary::Not],
            TokenKind::Question => &[Unary::Challenged],
            TokenKind::Less | TokenKind::NotEqual => return self.nested(Self::strategic),
            TokenKind::Word(word) => {
                if let Some(join @ (Join::Any | Join::All)) = self.comprehension_ahead() {
                    return self.nested(|parser| parser.comprehension(join));
                }
                let bracket = matches!(word.as_str(), "A" | "E");
                match prefix_word(word) {
                    Some(operators) if word.ends_with(['-', '+']) || self.operand_ahead(1, bracket) => {
                        operators
                    }
                    _ => return self.compared(),
                }
            }
            _ => return self.compared(),
        };
        let word_operator = self.peek().as_word().is_some();
        self.step();
        let mut formula = match self.peek() {
            // Only `A` and `E` get here with a bracket: `A[φ U ψ]`.
            TokenKind::LeftBracket if word_operator => self.grouped(&TokenKind::RightBracket)?,
            _ => self.nested(Self::prefixed)?,
        };
        let span = start.to(formula.span());
        for operator in operators.iter().rev() {
            formula = self.grown(Formula::new(Kind::Unary(*operator, formula), span))?;
        }
        Some(formula)
    }

    /// Can the token `n` ahead start an operand?
    fn operand_ahead(&self, n: usize, bracket: bool) -> bool {
        match self.peek_nth(n) {
            TokenKind::Number(_)
            | TokenKind::Not
            | TokenKind::Minus
            | TokenKind::LeftParen
            | TokenKind::Question => true,
            TokenKind::LeftBracket => bracket,
            TokenKind::Less => self.coalition_ahead(n).is_some(),
            TokenKind::Word(word) => {
                connective_word(word).is_none() && self.peek_nth(n + 1) != &TokenKind::Dashes
            }
            _ => false,
        }
    }

    /// The number of tokens from a `<` that opens a group to the `>` that closes it; `None` if this is a comparison.
    pub(super) fn coalition_ahead(&self, n: usize) -> Option<usize> {
        let mut ahead = n + 1;
        if self.peek_nth(ahead) == &TokenKind::Less {
            ahead += 1;
        }
        let mut open = 0_usize;
        while ahead <= n + LONGEST_GROUP {
            match self.peek_nth(ahead) {
                TokenKind::LeftBracket | TokenKind::LeftBrace => open += 1,
                TokenKind::LeftParen if open > 0 => open += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    open = open.checked_sub(1)?;
                }
                TokenKind::End | TokenKind::LongArrow | TokenKind::Semicolon => return None,
                TokenKind::Greater if open == 0 => return Some(ahead - n),
                TokenKind::Word(_) | TokenKind::Comma => {}
                _ if open > 0 => {}
                _ => return None,
            }
            ahead += 1;
        }
        None
    }

    /// An operand, or two of them compared.
    fn compared(&mut self) -> Option<Formula> {
        let mut left = self.calculated(0)?;
        let mut chained = false;
        while let Some(op) = comparison(self.peek()) {
            if self.at_fat_arrow() {
                break;
            }
            if chained {
                let error =
                    Diagnostic::error(Code::ChainedComparison, "comparisons cannot be chained", self.span());
                self.report(error.help("compare twice: `a < b & b < c`"));
            }
            chained = true;
            self.step();
            let right = self.calculated(0)?;
            left = self.grown(left.binary(op, right))?;
        }
        Some(left)
    }

    /// Operands joined by arithmetic operators that bind at least as tightly as `loosest`.
    pub(super) fn calculated(&mut self, loosest: u8) -> Option<Formula> {
        let mut left = self.negative()?;
        while let Some((op, level)) = arithmetic_operator(self.peek()) {
            if level < loosest {
                break;
            }
            self.step();
            let right = self.calculated(level + 1)?;
            left = self.grown(left.binary(op, right))?;
        }
        Some(left)
    }

    fn negative(&mut self) -> Option<Formula> {
        let start = self.span();
        if self.eat(&TokenKind::Minus) {
            let operand = self.nested(Self::negative)?;
            let span = start.to(operand.span());
            return self.grown(Formula::new(Kind::Unary(Unary::Minus, operand), span));
        }
        if self.loose_operator_ahead() {
            return self.nested(Self::loose_operator);
        }
        self.term()
    }

    /// Does an operator stand here that binds less tightly than what stands before it? (`prefixed` has taken those
    /// that may stand here.) A word is taken for a name unless that cannot be.
    fn loose_operator_ahead(&self) -> bool {
        match self.peek() {
            TokenKind::Not | TokenKind::Question => true,
            TokenKind::Less => self.coalition_ahead(0).is_some(),
            TokenKind::Word(word) => {
                let bracket = matches!(word.as_str(), "A" | "E");
                let next = self.peek_nth(1);
                let operand = matches!(next, TokenKind::LeftParen | TokenKind::Not | TokenKind::Number(_))
                    || bracket && next == &TokenKind::LeftBracket;
                prefix_word(word).is_some() && operand
                    || matches!(self.comprehension_ahead(), Some(Join::Any | Join::All))
            }
            _ => false,
        }
    }

    #[cold]
    fn loose_operator(&mut self) -> Option<Formula> {
        let found = self.peek().described();
        let message = format!("{found} must stand in parentheses here");
        let error = Diagnostic::error(Code::NeedsParentheses, message, self.span());
        self.report(
            error.help("comparisons and arithmetic bind more tightly than the operators of the logic"),
        );
        self.prefixed()
    }

    /// Which comprehension starts here? `any`, `all` and `sum` are names unless a name and `in` follow.
    pub(super) fn comprehension_ahead(&self) -> Option<Join> {
        let join = match self.peek().as_word()? {
            "any" => Join::Any,
            "all" => Join::All,
            "sum" => Join::Sum,
            _ => return None,
        };
        let index = self.peek_nth(1).as_word().is_some();
        (index && self.peek_nth(2).as_word() == Some("in")).then_some(join)
    }

    /// `any i in low..high : body`.
    pub(super) fn comprehension(&mut self, join: Join) -> Option<Formula> {
        let start = self.bump().span;
        let (index, _) = self.word("an index")?;
        self.step();
        let low = self.arithmetic()?;
        self.expect(&TokenKind::DotDot)?;
        let high = self.arithmetic()?;
        self.expect(&TokenKind::Colon)?;
        let body = match join {
            Join::Sum => self.arithmetic()?,
            Join::Any | Join::All => self.formula()?,
        };
        let span = start.to(body.span());
        self.grown(Formula::new(Kind::Comprehension(Comprehension { join, index, low, high, body }), span))
    }

    /// `<g>X φ` and its kin.
    fn strategic(&mut self) -> Option<Formula> {
        let start = self.span();
        let group = self.coalition()?;
        let goal_start = self.span();
        let goal = match self.peek() {
            TokenKind::Word(word) => match prefix_word(word) {
                Some([operator @ (Unary::Next | Unary::Finally | Unary::Globally)]) => {
                    self.step();
                    let operand = self.nested(Self::prefixed)?;
                    Some(operand.unary(*operator))
                }
                _ => None,
            },
            TokenKind::LeftParen => Some(self.grouped(&TokenKind::RightParen)?),
            TokenKind::LeftBracket => Some(self.grouped(&TokenKind::RightBracket)?),
            _ => None,
        };
        let Some(goal) = goal else {
            self.unexpected("`X`, `F`, `G` or `(.. U ..)` after the group");
            return None;
        };
        let span = start.to(self.previous_span());
        let goal = match goal.kind() {
            Kind::Unary(Unary::Next, operand) => Goal::Next(operand.clone()),
            Kind::Unary(Unary::Finally, operand) => Goal::Finally(operand.clone()),
            Kind::Unary(Unary::Globally, operand) => Goal::Globally(operand.clone()),
            Kind::Binary(Binary::Until, left, right) => Goal::Until(left.clone(), right.clone()),
            _ => return Some(self.bad_goal(goal_start.to(self.previous_span()))),
        };
        self.grown(Formula::new(Kind::Strategic(Strategic { group, goal }), span))
    }

    #[cold]
    fn bad_goal(&mut self, span: Span) -> Formula {
        let message = "a group's goal is `X φ`, `F φ`, `G φ` or `φ U ψ`";
        self.report(Diagnostic::error(Code::BadGoal, message, span));
        Formula::new(Kind::Bool(true), span)
    }

    /// `<g>`, `<A, B>`, `<{A, B}>`, each also with doubled brackets.
    fn coalition(&mut self) -> Option<Group> {
        if self.at(&TokenKind::NotEqual) {
            self.unexpected("a formula");
            return None;
        }
        self.expect(&TokenKind::Less)?;
        let doubled = self.eat(&TokenKind::Less);
        let mut group = self.group()?;
        if self.at(&TokenKind::Comma)
            && let Group::Named(first) = group
        {
            let mut members = vec![first];
            while self.eat(&TokenKind::Comma) {
                members.push(self.reference()?);
            }
            group = Group::Listed(members);
        }
        self.expect(&TokenKind::Greater)?;
        if doubled {
            self.expect(&TokenKind::Greater)?;
        }
        Some(group)
    }
}
