//! A formula decided with partial-order reduction and without: `reduced FILE.ccs|FILE.pact FORMULA [NAME=NUMBER ..]`; instead of a
//! formula `properties` for those of the file.

use std::time::Instant;

use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_logic::Formula;
use servanda_model::Model;
use servanda_syntax::SourceFile;
use servanda_tableau::Tableau;

fn load(file: &str, formula: &str, parameters: &[String]) -> (Model, Vec<(String, Formula)>) {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let source = SourceFile::new(file, text);
    if file.ends_with(".ccs") {
        let system = servanda_ccs::load(&source, None).system.expect("a process");
        let parsed = system.formula(formula).expect("a formula");
        return (system.model, vec![(formula.to_owned(), parsed)]);
    }
    let parameter = |text: &String| {
        let (name, number) = text.split_once('=').expect("NAME=NUMBER");
        (name.to_owned(), number.parse().expect("a number"))
    };
    let parameters: Vec<(String, i64)> = parameters.iter().map(parameter).collect();
    let protocol = servanda_pact::load(&source, &parameters).protocol.expect("a protocol");
    let named = protocol.properties.iter().map(|property| (property.name.clone(), property.formula.clone()));
    let formulas = match formula {
        "properties" => named.collect(),
        one => named.filter(|(name, _)| name == one).collect(),
    };
    (protocol.model, formulas)
}

// A measuring program says what it measured.
#[allow(clippy::print_stdout)]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, formula, parameters @ ..] = arguments.as_slice() else { panic!("a file and a formula") };
    let all_too = std::env::var_os("ALL").is_some();
    let (model, formulas) = load(file, formula, parameters);
    for (name, formula) in formulas {
        for unreduced in [false, true].into_iter().filter(|unreduced| all_too || !unreduced) {
            let options = Options { unreduced, ..Options::default() };
            let started = Instant::now();
            let mut engine = Tableau::new(&model, options, 1, &NoLimits).expect("initial states");
            let verdict = engine.decide(&formula, &NoLimits).expect("a verdict");
            let seconds = started.elapsed().as_secs_f64();
            let saved = engine.savings();
            println!("{name}: {verdict:?} in {seconds:.3} s, {saved:?}");
        }
    }
}
