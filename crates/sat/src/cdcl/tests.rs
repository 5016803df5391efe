//! The small solver says what CaDiCaL says.

use super::Cdcl;
use crate::solver::{Cadical, Solver};

/// Numbers that look random and are the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn literal(&mut self, variables: &[i32]) -> i32 {
        let variable = variables[self.roll(variables.len() as u64) as usize];
        if self.roll(2) == 0 { variable } else { -variable }
    }

    fn literals(&mut self, variables: &[i32], most: u64) -> Vec<i32> {
        (0..=self.roll(most)).map(|_| self.literal(variables)).collect()
    }
}

#[test]
fn answers_cores_and_assignments_agree_with_cadical() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..150 {
        let mut dice = Dice(seed);
        let (mut own, mut other) = (Cdcl::default(), Cadical::default());
        // The small solver has a variable of its own already.
        other.variable();
        let mut all: Vec<i32> = (0..12).map(|_| (own.variable(), other.variable()).0).collect();
        own.part_of_all(&all);
        let inputs = all.clone();
        for _ in 0..40 {
            let (a, b) = (dice.literal(&all), dice.literal(&all));
            all.push((own.gate(a, b), other.gate(a, b)).0);
        }
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        for _ in 0..60 {
            if dice.roll(3) == 0 {
                let clause = dice.literals(&inputs, 4);
                own.add_clause(&clause);
                other.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions = dice.literals(&all, 5);
            let apart = (dice.roll(2) == 0).then(|| dice.literals(&inputs, 3));
            own.focus(&assumptions);
            let answer = own.solve_with(&assumptions, apart.as_deref(), u64::MAX);
            let mut fixed = assumptions.clone();
            if let Some(apart) = &apart {
                let switch = other.variable();
                own.variable();
                other.add_clause(&[&apart[..], &[-switch]].concat());
                fixed.push(switch);
            }
            assert_eq!(answer, other.solve(&fixed, u32::MAX), "seed {seed}");
            if answer == Some(true) {
                yes += 1;
                let mut must: Vec<&[i32]> = clauses.iter().map(Vec::as_slice).collect();
                must.extend(apart.as_deref());
                assert!(must.iter().all(|clause| clause.iter().any(|literal| own.value(*literal))));
                assert!(assumptions.iter().all(|literal| own.value(*literal)));
            } else {
                no += 1;
                let needed: Vec<i32> = assumptions.into_iter().filter(|one| own.needed(*one)).collect();
                fixed.retain(|literal| {
                    needed.contains(literal) || apart.is_some() && !all.contains(&literal.abs())
                });
                assert_eq!(other.solve(&fixed, u32::MAX), Some(false), "seed {seed}: the core is too small");
            }
        }
    }
    assert!(yes > 1000 && no > 1000, "{yes} and {no}");
}

#[test]
fn many_clauses_are_learnt_and_forgotten_without_harm() {
    // So many pigeons for one hole less: a clause for each pigeon, which assumptions switch on.
    let (holes, mut solver) = (7, Cdcl::default());
    let places: Vec<Vec<i32>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
    let present: Vec<i32> = (0..=holes).map(|_| solver.variable()).collect();
    solver.part_of_all(&places.concat());
    solver.part_of_all(&present);
    for (row, present) in places.iter().zip(&present) {
        solver.add_clause(&[&row[..], &[-present]].concat());
    }
    for (number, one) in places.iter().enumerate() {
        for (one, other) in places[..number].iter().flat_map(|other| one.iter().zip(other)) {
            solver.add_clause(&[-one, -other]);
        }
    }
    assert_eq!(solver.solve_with(&present, None, u64::MAX), Some(false));
    assert!(present.iter().all(|one| solver.needed(*one)), "all pigeons are needed");
    for left_out in 0..=holes {
        let mut fewer = present.clone();
        fewer.remove(left_out);
        assert_eq!(solver.solve_with(&fewer, None, u64::MAX), Some(true), "without {left_out}");
    }
    assert_eq!(solver.solve_with(&present, None, 1), None, "no time, no answer");
    assert_eq!(solver.solve_with(&present, Some(&[places[0][0]]), u64::MAX), Some(false));
    assert_eq!(solver.solve_with(&present[1..], Some(&[places[1][0]]), u64::MAX), Some(true));
}

#[test]
fn what_is_so_for_good_hides_nothing_of_the_next_question() {
    let mut solver = Cdcl::default();
    let known = [solver.variable(), solver.variable()];
    let open = [solver.variable(), solver.variable()];
    for one in known {
        solver.add_clause(&[one]);
    }
    let neither = solver.gate(-open[0], -open[1]);
    solver.focus(&known);
    assert_eq!(solver.solve_with(&[], None, u64::MAX), Some(true));
    solver.focus(&[neither]);
    assert_eq!(solver.solve_with(&[-neither], None, u64::MAX), Some(true));
    assert!(open.iter().any(|one| solver.value(*one)), "an input is decided, and the gate follows");
}
