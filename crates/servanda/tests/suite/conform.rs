//! `servanda conform`

use crate::program::{run, run_on};

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
