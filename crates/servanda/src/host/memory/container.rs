//! What the control groups of this program may hold: containers and jobs of a CI are such. Linux only.

use std::fs;
use std::path::Path;

use super::Room;

/// Where the system keeps control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// A version of control groups: where the groups of memory lie below [`GROUPS`], and how their files are named.
struct Version {
    folder: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// Of what is held, this is what the system gives up when it is asked for more: the contents of files.
    spare: &'static str,
}

const FIRST: Version = Version {
    folder: "memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    spare: "total_inactive_file",
};

const SECOND: Version =
    Version { folder: "", limit: "memory.max", usage: "memory.current", spare: "inactive_file" };

/// The groups that this program belongs to and that have a limit.
pub(super) fn rooms() -> Vec<Room> {
    let lines = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    rooms_below(Path::new(GROUPS), &lines)
}

/// Each group lies in others, whose limits hold as well. Within a container the names that the system tells may be those outside, while its
/// own group is the outermost that can be seen.
fn rooms_below(groups: &Path, lines: &str) -> Vec<Room> {
    let mut rooms = Vec::new();
    for (version, group) in lines.lines().filter_map(memory_group) {
        let top = groups.join(version.folder);
        let inner = Path::new(group.trim_start_matches('/'));
        rooms.extend(inner.ancestors().filter_map(|group| version.room(&top.join(group))));
    }
    rooms
}

/// The group of memory that a line tells of: `0::/job` or `4:memory:/job`.
fn memory_group(line: &str) -> Option<(Version, &str)> {
    let mut parts = line.splitn(3, ':');
    let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
    match controllers {
        "" => Some((SECOND, group)),
        _ if controllers.split(',').any(|controller| controller == "memory") => Some((FIRST, group)),
        _ => None,
    }
}

impl Version {
    /// What a group may hold and has left, if it has a limit: others have a word or a number beyond all memory.
    fn room(&self, group: &Path) -> Option<Room> {
        let told = |file: &str| fs::read_to_string(group.join(file)).ok();
        let number = |file: &str| told(file)?.trim().parse::<u64>().ok();
        let all = number(self.limit).filter(|limit| *limit < 1 << 60)?;
        let spare = told("memory.stat").and_then(|told| {
            let line = told.lines().find_map(|line| line.strip_prefix(self.spare))?;
            line.trim().parse::<u64>().ok()
        });
        let held = number(self.usage)?.saturating_sub(spare.unwrap_or(0));
        Some(Room { all, left: all.saturating_sub(held) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(group: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(group).expect("a folder");
        for (name, text) in files {
            fs::write(group.join(name), text).expect("a file");
        }
    }

    #[test]
    fn limits_of_outer_groups_hold_as_well() {
        let folder = tempfile::tempdir().expect("a folder");
        write(
            &folder.path().join("job"),
            &[
                ("memory.max", "1000\n"),
                ("memory.current", "700\n"),
                ("memory.stat", "anon 300\ninactive_file 400\n"),
            ],
        );
        write(&folder.path().join("job/step"), &[("memory.max", "max\n"), ("memory.current", "600\n")]);
        assert_eq!(rooms_below(folder.path(), "0::/job/step\n"), [Room { all: 1000, left: 700 }]);
        assert_eq!(rooms_below(folder.path(), "0::/elsewhere\n"), []);
    }

    #[test]
    fn the_first_version_has_groups_for_each_controller() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("memory.limit_in_bytes", "1000"), ("memory.usage_in_bytes", "600")];
        write(&folder.path().join("memory"), &files);
        write(
            &folder.path().join("memory/job"),
            &[("memory.limit_in_bytes", "9223372036854771712"), ("memory.usage_in_bytes", "600")],
        );
        let lines = "3:cpuset:/\n2:cpu,memory:/job\n0::/\n";
        assert_eq!(rooms_below(folder.path(), lines), [Room { all: 1000, left: 400 }]);
    }
}
