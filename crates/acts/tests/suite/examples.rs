//! The formulas of the papers over CCS, by every engine.

use servanda_engine::Options;
use servanda_testkit::{Room, verdicts_of_all};

use crate::support::{ccs, example};

#[test]
fn formulas_of_the_paper_over_ccs() {
    let read = ccs(&example("pnaws.ccs"), Some("Spec"), &example("pnaws.acts"));
    let (model, properties) = read.expect("no mistakes");
    assert_eq!(properties.len(), 3);
    let wanted: Vec<Option<bool>> = properties.iter().map(|property| property.expected).collect();
    for (engine, verdicts) in verdicts_of_all(&model, &properties, Options::default(), Room::SMALL) {
        // The cluster does not look back, and says so.
        let is_known = |found: &Option<bool>| engine != "cluster" || found.is_some();
        for (found, wanted) in verdicts.iter().zip(&wanted).filter(|(found, _)| is_known(found)) {
            assert_eq!(found, wanted, "{engine}");
        }
    }
}

#[test]
fn a_file_about_another_process_changes_nothing() {
    let read = ccs(&example("pnaws.ccs"), Some("Closed"), &example("pnaws.acts"));
    let (model, properties) = read.expect("no mistakes");
    assert!(properties.is_empty() && model.commitments.is_empty() && model.acts().is_empty());
}
