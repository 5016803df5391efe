//! What a process uses, as the system says it. Where the system does not say it, nothing is known.

use std::fs;
use std::time::Duration;

/// The memory that a process holds, in bytes.
pub(crate) fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The time that a process has worked.
pub(crate) fn time(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u64>().ok();
    // To programs Linux counts in hundredths of a second, whatever the machine does.
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_this_process_uses_is_known() {
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(60) {
            std::hint::spin_loop();
        }
        assert!(memory(std::process::id()).unwrap() > 1 << 20);
        let worked = time(std::process::id()).unwrap();
        assert!(worked > Duration::ZERO && worked < Duration::from_secs(3600), "{worked:?}");
        assert!(memory(u32::MAX).is_none() && time(u32::MAX).is_none());
    }
}
