//! Measures memory by the additional resident bytes after a run, in a separate process, so that memory
//! kept by the allocator from another system does not count.

use std::process::Command;

use crate::allocator;
use crate::rows::{ROWS, Row, Unit};
use crate::systems::{SYSTEMS, System};

/// The argument that asks a program for a figure; it must call [`answer`] first.
const ASKED: &str = "--resident";

/// Prints the figure and returns `true` if this process was started by [`bytes`].
pub fn answer() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [asked, row, system] = &arguments[..] else {
        return false;
    };
    if asked != ASKED {
        return false;
    }
    let row = ROWS.iter().find(|known| format!("{:?}", known.id) == *row);
    let system = SYSTEMS.iter().find(|known| known.name == system);
    let (row, system) = (row.expect("a row"), system.expect("a system"));
    println!("{}", resident_after(*row, *system));
    true
}

fn resident_after(row: Row, system: System) -> u64 {
    let mut workload = system.workload(row).expect("a workload");
    let before = resident();
    workload.time(1);
    let after = resident();
    workload.check();
    after.saturating_sub(before)
}

/// Returns the resident bytes of this process, without the program file, whose resident part grows with
/// every function that runs for the first time.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux tells it");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Anonymous:"));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
    1024 * kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .expect("a number of kB")
}

/// Returns the additional resident bytes of a run of each system: the median of three processes. The
/// program must call [`answer`] first.
pub fn bytes(row: Row, systems: &[System]) -> Vec<Option<f64>> {
    assert_eq!(row.unit, Unit::Memory);
    let bytes = |system: &System| {
        system.small(row)?;
        let mut figures = [(); 3].map(|()| ask(row, system));
        figures.sort_unstable();
        Some(figures[1] as f64)
    };
    systems.iter().map(bytes).collect()
}

fn ask(row: Row, system: &System) -> u64 {
    let program = std::env::current_exe().expect("the path of this program");
    let row = format!("{:?}", row.id);
    let output = allocator::unset(&mut Command::new(program))
        .args([ASKED, &row, system.name])
        .output()
        .expect("this program can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    let figure = text.trim().parse();
    figure.unwrap_or_else(|_| panic!("{} in {row}: {output:?}", system.name))
}
