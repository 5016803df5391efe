//! `servanda conform`

use std::fs;

use tempfile::TempDir;

use crate::program::{Ran, run, run_in, run_on};

const CLAIMS: &str = "\
protocol Claims
roles Master, Slave
var benefit, demand : bool = {false, true}
commitment claim = SC(Master, Slave, benefit)
start idle
idle -- Jus(Master, claim, demand) --> idle

decompose Jus(Master, claim, demand) {
  0 : SC(Master, Slave, demand so benefit) ;
  1 : demand so benefit ;
  2 : demand, X (!demand | benefit) ;
  3 : X (!demand | benefit) ;
  4 : !demand | benefit ;
  0 --[SC_Master]--> 1 ; 1 --[and]--> 2 ; 2 --[<=>]--> 3 ; 3 --[X]--> 4
}
decompose Cr(Master, claim) {
  0 : SC(Master, Slave, benefit) ;
  1 : demand ;
  0 --[SC_Master]--> 1
}
";

#[test]
fn a_model_that_conforms() {
    insta::assert_snapshot!(run(&["conform", "examples/pnaws.pact"]).transcript());
}

#[test]
fn a_model_that_does_not_conform() {
    insta::assert_snapshot!(run(&["conform", "examples/netbill.pact"]).transcript());
}

/// What comes out of a channel is taken, not said; nor does anybody speak when a channel loses something.
#[test]
fn receiving_is_not_speaking() {
    let text = "roles Ann, Bob\nchannel wire lossy carries order\nstart s\n\
                s -- Ann: order! --> t\nt -- Bob: order? --> u\nu -- Bob: answer --> s\n";
    let turns = |text: &str| -> serde_json::Value {
        let ran = run_on(text, &["conform", "--format", "json"]);
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()["turns"]["alternate"].clone()
    };
    assert_eq!(turns(text), true);
    // One who says something after an announcement of its own speaks twice.
    assert_eq!(turns(&text.replace("Bob: order?", "Bob: thanks")), false);
}

#[test]
fn json() {
    insta::assert_snapshot!(run(&["conform", "examples/netbill.pact", "--format", "json"]).transcript());
}

#[test]
fn claims() {
    insta::assert_snapshot!(run_on(CLAIMS, &["conform", "-v"]).transcript());
}

#[test]
fn quiet() {
    insta::assert_snapshot!(run_on(CLAIMS, &["conform", "-q"]).transcript());
}

#[test]
fn no_acts_conform() {
    let ran = run(&["conform", "examples/tunnel.pact"]);
    assert!(ran.stdout.ends_with("\nthe model conforms\n"), "{}", ran.stdout);
    assert_eq!(ran.status, 0);
}

/// A customer of NetBill, whole or with changes.
fn customer(changes: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in ["customer.pact", "netbill.pact"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
        let mut text = fs::read_to_string(format!("{root}{name}")).unwrap();
        for (from, to) in changes.iter().filter(|_| name == "customer.pact") {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn to_netbill(changes: &[(&str, &str)], more: &[&str]) -> Ran {
    let usual = ["conform", "customer.pact", "--to", "netbill.pact"];
    run_in(customer(changes).path(), &[&usual, more].concat())
}

#[test]
fn an_agent_that_keeps_to_its_protocol() {
    insta::assert_snapshot!(to_netbill(&[], &["--as", "Cus"]).transcript());
    insta::assert_snapshot!("agent_verbose", to_netbill(&[], &["--as", "Cus", "-v"]).transcript());
    insta::assert_snapshot!("agent_json", to_netbill(&[], &["--as", "Cus", "--format", "json"]).transcript());
    let quiet = to_netbill(&[], &["--as", "Cus", "-q"]);
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    // Naming its labels is the same as naming its role.
    let own =
        ["Cr(Cus*", "Ref(Cus*", "Ac(Cus*", "Sat(Cus*", "Wit(Cus*", "Vio(Cus*"].map(|own| ["--own", own]);
    let named = to_netbill(&[], &[&own.concat()[..], &["--format", "json"]].concat()).json();
    assert_eq!(named["conforms"], true);
    assert_eq!(named["own"], to_netbill(&[], &["--as", "Cus", "--format", "json"]).json()["own"]);
}

/// Whoever owns no labels must offer all that the protocol offers: this one never withdraws.
#[test]
fn an_agent_without_labels_of_its_own() {
    insta::assert_snapshot!(to_netbill(&[], &[]).transcript());
    let itself = run(&["conform", "examples/netbill.pact", "--to", "examples/netbill.pact"]);
    assert_eq!(itself.status, 0, "{}", itself.stdout);
}

/// It pays where it has to accept first, and does not expect to be cheated.
#[test]
fn an_agent_that_does_not_keep_to_its_protocol() {
    let changes = [
        ("Ac(Cus, offer)       ", "Sat(Cus, request)    "),
        ("payed     -- Vio(Mer, offer)                        --> over\n", ""),
    ];
    insta::assert_snapshot!(to_netbill(&changes, &["--as", "Cus"]).transcript());
    let unexpected = &changes[1..];
    insta::assert_snapshot!("agent_unexpected", to_netbill(unexpected, &["--as", "Cus", "-q"]).transcript());
    let json = to_netbill(unexpected, &["--as", "Cus", "--format", "json"]);
    insta::assert_snapshot!("agent_unexpected_json", json.transcript());
    // What nobody sees nobody has to expect; the restart that comes after it is seen.
    let hidden = to_netbill(unexpected, &["--as", "Cus", "--hide", "Vio(Mer*"]);
    assert!(hidden.stdout.contains("can refuse restart"), "{}", hidden.stdout);
    // Silence where something has to be said.
    let silent = to_netbill(
        &[("offered   -- Ac(Cus, offer)                         --> agreed\n", "")],
        &["--as", "Cus"],
    );
    insta::assert_snapshot!("agent_silent", silent.transcript());
}

/// More than the protocol foresees of others is no mistake; more of its own is one.
#[test]
fn whose_fault_it_is() {
    let more = |line: &str| {
        let line = format!("payed     -- {line} --> over\nproperty can");
        to_netbill(&[("property can", line.as_str())], &["--as", "Cus"]).status
    };
    assert_eq!(more("Mer: bonus"), 0);
    assert_eq!(more("Cus: complain"), 1);
    let hidden = to_netbill(
        &[("property can", "payed -- Cus: complain --> over\nproperty can")],
        &["--as", "Cus", "--hide", "Cus: *"],
    );
    // It may have given up after that, and then it does not wait for the goods.
    assert_eq!(hidden.status, 1, "{}", hidden.stdout);
    assert!(hidden.stdout.contains("does only what is allowed"), "{}", hidden.stdout);
}

#[test]
fn terms_that_make_no_sense() {
    let wrong =
        ["--as", "Cuss", "--own", "Sat(Cus, reqest)", "--hide", "Mer: refnd", "--rename", "pay=Mer: refund"];
    insta::assert_snapshot!(to_netbill(&[], &wrong).transcript());
    let twice = ["--rename", "Mer: refund=Mer: refund", "--rename", "Mer: refund=tau"];
    insta::assert_snapshot!("agent_renamed_twice", to_netbill(&[], &twice).transcript());
    insta::assert_snapshot!("agent_undecided", to_netbill(&[], &["--timeout", "0"]).transcript());
    let missing = run(&["conform", "missing.pact", "--to", "examples/missing.ccs", "--format", "json"]);
    assert_eq!((missing.status, missing.json()["diagnostics"].as_array().unwrap().len()), (2, 2));
    for usage in
        [&["conform", "a.pact", "--as", "Cus"][..], &["conform", "a.pact", "--to", "b.pact", "--rename", "x"]]
    {
        assert_eq!(run(usage).status, 2, "{usage:?}");
    }
}

const BUYER: &str = "proc Polite = 'order.deliver.'pay.nil\nproc Rash = 'pay.deliver.nil\n\
    proc Lazy = 'order.(deliver.nil + tau.nil)\nset Hidden = {note}\n\
    proc Busy = ('order.'note.deliver.'pay.nil | note.nil) \\ Hidden\n";
const TRADE: &str = "proc Buying = 'order.(deliver.'pay.nil + regret.nil) + 'leave.nil\n\
    proc Exact = 'order.deliver.'pay.nil\n";

/// Agents in CCS, and their protocols in CCS and in Pact.
#[test]
fn processes() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("buyer.ccs"), BUYER).unwrap();
    fs::write(directory.path().join("trade.ccs"), TRADE).unwrap();
    let pact = "protocol Trade\nroles Buyer, Seller\nstart s\ns -- Buyer: order --> t\nt -- Seller: deliver --> u\n\
        u -- Buyer: pay --> v\n";
    fs::write(directory.path().join("trade.pact"), pact).unwrap();
    let ran = |arguments: &[&str]| run_in(directory.path(), &[&["conform"], arguments].concat());
    let status = |agent: &str, protocol: &str| ran(&[agent, "--to", protocol, "--own", "'*"]).status;
    assert_eq!(status("buyer.ccs:Polite", "trade.ccs:Exact"), 0);
    assert_eq!(status("buyer.ccs:Busy", "trade.ccs:Exact"), 0);
    assert_eq!(status("buyer.ccs:Rash", "trade.ccs:Exact"), 1);
    assert_eq!(status("buyer.ccs:Lazy", "trade.ccs:Exact"), 1);
    // It does not take no for an answer.
    assert_eq!(status("buyer.ccs:Polite", "trade.ccs:Buying"), 1);
    let words = ["'order=Buyer: order", "deliver=Seller: deliver", "'pay=Buyer: pay"]
        .map(|to| ["--rename", to])
        .concat();
    let across = |agent: &str| ran(&[&[agent, "--to", "trade.pact", "--as", "Buyer"], &words[..]].concat());
    assert_eq!(across("buyer.ccs:Polite").status, 0, "{}", across("buyer.ccs:Polite").stderr);
    let outputs = ["buyer.ccs:Rash", "buyer.ccs:Lazy"].map(|agent| {
        let words = &words[..if agent.ends_with("Rash") { 0 } else { 4 }];
        ran(&[&[agent, "--to", "trade.pact", "--as", "Buyer"], words].concat()).transcript()
    });
    insta::assert_snapshot!(outputs.join("\n\n"));
    insta::assert_snapshot!(
        "agent_roleless",
        ran(&["buyer.ccs:Lazy", "--to", "trade.ccs:Exact", "--as", "Buyer"]).transcript()
    );
}
