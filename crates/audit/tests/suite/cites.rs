//! Where the rule stands that a line breaks which is not possible.

use servanda_audit::Options;

use crate::common::Setup;

const MODEL: &str = "
    roles Cus, Mer
    type Price = {fair, steep}
    message quote(Price)
    message shout
    start idle
    idle -- Cus: ask --> asked
    asked -- Mer: quote(fair) --> idle
";

fn mapping(cites: &str) -> String {
    format!(
        "version = 1
         [fields]
         who = '/who'
         what = '/what'
         [[view]]
         name = 'shop'
         model = 'shop.pact'
         key = ['\"all\"']
         cites = {{ {cites} }}
         event = [
           {{ when = 'what = \"ask\"', label = 'Cus: ask' }},
           {{ when = 'what = \"steep\"', label = 'Mer: quote(steep)' }},
           {{ when = 'what = \"quote\"', label = 'Mer: quote({{first(who, \"fair\")}})' }},
           {{ when = 'what = \"shout\"', label = 'Mer: shout' }},
         ]"
    )
}

fn cited(cites: &str, log: &str) -> Vec<Option<String>> {
    let setup = Setup::new(&mapping(cites), |_| MODEL.to_owned()).unwrap();
    let (findings, _) = setup.audit(log, Options::default(), false);
    findings.into_iter().map(|finding| finding.citation).collect()
}

#[test]
fn the_longest_beginning_of_the_label_is_cited() {
    let cites = r#""Mer: quote" = "4", "Mer: quote(steep)" = "4.2""#;
    let log = |what: &str| format!("{{\"what\":\"{what}\"}}");
    assert_eq!(cited(cites, &log("steep")), [Some("4.2".to_owned())]);
    assert_eq!(cited(cites, &log("quote")), [Some("4".to_owned())]);
    assert_eq!(cited(cites, &log("shout")), [None]);
    assert_eq!(cited(r#""Mer: shout" = "5""#, &log("shout")), [Some("5".to_owned())]);
}

#[test]
fn what_is_cited_is_said_by_some_rule() {
    let Err(found) = Setup::new(&mapping(r#""Mer: qoute" = "4""#), |_| MODEL.to_owned()) else { panic!() };
    let messages: Vec<&str> = found.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["no rule of the view says `Mer: qoute`"]);
}
