//! A run ends when it is told to.

use servanda_engine::{Budget, Halt, Progress, Stop};
use servanda_equiv::{Failure, Relation, compare, minimise};

use crate::systems::system;

struct NoTime;

impl Budget for NoTime {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Err(Stop::Time)
    }
}

#[test]
fn no_time() {
    let lts = system(&[(0, "a", 1)]);
    for relation in Relation::ALL {
        let stopped = compare(&lts, &lts, relation, &NoTime);
        assert!(
            matches!(stopped, Err(Failure::Halt(Halt::Stopped { stop: Stop::Time, .. }))),
            "{relation:?}"
        );
        let stopped = minimise(&lts, relation, &NoTime);
        assert!(matches!(stopped, Err(Halt::Stopped { stop: Stop::Time, .. })), "{relation:?}");
    }
}
