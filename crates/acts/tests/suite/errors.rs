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
    read.err().expect("mistakes")
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
    assert_eq!(mistakes(ccs(SHOP, None, acts)), [""; 0]);
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
process Lamp
";
    assert_eq!(mistakes(ispl(LAMP, acts)), [""; 0]);
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
