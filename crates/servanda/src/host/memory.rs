//! How much memory this program holds and how long its threads have worked, as the system tells.

mod container;

use std::fs::{self, File};
use std::io::Read as _;
use std::time::Duration;

/// What is said where a limit of memory cannot be kept.
pub const UNKNOWN: &str = "memory: this system does not say how much memory a program holds";

/// What it holds now, in bytes.
pub fn resident() -> Option<u64> {
    status_field("VmRSS:")
}

/// The most it ever held, in bytes.
pub fn peak() -> Option<u64> {
    status_field("VmHWM:")
}

/// What programs can still take without others having to give some back, in bytes. Linux only.
pub fn available() -> Option<u64> {
    field(&told::<4096>("/proc/meminfo")?, "MemAvailable:")
}

/// Of the memory of the machine, or of a container, one part in so many is left to others, and at least so much.
const LEFT_TO_OTHERS: (u64, u64) = (32, 128 << 20);

/// The most that a program which holds so much may hold before the machine, or its container, has too little left. Linux only.
pub fn most_to_hold(held: u64) -> Option<u64> {
    let told = told::<4096>("/proc/meminfo")?;
    // A system that only pretends to tell says that nothing is left.
    let left = field(&told, "MemAvailable:").filter(|left| *left > 0)?;
    let machine = Room { all: field(&told, "MemTotal:")?, left };
    container::rooms().into_iter().chain([machine]).map(|room| room.most_to_hold(held)).min()
}

/// Memory that programs share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    all: u64,
    /// What none of them holds.
    left: u64,
}

impl Room {
    fn most_to_hold(self, held: u64) -> u64 {
        let (part, least) = LEFT_TO_OTHERS;
        // A small room has more use for what is in it.
        let others = (self.all / part).max(least).min(self.all / 8);
        held.saturating_add(self.left).saturating_sub(others)
    }
}

/// Begins to look anew for the most it holds. Linux only; elsewhere the most it ever held stays what is told.
pub fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// For how long a processor has worked for the calling thread. Linux only.
pub fn thread_time() -> Option<Duration> {
    let statistics = told::<64>("/proc/thread-self/schedstat")?;
    Some(Duration::from_nanos(statistics.split_whitespace().next()?.parse().ok()?))
}

/// Linux only. `status` and not `statm`, whose pages have a size that only a system call tells.
fn status_field(name: &str) -> Option<u64> {
    field(&told::<4096>("/proc/self/status")?, name)
}

/// What the system tells in a file that it makes when it is read, the first so many bytes of it. Asked for all at once, since it is told
/// often, and each call costs more than what it tells.
fn told<const MOST: usize>(path: &str) -> Option<String> {
    let mut bytes = [0; MOST];
    let told = File::open(path).ok()?.read(&mut bytes).ok()?;
    String::from_utf8(bytes[..told].to_vec()).ok()
}

fn field(status: &str, name: &str) -> Option<u64> {
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(name))?;
    kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells() {
        assert!(thread_time().is_some());
        let (now, most) = (resident().unwrap_or(0), peak().unwrap_or(0));
        // Each processor counts for itself and is summed up now and then, so the two are some pages apart.
        assert!(now > 0 && most + (8 << 20) >= now, "{now} now, {most} at most");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn more_can_be_held_than_is() {
        assert!(most_to_hold(1 << 20).is_some_and(|most| most > 1 << 20));
    }

    #[test]
    fn a_part_is_left_to_others() {
        let gigabyte = 1 << 30;
        let most = |all, left| Room { all: all * gigabyte, left: left * gigabyte }.most_to_hold(gigabyte);
        assert_eq!(most(32, 4), 4 * gigabyte, "one of 32");
        assert_eq!(most(1, 1), 2 * gigabyte - (128 << 20), "not less than 128 megabytes");
        assert_eq!(most(32, 0), 0, "less than is held");
    }

    #[test]
    fn reads_the_fields_of_status() {
        let status = "Name:\tservanda\nVmHWM:\t    2048 kB\nVmRSS:\t       3 kB\n";
        assert_eq!(field(status, "VmHWM:"), Some(2 << 20));
        assert_eq!(field(status, "VmRSS:"), Some(3072));
        assert_eq!(field(status, "VmSwap:"), None);
    }
}
