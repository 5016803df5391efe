//! Operands: names, constants, and everything with parentheses.

use servanda_syntax::{Code, Diagnostic, Span, TokenKind};

use super::slips::misspelled;
use super::{Failure, Parser};
use crate::act::{ActKind, Party};
use crate::operator::{EQUIVALENCE, SUM, prefix};
use crate::tree::{
    ActPattern, ActionPattern, Arg, At, Binary, Carries, Commitment, Epistemic, EpistemicOp, Formula, Group,
    Join, Kind, LabelPattern, Reference, Tag,
};

/// Words that take arguments, beside the acts.
const WITH_ARGUMENTS: [&str; 13] =
    ["SC", "PC", "active", "does", "K", "GK", "DK", "GCK", "O", "KH", "B", "min", "max"];

impl Parser<'_> {
    /// An operand without operators.
    pub(super) fn term(&mut self) -> Option<Formula> {
        let start = self.span();
        let kind = match (self.spelling(0), self.number(0)) {
            (_, Some(number)) => Kind::Int(number),
            (text @ ("true" | "false"), _) => Kind::Bool(text == "true"),
            ("(", _) => return self.grouped(")"),
            (word, _) if self.word(0).is_some() && !self.divides(word) => return self.word_term(),
            _ => return self.unexpected("a formula"),
        };
        self.bump();
        Some(Formula::new(kind, start))
    }

    /// `(φ)` or `[φ]`, at the place of both brackets.
    pub(super) fn grouped(&mut self, close: &str) -> Option<Formula> {
        let start = self.span();
        let result = self.enclosed(close, |parser| parser.connected(EQUIVALENCE));
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
        if self.conditional_ahead() {
            return self.nested(Self::conditional);
        }
        if self.at_nth(1, "(") {
            let result = self.call();
            return self.or_stand_in(start, result);
        }
        if self.at("in") && self.word(1).is_some() {
            self.bump();
            let location = self.reference()?;
            let span = start.to(location.span);
            return Some(Formula::new(Kind::At(At { machine: None, location }), span));
        }
        let name = self.reference()?;
        let span = name.span;
        if self.at(".") && !name.indices.is_empty() {
            return self.of_channel(name);
        }
        if self.at("(")
            && let Some((channel, word @ ("has" | "head"))) = name.name.rsplit_once('.')
        {
            let message = self.enclosed(")", Self::message_pattern).ok()?;
            let channel = Reference { name: channel.into(), ..name.clone() };
            let carries = Carries { channel, oldest: word == "head", message };
            return Some(Formula::new(Kind::Carries(carries), span.to(self.previous_span())));
        }
        // `F in s` is `F (in s)`, so no machine of that name can be meant anywhere.
        let machine = !name.indices.is_empty() || prefix(&name.name).is_none();
        if machine && self.at("in") && self.word(1).is_some() {
            self.bump();
            let location = self.reference()?;
            let span = span.to(location.span);
            return Some(Formula::new(Kind::At(At { machine: Some(name), location }), span));
        }
        Some(Formula::new(Kind::Name(name), span))
    }

    /// `.length`, `.has(m)` or `.head(m)` after the name of a channel with indices.
    fn of_channel(&mut self, channel: Reference) -> Option<Formula> {
        self.bump();
        let span = channel.span;
        let kind = match self.word(0) {
            Some("length") => {
                self.bump();
                Kind::Length(channel)
            }
            Some(word @ ("has" | "head")) if self.at_nth(1, "(") => {
                self.bump();
                let message = self.enclosed(")", Self::message_pattern).ok()?;
                Kind::Carries(Carries { channel, oldest: word == "head", message })
            }
            _ => return self.unexpected("`length`, `has(..)` or `head(..)`"),
        };
        Some(Formula::new(kind, span.to(self.previous_span())))
    }

    /// Reads a name and its indices.
    ///
    /// Names of parts may stand before it, with dots: `pay.order[2]`.
    pub fn reference(&mut self) -> Option<Reference> {
        let mut name = self.undotted()?;
        while self.at(".") && self.word(1).is_some() && name.indices.is_empty() {
            self.bump();
            let inner = self.undotted()?;
            let span = name.span.to(inner.span);
            name = Reference { name: format!("{}.{}", name.name, inner.name).into(), span, ..inner };
        }
        // What is asked of a channel comes after its indices: `link[2].length`.
        if let Some(word @ ("length" | "has" | "head")) = self.word(1).filter(|_| self.at(".")) {
            self.skip(2);
            let span = name.span.to(self.previous_span());
            name = Reference { name: format!("{}.{word}", name.name).into(), span, ..name };
        }
        Some(name)
    }

    /// A name and its indices.
    fn undotted(&mut self) -> Option<Reference> {
        let (name, start) = self.name("a name")?;
        let mut indices = Vec::new();
        while self.at("[") {
            let result = self.enclosed("]", |parser| parser.calculated(SUM));
            indices.push(self.or_stand_in(start, result)?);
        }
        Some(Reference { name, indices, span: start.to(self.previous_span()) })
    }

    /// Reads a group of agents: a name or `{A, B}`.
    pub fn group(&mut self) -> Option<Group> {
        if !self.at("{") {
            if self.word(0).is_none() {
                return self.unexpected("a group of agents");
            }
            return self.reference().map(Group::Named);
        }
        let members = self.enclosed("}", |parser| {
            let mut members = Vec::new();
            while !parser.at("}") {
                members.push(parser.reference()?);
                if !parser.eat(",") {
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
        let word = self.spelling(0);
        let kind = match word {
            "SC" | "PC" => Kind::Commitment(self.commitment(false)?),
            "active" => {
                self.arguments(word, &["a commitment"], &[1])?;
                let subject = |parser: &mut Self| parser.or_any("a commitment", true, Self::act_commitment);
                Kind::Active(self.enclosed(")", subject)?)
            }
            "does" => {
                // `Ann -> Bob, Eve: m` is one label.
                match (1..=self.closing(2).unwrap_or(1)).any(|ahead| self.at_nth(ahead, "->")) {
                    true => drop(self.bump()),
                    false => drop(self.arguments(word, &["a label"], &[1])?),
                }
                Kind::Does(self.enclosed(")", Self::label_pattern)?)
            }
            _ => match (EpistemicOp::written(word), Binary::called(word)) {
                (Some(op), _) => Kind::Epistemic(self.epistemic(op)?),
                (None, Some(op)) => self.called(op)?,
                (None, None) => return self.unknown_call(word),
            },
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
        let error = match (misspelled(word), same) {
            (Some(advice), _) => error.help(format!("write {advice}")),
            (None, Some(same)) => error.help(format!("did you mean `{same}`?")),
            (None, None) => error.suggest(word, candidates),
        };
        self.report(error);
        self.bump();
        self.skip_enclosed()
    }

    /// Steps over parentheses and what they hold; always a failure.
    fn skip_enclosed<T>(&mut self) -> Result<T, Failure> {
        let ahead = self.closing(1).ok_or(Failure::Lost)?;
        self.skip(ahead + 1);
        Err(Failure::Recovered)
    }

    /// Steps over the word and checks how many arguments follow; where the parenthesis is never closed they cannot be
    /// counted. Wrong numbers are reported and the arguments skipped. Returns how many there are.
    pub(super) fn arguments(
        &mut self,
        word: &str,
        names: &[&str],
        allowed: &[usize],
    ) -> Result<Option<usize>, Failure> {
        let start = self.span();
        self.bump();
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
            match self.spelling(ahead) {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                "," if open == 0 => commas += 1,
                // The commas of `<A, B>` separate agents.
                "<" => ahead += self.coalition_ahead(ahead).unwrap_or(0),
                _ => {}
            }
            ahead += 1;
        }
        Some(commas + 1)
    }

    /// `SC(i, j, ψ)`, `PC(i, j, t, ψ)`, or `PC(i, j, ψ)` for whatever moment; as an argument of an act it may have wildcards.
    fn commitment(&mut self, wildcards: bool) -> Result<Commitment, Failure> {
        let moments = self.at("PC");
        let tagged = if moments {
            let names = ["a debtor", "a creditor", "a moment (or nothing for any)", "a content"];
            self.arguments("PC", &names, &[3, 4])? != Some(3)
        } else {
            self.arguments("SC", &["a debtor", "a creditor", "a content"], &[3])?;
            false
        };
        self.enclosed(")", |parser| {
            let debtor = parser.agent_or_any("the debtor", wildcards)?;
            parser.expect(",")?;
            let creditor = parser.agent_or_any("the creditor", wildcards)?;
            parser.expect(",")?;
            let tag = match tagged {
                true => {
                    let tag = parser.or_any("a moment", wildcards, Self::tag)?;
                    parser.expect(",")?;
                    Some(tag)
                }
                // What holds of a commitment does not depend on the moment; which one an act is on does.
                false => (moments && wildcards).then_some(Arg::Any),
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
        if !self.at("_") {
            return rule(self).map(Arg::Is);
        }
        if !wildcards {
            let message = format!("expected {what}, found `_`");
            let error = Diagnostic::error(Code::MisplacedWildcard, message, self.span());
            self.report(error.help("`_` stands for any argument of an act, as in `Vio(Cus, _)`"));
        }
        self.bump();
        Some(Arg::Any)
    }

    fn agent_or_any(&mut self, what: &str, wildcards: bool) -> Option<Arg<Reference>> {
        self.or_any(what, wildcards, |parser| parser.agent(what))
    }

    fn agent(&mut self, what: &str) -> Option<Reference> {
        if self.word(0).is_none() { self.unexpected(what) } else { self.reference() }
    }

    fn tag(&mut self) -> Option<Tag> {
        let negative = self.at("-");
        match self.number(usize::from(negative)) {
            Some(number) => {
                self.skip(usize::from(negative) + 1);
                Some(Tag::Number(if negative { -number } else { number }))
            }
            None if self.word(0).is_some() => self.reference().map(Tag::Name),
            None => self.unexpected("a moment (a name or a number)"),
        }
    }

    /// Reads a communicative act, such as `Cr(Cus, quote)` or `Jus(_, SC(Cus, Mer, p), q)`.
    pub fn act_pattern(&mut self) -> Option<ActPattern> {
        if self.at_act() { self.act().ok() } else { self.unexpected("an act") }
    }

    fn act(&mut self) -> Result<ActPattern, Failure> {
        let word = self.spelling(0);
        let kind = ActKind::from_name(word);
        let argues = kind.filter(|kind| kind.has_support());
        let passes_on = kind.is_some_and(ActKind::has_third);
        let (names, allowed): (&[&str], &[usize]) = match argues {
            Some(_) => {
                (&["an actor", "a commitment", "a support (or nothing: it is in the content)"], &[2, 3])
            }
            None if passes_on => (&["an actor", "a commitment", "a third party"], &[3]),
            None => (&["an actor", "a commitment"], &[2]),
        };
        let found = self.arguments(word, names, allowed)?;
        self.enclosed(")", |parser| {
            let actor = parser.agent_or_any("an actor", true)?;
            parser.expect(",")?;
            if let (Some(kind), Some(2)) = (argues, found) {
                return parser.argument(kind, actor);
            }
            let commitment = parser.or_any("a commitment", true, Self::act_commitment)?;
            let support = match kind {
                None => Some(Arg::Any),
                Some(_) if argues.is_some() => {
                    parser.expect(",")?;
                    Some(parser.or_any("a support", true, Self::formula)?)
                }
                Some(_) => None,
            };
            let third = match kind {
                None => Some(Arg::Any),
                Some(_) if passes_on => {
                    parser.expect(",")?;
                    Some(parser.agent_or_any("a third party", true)?)
                }
                Some(_) => None,
            };
            let kind = kind.map_or(Arg::Any, Arg::Is);
            Some(ActPattern { kind, actor, commitment, support, third })
        })
    }

    /// What CTL*CA writes after the actor of an argument: the commitment with the argument as its content, `PC(i, j, t, ψ₂ so ψ)`, or
    /// the argument alone. Where there is no `so` the support can be any.
    fn argument(&mut self, kind: ActKind, actor: Arg<Reference>) -> Option<ActPattern> {
        let start = self.span();
        let of_act = |commitment, support| ActPattern {
            kind: Arg::Is(kind),
            actor: actor.clone(),
            commitment,
            support: Some(support),
            third: None,
        };
        let split = |content: Formula| match content.kind() {
            Kind::Binary(Binary::So, support, content) => (content.clone(), Arg::Is(support.clone())),
            _ => (content, Arg::Any),
        };
        let written_out = self.at_nth(1, "(") && matches!(self.word(0), Some("SC" | "PC"));
        let named = matches!(self.spelling(1), ")" | "[");
        if self.at("_") || written_out || named {
            let commitment = self.or_any("a commitment", true, Self::act_commitment)?;
            if let Arg::Is(formula) = &commitment
                && let Kind::Commitment(whole @ Commitment { content: Arg::Is(content), .. }) = formula.kind()
            {
                let (content, support) = split(content.clone());
                let whole = Commitment { content: Arg::Is(content), ..whole.clone() };
                return Some(of_act(Arg::Is(Formula::new(Kind::Commitment(whole), formula.span())), support));
            }
            return Some(of_act(commitment, Arg::Any));
        }
        let (content, support) = split(self.formula()?);
        let (debtor, creditor) = match kind.party() {
            Party::Debtor => (actor.clone(), Arg::Any),
            Party::Creditor => (Arg::Any, actor.clone()),
        };
        let whole = Commitment { debtor, creditor, tag: Some(Arg::Any), content: Arg::Is(content) };
        let span = start.to(self.previous_span());
        Some(of_act(Arg::Is(Formula::new(Kind::Commitment(whole), span)), support))
    }

    /// The commitment an act or `active` is about: a name, or written out.
    fn act_commitment(&mut self) -> Option<Formula> {
        let start = self.span();
        let call = self.at_nth(1, "(");
        match self.word(0) {
            Some("SC" | "PC") if call => {
                let commitment = self.commitment(true).map(Kind::Commitment);
                let span = start.to(self.previous_span());
                self.or_stand_in(start, commitment.map(|kind| Formula::new(kind, span)))
            }
            Some(_) if !call => {
                let name = self.reference()?;
                let span = name.span;
                Some(Formula::new(Kind::Name(name), span))
            }
            _ => self.unexpected("a commitment (its name, `SC(..)` or `PC(..)`)"),
        }
    }

    /// What stands between the parentheses of `does`.
    pub fn label_pattern(&mut self) -> Option<LabelPattern> {
        if self.eat("_") {
            return Some(LabelPattern::Any);
        }
        if let (TokenKind::Text, label) = (self.kind(0), self.spelling(0)) {
            self.bump();
            return Some(LabelPattern::Shown(label[1..label.len() - 1].into()));
        }
        if self.at_act() {
            return self.act().ok().map(LabelPattern::Act);
        }
        self.message_pattern().map(LabelPattern::Action)
    }

    /// A message or action: `pay`, `Cus.pay`, `Cus: pay`, `Mer -> Cus: quote(3, _)`, `Bob.pay?(x)`, `'a`, `a(phi)`.
    fn message_pattern(&mut self) -> Option<ActionPattern> {
        let output = self.eat("'");
        let first = if self.at("->") { None } else { Some(self.agent("an action, an act or `_`")?) };
        if !output && self.eat("->") {
            let to = self.list(|parser| parser.agent("whom it is said to"))?;
            self.expect(":")?;
            let name = self.agent("the name of a message")?;
            return self.pattern_of(ActionPattern { agent: first, to, ..ActionPattern::named(name) });
        }
        let first = first?;
        if !output && self.eat(":") {
            let name = self.agent("the name of a message")?;
            return self.pattern_of(ActionPattern { agent: Some(first), ..ActionPattern::named(name) });
        }
        if !output && self.eat(".") {
            let output = self.eat("'");
            let name = self.agent("the name of an action")?;
            return self.pattern_of(ActionPattern {
                agent: Some(first),
                output,
                ..ActionPattern::named(name)
            });
        }
        // Whether a part or an agent stands before the first dot is known where names are.
        let (agent, name) = match first.name.split_once('.') {
            Some((agent, name)) if !output => {
                let dot = first.span.start + agent.len() as u32;
                let agent = Reference::plain(agent, Span { end: dot, ..first.span });
                let span = Span { start: dot + 1, ..first.span };
                (Some(agent), Reference { name: name.into(), span, ..first.clone() })
            }
            _ => (None, first),
        };
        self.pattern_of(ActionPattern { agent, output, ..ActionPattern::named(name) })
    }

    /// The rest of a message or action after its name.
    fn pattern_of(&mut self, pattern: ActionPattern) -> Option<ActionPattern> {
        let received = self.eat("?");
        let arguments = match self.at("(") {
            true => {
                let argument = |parser: &mut Self| parser.or_any("a value", true, Self::formula);
                Some(self.enclosed(")", |parser| parser.list(argument)).ok()?)
            }
            false => None,
        };
        Some(ActionPattern { received, arguments, ..pattern })
    }

    /// `K(i, φ)` and its kin. Where a group is possible it may be left out.
    fn epistemic(&mut self, op: EpistemicOp) -> Result<Epistemic, Failure> {
        let (one, many) = (op.has_agent(), op.has_group());
        let (names, allowed): (&[&str], &[usize]) = match (one, many) {
            (true, true) => (&["an agent", "a group (or nothing for all agents)", "a formula"], &[2, 3]),
            (true, false) => (&["an agent", "a formula"], &[2]),
            _ => (&["a group (or nothing for all agents)", "a formula"], &[1, 2]),
        };
        let found = self.arguments(op.symbol(), names, allowed)?;
        self.enclosed(")", |parser| {
            let mut agent = None;
            if one {
                agent = Some(parser.agent("an agent")?);
                parser.expect(",")?;
            }
            let mut group = None;
            if many {
                // Without a closing parenthesis the arguments could not be counted; then a group is expected.
                let everybody = found == Some(1 + usize::from(one));
                group = Some(if everybody { Group::Everybody } else { parser.group()? });
                if !everybody {
                    parser.expect(",")?;
                }
            }
            let body = parser.formula()?;
            Some(Epistemic { op, agent, group, body })
        })
    }
}
