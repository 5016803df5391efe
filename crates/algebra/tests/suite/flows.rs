//! Sums that no command changes: which are found, what they say, and that a stopped budget ends the search.

use servanda_algebra::{conserved, flows};
use servanda_engine::{Budget, Halt, NoLimits, Progress, Stop};
use servanda_model::{Counted, Expr, Flow, Model};
use servanda_pact::load;
use servanda_syntax::SourceFile;

fn model(text: &str) -> Model {
    let loaded = load(&SourceFile::new("sums.pact", text), &[]);
    loaded.protocol.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics)).model
}

/// The sums of a model, written as people write them.
fn written(text: &str) -> Vec<String> {
    let model = model(text);
    let term = |(term, weight): &(Counted, i64)| match term {
        Counted::Value(id) => format!("{weight} {}", model.variable(*id).name),
        Counted::Is(id, value) => format!("{weight} {}:{value}", model.variable(*id).name),
    };
    let line = |flow: Flow| {
        let terms: Vec<String> = flow.terms.iter().map(term).collect();
        format!("{} = {}", terms.join(" + "), flow.total)
    };
    let mut lines: Vec<String> = flows(&model, &NoLimits).expect("no limits").into_iter().map(line).collect();
    lines.sort();
    lines
}

const CARDS: &str = "protocol Cards\nroles Ann\nvar idle, work : 0..3 = 3\nvar made : 0..8 = 0\nstart s\n\
    s -- Ann: begin when idle > 0 & work < 3 set idle = idle - 1, work = work + 1 --> s\n\
    s -- Ann: end when work > 0 & made < 7 set work = work - 1, made = made + 2 --> s\n";

#[test]
fn what_is_moved_around_is_counted_with_the_weight_that_it_has() {
    assert_eq!(written(CARDS), ["2 idle + 2 work + 1 made = 12"]);
}

#[test]
fn values_that_change_places_are_told_one_by_one() {
    let text = "protocol Light\nroles Ann\nvar here : bool = true\nvar there : bool = false\nstart s\n\
        s -- Ann: go when here & !there set here = false, there = true --> s\n\
        s -- Ann: back when !here & there set here = true, there = false --> s\n";
    assert_eq!(written(text), ["1 here:0 + 1 there:0 = 1", "1 here:1 + 1 there:1 = 1"]);
}

#[test]
fn a_sum_that_a_command_changes_is_none() {
    let reset = format!("{CARDS}s -- Ann: reset when made = 8 set made = 0 --> s\n");
    assert!(written(&reset).is_empty());
    let unknown = format!("{CARDS}s -- Ann: double when made < 5 set made = made * 2 --> s\n");
    assert!(written(&unknown).is_empty());
}

#[test]
fn a_variable_that_begins_with_several_values_has_no_sum() {
    assert!(written(&CARDS.replace("made : 0..8 = 0", "made : 0..8 = 0..1")).is_empty());
}

#[test]
fn the_condition_of_a_sum_holds_where_the_model_begins() {
    let model = model(CARDS);
    let conditions = conserved(&model, &NoLimits).expect("no limits");
    assert!(matches!(conditions.as_slice(), [Expr::Compare(..)]), "{conditions:?}");
}

/// Stops whoever asks.
struct Over;

impl Budget for Over {
    fn progress(&self, _progress: Progress) -> Result<(), Stop> {
        Err(Stop::Time)
    }
}

#[test]
fn a_stopped_budget_ends_the_search() {
    let stopped = flows(&model(CARDS), &Over);
    assert!(matches!(stopped, Err(Halt::Stopped { stop: Stop::Time, .. })), "{stopped:?}");
}
