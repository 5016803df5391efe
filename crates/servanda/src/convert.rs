//! Writing a model in another language.

use servanda_engine::Validity;
use servanda_logic::{Formula, Kind, Unary};
use servanda_model::Property;
use servanda_report::{Finding, Run};
use servanda_syntax::{Code, Diagnostic, Span};

use crate::equiv::{refusal, system, written};
use crate::{Loaded, Watch};

/// The transition system of the model as `.aut` text.
///
/// # Errors
///
/// The reason in words; if the model is to blame, the run is told.
pub fn to_aut(loaded: &Loaded, watch: Watch<'_>, run: &mut Run) -> Result<String, String> {
    let lts = system(loaded, watch).map_err(|why| refusal(why, loaded, run))?;
    written(&lts, loaded, run)
}

/// The model and its properties as ISPL text, in the dialect of MCMAS 1.x.
///
/// # Errors
///
/// What does not fit ISPL.
pub fn to_ispl(loaded: &Loaded) -> Result<String, Vec<Finding>> {
    let properties: Vec<Property> = match loaded.usual_validity() {
        Validity::Initial => loaded.properties().to_vec(),
        Validity::Reachable => loaded.properties().iter().map(everywhere).collect(),
    };
    servanda_ispl::print(loaded.model(), &properties).map_err(|reason| {
        let message = format!("{} cannot be written as ISPL: {reason}", loaded.source.name());
        vec![Finding::general(Diagnostic::error(Code::CannotConvert, message, Span::default()))]
    })
}

/// The dialect of 2005 decides its formulas in every reachable state and the one written decides them in the initial
/// states, where `AG` says the same.
fn everywhere(property: &Property) -> Property {
    let formula = match property.formula.kind() {
        Kind::Unary(Unary::ForAll, path) if is_globally(path) => property.formula.clone(),
        _ => property.formula.clone().unary(Unary::Globally).unary(Unary::ForAll),
    };
    Property { formula, ..property.clone() }
}

fn is_globally(path: &Formula) -> bool {
    matches!(path.kind(), Kind::Unary(Unary::Globally, _))
}

/// The model and its properties in the AIGER format, as text.
///
/// # Errors
///
/// What does not fit.
pub fn to_aiger(loaded: &Loaded) -> Result<String, Vec<Finding>> {
    let formulas = loaded.properties().iter().map(|property| (property.name.as_str(), &property.formula));
    servanda_sat::aiger(loaded.model(), loaded.usual_validity(), formulas)
        .map_err(|reason| cannot(loaded, "AIGER", &reason))
}

/// The model and its properties in the language of NuSMV.
///
/// # Errors
///
/// What does not fit.
pub fn to_smv(loaded: &Loaded) -> Result<String, Vec<Finding>> {
    let formulas = loaded.properties().iter().map(|property| (property.name.as_str(), &property.formula));
    servanda_sat::smv(loaded.model(), loaded.usual_validity(), formulas)
        .map_err(|reason| cannot(loaded, "SMV", &reason))
}

fn cannot(loaded: &Loaded, what: &str, reason: &str) -> Vec<Finding> {
    let message = format!("{} cannot be written as {what}: {reason}", loaded.source.name());
    vec![Finding::general(Diagnostic::error(Code::CannotConvert, message, Span::default()))]
}
