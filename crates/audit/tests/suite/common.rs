//! What the tests share: mappings and models from texts, and audits of texts.

use servanda_audit::mapping::{Mapping, Vocabulary};
use servanda_audit::{Asked, Auditor, Finding, Line, Options, Stats};
use servanda_engine::NoLimits;
use servanda_pact::Protocol;
use servanda_syntax::{Diagnostic, SourceFile};

/// A mapping with its models.
pub(crate) struct Setup {
    pub(crate) mapping: Mapping,
    pub(crate) protocols: Vec<Protocol>,
}

impl Setup {
    /// Reads a mapping; `model` gives the text of each model.
    pub(crate) fn new(mapping: &str, model: impl Fn(&str) -> String) -> Result<Setup, Vec<Diagnostic>> {
        Setup::with(mapping, model, &[])
    }

    /// The same with parameters, for the models that have them.
    pub(crate) fn with(
        mapping: &str,
        model: impl Fn(&str) -> String,
        parameters: &[(String, i64)],
    ) -> Result<Setup, Vec<Diagnostic>> {
        let (mapping, mut found) = Mapping::read(&SourceFile::new("log.audit.toml", mapping));
        let Some(mapping) = mapping else { return Err(found) };
        let load = |name: &str| {
            let text = model(name);
            let has = |(name, _): &&(String, i64)| text.contains(&format!("\nparam {name} "));
            let parameters: Vec<(String, i64)> = parameters.iter().filter(has).cloned().collect();
            let loaded = servanda_pact::load(&SourceFile::new(name, text), &parameters);
            loaded.protocol.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
        };
        let protocols: Vec<Protocol> = mapping.views.iter().map(|view| load(&view.model.text)).collect();
        let words = |protocol| {
            let protocol: &Protocol = protocol;
            let names = protocol.properties.iter().map(|property| property.name.clone());
            Vocabulary::new(&protocol.model, names).ok()
        };
        let mut words: Vec<Option<Vocabulary<'_>>> = protocols.iter().map(words).collect();
        found.extend(mapping.check(&mut words));
        drop(words);
        found.retain(Diagnostic::is_error);
        if found.is_empty() { Ok(Setup { mapping, protocols }) } else { Err(found) }
    }

    pub(crate) fn asked(&self) -> Vec<Asked<'_>> {
        self.protocols.iter().map(|it| Asked { model: &it.model, properties: &it.properties }).collect()
    }

    /// Audits a text.
    pub(crate) fn audit(&self, log: &str, options: Options, complete: bool) -> (Vec<Finding>, Stats) {
        let mut auditor = Auditor::new(&self.mapping, &self.asked(), options, &NoLimits).unwrap();
        let mut findings = Vec::new();
        for (number, line) in log.lines().enumerate() {
            let at = Line { file: 0, line: number as u64 + 1 };
            auditor.push(line.as_bytes(), at, &mut findings, &NoLimits).unwrap();
        }
        auditor.finish(complete, &mut findings, &NoLimits).unwrap();
        (findings, auditor.stats())
    }
}
