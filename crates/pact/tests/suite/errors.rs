//! Every mistake is reported once, where it was made, with the nearest valid name where there is one.

use servanda_pact::load;
use servanda_syntax::{Severity, SourceFile};

/// What most of the tests below begin with; it has no mistake.
const HEAD: &str = "\
roles Cus, Mer
var paid : bool = false
var n : 0..3 = 0
var x[1..2] : bool = false
var m : {calm, cross} = calm
commitment c = SC(Cus, Mer, F paid)
start s
s -- Cr(Cus, c) --> t
";

/// `line:column code message | help`, with `warning` before the code where it is one.
fn findings(text: &str, first_line: usize) -> Vec<String> {
    let source = SourceFile::new("test.pact", text);
    let loaded = load(&source, &[]);
    let errors = loaded.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(loaded.protocol.is_none(), errors, "{text}");
    let show = |found: &servanda_syntax::Diagnostic| {
        let place = source.place(found.span.start);
        let severity = if found.is_error() { "" } else { "warning " };
        let help = found.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        let line = place.line - first_line;
        format!("{line}:{} {severity}{} {}{help}", place.column, found.code, found.message)
    };
    loaded.diagnostics.iter().map(show).collect()
}

fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(findings(text, 0), *expected, "{text}");
    }
}

/// Lines are counted from the end of the head.
fn check_after_head(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(findings(&format!("{HEAD}{text}\n"), HEAD.lines().count()), *expected, "{text}");
    }
}

#[test]
fn the_head_is_in_order() {
    assert!(findings(HEAD, 0).is_empty());
}

#[test]
fn declarations() {
    check_after_head(&[
        ("vra x : bool", &["1:1 unknown-statement `vra` does not begin a statement | did you mean `var`?"]),
        (
            "var y : int = 3",
            &[
                "1:9 unknown-name no type is called `int` | a type is `bool`, `low..high`, `{a, b}` or the name of one: `type NAME = ..`",
            ],
        ),
        ("var y : 3..1", &["1:9 empty-range no value lies in `3..1`"]),
        ("var y bool", &["1:7 unexpected-token expected `:`, found `bool`"]),
        ("var paid : bool", &["1:5 duplicate-name the variable `paid` is declared twice"]),
        ("roles Cus", &["1:7 duplicate-name the role `Cus` is declared twice"]),
        ("prop p = paid\nprop p = !paid", &["2:6 duplicate-name the proposition `p` is declared twice"]),
        (
            "prop n = paid",
            &[
                "1:6 duplicate-name `n` is already a variable | variables, propositions, parameters, commitments and enumeration values need different names",
            ],
        ),
        (
            "param c = 3",
            &[
                "1:7 duplicate-name `c` is already a commitment | variables, propositions, parameters, commitments and enumeration values need different names",
            ],
        ),
        (
            "var z : {paid, other}",
            &[
                "1:10 duplicate-name `paid` is already a variable | variables, propositions, parameters, commitments and enumeration values need different names",
            ],
        ),
        ("var z : {a, a}", &["1:13 duplicate-name the value `a` is listed twice"]),
        (
            "var U : bool",
            &["1:5 reserved-name `U` is an operator of the logic and cannot be the name of a variable"],
        ),
        (
            "prop so = paid",
            &["1:6 reserved-name `so` is an operator of the logic and cannot be the name of a proposition"],
        ),
        (
            "s -- Cus: X --> t",
            &["1:11 reserved-name `X` is an operator of the logic and cannot be the name of a message"],
        ),
        (
            "var z : {so, B}",
            &[
                "1:10 reserved-name `so` is an operator of the logic and cannot be the name of a value of an enumeration",
            ],
        ),
        (
            "private var y of Mre : bool",
            &["1:18 unknown-name no role or group is called `Mre` | did you mean `Mer`?"],
        ),
        ("private var y : bool", &["1:15 unexpected-token expected `of` and who sees it, found `:`"]),
        (
            "semantics acctl",
            &[
                "1:11 unknown-name `acctl` is not one of the readings `actl`, `scctl`, `ctlca` | did you mean `actl`?",
            ],
        ),
        ("semantics actl\nsemantics scctl", &["2:1 duplicate-statement `semantics` can be written once"]),
        ("protocol A\nprotocol B", &["2:1 duplicate-statement `protocol` can be written once"]),
        ("var y : bool false", &["1:14 unexpected-token expected the end of the statement, found `false`"]),
        ("}", &["1:1 unexpected-token no block is open here"]),
        ("param B = 1\nparam B = 2", &["2:7 duplicate-name the parameter `B` is declared twice"]),
        ("param B = C\nparam C = 1", &["1:11 unknown-name the parameter `C` is used before it is declared"]),
        (
            "param B = 9223372036854775807 + 1",
            &["1:11 overflow the value of this expression is too large to compute"],
        ),
        (
            "param B = 99999999999999999999",
            &["1:11 number-too-large this number is too large | the largest number is 9223372036854775807"],
        ),
        ("param B = 1 / 0", &["1:15 division-by-zero division by zero"]),
        (
            "var y : 0..1000000000000000000",
            &[
                "1:5 too-many-values there are more than 4000000 initial values | give initial values with `= value`",
            ],
        ),
        ("var y[1..1000000000] : bool", &["1:5 too-many-elements this array has more than 100000 elements"]),
        (
            "for i in 1..2 { param Z = 3 }",
            &["1:17 misplaced-statement `param` cannot stand inside a block | move it out of the braces"],
        ),
    ]);
}

#[test]
fn initial_values() {
    check_after_head(&[
        ("var y : 0..3 = 7", &["1:16 out-of-range the initial value 7 is not in `0..3`"]),
        ("var y : 0..3 = true", &["1:16 type expected a value of `0..3`, found the truth value `true`"]),
        ("var y : bool = 1", &["1:16 type expected a value of `bool`, found the integer `1`"]),
        ("var y : {a, b} = c1", &["1:18 type `c1` is not one of `{a, b}`"]),
        (
            "var y : {alpha, b} = alhpa",
            &["1:22 type `alhpa` is not one of `{alpha, b}` | did you mean `alpha`?"],
        ),
        (
            "var y : 0..3 = {1, 5..6}",
            &[
                "1:20 out-of-range the initial value 5 is not in `0..3`",
                "1:23 out-of-range the initial value 6 is not in `0..3`",
            ],
        ),
        ("var y : 0..3 = 2..1", &["1:16 empty-range no value lies in `2..1`"]),
        ("var y : 0..3 = n", &["1:16 not-constant `n` is a variable; a constant is wanted here"]),
    ]);
}

#[test]
fn correct_behaviour_and_groups() {
    check_after_head(&[
        ("red Cos : paid", &["1:5 unknown-name no role is called `Cos` | did you mean `Cus`?"]),
        (
            "private var h of Mer : bool = true\nred Cus : paid & h",
            &[
                "2:18 not-observed `Cus` does not observe `h` | the correct behaviour of `Cus` can depend on public variables, its own and control states",
            ],
        ),
        ("red Cus : n + 1", &["1:11 type expected a truth value, found an integer"]),
        (
            "red Cus : F paid",
            &[
                "1:11 not-a-condition `F paid` refers to more than the present state | only variables, control states, `active(..)`, comparisons, arithmetic and `! & | -> <->` are allowed here",
            ],
        ),
        (
            "group g = { Cus, Mor }",
            &["1:18 unknown-name no role or group is called `Mor` | did you mean `Mer`?"],
        ),
        (
            "group g = { h }\ngroup h = { g }",
            &[
                "1:7 circular-definition the group `g` contains itself",
                "2:7 circular-definition the group `h` contains itself",
            ],
        ),
        ("property p = GK(gg, paid)", &["1:17 unknown-name no role or group is called `gg`"]),
        ("access Cos -> Mer : paid", &["1:8 unknown-name no role is called `Cos` | did you mean `Cus`?"]),
        (
            "access Cus -> Mer : F paid",
            &["1:21 not-a-condition an access guard refers to one transition: to a state and its label"],
        ),
        (
            "fair weak paid",
            &[
                "1:11 unexpected-token expected `does(..)`, found `paid` | fairness of steps is written `fair weak does(pay)` or `fair strong does(pay)`",
            ],
        ),
        (
            "fair strong does(_) | paid",
            &[
                "1:13 not-a-condition weak and strong fairness are about one kind of steps, `does(..)` | write one `fair` for each; `fair` without `weak` or `strong` says which states come again and again",
            ],
        ),
        ("fair weak", &["1:6 unknown-name nothing is called `weak` here"]),
        (
            "fair F paid",
            &[
                "1:6 path-formula a fairness constraint must be a state formula, but this refers to a path | say which states come again and again: set a variable where this happens and name that, or assume it in the property: `A (G F (F paid) -> ..)`",
            ],
        ),
    ]);
}

#[test]
fn definitions() {
    check_after_head(&[
        (
            "prop q = p & paid\nprop p = n\ns -- Cus: m when q --> t",
            &["2:10 type expected a truth value, found an integer"],
        ),
        (
            "prop p = F paid",
            &[
                "1:10 path-formula a proposition must be a state formula, but this refers to a path | say of which paths: `A (F paid)` for all, `E (F paid)` for some",
            ],
        ),
        (
            "prop p = q & paid\nprop q = !p",
            &["2:11 circular-definition the definition of `p` comes back to itself"],
        ),
        (
            "prop p = EF paid\ns -- Cus: go when p --> t",
            &[
                "2:19 not-a-condition `EF paid` refers to more than the present state | only variables, control states, `active(..)`, comparisons, arithmetic and `! & | -> <->` are allowed here",
            ],
        ),
        (
            "commitment d = F paid",
            &[
                "1:16 not-a-commitment a commitment is `SC(debtor, creditor, content)` or `PC(debtor, creditor, moment, content)`",
            ],
        ),
        (
            "commitment d = SC(Cus, Mel, F paid)",
            &["1:24 unknown-name no role is called `Mel` | did you mean `Mer`?"],
        ),
        (
            "commitment d = SC(Cus, _, F paid)",
            &[
                "1:24 misplaced-wildcard expected the creditor, found `_` | `_` stands for any argument of an act, as in `Vio(Cus, _)`",
            ],
        ),
        ("commitment d = SC(Cus, Mer, F n)", &["1:31 type expected a truth value, found an integer"]),
        (
            "commitment d = SC(Cus, F paid)",
            &[
                "1:16 wrong-arguments `SC` takes 3 arguments, found 2 | `SC` takes a debtor, a creditor and a content",
            ],
        ),
    ]);
}

#[test]
fn transitions() {
    check_after_head(&[
        (
            "s -- Wit(Mer, c) --> t",
            &[
                "1:10 wrong-party `Wit` is an act of the debtor, here `Cus`: `Mer` cannot perform it | write `Wit(Cus, ..)`",
            ],
        ),
        (
            "s -- Cr(Cus, _) --> t",
            &[
                "1:6 misplaced-wildcard `_` cannot stand for the commitment here | name it: only act formulas and `does(..)` in properties take `_`",
            ],
        ),
        (
            "s -- Act(Cus, c) --> t",
            &[
                "1:6 misplaced-wildcard `_` cannot stand for the kind of act here | name it: only act formulas and `does(..)` in properties take `_`",
            ],
        ),
        ("s -- Creat(Cus, c) --> t", &["1:6 unknown-act `Creat` is not an act | did you mean `Create`?"]),
        ("s -- Cr(Cus, paid) --> t", &["1:14 not-a-commitment `paid` is a variable, not a commitment"]),
        ("s -- Cr(Cus, cc) --> t", &["1:14 unknown-name no commitment is called `cc` | did you mean `c`?"]),
        ("s -- Jus(Cus, c, F n) --> t", &["1:20 type expected a truth value, found an integer"]),
        (
            "s -- Cr(Cus, SC(Cus, Mer, n + paid)) --> t",
            &["1:31 type expected an integer, found a truth value"],
        ),
        ("s -- Cux: pay --> t", &["1:6 unknown-name no role is called `Cux` | did you mean `Cus`?"]),
        (
            "s -- Cus: pay when piad --> t",
            &["1:20 unknown-name nothing is called `piad` here | did you mean `paid`?"],
        ),
        ("s -- Cus: pay when n --> t", &["1:20 type expected a truth value, found an integer"]),
        (
            "s -- Cus: pay when m = clam --> t",
            &["1:24 unknown-name nothing is called `clam` here | did you mean `calm`?"],
        ),
        (
            "s -- Cus: pay when SC(Cus, Mer, paid) --> t",
            &[
                "1:20 not-a-condition `SC(Cus, Mer, paid)` refers to more than the present state | only variables, control states, `active(..)`, comparisons, arithmetic and `! & | -> <->` are allowed here",
            ],
        ),
        ("s -- Cus: pay set pade = true --> t", &["1:19 unknown-name no variable is called `pade`"]),
        ("s -- Cus: pay set paid = 1 --> t", &["1:26 type expected a truth value, found an integer"]),
        (
            "s -- Cus: pay set n = 2 + 2 --> t",
            &["1:23 out-of-range 4 is assigned to `n`, which is in `0..3`"],
        ),
        ("s -- Cus: pay set n = 1, n = 2 --> t", &["1:26 assigned-twice `n` is assigned twice"]),
        (
            "s -- Cus: pay set x[n] = true, x[n] = false --> t",
            &["1:32 assigned-twice `x[..]` is assigned twice"],
        ),
        (
            "s -- Cus: pay set all i in 1..2 : n = i --> t",
            &[
                "1:35 assigned-twice `n` is assigned twice | `all` repeats this assignment: use its index in what is assigned",
            ],
        ),
        (
            "s -- Cus: pay set all i in 1..3 : x[i] = true --> t",
            &["1:35 index-out-of-range there is no variable `x[3]` | the elements are `x[1..2]`"],
        ),
        ("s -- Cus: pay set n in 2..7 --> t", &["1:27 out-of-range the value 7 is not in `0..3`"]),
        ("s -- Cus: pay set n in 2..1 --> t", &["1:24 empty-range no value lies in `2..1`"]),
        (
            "s -- Cus: pay set n in {1, paid} --> t",
            &["1:28 not-constant `paid` is a variable; a constant is wanted here"],
        ),
        ("s -- Cus: pay set n 1 --> t", &["1:21 unexpected-token expected `=` or `in`, found `1`"]),
        (
            "param Q = 1\ns -- Cus: pay set Q = 2 --> t",
            &["2:19 not-a-variable `Q` is a parameter and cannot be assigned"],
        ),
        ("s -- Cus: pay set m = hot --> t", &["1:23 unknown-name nothing is called `hot` here"]),
        (
            "prop p = paid\ns -- Cus: pay set p = true --> t",
            &["2:19 not-a-variable `p` is a proposition and cannot be assigned"],
        ),
        (
            "s -- Cus: pay set n = 1 -> t\ns -- Cus: pay --> t",
            &["1:25 unexpected-token expected `-->` before the control state, found `->` | write `--> t`"],
        ),
        (
            "s -- Cus: pay",
            &["2:1 unexpected-token expected `when`, `set` or `-->`, found the end of the text"],
        ),
        ("s - Cus: pay --> t", &["1:3 unexpected-token expected `--`, found `-`"]),
        ("start t", &["1:1 duplicate-statement a machine has one `start`"]),
    ]);
}

#[test]
fn indices_and_repetition() {
    check_after_head(&[
        (
            "property p = x",
            &["1:14 wrong-indices the variable `x` has 1 index, found 0 | the elements are `x[1..2]`"],
        ),
        ("property p = paid[1]", &["1:14 wrong-indices the variable `paid` has no index, found 1"]),
        (
            "property p = x[3]",
            &["1:14 index-out-of-range there is no variable `x[3]` | the elements are `x[1..2]`"],
        ),
        ("property p = x[n]", &[]),
        (
            "property p = x[n][1]",
            &["1:14 wrong-indices the variable `x` has 1 index, found 2 | the elements are `x[1..2]`"],
        ),
        ("property p = x[paid]", &["1:16 type expected an integer, found a truth value"]),
        ("property p = n[n] = 1", &["1:14 wrong-indices the variable `n` has no index, found 1"]),
        ("property p = all i in 1..3 : if i < 3 then x[i] else paid", &[]),
        ("property p = all i in 1..3 : (i < 3 -> x[i])", &[]),
        (
            "property p = all i in 1..3 : if i < 3 then x[i] else x[i]",
            &["1:54 index-out-of-range there is no variable `x[3]` | the elements are `x[1..2]`"],
        ),
        (
            "property p = if paid then n else 3",
            &[
                "1:27 type expected a truth value, found an integer",
                "1:34 type expected a truth value, found an integer",
            ],
        ),
        (
            "property p = n = if paid then 1 else false",
            &["1:38 type expected an integer, found a truth value"],
        ),
        (
            "property p = n = if paid then 1",
            &[
                "1:18 unexpected-token this `if` has no `else` | write `if paid then 1 else ..`; for \"if this then that\" as a condition write `->`",
            ],
        ),
        ("property p = x[true]", &["1:16 type expected an integer, found the truth value `true`"]),
        ("param Q = 2\nproperty p = n = Q[1]", &["2:18 wrong-indices `Q` has no index"]),
        ("property p = any i in 1..Q : x[i]", &["1:26 unknown-name nothing is called `Q` here"]),
        (
            "property p = all i in 1..3 : x[i]",
            &["1:30 index-out-of-range there is no variable `x[3]` | the elements are `x[1..2]`"],
        ),
        (
            "property p = all i in 1..1000000000 : paid",
            &["1:14 too-many-repetitions this repeats more than 100000 times"],
        ),
        (
            "for i in 1..1000000000 { prop q[i] = paid }",
            &["1:5 too-many-repetitions this repeats more than 100000 times"],
        ),
        (
            "for i in 1..2 { prop q = paid }",
            &[
                "1:22 duplicate-name the proposition `q` is declared twice | inside `for` write an index, as in `q[i]`",
            ],
        ),
        (
            "for i in 1..Z { prop q[i] = paid }\nproperty r = q[1]",
            &["1:13 unknown-name nothing is called `Z` here"],
        ),
        ("for i in 1..2\nprop q = paid", &["2:1 unexpected-token expected `{`, found `prop`"]),
        ("for in 1..2 { prop q = paid }", &["1:8 unexpected-token expected `in`, found `1`"]),
        ("property p = n / (1 - 1) = 1", &["1:18 division-by-zero division by zero"]),
    ]);
}

#[test]
fn properties() {
    check_after_head(&[
        (
            "commitment d = SC(Cus, Mer, P paid)\ns -- Cr(Cus, d) --> t\nproperty f = EP E Cr(Cus, d)\nproperty g = EP E Cr(Cus, _)",
            &[
                "3:14 past-reaches-out this linear past operator looks back, beyond the start of this path | inside AY, EY, AH, EP and strategies a state has many pasts; linear past may not look beyond it",
                "4:14 past-reaches-out a commitment that may be in force here looks back, which has no meaning inside branching past or a strategy",
            ],
        ),
        ("property p = paid\nproperty p = paid", &["2:10 duplicate-name the property `p` is declared twice"]),
        (
            "property p = F paid",
            &[
                "1:14 path-formula a property must be a state formula, but this refers to a path | say of which paths: `A (F paid)` for all, `E (F paid)` for some",
            ],
        ),
        ("property p expect yes = paid", &["1:19 unexpected-token expected `true` or `false`, found `yes`"]),
        ("property p = in tt", &["1:17 unknown-name no control state is called `tt` | did you mean `t`?"]),
        ("property p = E does(pya)", &["1:21 unknown-name no message is called `pya`"]),
        ("property p = M in t", &["1:14 unknown-name no machine is called `M`"]),
        (
            "property p = ?paid",
            &[
                "1:14 misplaced-challenge `?` cannot be used here | `?φ` is written in `decompose` blocks only",
            ],
        ),
        (
            "property p = AG (paid & n = 1\nproperty q = nonsense",
            &[
                "2:1 unexpected-token expected `)`, found `property`",
                "2:14 unknown-name nothing is called `nonsense` here",
            ],
        ),
        (
            "property p = n < 1 < 2",
            &["1:20 chained-comparison comparisons cannot be chained | compare twice: `a < b & b < c`"],
        ),
        ("property p = paid # paid", &["1:19 unknown-character `#` has no meaning here"]),
        ("property p = calm = cross", &["1:14 type two literals are compared: one side must be a variable"]),
        ("property p = n", &["1:14 type expected a truth value, found an integer"]),
    ]);
}

#[test]
fn decompositions() {
    check_after_head(&[
        (
            "decompose Cr(Cus, c) { 0 : c ; 1 : F paid ; 0 --[foo]--> 1 }",
            &["1:50 unknown-rule `foo` is not a rule | the rules are `and or not ? <=> X SC_Role`"],
        ),
        (
            "decompose Cr(Cus, c) { 0 : c ; 1 : F paid ; 0 --[SC_Cus]--> 2 }",
            &["1:61 unknown-name this decomposition has no state `2` | did you mean `0`?"],
        ),
        (
            "decompose Cr(Cus, c) { 0 : c ; 1 : F paid ; 0 --[SC_Cuz]--> 1 }",
            &["1:53 unknown-name no role is called `Cuz` | did you mean `Cus`?"],
        ),
        (
            "decompose Cr(Mer, c) { 0 : c }",
            &[
                "1:14 wrong-party `Cr` is an act of the debtor, here `Cus`: `Mer` cannot perform it | write `Cr(Cus, ..)`",
            ],
        ),
        (
            "decompose Cr(Cus, c) { 0 : c ; 0 : F paid }",
            &["1:32 duplicate-name the state `0` is declared twice"],
        ),
        (
            "decompose Cr(Cus, c) { 0 c ; 1 : F paid }",
            &["1:26 unexpected-token expected `:` or `--[`, found `c`"],
        ),
        (
            "decompose Cr(Cus, c) { }",
            &[
                "1:11 no-states a decomposition has at least one state | write its states first, as in `0 : SC(A, B, p) ;`",
            ],
        ),
    ]);
}

#[test]
fn machines() {
    check(&[
        (
            "roles A\nmachine M {\n  a -- A: m --> b\n}\n",
            &["2:9 no-start the machine `M` has no `start` | say where it begins: `start a`"],
        ),
        (
            "roles A\nmachine M { start a }\nmachine M { start a }\n",
            &["3:9 duplicate-name the machine `M` is declared twice"],
        ),
        (
            "roles A\nmachine M {\n  var x : bool\n  start a\n}\nproperty p = x\n",
            &["3:3 misplaced-statement `var` cannot stand inside a machine | move it out of the braces"],
        ),
        (
            "roles A\nmachine M {\n  start a\n  a -- A: m --> b\nmachine N {\n start c\n}\nproperty p = M in a & N in c\n",
            &["5:1 unexpected-token expected `}`, found `machine`"],
        ),
        (
            "roles A\nmachine M { start a }\nmachine N { start a }\nproperty p = in a\n",
            &["4:14 which-machine `in` needs a machine here: there are several | write `M in a`"],
        ),
        (
            "roles A\nfor i in 1..2 { machine M[i] { start a } }\nproperty p = M[3] in a | M in a | M[1] in b\n",
            &[
                "3:14 index-out-of-range there is no machine `M[3]` | the elements are `M[1..2]`",
                "3:26 wrong-indices the machine `M` has 1 index, found 0 | the elements are `M[1..2]`",
                "3:43 unknown-name no control state is called `b` | did you mean `a`?",
            ],
        ),
        (
            "roles A\nvar x : 0..2 = 0\nmachine M { start a\n a -- A: m! set x = 1 --> a }\nmachine N { start a\n a -- A: m? set x = 2 --> a }\n",
            &["4:17 conflicting-assignments sender and receiver assign different values to `x`"],
        ),
        (
            "roles A\na -- A: m --> b\n",
            &["2:1 no-start the protocol has no `start` | say where it begins: `start a`"],
        ),
        (
            "roles Cus, Mer\nvar paid : bool = false\nvar n : 0..3 = 0\nvar x[1..2] : bool = false\nvar m : {calm, cross} = calm\ncommitment c = SC(Cus, Mer, F paid)\nstart s\ns -- Cr(Cus, c) --> t\nmachine M { start a }\n",
            &[
                "7:1 outside-machines a file with machines has no control states outside them | put this into a machine: `machine NAME { .. }`",
            ],
        ),
    ]);
}

#[test]
fn warnings() {
    check(&[
        (
            "roles A\nmachine M { start a\n a -- A: m! --> a\n a -- A: k? --> b }\nmachine N { start a\n a -- A: n? --> a }\n",
            &[
                "3:10 warning no-partner `m!` never happens: no other machine has `m?`",
                "4:10 warning no-partner `k?` never happens: no other machine has `k!`",
                "6:10 warning no-partner `n?` never happens: no other machine has `n!`",
            ],
        ),
        (
            "roles A, B\nvar p : bool\ncommitment c = SC(A, B, F p)\nstart s\nt -- A: m --> u\n",
            &[
                "3:12 warning never-created no act puts the commitment `c` in force",
                "5:1 warning unreachable-state no transitions lead to the control state `t`",
                "5:15 warning unreachable-state no transitions lead to the control state `u`",
            ],
        ),
    ]);
}

#[test]
fn all_mistakes_of_a_file_at_once() {
    let text = "\
protocol Five
roles Cus, Mer
var paid : bool = fals
commitment offer = SC(Mer, Cuss, F paid)
start idle
idle -- Mer: pay when payd --> done
done -- Mer: pay set paid = 2 -> idle
done -- Cr(Mer, offer) --> idle
property p = AG in dne
property q = AG paid & offer
property r = AG (paid & ) | nonsense
property s = nonsense
";
    check(&[(
        text,
        &[
            "3:19 unknown-name nothing is called `fals` here | did you mean `false`?",
            "4:28 unknown-name no role is called `Cuss` | did you mean `Cus`?",
            "6:23 unknown-name nothing is called `payd` here | did you mean `paid`?",
            "7:31 unexpected-token expected `-->` before the control state, found `->` | write `--> idle`",
            "9:20 unknown-name no control state is called `dne` | did you mean `done`?",
            "11:25 unexpected-token expected a formula, found `)`",
            "12:14 unknown-name nothing is called `nonsense` here",
        ],
    )]);
}

#[test]
fn slips_of_beginners() {
    let arrow = "unexpected-token expected `-->` before the control state, found";
    let becomes = "unexpected-token expected `=`, found `:=` | write `=`";
    check_after_head(&[
        ("s -- Cus: pay -> t", &[&format!("1:15 {arrow} `->` | write `--> t`")]),
        ("s -- Cus -> Mer: pay -> t", &[&format!("1:22 {arrow} `->` | write `--> t`")]),
        ("s -- Cus: pay -- t", &[&format!("1:15 {arrow} `--` | write `--> t`")]),
        ("s -- pay -> t\ns -- Cus: pay --> t", &[&format!("1:10 {arrow} `->` | write `--> t`")]),
        ("s -- Cus: pay set n := 1 --> t", &[&format!("1:21 {becomes}")]),
        ("var y : bool := false", &[&format!("1:14 {becomes}")]),
        ("param N := 3", &[&format!("1:9 {becomes}")]),
        ("property p := paid", &[&format!("1:12 {becomes}")]),
        (
            "property p = [] paid",
            &["1:14 unknown-operator `[]` is not an operator here | write `G` (or `AG`) for always"],
        ),
        (
            "property p = A (n = 1 -> <> paid)",
            &[
                "1:26 unknown-operator `<>` is not an operator here | write `F` (or `AF`, `EF`) for eventually",
            ],
        ),
        (
            "property p = E<> paid",
            &[
                "1:14 unknown-name nothing is called `E` here | `E` is an operator: a formula stands behind it",
            ],
        ),
        (
            "property p = ag paid",
            &[
                "1:17 unexpected-token expected the end of the statement, found `paid` | write `AG`, in capitals",
            ],
        ),
        (
            "property p = AG K Cus paid",
            &[
                "1:19 unexpected-token expected the end of the statement, found `Cus` | write `K(Cus, p)`, with parentheses and commas",
            ],
        ),
        (
            "s -- Sat Cus c --> t",
            &[
                "1:10 unexpected-token expected `when`, `set` or `-->`, found `Cus` | write `Sat(Cus, COMMITMENT)`, with parentheses and commas",
            ],
        ),
        (
            "import \"pay.pact\"",
            &["1:1 unknown-statement `import` does not begin a statement | write `use \"pay.pact\" as NAME`"],
        ),
        (
            "include pay",
            &["1:1 unknown-statement `include` does not begin a statement | write `use \"pay.pact\" as pay`"],
        ),
        (
            "use \"pay.pact\"",
            &[
                "2:1 unexpected-token expected `as`, found the end of the text | the part needs a name: `use \"pay.pact\" as NAME`",
            ],
        ),
        (
            "int n = 3",
            &[
                "1:1 unknown-statement `int` does not begin a statement | write `var NAME : TYPE = VALUE` for a variable",
            ],
        ),
    ]);
}

#[test]
fn messages_and_channels() {
    let head = "roles Cus, Mer, Eve\nmessage m(0..3)\nchannel box from Cus to Mer carries card\nstart s\n";
    let cases: &[(&str, &[&str])] = &[
        (
            "s -- Cus -> Mer: quote(3) --> s",
            &[
                "1:6 undeclared-payload the message `quote` is not declared, so it carries nothing | declare what it carries: `message quote(TYPE)`",
            ],
        ),
        (
            "s -- Cus: m(_) --> s",
            &[
                "1:13 misplaced-wildcard `_` can be received, but not sent | say what is sent: a value or an expression",
            ],
        ),
        ("s -- Cus: m(7) --> s", &["1:13 out-of-range 7 is not in `0..3`, which the message carries"]),
        ("s -- Cus: m --> s", &["1:6 wrong-arguments `m` carries 1 value, found 0"]),
        (
            "s -- Cus: card --> s",
            &[
                "1:6 channel-message `card` is carried by the channel `box`, so it is sent in one step and received in another | send it with `card!`, receive it with `card?`",
            ],
        ),
        (
            "s -- Mer: card! --> s",
            &[
                "1:6 wrong-end `Mer` cannot send `card`: the channel `box` goes from `Cus` | leave out `from Cus` if others may send as well",
            ],
        ),
        (
            "s -- Cus: card? --> s",
            &[
                "1:6 wrong-end `Cus` cannot receive `card`: the channel `box` goes to `Mer` | leave out `to Mer` if others may receive as well",
            ],
        ),
        (
            "s -- Mer: m?(Cus) --> s",
            &[
                "1:14 shadowing-binder `Cus` is a role, so it cannot stand for what is received | choose a name that is declared nowhere",
            ],
        ),
        (
            "s -- Cus -> Mer, Eve: m?(_) --> s",
            &[
                "1:6 several-addressees one role receives a message, and here several are named | write a transition for each of them",
            ],
        ),
        ("channel way carries a, a", &["1:9 duplicate-name `a` is carried by the channel `way` already"]),
        (
            "wait s while true",
            &["1:14 no-clock without a clock no time passes | declare one: `clock age : 0..5`"],
        ),
        ("final t", &["1:7 unknown-name no control state is called `t` | did you mean `s`?"]),
    ];
    for (text, expected) in cases {
        assert_eq!(findings(&format!("{head}{text}\n"), 4), *expected, "{text}");
    }
}

#[test]
fn what_is_odd_about_messages_and_machines() {
    let head = "roles Cus, Mer\nmessage m(0..3)\n";
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(findings(&format!("{head}{text}"), 2), *expected, "{text}");
    };
    check(
        "channel box carries m\nstart s\ns -- Cus: m!(1) --> s\n",
        &[
            "1:9 warning nobody-receives nobody receives `m`, which the channel `box` carries | write a transition with `m?`",
        ],
    );
    check(
        "channel box carries m\nstart s\ns -- Cus: m?(_) --> s\n",
        &[
            "1:9 warning nobody-sends nobody sends `m`, which the channel `box` carries | write a transition with `m!`",
        ],
    );
    check(
        "channel box carries m\nstart s\ns -- Cus: m!(2) --> s\ns -- Mer: m?(x) --> s\n",
        &[
            "4:14 warning unused-binder `x` is received and not used | write `_` for a value that does not matter",
        ],
    );
}

#[test]
fn a_machine_of_one_role_that_everybody_sees_is_noted_where_knowledge_is_asked_for() {
    let machine = |of: &str, step: &str, property: &str| {
        format!(
            "roles Cus, Mer\nmachine Desk{of} {{\n start s\n s -- {step} --> t\n}}\nmachine Hall {{\n start s\n s -- Mer: ask? --> t\n t -- Cus: go --> t\n}}\nproperty p = {property}\n"
        )
    };
    let note = "2:9 warning public-machine everybody sees where the machine `Desk` is, and its steps are all `Mer`'s \
                | if only `Mer` is to see it: `machine Desk of Mer { .. }`";
    let noted = |text: &str| findings(text, 0).into_iter().filter(|found| found.contains("public-machine"));
    let of_others = machine("", "Mer: think", "AG !K(Cus, Desk in t)");
    assert_eq!(noted(&of_others).collect::<Vec<_>>(), [note]);
    for property in ["GK(Desk in t)", "DK({Cus, Mer}, Desk in t)", "K(Mer, !B(Cus, Mer, Desk in t))"] {
        assert_eq!(noted(&machine("", "Mer: think", property)).collect::<Vec<_>>(), [note], "{property}");
    }
    let silent = [
        machine(" of Mer", "Mer: think", "AG !K(Cus, Desk in t)"),
        machine("", "Mer: think", "AF Desk in t"),
        machine("", "Mer: think", "AG K(Mer, Desk in t)"),
        machine("", "Mer: think", "AG !KH(Mer, Cus, Desk in t)"),
        machine("", "Mer: ask!", "AG !K(Cus, Desk in t)"),
        machine("", "think", "AG !K(Cus, Desk in t)"),
    ];
    for text in silent {
        assert_eq!(noted(&text).count(), 0, "{text}");
    }
}

#[test]
fn all_slips_of_a_beginner_at_once() {
    let text = "\
import \"pay.pact\"
roles Ann, Bob
var paid : bool := false
message order(1..3)
channel box from Ann to Bob carries order
machine Left {
  start s
  s -- Ann: order!(_) --> s
  s -- Ann: hum -> s
  s -- Ann -> Bob: quote(2) --> s
}
machine Right {
  start s
  s -- Ann: order?(n) --> s
  s -- Bob: order?(Left) --> s
  s -- Bob: order?(2) set paid := true --> s
}
property p = [] paid
property q = ag paid
property r = AG K Ann paid
property t = EF (Right in s & Left in u)
";
    check(&[(
        text,
        &[
            "1:1 unknown-statement `import` does not begin a statement | write `use \"pay.pact\" as NAME`",
            "3:17 unexpected-token expected `=`, found `:=` | write `=`",
            "8:20 misplaced-wildcard `_` can be received, but not sent | say what is sent: a value or an expression",
            "9:17 unexpected-token expected `-->` before the control state, found `->` | write `--> s`",
            "10:8 undeclared-payload the message `quote` is not declared, so it carries nothing | declare what it carries: `message quote(TYPE)`",
            "14:8 wrong-end `Ann` cannot receive `order`: the channel `box` goes to `Bob` | leave out `to Bob` if others may receive as well",
            "15:20 shadowing-binder `Left` is a machine, so it cannot stand for what is received | choose a name that is declared nowhere",
            "16:32 unexpected-token expected `=`, found `:=` | write `=`",
            "18:14 unknown-operator `[]` is not an operator here | write `G` (or `AG`) for always",
            "19:17 unexpected-token expected the end of the statement, found `paid` | write `AG`, in capitals",
            "20:19 unexpected-token expected the end of the statement, found `Ann` | write `K(Ann, p)`, with parentheses and commas",
            "21:39 unknown-name no control state is called `u` | did you mean `s`?",
        ],
    )]);
}

#[test]
fn what_a_broken_statement_declares_is_not_unknown() {
    let text = "\
roles A, B
var p : boool = true
commitment c = SC(A, B, F p
start s
s -- A: m when p --> t
s -- Cr(A, c) --> t
property q = AG p & r
";
    check(&[(
        text,
        &[
            "2:9 unknown-name no type is called `boool` | did you mean `bool`?",
            "4:1 unexpected-token expected `)`, found `start`",
            "7:21 unknown-name nothing is called `r` here | did you mean `p`?",
        ],
    )]);
}

#[test]
fn parameters_given_from_outside_must_exist() {
    let source = SourceFile::new("test.pact", "param Size = 2\nroles A[1..Size]");
    let given = |name: &str, value| vec![(name.to_owned(), value)];
    let loaded = load(&source, &given("Siez", 3));
    assert_eq!(loaded.diagnostics.len(), 1);
    assert_eq!(loaded.diagnostics[0].code, "unknown-parameter");
    assert_eq!(loaded.diagnostics[0].help.as_deref(), Some("did you mean `Size`?"));
    let loaded = load(&source, &given("Size", 3));
    assert_eq!(loaded.protocol.unwrap().model.agents.len(), 3);
}

/// A formula with an unknown name used to be looked at no further.
#[test]
fn an_unknown_name_hides_no_unknown_state_in_the_same_formula() {
    check_after_head(&[
        (
            "property p = AG (piad -> in nowhere)",
            &[
                "1:18 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "1:29 unknown-name no control state is called `nowhere`",
            ],
        ),
        (
            "t -- Mer: m when piad & in nowhere set n = q + (if in nix then 1 else 2) --> s",
            &[
                "1:18 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "1:28 unknown-name no control state is called `nowhere`",
                "1:44 unknown-name nothing is called `q` here | did you mean `c`?",
                "1:55 unknown-name no control state is called `nix`",
            ],
        ),
        // A definition is looked at where it stands, and its use is no second mistake.
        (
            "prop odd = piad | in nowhere\nprop lost = in nowhere\nproperty p = AG (lost -> odd & piad & in t)",
            &[
                "1:12 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "1:22 unknown-name no control state is called `nowhere`",
                "2:16 unknown-name no control state is called `nowhere`",
                "3:32 unknown-name nothing is called `piad` here | did you mean `paid`?",
            ],
        ),
        (
            "commitment d = SC(Cus, Mer, F (piad & in nowhere))\nred Cus : piad & in nowhere\ninit piad & in nowhere",
            &[
                "1:32 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "1:42 unknown-name no control state is called `nowhere`",
                "2:11 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "2:21 unknown-name no control state is called `nowhere`",
                "3:6 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "3:16 unknown-name no control state is called `nowhere`",
            ],
        ),
        // A part may be a value.
        (
            "property p = AG (piad -> does(gone))",
            &[
                "1:18 unknown-name nothing is called `piad` here | did you mean `paid`?",
                "1:31 unknown-name no message is called `gone`",
            ],
        ),
        (
            "property p = A (F n = piad)",
            &["1:23 unknown-name nothing is called `piad` here | did you mean `paid`?"],
        ),
    ]);
    // What is received is known to the transition alone.
    check(&[(
        "roles A, B\nmessage m(0..2)\nchannel l from A to B carries m\nmachine P {\n  start s\n  s -- A: m!(1) --> s\n}\n\
         machine Q {\n  start u\n  u -- B: m?(v) when v = 1 & Q in u & piad & Q in nowhere --> u\n}\n",
        &[
            "10:39 unknown-name nothing is called `piad` here",
            "10:51 unknown-name no control state is called `nowhere`",
        ],
    )]);
}
