//! Shared by the tests: examples, and models as text without places.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

use servanda_logic::lex;
use servanda_pact::{Protocol, load_with};
use servanda_syntax::SourceFile;

/// A file with every statement of the language.
pub(crate) const EVERYTHING: &str = "\
// comments run to the end of the line; /* ... */ too
protocol NetBill

param  N = 3                          // an integer
roles  Cus, Mer, Bank[1..N]
semantics actl

var paid, delivered : bool = false    // public: every role observes it
var price : 0..5 = {1, 3}             // an initial set is a nondeterministic choice
var mood[1..N] : {calm, cross}        // enum, and an array; no initial value: any
private var budget of Cus : 0..5      // only Cus observes it
red Mer : delivered & !paid           // where Mer's behaviour is not correct

prop done = paid & delivered          // a derived proposition

commitment quote = SC(Cus, Mer, F paid)
commitment offer = PC(Mer, Cus, t1, paid -> F delivered)     // with a moment

machine Shop {
  start idle
  idle     -- Cr(Cus, quote)                              --> asked
  asked    -- Ref(Mer, quote)                             --> closed
  asked    -- Ac(Mer, quote)                              --> accepted
  accepted -- Cr(Mer, offer)                              --> offered
  offered  -- Cus: pay!  when budget >= price  set paid = true   --> payed     // with the bank
  offered  -- Wit(Cus, quote)                             --> closed
  payed    -- Sat(Mer, offer)  set delivered = true       --> closed
  closed   -- reset set paid = false, delivered = false   --> idle            // made by nobody
}
for i in 1..N {
  machine Till[i] {
    start open
    open -- Bank[i]: pay? when mood[i] = calm --> open
    for j in 0..1 { open -- Bank[i]: shout[j] set mood[i] = cross --> open }
  }
  property calm_again expect false = AG EF (mood[i] = calm)
}

access Cus -> Mer : !Vio(Cus, _)      // optional, narrows the accessible paths
fair   !(Shop in offered)             // optional fairness constraints
group  both = { Cus, Mer }
group  everyone = { both, Bank }

property answered expect true  = AG (Cr(Cus, quote) -> X (Ac(Mer, quote) | Ref(Mer, quote)))
property always_paid expect false = AF paid
property angry = GCK(everyone, (any i in 1..N : mood[i] = cross) -> (sum i in 1..N : i) = 6)
decompose Cr(Cus, quote) {
  0 : SC(Cus, Mer, F paid) ; 1 : F paid ;
  0 --[SC_Cus]--> 1
}
";

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The examples that users meet first: name and text.
pub(crate) fn examples() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(EXAMPLES).expect("the examples are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable directory").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "pact"));
    paths.sort();
    let name = |path: &PathBuf| path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("readable text"))).collect()
}

/// Loads a text that has no mistakes.
pub(crate) fn protocol(text: &str) -> Protocol {
    let mut read = |_: &str, path: &str| {
        let text = std::fs::read_to_string(format!("{EXAMPLES}/{path}")).expect("an example uses an example");
        Ok((path.to_owned(), text))
    };
    let loaded = load_with(&mut SourceFile::new("test.pact", text), &[], &mut read);
    match loaded.protocol {
        Some(protocol) => protocol,
        None => panic!("{text}\n{:#?}", loaded.diagnostics),
    }
}

/// Everything a protocol means, without places.
pub(crate) fn meaning(protocol: &Protocol) -> String {
    let model = &protocol.model;
    let mut text = format!("{} {:?}\n", model.name, model.acts);
    for agent in &model.agents {
        let _ = writeln!(text, "agent {} {:?}", agent.name, agent.red);
    }
    for variable in &model.variables {
        let _ = writeln!(
            text,
            "variable {} {:?} {:?} {:?} {:?}",
            variable.name, variable.domain, variable.initial, variable.visibility, variable.machine
        );
    }
    for command in model.behaviour.commands() {
        let _ = writeln!(
            text,
            "command {} {:?} {:?} {:?} {:?}",
            model.show_label(command.label),
            command.guard,
            command.updates,
            command.effect,
            command.home
        );
    }
    for promise in &model.commitments {
        let _ = writeln!(text, "commitment {}", model.write_promise(promise));
    }
    for access in &model.access {
        let _ = writeln!(text, "access {:?} {:?} {}", access.debtor, access.creditor, access.guard);
    }
    for fair in &model.fairness {
        let _ = writeln!(text, "fair {}", fair.formula);
    }
    let _ = writeln!(text, "groups {:?}", model.groups);
    for property in &protocol.properties {
        let _ = writeln!(text, "property {} {:?} {}", property.name, property.expected, property.formula);
    }
    for claim in &protocol.claims {
        let shown: Vec<String> = claim
            .decomposition
            .states
            .iter()
            .map(|state| servanda_abta::decompose::show_state(state))
            .collect();
        let _ = writeln!(text, "claim {:?} {:?}", shown, claim.decomposition.edges);
    }
    text
}

/// One of the tokens of a text, whatever the number.
pub(crate) fn picked(text: &str, number: u32) -> Range<usize> {
    let tokens = lex(text).0;
    let span = tokens[number as usize % tokens.len()].span;
    span.start as usize..span.end as usize
}
