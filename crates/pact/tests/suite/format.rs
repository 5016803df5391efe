//! The standard form keeps meaning and comments, and is its own standard form.

use crate::support::{EVERYTHING, examples, meaning, protocol};
use servanda_pact::format;

fn check(text: &str, expected: &str) {
    assert_eq!(format(text).as_deref(), Ok(expected));
    assert_eq!(format(expected).as_deref(), Ok(expected));
}

/// The texts of all comments, line by line.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("//")).map(|(_, comment)| comment.trim()).collect()
}

#[test]
fn examples_keep_their_meaning_and_comments() {
    let everything = ("everything".to_owned(), EVERYTHING.to_owned());
    for (name, text) in examples().into_iter().chain([everything]) {
        let standard = format(&text).unwrap();
        assert_eq!(format(&standard).unwrap(), standard, "{name}");
        assert_eq!(meaning(&protocol(&standard)), meaning(&protocol(&text)), "{name}");
        assert_eq!(comments(&standard), comments(&text), "{name}");
    }
}

#[test]
fn every_statement_has_a_standard_form() {
    check(
        "protocol P param N=(1+2)*3 roles A,B[ 1 .. N ],C[1][2] semantics ctlca
var a,b[1..N]:bool=false var c:{u,v}={ u } var d : 0 .. N = 1..2 private var e of B[1]:-1..1={0,N-9}
red A:!a and b[1] prop p=((a)) prop longer = a∧b[2]
commitment k=SC(A,B[1],F a) access A->B[1]:!Vio(A,_) fair not a fair   weak does( _ ) group g={A,B[1]}
property x expect true=AG(p->AF longer) property xyz=E[a U b[1]]",
        "protocol P
param N = (1 + 2) * 3
roles A, B[1..N], C[1][2]
semantics ctlca
var a, b[1..N] : bool = false
var c : {u, v} = {u}
var d : 0..N = 1..2
private var e of B[1] : -1..1 = {0, N - 9}
red A : !a & b[1]
prop p      = a
prop longer = a & b[2]
commitment k = SC(A, B[1], F a)
access A -> B[1] : !Vio(A, _)
fair !a
fair weak does(_)
group g = { A, B[1] }
property x   expect true = AG (p -> AF longer)
property xyz             = E[a U b[1]]
",
    );
}

#[test]
fn blocks_are_indented_and_transitions_aligned() {
    check(
        "for i in 1..2 { machine M[i] { start s s -- A[i]: m! when x set y=1,z=2 --> tt
tt--Cr(A,c)-->s
} } decompose Cr(A, c) { 0 : c, d ; 1 : ?p 0 --[SC_A[1]]--> 1 }",
        "for i in 1..2 {
  machine M[i] {
    start s
    s  -- A[i]: m! when x set y = 1, z = 2 --> tt
    tt -- Cr(A, c)                         --> s
  }
}
decompose Cr(A, c) {
  0 : c, d ;
  1 : ?p ;
  0 --[SC_A[1]]--> 1
}
",
    );
}

#[test]
fn comments_stay_where_they_belong() {
    check(
        "

/* first */
// second


roles A, /* inside */ B // after


var p : bool   // one
var longer : bool // two
machine M { // head
  // body

  start s // s


  // last
} // end
// tail",
        "/* first */
// second

/* inside */
roles A, B  // after

var p : bool       // one
var longer : bool  // two
machine M {  // head
  // body

  start s  // s

  // last
}  // end
// tail
",
    );
}

#[test]
fn odd_comments_are_kept_as_they_are() {
    check(
        "roles A /*/ , */ , B //\n/*\n   two\n lines */ start s /* a */ /* b */ // c\n",
        "\
/*/ , */
roles A, B  //
/*
   two
 lines */
start s  /* a */ /* b */ // c
",
    );
}

#[test]
fn mistakes_of_form_are_reported_and_names_do_not_matter() {
    assert_eq!(format("roles A\nprop p = (q").unwrap_err().len(), 1);
    assert!(format("prop p = unknown").is_ok());
    assert_eq!(format("").unwrap(), "");
}

#[test]
fn words_that_could_be_operators_stay_control_states() {
    let text = "prop p = q ; U[1] -- m --> U[2]\n";
    let standard = format(text).unwrap();
    assert_eq!(standard, "prop p = q\n; U[1] -- m --> U[2]\n");
    assert_eq!(format(&standard).unwrap(), standard);
}
