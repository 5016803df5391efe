//! Every mistake in one pass, with its place and the nearest name.

use crate::support::{ccs, ispl};

const SHOP: &str =
    "proc Ann = pay(price).'ship.Ann\nproc Bob = 'pay(price).ship.Bob\nproc Shop = Ann | Bob\n";

const LAMP: &str = "
Agent Environment
  Obsvars: on : boolean; end Obsvars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution: on = true if Action = press; end Evolution
end Agent
Agent Ann
  Vars: x : boolean; end Vars
  Actions = {look, sleep};
  Protocol: Other : {look, sleep}; end Protocol
  Evolution: x = true if Action = look; end Evolution
end Agent
Evaluation lit if Environment.on = true; end Evaluation
InitStates Environment.on = false and Ann.x = false; end InitStates
Formulae AG true; end Formulae
";

fn mistakes(read: crate::support::Read) -> Vec<String> {
    read.expect_err("mistakes")
}

#[test]
fn mistakes_about_processes() {
    let acts = "
roles Cus, Mer, Cus
semantics actl
commitment debt = SC(Cus, Mre, F paid)
commitment late = SC(Cus, Mer, F does(pya))
commitment good = SC(Cus, Mer, F does(ship))
pay(price) is Cr(Mer, good)
pay(prise) is Cr(Cus, good)
pya is Cr(Cus, good)
pay is Crate(Cus, good)
pay is Cr(Cus, god)
pay by Anm is Cr(Cus, good)
pay & Ann in Nowhere is Cr(Cus, good)
semantics scctl
access Cus -> Mer does(pay)
property p expect maybe = true
property q = AG Cr(Cus, god)
";
    let wanted = [
        "2:17 duplicate-name: the role `Cus` is declared twice",
        "4:27 unknown-name: no role is called `Mre` (did you mean `Mer`?)",
        "4:34 unknown-name: nothing is called `paid` here",
        "5:39 unknown-name: no action is called `pya` (did you mean `pay`?)",
        "7:18 wrong-party: `Cr` is an act of the debtor, here `Cus`: `Mer` cannot perform it (write `Cr(Cus, ..)`)",
        "8:5 unknown-name: no action has the content `prise` (did you mean `price`?)",
        "9:1 unknown-name: no action is called `pya` (did you mean `pay`?)",
        "10:8 unknown-act: `Crate` is not an act (did you mean `Create`?)",
        "11:16 unknown-name: no commitment is called `god` (did you mean `good`?)",
        "12:8 unknown-name: no role is called `Anm` (did you mean `Ann`?)",
        "13:14 unknown-name: no control state is called `Nowhere`",
        "14:11 duplicate-statement: `semantics` can be written once",
        "15:19 unexpected-token: expected `:`, found `does`",
        "16:19 unexpected-token: expected `true` or `false`, found `maybe`",
        "17:25 unknown-name: no commitment is called `god` (did you mean `good`?)",
    ];
    assert_eq!(mistakes(ccs(SHOP, None, acts)), wanted);
}

#[test]
fn mistakes_about_agents() {
    let acts = "
roles Ann, Bob
commitment light = SC(Ann, Environment, F lti)
Ann.loko is Cr(Ann, light)
An.look is Cr(Ann, light)
Ann.look & Environment.press(x) is Cr(Ann, light)
look by Ann is Cr(Environment, light)
";
    let wanted = [
        "2:12 unknown-name: no agent is called `Bob`, and agents of rounds have programs",
        "3:43 unknown-name: nothing is called `lti` here (did you mean `lit`?)",
        "4:5 unknown-name: no action is called `loko` (did you mean `look`?)",
        "5:1 unknown-name: no role is called `An` (did you mean `Ann`?)",
        "6:12 unknown-name: only the names of actions, `Agent.action`, occur in this model",
        "7:9 unexpected-token: `by` is for processes (write `Ann.look`)",
        "7:19 wrong-party: `Cr` is an act of the debtor, here `Ann`: `Environment` cannot perform it (write `Cr(Ann, ..)`)",
    ];
    assert_eq!(mistakes(ispl(LAMP, acts)), wanted);
}

#[test]
fn an_unknown_process_does_not_hide_other_mistakes() {
    let wanted = [
        "1:9 unknown-name: no process is called `Shp` (did you mean `Shop`?)",
        "2:1 unknown-name: no action is called `pya` (did you mean `pay`?)",
    ];
    assert_eq!(mistakes(ccs(SHOP, None, "process Shp\npya is Cr(Ann, SC(Ann, Bob, true))\n")), wanted);
    // The file beside an ISPL model may be about the processes of a CCS file of the same name.
    let (model, _) = ispl(LAMP, "process Shop\npya is Cr(Ann, SC(Ann, Bob, true))\n").expect("no mistakes");
    assert!(model.acts().is_empty());
}

#[test]
fn a_file_without_mistakes_about_agents() {
    let acts = "
commitment light = SC(Ann, Environment, F lit)
Ann.look & !Environment.press is Cr(Ann, light)
Environment.press is Ac(Environment, light)
property seen expect true = AG (Cr(Ann, light) -> X SC(Ann, Environment, F lit))
";
    let (model, properties) = ispl(LAMP, acts).expect("no mistakes");
    assert_eq!(model.commitments.len(), 2);
    assert_eq!(properties.len(), 1);
}
