//! Operands: names, constants, and everything with parentheses.

use servanda_syntax::{Code, Diagnostic, Span};

use super::formula::prefix_word;
use super::{Failure, Parser};
use crate::act::ActKind;
use crate::token::TokenKind;
use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Commitment, Epistemic, EpistemicOp, Formula, Group, Join, Kind,
    LabelPattern, Reference, Tag,
};

/// Words that take arguments, beside the acts.
const WITH_ARGUMENTS: [&str; 9] = ["SC", "PC", "does", "K", "GK", "DK", "GCK", "O", "KH"];

impl Parser {
    /// An operand without operators.
    pub(super) fn term(&mut self) -> Option<Formula> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Number(number) => Kind::Int(*number),
            TokenKind::Word(word) => match word.as_str() {
                "true" => Kind::Bool(true),
                "false" => Kind::Bool(false),
                _ => return self.word_term(),
            },
            TokenKind::LeftParen => return self.grouped(&TokenKind::RightParen),
            _ => {
                self.unexpected("a formula");
                return None;
            }
        };
        self.step();
        Some(Formula::new(kind, start))
    }

    /// `(φ)` or `[φ]`, at the place of both brackets.
    pub(super) fn grouped(&mut self, close: &TokenKind) -> Option<Formula> {
        let start = self.span();
        let result = self.enclosed(close, |parser| parser.connected(0));
        self.or_stand_in(start, result).map(|formula| formula.with_span(start.to(self.previous_span())))
    }

    /// After a mistake that has been stepped over, something to go on with.
    fn or_stand_in(&self, start: Span, result: Result<Formula, Failure>) -> Option<Formula> {
        match result {
            Ok(formula) => Some(formula),
            Err(Failure::Recovered) => Some(Formula::new(Kind::Bool(true), start.to(self.previous_span()))),
            Err(Failure::Lost) => None,
        }
    }

    /// A name, or something that starts with a word.
    fn word_term(&mut self) -> Option<Formula> {
        let start = self.span();
        if self.comprehension_ahead() == Some(Join::Sum) {
            return self.nested(|parser| parser.comprehension(Join::Sum));
        }
        if self.peek_nth(1) == &TokenKind::LeftParen {
            let result = self.call();
            return self.or_stand_in(start, result);
        }
        if self.at_word("in") && self.peek_nth(1).as_word().is_some() {
            self.step();
            let location = self.reference()?;
            let span = start.to(location.span);
            return Some(Formula::new(Kind::At(At { machine: None, location }), span));
        }
        let name = self.reference()?;
        let span = name.span;
        // `F in s` is `F (in s)`, so no machine of that name can be meant anywhere.
        let machine = !name.indices.is_empty() || prefix_word(&name.name).is_none();
        if machine && self.at_word("in") && self.peek_nth(1).as_word().is_some() {
            self.step();
            let location = self.reference()?;
            let span = span.to(location.span);
            return Some(Formula::new(Kind::At(At { machine: Some(name), location }), span));
        }
        Some(Formula::new(Kind::Name(name), span))
    }

    /// Reads a name and its indices.
    pub fn reference(&mut self) -> Option<Reference> {
        let (name, start) = self.word("a name")?;
        let mut indices = Vec::new();
        while self.at(&TokenKind::LeftBracket) {
            let result = self.enclosed(&TokenKind::RightBracket, |parser| parser.calculated(0));
            indices.push(self.or_stand_in(start, result)?);
        }
        Some(Reference { name, indices, span: start.to(self.previous_span()) })
    }

    /// Reads a group of agents: a name or `{A, B}`.
    pub fn group(&mut self) -> Option<Group> {
        if !self.at(&TokenKind::LeftBrace) {
            if self.peek().as_word().is_none() {
                self.unexpected("a group of agents");
                return None;
            }
            return self.reference().map(Group::Named);
        }
        let members = self.enclosed(&TokenKind::RightBrace, |parser| {
            let mut members = Vec::new();
            while !parser.at(&TokenKind::RightBrace) {
                members.push(parser.reference()?);
                if !parser.eat(&TokenKind::Comma) {
                    break;
                }
            }
            Some(members)
        });
        members.ok().map(Group::Listed)
    }

    /// A word with arguments.
    fn call(&mut self) -> Result<Formula, Failure> {
        let start = self.span();
        if self.at_act() {
            let act = self.act()?;
            return Ok(Formula::new(Kind::Act(act), start.to(self.previous_span())));
        }
        let word = self.peek().as_word().unwrap_or_default().to_string();
        let kind = match word.as_str() {
            "SC" | "PC" => Kind::Commitment(self.commitment(false)?),
            "does" => {
                self.arguments(&word, &["a label"], &[1])?;
                Kind::Does(self.enclosed(&TokenKind::RightParen, Self::label_pattern)?)
            }
            "K" => Kind::Epistemic(self.epistemic(EpistemicOp::Knows, true, false)?),
            "O" => Kind::Epistemic(self.epistemic(EpistemicOp::Correct, true, false)?),
            "KH" => Kind::Epistemic(self.epistemic(EpistemicOp::KnowsAssumingCorrect, true, true)?),
            "GK" => Kind::Epistemic(self.epistemic(EpistemicOp::EverybodyKnows, false, true)?),
            "DK" => Kind::Epistemic(self.epistemic(EpistemicOp::DistributedKnowledge, false, true)?),
            "GCK" => Kind::Epistemic(self.epistemic(EpistemicOp::CommonKnowledge, false, true)?),
            _ => return self.unknown_call(&word),
        };
        Ok(Formula::new(kind, start.to(self.previous_span())))
    }

    #[cold]
    fn unknown_call(&mut self, word: &str) -> Result<Formula, Failure> {
        let acts = ActKind::ALL.into_iter().flat_map(|kind| [kind.short(), kind.long()]);
        let candidates: Vec<&str> = acts.chain(WITH_ARGUMENTS).chain(["Act"]).collect();
        let same = candidates.iter().find(|candidate| candidate.eq_ignore_ascii_case(word));
        let error =
            Diagnostic::error(Code::UnknownOperator, format!("`{word}` takes no arguments"), self.span());
        let error = match word {
            "NOT" | "Not" => error.help("write `!` or `not` for negation"),
            "always" | "globally" => error.help("write `G` (or `AG`) for always"),
            "eventually" | "finally" => error.help("write `F` (or `AF`, `EF`) for eventually"),
            "next" => error.help("write `X` for next"),
            _ => match same {
                Some(same) => error.help(format!("did you mean `{same}`?")),
                None => error.suggest(word, candidates),
            },
        };
        self.report(error);
        self.step();
        self.skip_enclosed()
    }

    /// Steps over parentheses and what they hold; always a failure.
    fn skip_enclosed<T>(&mut self) -> Result<T, Failure> {
        match self.closing(1) {
            Some(ahead) => {
                self.position += ahead + 1;
                Err(Failure::Recovered)
            }
            None => Err(Failure::Lost),
        }
    }

    /// Steps over the word and checks how many arguments follow; where the parenthesis is never closed they cannot be
    /// counted. Wrong numbers are reported and the arguments skipped. Returns how many there are.
    fn arguments(&mut self, word: &str, names: &[&str], allowed: &[usize]) -> Result<Option<usize>, Failure> {
        let start = self.span();
        self.step();
        let Some(found) = self.count_arguments() else { return Ok(None) };
        if allowed.contains(&found) {
            return Ok(Some(found));
        }
        let number = match found {
            0 => "none".to_string(),
            _ => found.to_string(),
        };
        let (last, first) = names.split_last().unwrap_or((&"nothing", &[]));
        let wanted = match first {
            [] => (*last).to_string(),
            _ => format!("{} and {last}", first.join(", ")),
        };
        let plural = if allowed.last() == Some(&1) { "argument" } else { "arguments" };
        let allowed: Vec<String> = allowed.iter().map(usize::to_string).collect();
        let message = format!("`{word}` takes {} {plural}, found {number}", allowed.join(" or "));
        self.report(
            Diagnostic::error(Code::WrongArguments, message, start).help(format!("`{word}` takes {wanted}")),
        );
        self.skip_enclosed()
    }

    /// The number of arguments between the parentheses that open here.
    fn count_arguments(&self) -> Option<usize> {
        let close = self.closing(1)?;
        if close == 1 {
            return Some(0);
        }
        let (mut open, mut commas, mut ahead) = (0_usize, 0, 1);
        while ahead < close {
            match self.peek_nth(ahead) {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => open += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    open = open.saturating_sub(1);
                }
                TokenKind::Comma if open == 0 => commas += 1,
                // The commas of `<A, B>` separate agents.
                TokenKind::Less => ahead += self.coalition_ahead(ahead).unwrap_or(0),
                _ => {}
            }
            ahead += 1;
        }
        Some(commas + 1)
    }

    /// `SC(i, j, ψ)` or `PC(i, j, t, ψ)`; as an argument of an act it may have wildcards.
    fn commitment(&mut self, wildcards: bool) -> Result<Commitment, Failure> {
        let tagged = self.at_word("PC");
        if tagged {
            self.arguments("PC", &["a debtor", "a creditor", "a moment", "a content"], &[4])?;
        } else {
            self.arguments("SC", &["a debtor", "a creditor", "a content"], &[3])?;
        }
        self.enclosed(&TokenKind::RightParen, |parser| {
            let debtor = parser.agent_or_any("the debtor", wildcards)?;
            parser.expect(&TokenKind::Comma)?;
            let creditor = parser.agent_or_any("the creditor", wildcards)?;
            parser.expect(&TokenKind::Comma)?;
            let tag = match tagged {
                true => {
                    let tag = parser.or_any("a moment", wildcards, Self::tag)?;
                    parser.expect(&TokenKind::Comma)?;
                    Some(tag)
                }
                false => None,
            };
            let content = parser.or_any("a content", wildcards, Self::formula)?;
            Some(Commitment { debtor, creditor, tag, content })
        })
    }

    /// A wildcard, where allowed, or what `rule` reads.
    fn or_any<T>(
        &mut self,
        what: &str,
        wildcards: bool,
        rule: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Arg<T>> {
        if !self.at(&TokenKind::Underscore) {
            return rule(self).map(Arg::Is);
        }
        if !wildcards {
            let message = format!("expected {what}, found `_`");
            let error = Diagnostic::error(Code::MisplacedWildcard, message, self.span());
            self.report(error.help("`_` stands for any argument of an act, as in `Vio(Cus, _)`"));
        }
        self.step();
        Some(Arg::Any)
    }

    fn agent_or_any(&mut self, what: &str, wildcards: bool) -> Option<Arg<Reference>> {
        self.or_any(what, wildcards, |parser| parser.agent(what))
    }

    fn agent(&mut self, what: &str) -> Option<Reference> {
        if self.peek().as_word().is_none() {
            self.unexpected(what);
            return None;
        }
        self.reference()
    }

    fn tag(&mut self) -> Option<Tag> {
        let negative = self.at(&TokenKind::Minus);
        match self.peek_nth(usize::from(negative)) {
            &TokenKind::Number(number) => {
                self.position += usize::from(negative) + 1;
                Some(Tag::Number(if negative { -number } else { number }))
            }
            TokenKind::Word(_) if !negative => self.reference().map(Tag::Name),
            _ => {
                self.unexpected("a moment (a name or a number)");
                None
            }
        }
    }

    /// Reads a communicative act, such as `Cr(Cus, quote)` or `Jus(_, SC(Cus, Mer, p), q)`.
    pub fn act_pattern(&mut self) -> Option<ActPattern> {
        if !self.at_act() {
            self.unexpected("an act");
            return None;
        }
        self.act().ok()
    }

    fn act(&mut self) -> Result<ActPattern, Failure> {
        let word = self.peek().as_word().unwrap_or_default().to_string();
        let kind = ActKind::from_name(&word);
        let has_support = kind.is_some_and(ActKind::has_support);
        if has_support {
            self.arguments(&word, &["an actor", "a commitment", "a support"], &[3])?;
        } else {
            self.arguments(&word, &["an actor", "a commitment"], &[2])?;
        }
        self.enclosed(&TokenKind::RightParen, |parser| {
            let actor = parser.agent_or_any("an actor", true)?;
            parser.expect(&TokenKind::Comma)?;
            let commitment = parser.or_any("a commitment", true, Self::act_commitment)?;
            let support = match kind {
                None => Some(Arg::Any),
                Some(_) if has_support => {
                    parser.expect(&TokenKind::Comma)?;
                    Some(parser.or_any("a support", true, Self::formula)?)
                }
                Some(_) => None,
            };
            let kind = kind.map_or(Arg::Any, Arg::Is);
            Some(ActPattern { kind, actor, commitment, support })
        })
    }

    /// The commitment an act is about: a name, or written out.
    fn act_commitment(&mut self) -> Option<Formula> {
        let start = self.span();
        let call = self.peek_nth(1) == &TokenKind::LeftParen;
        match self.peek() {
            TokenKind::Word(word) if call && matches!(word.as_str(), "SC" | "PC") => {
                let commitment = self.commitment(true).map(Kind::Commitment);
                let span = start.to(self.previous_span());
                self.or_stand_in(start, commitment.map(|kind| Formula::new(kind, span)))
            }
            TokenKind::Word(_) if !call => {
                let name = self.reference()?;
                let span = name.span;
                Some(Formula::new(Kind::Name(name), span))
            }
            _ => {
                self.unexpected("a commitment (its name, `SC(..)` or `PC(..)`)");
                None
            }
        }
    }

    /// What stands between the parentheses of `does`.
    fn label_pattern(&mut self) -> Option<LabelPattern> {
        if self.eat(&TokenKind::Underscore) {
            return Some(LabelPattern::Any);
        }
        if let TokenKind::Text(label) = self.peek() {
            let pattern = LabelPattern::Shown(label.as_str().into());
            self.bump();
            return Some(pattern);
        }
        if self.at_act() {
            return self.act().ok().map(LabelPattern::Act);
        }
        let mut agent = None;
        let mut output = self.eat(&TokenKind::Quote);
        let mut name = self.agent("an action, an act or `_`")?;
        if !output && self.eat(&TokenKind::Dot) {
            output = self.eat(&TokenKind::Quote);
            agent = Some(name);
            name = self.agent("the name of an action")?;
        }
        let content = match self.at(&TokenKind::LeftParen) {
            true => Some(self.enclosed(&TokenKind::RightParen, Self::formula).ok()?),
            false => None,
        };
        Some(LabelPattern::Action(ActionPattern { agent, output, name, content }))
    }

    /// `K(i, φ)` and its kin. Where a group is possible it may be left out.
    fn epistemic(&mut self, op: EpistemicOp, one: bool, many: bool) -> Result<Epistemic, Failure> {
        let word = self.peek().as_word().unwrap_or_default().to_string();
        let (names, allowed): (&[&str], &[usize]) = match (one, many) {
            (true, true) => (&["an agent", "a group (or nothing for all agents)", "a formula"], &[2, 3]),
            (true, false) => (&["an agent", "a formula"], &[2]),
            _ => (&["a group (or nothing for all agents)", "a formula"], &[1, 2]),
        };
        let found = self.arguments(&word, names, allowed)?;
        self.enclosed(&TokenKind::RightParen, |parser| {
            let mut agent = None;
            if one {
                agent = Some(parser.agent("an agent")?);
                parser.expect(&TokenKind::Comma)?;
            }
            let mut group = None;
            if many {
                // Without a closing parenthesis the arguments could not be counted; then a group is expected.
                let everybody = found == Some(1 + usize::from(one));
                group = Some(if everybody { Group::Everybody } else { parser.group()? });
                if !everybody {
                    parser.expect(&TokenKind::Comma)?;
                }
            }
            let body = parser.formula()?;
            Some(Epistemic { op, agent, group, body })
        })
    }
}
