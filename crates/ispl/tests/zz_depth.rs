use servanda_syntax::SourceFile;
fn text(cond: String, formula: String) -> String {
    format!("Agent A Vars: x : boolean; y : 0..3; end Vars Actions = {{a}}; Protocol: Other : {{a}}; end Protocol Evolution: x = true if {cond}; end Evolution end Agent Evaluation p if A.x = true; end Evaluation InitStates A.x = true; end InitStates Formulae {formula}; end Formulae")
}
#[test]
fn depth() {
    for n in [500usize, 1000, 1500, 2000, 3000, 4000, 6000] {
        let shapes = [
            text(format!("{}x = true{}", "(".repeat(n), ")".repeat(n)), "p".into()),
            text(format!("{}x = true{}", "!(".repeat(n), ")".repeat(n)), "p".into()),
            text(format!("{}y{} > 0", "(y - (".repeat(n/2), "))".repeat(n/2)), "p".into()),
            text(format!("{}x = true{}", "(x = true and (x = true or ".repeat(n/2), "))".repeat(n/2)), "p".into()),
        ];
        for (i, s) in shapes.into_iter().enumerate() {
            let l = servanda_ispl::load(&SourceFile::new("t", s));
            eprintln!("cond {n} shape {i}: {:?}", l.diagnostics.first().map(|d| &d.message));
        }
    }
    for n in [500usize, 1000, 1500, 2000, 3000, 4000] {
        let shapes = [
            text("x = true".into(), format!("{}p{}", "(".repeat(n), ")".repeat(n))),
            text("x = true".into(), format!("{}p{}", "K(A, ".repeat(n), ")".repeat(n))),
            text("x = true".into(), format!("{}p", "AG ".repeat(n))),
            text("x = true".into(), format!("{}p", "p -> ".repeat(n))),
            text("x = true".into(), format!("LTL {}p{}", "!(p U ".repeat(n), ")".repeat(n))),
        ];
        for (i, s) in shapes.into_iter().enumerate() {
            let l = servanda_ispl::load(&SourceFile::new("t", s));
            eprintln!("formula {n} shape {i}: {:?}", l.diagnostics.first().map(|d| &d.message));
        }
    }
}
