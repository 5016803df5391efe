//! x
#![allow(clippy::all, clippy::print_stdout)]
use servanda_abta::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = servanda_logic::parse_formula(&a[2]).unwrap();
    let rules = if a[1] == "paper" { Rules::Paper } else { Rules::Sound };
    match translate(&f, Options { rules, ..Options::default() }) { Ok(t) => println!("{}", text(&t)), Err(e) => println!("{e:?}") }
}
