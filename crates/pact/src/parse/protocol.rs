//! What protocols between real programs need: types, messages, channels, clocks, parts, scenarios.

use servanda_logic::{Formula, Kind, Parser, Reference};
use servanda_model::Level;
use servanda_syntax::{Code, Diagnostic, Findings, TokenKind};

use super::Reader;
use super::statement::{declared, name, reference};
use crate::ast::{
    ChannelItem, DomainItem, ItemKind, MessageItem, Name, ScenarioItem, ScenarioStepItem, UseItem,
};

impl Reader<'_> {
    /// `type NAME = TYPE`
    pub(super) fn type_name(&mut self) -> Option<ItemKind> {
        let name = self.name("the name of a type")?;
        self.parser.equals()?;
        Some(ItemKind::Type { name, domain: self.domain()? })
    }

    /// `message NAME(types)`
    pub(super) fn message(&mut self) -> Option<ItemKind> {
        let name = declared(&mut self.parser)?;
        let mut parameters = Vec::new();
        if self.parser.eat("(") {
            loop {
                parameters.push(self.parameter()?);
                if !self.parser.eat(",") {
                    break;
                }
            }
            self.parser.expect(")")?;
        }
        Some(ItemKind::Message(MessageItem { name, parameters }))
    }

    /// A type with or without a name before it.
    fn parameter(&mut self) -> Option<(Option<Name>, DomainItem)> {
        let named = self.parser.word(0).is_some() && self.parser.at_nth(1, ":");
        let name = match named {
            true => {
                let name = self.name("what it is")?;
                self.parser.bump();
                Some(name)
            }
            false => None,
        };
        Some((name, self.domain()?))
    }

    /// `channel NAME [from A] [to B] [of capacity K] [lossy] [duplicating] [unordered] carries m1, m2`
    pub(super) fn channel(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a channel")?;
        let mut channel = ChannelItem {
            name,
            from: None,
            to: None,
            capacity: None,
            lossy: false,
            duplicating: false,
            unordered: false,
            carries: Vec::new(),
            when: None,
        };
        loop {
            let word = self.parser.word(0).unwrap_or_default().to_owned();
            let again = match word.as_str() {
                "from" => channel.from.is_some(),
                "to" => channel.to.is_some(),
                "of" => channel.capacity.is_some(),
                "lossy" => std::mem::replace(&mut channel.lossy, true),
                "duplicating" => std::mem::replace(&mut channel.duplicating, true),
                "unordered" => std::mem::replace(&mut channel.unordered, true),
                "carries" => break,
                _ => {
                    return self.parser.unexpected(
                        "`from`, `to`, `of capacity`, `lossy`, `duplicating`, `unordered` or `carries`",
                    );
                }
            };
            let span = self.parser.bump();
            if again {
                let message = format!("`{word}` can be written once");
                self.parser.report(Diagnostic::error(Code::DuplicateStatement, message, span));
            }
            match word.as_str() {
                "from" => channel.from = Some(self.reference("a role")?),
                "to" => channel.to = Some(self.reference("a role")?),
                "of" => {
                    self.parser.expect("capacity")?;
                    channel.capacity = Some(self.parser.arithmetic()?);
                }
                _ => {}
            }
        }
        self.parser.bump();
        channel.carries = self.parser.list(|parser| reference(parser, "a message"))?;
        Some(ItemKind::Channel(channel))
    }

    /// `clock NAME : low..high`
    pub(super) fn clock(&mut self) -> Option<ItemKind> {
        let names = self.parser.list(declared)?;
        self.parser.expect(":")?;
        Some(ItemKind::Clock { names, domain: self.domain()? })
    }

    /// `wait NAME while condition`
    pub(super) fn wait(&mut self) -> Option<ItemKind> {
        let state = self.reference("a control state")?;
        self.parser.expect("while")?;
        Some(ItemKind::Wait { state, condition: self.parser.formula()? })
    }

    /// `use "FILE" as NAME (Role = role, Param = number, ..) when condition with properties`
    pub(super) fn use_part(&mut self) -> Option<ItemKind> {
        let file = self.text("the name of a file in quotation marks")?;
        if !self.parser.eat("as") {
            let help = format!("the part needs a name: `use \"{}\" as NAME`", file.text);
            return self.parser.unexpected_with("`as`", Some(help));
        }
        let name = self.name("a name for the part")?;
        let mut given = Vec::new();
        if self.parser.eat("(") && !self.parser.eat(")") {
            given = self.parser.list(|parser| {
                let theirs = self::name(parser, "a role or parameter of the other file")?;
                parser.equals()?;
                Some((theirs, parser.arithmetic()?))
            })?;
            self.parser.expect(")")?;
        }
        let when = self.parser.after_any("when", Parser::formula)?;
        let with_properties = self.parser.eat("with");
        if with_properties {
            self.parser.expect("properties")?;
        }
        Some(ItemKind::Use(UseItem { file, name, given, when, with_properties }))
    }

    /// A text in quotation marks.
    fn text(&mut self, what: &str) -> Option<Name> {
        if self.parser.kind(0) != TokenKind::Text {
            return self.parser.unexpected(what);
        }
        let written = self.parser.spelling(0);
        let text = written[1..written.len() - 1].into();
        Some(Name { text, span: self.parser.bump() })
    }

    /// `scenario NAME [expect impossible] { step; step; .. }`
    pub(super) fn scenario(&mut self) -> Option<ItemKind> {
        let name = self.reference("the name of a scenario")?;
        let mut impossible = false;
        if self.parser.eat("expect") {
            impossible = self.parser.at("impossible");
            if !impossible && !self.parser.at("possible") {
                return self.parser.unexpected("`impossible` or `possible`");
            }
            self.parser.bump();
        }
        let open = self.parser.expect("{")?;
        let mut steps = Vec::new();
        while !self.parser.at("}") {
            steps.push(self.scenario_step()?);
            if !self.parser.eat(";") {
                break;
            }
        }
        let close = self.parser.span();
        if !self.parser.eat("}") {
            return self.parser.unexpected("`;` or `}`");
        }
        if steps.is_empty() {
            let message = "a scenario has at least one step";
            return self.parser.diagnostics.error(Code::EmptyScenario, message, open.to(close));
        }
        Some(ItemKind::Scenario(ScenarioItem { name, impossible, steps, open, close }))
    }

    fn scenario_step(&mut self) -> Option<ScenarioStepItem> {
        if self.parser.eat("...") {
            return Some(ScenarioStepItem::Anything);
        }
        let start = self.parser.span();
        let label = self.parser.label_pattern()?;
        let span = start.to(self.parser.previous_span());
        Some(ScenarioStepItem::Step(Formula::new(Kind::Does(label), span)))
    }

    /// `level must|should|may` and `cite "TEXT"`, in any order.
    pub(super) fn weight(&mut self) -> Option<(Option<Level>, Option<Name>)> {
        let (mut level, mut cite) = (None, None);
        loop {
            if level.is_none() && self.parser.eat("level") {
                let Some(found) = self.parser.word(0).and_then(Level::called) else {
                    return self.parser.unexpected("`must`, `should` or `may`");
                };
                self.parser.bump();
                level = Some(found);
            } else if cite.is_none() && self.parser.eat("cite") {
                cite = Some(self.text("a text in quotation marks")?);
            } else {
                return Some((level, cite));
            }
        }
    }

    /// `of A, B`, if it stands here.
    pub(super) fn seers(&mut self) -> Option<Vec<Reference>> {
        let seers = self
            .parser
            .after_any("of", |parser| parser.list(|parser| reference(parser, "a role or a group")))?;
        Some(seers.unwrap_or_default())
    }
}
