//! Processes that have met, all of them within this one: what each of them finds is what the reference engine finds.

use std::net::TcpListener;
use std::thread;

use servanda_cluster::{Cluster, Mesh, Place, Staff, Unmet};
use servanda_engine::{Counts, Engine as _, Halt, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Property, StateView};
use servanda_testkit::{
    Counted, Reference, Trials, Tried, compare, compare_on_ispl, compare_with_fair_steps, verdicts_of,
};

use crate::exploring::variables;

/// Processes, each with so many workers.
struct Team(Vec<&'static Mesh>);

/// Where so many processes listen, all of them on this machine.
fn places(processes: usize, workers: usize) -> Vec<(Place, TcpListener)> {
    let listeners: Vec<_> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let addresses: Vec<_> =
        listeners.iter().map(|one| one.local_addr().expect("an address").to_string()).collect();
    let place = |(process, listener)| {
        (Place { addresses: addresses.clone(), process, workers, key: "key".to_owned() }, listener)
    };
    listeners.into_iter().enumerate().map(place).collect()
}

/// What comes of it when all of them look for each other.
fn met(places: Vec<(Place, TcpListener)>) -> Vec<Result<&'static Mesh, Unmet>> {
    let calls = places
        .into_iter()
        .map(|(place, listener)| thread::spawn(move || Mesh::connect(place, listener, &NoLimits)));
    let calls: Vec<_> = calls.collect();
    calls.into_iter().map(|call| call.join().expect("a thread that does not panic")).collect()
}

impl Team {
    fn new(processes: usize, workers: usize) -> Self {
        Team(met(places(processes, workers)).into_iter().map(Result::unwrap).collect())
    }

    /// What each process finds, all of them doing the same.
    fn each<T: Send>(&self, work: impl Fn(Staff) -> T + Sync) -> Vec<T> {
        let work = &work;
        thread::scope(|scope| {
            let started = self.0.iter().map(|mesh| scope.spawn(|| work(Staff::processes(mesh))));
            let started: Vec<_> = started.collect();
            started.into_iter().map(|one| one.join().expect("a thread that does not panic")).collect()
        })
    }

    /// What all processes find, which is the same.
    fn all<T: Send + PartialEq + std::fmt::Debug>(&self, work: impl Fn(Staff) -> T + Sync) -> T {
        let mut found = self.each(work);
        assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
        found.swap_remove(0)
    }

    fn verdicts(&self, model: &Model, properties: &[Property], options: Options) -> Vec<Option<bool>> {
        self.all(|staff| {
            let engine = Cluster::new(model, options, staff, &NoLimits);
            verdicts_of(properties, engine, |engine, formula| engine.decide(formula, &NoLimits))
        })
    }

    fn counts(&self, model: &Model) -> Result<(Counts, Option<StateView>), String> {
        self.all(|staff| {
            let said = |halt: Halt| halt.to_string();
            let mut engine = Cluster::new(model, Options::default(), staff, &NoLimits).map_err(said)?;
            engine.explore(&NoLimits).map_err(said)?;
            let nearest = engine.deadlock(&NoLimits).map_err(said)?;
            Ok((engine.counts().ok_or("nothing was counted")?, nearest))
        })
    }
}

/// How many processes are tried, with how many workers each.
const TEAMS: [(usize, usize); 2] = [(2, 2), (3, 1)];

#[test]
fn counts_and_the_nearest_deadlock_are_those_of_one_thread() {
    for (processes, workers) in TEAMS {
        let team = Team::new(processes, workers);
        Trials::from_environment(25).on_protocols(|case| {
            let Ok(explored) = Explored::new(&case.model, Options::default(), &NoLimits) else {
                return Ok(Tried::Skipped);
            };
            let (expected, deadlock) = (explored.space.counts(), explored.space.nearest_deadlock());
            let (mut found, nearest) = team.counts(&case.model)?;
            found.bytes = expected.bytes;
            if found != expected || nearest != deadlock {
                return Err(format!("{processes} processes: {found:?}, not {expected:?}\n{}", case.text));
            }
            Ok(Tried::Holds)
        });
    }
}

#[test]
fn verdicts_are_those_of_the_reference() {
    for (processes, workers) in TEAMS {
        let team = Team::new(processes, workers);
        let engine = Counted::new(
            "cluster of several processes",
            |model: &Model, properties: &[Property], options| team.verdicts(model, properties, options),
        );
        compare(Trials::from_environment(25), &Reference, &engine);
        compare_with_fair_steps(Trials::from_environment(15), &Reference, &engine);
        compare_on_ispl(Trials::from_environment(20), &Reference, &engine);
        engine.assert_decided(20);
    }
}

#[test]
fn those_who_see_the_cluster_in_another_way_are_named_by_all() {
    type Change = fn(&mut Place);
    let changes: [(Change, &str); 2] = [
        (|place| place.workers = 5, "has 5 workers, process 0 has 1 worker: all need the same --workers"),
        (
            |place| place.key = "other".to_owned(),
            "was given other hosts than process 0, or only one of them was given --jobs",
        ),
    ];
    for (change, reason) in changes {
        let mut places = places(3, 1);
        change(&mut places[1].0);
        for met in met(places) {
            let Err(Unmet::Differs(why)) = met else { panic!("{met:?}") };
            assert!(why.starts_with("process 1 (127.0.0.1:") && why.ends_with(reason), "{why}");
        }
    }
}

#[test]
fn a_process_with_another_model_is_named_by_all() {
    let (one, other) = (variables(&["a", "b"], 5, false), variables(&["a", "b"], 6, false));
    let mut renamed = one.clone();
    "Others".clone_into(&mut renamed.name);
    for (other, reason) in [(other, "has another text of the model"), (renamed, "works on another model")] {
        let team = Team::new(3, 1);
        let last = team.0[2];
        let said = team.all(|staff| {
            let is_last = format!("{staff:?}").contains(&format!("{last:?}"));
            let model = if is_last { &other } else { &one };
            match Cluster::new(model, Options::default(), staff, &NoLimits) {
                Err(Halt::Invalid(why)) => why[0].message.clone(),
                Err(halt) => panic!("{halt}"),
                Ok(_) => panic!("they work together"),
            }
        });
        assert!(said.starts_with("process 2 (127.0.0.1:") && said.contains(reason), "{said}");
    }
}
