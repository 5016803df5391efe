//! `servanda abta`

use std::sync::Arc;

use servanda::{Question, Refusal};
use servanda_abta as abta;
use servanda_abta::product::Product;
use servanda_chart::{Highlight, MOST_STATES, Picture};
use servanda_model::ActReading;
use servanda_report::{Finding, Status};
use servanda_syntax::{Code, SourceFile, Span};

use super::args::{AbtaArguments, AbtaFormat, ModelArguments};
use super::input;
use super::terminal::{Ended, Terminal};

/// What a formula of the command line is called in messages.
const FORMULA: &str = "<formula>";

/// The most nodes of a product, unless the user says otherwise.
const MOST_NODES: usize = 1_000_000;

/// Writes the tableau and the automaton of the formula, or its product with a model.
pub(crate) fn run(arguments: &AbtaArguments, terminal: &Terminal) -> Ended {
    if let Some(option) = misplaced(arguments) {
        return Err(terminal.fail(&option));
    }
    let source = Arc::new(SourceFile::new(FORMULA, arguments.formula.as_str()));
    let limits = terminal.limits(&arguments.limits)?;
    let made = match &arguments.model {
        None => automaton(arguments, &source),
        Some(file) => {
            let loaded =
                input::load(file, &arguments.reading).map_err(|findings| terminal.refuse(&findings))?;
            over(arguments, &source, &loaded, limits.watch())
        }
    };
    limits.clear_progress();
    match made {
        Ok(text) => Ok(terminal.write(&text, Status::Wanted)),
        Err(Refusal::Invalid(findings)) => Err(terminal.refuse(&findings)),
        Err(Refusal::Undecided(reason)) => {
            terminal.complain(&format!("there is no product: {reason}\n"));
            Err(Status::Undecided)
        }
    }
}

/// An option that would not change anything with the rules that were chosen.
fn misplaced(arguments: &AbtaArguments) -> Option<String> {
    let rules = options(arguments).rules;
    let only = |option: &str, with: &str| Some(format!("{option}: only with {with}"));
    let ModelArguments { input, param, process, acts_file } = &arguments.reading;
    match (rules, arguments.model.is_some()) {
        (abta::Rules::Sound, true) => Some(
            "--rules sound: the product is that of the papers' automaton; `check` decides by sound rules"
                .to_owned(),
        ),
        (abta::Rules::Sound, _) if arguments.logic.is_some() => only("--logic", "--rules paper"),
        (abta::Rules::Sound, _) if arguments.closure => only("--closure", "--rules paper"),
        (abta::Rules::Paper, _) if arguments.acts.is_some() => only("--acts", "--rules sound"),
        (abta::Rules::Paper, _) if arguments.no_simplify => only("--no-simplify", "--rules sound"),
        (_, true) if arguments.format == AbtaFormat::Hoa => {
            Some("--format hoa: a product is no automaton on words".to_owned())
        }
        (_, false) if input.input.is_some() => only("--input", "--model"),
        (_, false) if !param.is_empty() => only("--param", "--model"),
        (_, false) if !process.is_empty() => only("--process", "--model"),
        (_, false) if acts_file.is_some() => only("--acts-file", "--model"),
        _ => None,
    }
}

fn automaton(arguments: &AbtaArguments, source: &Arc<SourceFile>) -> Result<String, Refusal> {
    // An error about the whole formula has no place of its own.
    let refused = |errors: Vec<_>| {
        let findings = errors.into_iter().map(|error| Finding::placed_if_written(error, source));
        Refusal::Invalid(findings.collect())
    };
    let formula = servanda_logic::parse_formula(&arguments.formula).map_err(refused)?;
    let options = options(arguments);
    let translation = abta::translate(&formula, options).map_err(refused)?;
    let measures = arguments.closure.then(|| abta::measures(&translation));
    match arguments.format {
        AbtaFormat::Text => Ok(abta::text(&translation, measures.as_ref())),
        AbtaFormat::Json => Ok(abta::json(&translation, measures.as_ref())),
        AbtaFormat::Dot => Ok(abta::dot(&translation)),
        AbtaFormat::Svg => {
            let picture = drawable(servanda::automaton_picture(&translation))?;
            Ok(servanda_chart::graph_svg(&picture))
        }
        AbtaFormat::Hoa => abta::hoa(&translation, options).map_err(refused),
    }
}

/// The product of the formula and a model.
fn over(
    arguments: &AbtaArguments,
    source: &Arc<SourceFile>,
    loaded: &servanda::Loaded,
    watch: servanda::Watch<'_>,
) -> Result<String, Refusal> {
    let text = &arguments.formula;
    let formula = loaded.formula(text).map_err(|errors| {
        Refusal::Invalid(errors.into_iter().map(|error| Finding::placed_if_written(error, source)).collect())
    })?;
    let question =
        Question::new("formula".to_owned(), text, formula, None, (source, Span::new(0, text.len())));
    let most = arguments.nodes.unwrap_or(MOST_NODES);
    let product = servanda::product(loaded, &question, options(arguments), most, watch)?;
    written(arguments, &product, &loaded.model().name)
}

fn written(arguments: &AbtaArguments, product: &Product, model: &str) -> Result<String, Refusal> {
    let measures = arguments.closure.then(|| abta::measures(&product.translation));
    Ok(match arguments.format {
        AbtaFormat::Text => abta::product_text(product, model, measures.as_ref()),
        AbtaFormat::Json | AbtaFormat::Hoa => abta::product_json(product, model, measures.as_ref()),
        AbtaFormat::Dot | AbtaFormat::Svg => {
            let (picture, highlight): (Picture, Highlight) = servanda::product_picture(product);
            let picture = drawable(picture)?;
            match arguments.format {
                AbtaFormat::Dot => servanda_chart::dot(&picture, &highlight),
                _ => servanda_chart::graph_svg(&picture),
            }
        }
    })
}

/// Larger graphs are no use to look at.
fn drawable(picture: Picture) -> Result<Picture, Refusal> {
    if picture.boxes.len() <= MOST_STATES {
        return Ok(picture);
    }
    let message = format!("the graph has {}, more than {MOST_STATES}, too many to draw", picture.description);
    Err(Refusal::Invalid(vec![Finding::error(Code::TooLarge, message)]))
}

fn options(arguments: &AbtaArguments) -> abta::Options {
    let usual = if arguments.model.is_some() { abta::Rules::Paper } else { abta::Rules::Sound };
    abta::Options {
        rules: arguments.rules.map_or(usual, |rules| rules.0),
        logic: arguments.logic.map(|logic| logic.0),
        acts: arguments.acts.map_or(ActReading::Actl, |acts| acts.0),
        simplify: if arguments.no_simplify { abta::Simplify::Not } else { abta::Simplify::Fully },
        most_states: arguments.states,
    }
}
