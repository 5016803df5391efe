//! `does(a)` where processes do nothing but `'a`, and the other way round: true nowhere, and hardly meant.

use servanda_logic::{ActionPattern, Formula, Kind, LabelPattern};
use servanda_lower::resolve_action;
use servanda_model::{Alphabet, Model};
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, Span};

use crate::{Loaded, Question};

/// Warnings about all questions.
pub(crate) fn warnings(loaded: &Loaded, questions: &[Question]) -> Vec<Finding> {
    let Some(alphabet) = &loaded.model().alphabet else { return Vec::new() };
    let mut found = Vec::new();
    for question in questions {
        let mut warn = |pattern: &ActionPattern, span: Span| {
            found.extend(
                warning(loaded.model(), alphabet, pattern, span)
                    .map(|warning| Finding::placed(warning, &question.source)),
            );
        };
        look(&question.property.formula, &mut warn);
    }
    found
}

fn look(formula: &Formula, warn: &mut dyn FnMut(&ActionPattern, Span)) {
    if let Kind::Does(LabelPattern::Action(pattern)) = formula.kind() {
        warn(pattern, formula.span());
    }
    formula.for_each_child(|child| look(child, warn));
}

fn warning(model: &Model, alphabet: &Alphabet, pattern: &ActionPattern, span: Span) -> Option<Diagnostic> {
    let happens = |pattern: &ActionPattern| {
        let labels = resolve_action(model, pattern, alphabet, span, &mut Vec::new());
        labels.is_some_and(|labels| !labels.is_empty())
    };
    let other = ActionPattern { output: !pattern.output, ..pattern.clone() };
    if happens(pattern) || !happens(&other) {
        return None;
    }
    let text = |pattern: &ActionPattern| Kind::Does(LabelPattern::Action(pattern.clone()));
    let written = |pattern: &ActionPattern| Formula::new(text(pattern), span).to_string();
    let message = format!("no step is `{}`, but there are steps of the other side", written(pattern));
    let help = format!("did you mean `{}`?", written(&other));
    Some(Diagnostic::warning(Code::OtherSide, message, span).help(help))
}
