//! Pictures of growth.

use std::path::Path;

use servanda::host::store;
use servanda_report::plot::{Point, growth};
use servanda_report::{Status, visible};

use super::terminal::Terminal;

/// What is said where there is nothing to draw.
pub(crate) const ONE_VALUE: &str = "--plot draws growth, and no parameter has several values\n  \
                                    Help: write --param NAME=FROM..TO, such as --param N=2..8";

/// Draws and writes the picture.
pub(crate) fn write(path: &Path, points: &[Point], terminal: &Terminal) -> Result<(), Status> {
    if !terminal.reports() {
        return Ok(());
    }
    let picture = growth(points).ok_or_else(|| terminal.fail(ONE_VALUE))?;
    store::write(path, picture)
        .map_err(|error| terminal.fail(&format!("{}: {error}", visible(&path.display().to_string()))))
}
