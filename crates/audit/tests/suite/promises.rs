//! What is said of promises that are not kept: nobody is blamed for what is another's doing, or the protocol's.

use servanda_audit::Options;

use crate::common::Setup;

const MODEL: &str = "
    roles Agent, Shop
    commitment payment = SC(Agent, Shop, F in paid)
    commitment moon = SC(Agent, Shop, F in never)
    start idle
    idle -- Agent: orders --> ordering
    ordering -- Cr(Agent, payment) --> ordered
    ordered -- Agent: pays --> paid
    ordered -- Shop: closes --> closed
    idle -- Agent: boasts --> boasting
    boasting -- Cr(Agent, moon) --> boasted
    never -- Agent: flies --> never
    final paid, closed, boasted
";

const MAPPING: &str = r#"
version = 1
[fields]
say = "/say"
[[view]]
name = "v"
model = "m"
key = ['"all"']
event = [
  { when = 'say = "orders"', label = ["Agent: orders", "Cr(Agent, payment)"] },
  { when = 'say = "boasts"', label = ["Agent: boasts", "Cr(Agent, moon)"] },
  { when = 'say = "pays"', label = "Agent: pays" },
  { when = 'say = "closes"', label = "Shop: closes" },
]
"#;

fn messages(lines: &[&str], complete: bool) -> Vec<String> {
    let setup = Setup::new(MAPPING, |_| MODEL.to_owned()).unwrap_or_else(|found| panic!("{found:#?}"));
    let text: String = lines.iter().map(|say| format!("{{\"say\":\"{say}\"}}\n")).collect();
    let (findings, _) = setup.audit(&text, Options::default(), complete);
    findings.into_iter().map(|finding| finding.message).collect()
}

#[test]
fn who_cannot_keep_a_promise_is_not_said_to_have_broken_it() {
    let lost = ["after `Shop: closes` what Agent owes to Shop can no longer be kept: payment"];
    assert_eq!(messages(&["orders", "closes"], false), lost);
    let never =
        "Agent promises Shop what cannot be kept from the moment it is promised, whatever anybody does: moon";
    assert_eq!(messages(&["boasts"], false), [never]);
    assert_eq!(messages(&["orders", "pays"], true), Vec::<String>::new());
    let end = ["Agent has not kept, by the end, what it owes to Shop: payment"];
    assert_eq!(messages(&["orders"], true), end);
}
