//! A run ends when it is told to.

use servanda_engine::{Budget, Halt, Progress, Stop};
use servanda_equiv::{Comparison, Duty, Failure, Relation, compare, conforms, minimise};

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
    let is_stopped = |answer| matches!(answer, Err(Failure::Halt(Halt::Stopped { stop: Stop::Time, .. })));
    for comparison in Comparison::all() {
        assert!(is_stopped(compare(&lts, &lts, comparison, &NoTime)), "{comparison:?}");
    }
    for duty in [Duty::Allowed, Duty::Required] {
        assert!(is_stopped(conforms(&lts, &lts, duty, None, &NoTime)), "{duty:?}");
    }
    for relation in Relation::ALL {
        let stopped = minimise(&lts, relation, &NoTime);
        assert!(matches!(stopped, Err(Halt::Stopped { stop: Stop::Time, .. })), "{relation:?}");
    }
}
