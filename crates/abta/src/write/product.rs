//! Products: for people node by node, for programs as one object.

use std::fmt::Write as _;

use servanda_json::{Object, list};

use super::json;
use super::text::{bounds, many, measures, notes, padded, widest};
use crate::measures::Measures;
use crate::options::Logic;
use crate::product::{Fault, Node, Product};

/// So many nodes are shown to people.
const MOST_NODES: usize = 60;

/// So many places of one fault are shown to people.
const MOST_PLACES: usize = 6;

/// The search by the name that its paper gives it.
fn algorithm(logic: Logic) -> &'static str {
    match logic {
        Logic::Actl => "Figure 5 of the ACTL* paper",
        Logic::CtlCa => "Figure 10 of the CTL*CA paper, by its prose",
        Logic::Scctl => "Algorithm 1 of the SCCTL* paper",
    }
}

/// By node what the search makes of it, if it visits it; of several first nodes, for the last.
fn values(product: &Product) -> Vec<Option<bool>> {
    let mut values = vec![None; product.nodes.len()];
    for call in product.search.calls.iter().filter(|call| !call.again) {
        values[call.node as usize] = Some(call.value);
    }
    values
}

/// The product, its search and what is really so, for people. `model` is the name of the model.
pub fn product_text(product: &Product, model: &str, wanted: Option<&Measures>) -> String {
    let mut shown = String::new();
    let (states, transitions, inner) = product.size;
    let many_of = |count: u64, one| many(usize::try_from(count).unwrap_or(usize::MAX), one);
    let _ = writeln!(
        shown,
        "formula: {}\nrules: those of the {} paper",
        product.translation.formula,
        product.logic.name()
    );
    let (states, transitions) = (many_of(states, "state"), many_of(transitions, "transition"));
    let _ = writeln!(shown, "model: {model}, {states}, {transitions}");
    if inner > 0 {
        let (inner, acts) = (many_of(inner, "state"), many(product.inside.len(), "act"));
        let _ = writeln!(shown, "  inside of states: {inner} in the decompositions of {acts}");
    }
    let (nodes, edges) = (many(product.nodes.len(), "node"), many(product.edges(), "edge"));
    let _ = writeln!(shown, "\nproduct: {nodes}, {edges}");
    list_nodes(product, &mut shown);
    let (search, visited) = (&product.search, many(product.search.nodes, "node"));
    let calls = many(search.calls.len(), "call");
    let _ = writeln!(shown, "\nthe printed search ({}): {}", algorithm(product.logic), search.verdict);
    let _ = writeln!(shown, "  {visited} visited of {}, {calls}", product.nodes.len());
    if let Some(run) = product.run {
        let exists = if run { "there is one" } else { "there is none" };
        let definition = product.logic.pick(["5 of the ACTL*", "6 of the CTL*CA"]);
        let _ = writeln!(shown, "a successful run (Definition {definition} paper): {exists}");
    }
    let differs = if product.differs() { ": the printed search is wrong" } else { "" };
    let _ = writeln!(shown, "the sound engine: {}{differs}", product.sound);
    list_faults(product, &mut shown);
    let _ = writeln!(shown, "\nbounds");
    bounds(&product.bounds, &mut shown);
    if let Some(wanted) = wanted {
        measures(&product.translation, wanted, &mut shown);
    }
    notes(&product.translation, &mut shown);
    shown
}

fn list_nodes(product: &Product, shown: &mut String) {
    let values = values(product);
    let nodes = &product.nodes[..product.nodes.len().min(MOST_NODES)];
    let number = |node: &Node| format!("({})", product.translation.automaton.state(node.row).number);
    let last = nodes.len().to_string().len();
    let widths = [
        widest(nodes.iter().map(|node| product.shown(node))),
        widest(nodes.iter().map(number)),
        widest(nodes.iter().map(|node| node.clause.to_owned())),
    ];
    for (index, node) in nodes.iter().enumerate() {
        let value = match (values[index], node.sound) {
            (None, _) => "not visited".to_owned(),
            (Some(value), None) => value.to_string(),
            (Some(value), Some(sound)) if value == sound => value.to_string(),
            (Some(value), Some(_)) => format!("{value}, which is wrong"),
        };
        let successors: Vec<String> = node.successors.iter().map(|next| (next + 1).to_string()).collect();
        let leads =
            if successors.is_empty() { String::new() } else { format!("  → {}", successors.join(", ")) };
        let _ = writeln!(
            shown,
            "  {:>last$}  {}  {}  {}  {value}{leads}",
            index + 1,
            padded(&product.shown(node), widths[0]),
            padded(&number(node), widths[1]),
            padded(node.clause, widths[2]),
        );
    }
    if product.nodes.len() > nodes.len() {
        let _ = writeln!(shown, "  and {} more, which --format json has", product.nodes.len() - nodes.len());
    }
}

fn node_numbers(product: &Product, calls: &[u32]) -> Vec<usize> {
    let mut numbers: Vec<usize> =
        calls.iter().map(|call| product.search.calls[*call as usize].node as usize + 1).collect();
    numbers.dedup();
    numbers
}

fn list_faults(product: &Product, shown: &mut String) {
    if product.faults.is_empty() {
        let _ = writeln!(shown, "  no node that was visited has a wrong value");
        return;
    }
    let _ = writeln!(shown, "\nwhere the printed search goes wrong (numbers: docs/formulas.md, section 10)");
    for Fault { blame, calls, way } in &product.faults {
        let item = blame.item.map_or("   - ".to_owned(), |item| format!("  {item:>2}. "));
        let mut places = node_numbers(product, calls);
        places.sort_unstable();
        places.dedup();
        let more = places.len().saturating_sub(MOST_PLACES);
        places.truncate(MOST_PLACES);
        let places: Vec<String> = places.iter().map(ToString::to_string).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let word = if places.len() == 1 { "node" } else { "nodes" };
        let _ = writeln!(shown, "{item}{} ({word} {}{more})", blame.text, places.join(", "));
        if !way.is_empty() {
            let way: Vec<String> = node_numbers(product, way).iter().map(ToString::to_string).collect();
            let _ = writeln!(shown, "      this makes the verdict wrong, by way of {}", way.join(", "));
        }
    }
}

/// The product, its search and what is really so, for programs.
pub fn product_json(product: &Product, model: &str, wanted: Option<&Measures>) -> String {
    let values = values(product);
    let (states, transitions, inner) = product.size;
    let subject = Object::new("name", model)
        .with("states", states)
        .with("transitions", transitions)
        .with("inner_states", inner);
    let nodes = list(product.nodes.iter().zip(&values).enumerate(), |(index, (node, value))| {
        let row = product.translation.automaton.state(node.row);
        let act = node.place.inside.map(|(act, inner)| {
            let formulas = &product.inside[act].1.states[inner];
            Object::new("number", inner)
                .with("formulas", formulas.iter().map(ToString::to_string).collect::<Vec<_>>())
        });
        Object::new("number", index + 1)
            .with("row", row.number)
            .with("label", product.label(node))
            .with("state", node.place.state as usize)
            .with_some("inside", act)
            .with("sign", node.sign.word())
            .with("clause", (!node.clause.is_empty()).then_some(node.clause))
            .with("successors", node.successors.iter().map(|next| *next as usize + 1).collect::<Vec<_>>())
            .with("printed", *value)
            .with("sound", node.sound)
    });
    let search = Object::new("algorithm", algorithm(product.logic))
        .with("verdict", product.search.verdict)
        .with("nodes", product.search.nodes)
        .with("calls", product.search.calls.len());
    let differences = list(&product.faults, |fault| {
        Object::new("item", fault.blame.item)
            .with("text", fault.blame.text)
            .with("nodes", node_numbers(product, &fault.calls))
            .with("way", node_numbers(product, &fault.way))
    });
    let made = Object::new("model", subject)
        .with("roots", product.roots.iter().map(|root| *root as usize + 1).collect::<Vec<_>>())
        .with("nodes", nodes)
        .with("edges", product.edges())
        .with("successful_run", product.run)
        .with("search", search)
        .with("sound", product.sound)
        .with("differences", differences)
        .with("bounds", json::bounds(&product.bounds));
    json::object(&product.translation, wanted).with("product", made).pretty()
}
