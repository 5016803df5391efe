//! The exit status, as scripts rely on it.

use servanda_report::Status;

/// Every property checked is true, or has the verdict its `expect` states; the model conforms; the file is in standard
/// form.
pub(crate) const WANTED: u8 = 0;

/// Some verdict is not what was wanted.
pub(crate) const UNWANTED: u8 = 1;

/// Bad usage or bad input.
pub(crate) const INVALID: u8 = 2;

/// Not decided: time, memory or engine limits.
pub(crate) const UNDECIDED: u8 = 3;

/// A job of the workbench used too much memory; [`UNDECIDED`] where it took too long.
pub(crate) const MEMORY: u8 = 4;

/// Ended at once by a second Ctrl-C; the number that shells use for the signal.
pub(crate) const ABORTED: i32 = 130;

/// The exit status of a command.
pub(crate) fn number(status: Status) -> u8 {
    match status {
        Status::Wanted => WANTED,
        Status::Unwanted => UNWANTED,
        Status::Invalid => INVALID,
        Status::Undecided => UNDECIDED,
    }
}
