//! stub
use crate::Translation;
/// t
pub fn text(t: &Translation) -> String {
    let mut o = String::new();
    for s in &t.tableau.states { o.push_str(&format!("({}) {} {} -> {:?}\n", s.number, s.rule.as_ref().map(|r| format!("{} {}", r.name, r.label)).unwrap_or_default(), s.text, t.tableau.numbers(&s.successors))); }
    for a in &t.tableau.acceptance { o.push_str(&format!("acc {} {:?}\n", a.formula, t.tableau.numbers(&a.states))); }
    o.push_str("---\n");
    for s in &t.automaton.states { o.push_str(&format!("({}) {} {} -> {:?}\n", s.number, s.kind.word(), s.text, t.automaton.numbers(&s.successors))); }
    for a in &t.automaton.acceptance { o.push_str(&format!("acc {:?} {} {:?}\n", a.component, a.formula, t.automaton.numbers(&a.states))); }
    o
}
/// t
pub fn dot() {}
/// t
pub fn hoa() {}
/// t
pub fn json() {}
