//! Every workload at a small size, what the documents say about rows and systems, and how results are written.

mod chart;
mod comparison;
mod frames;
mod instructions;
mod marks;
mod matrix;
mod report;

use std::process::Command;

use ecs_benches::rows::{Id, ROWS};
use ecs_benches::systems::{BULK, FLAT, LIST, OURS, RAW, SYSTEMS, ours};

#[test]
fn each_workload_gives_the_right_result() {
    for &row in ROWS {
        for system in SYSTEMS {
            let Some(mut workload) = system.small(row) else {
                continue;
            };
            for times in 1..=3 {
                workload.time(times);
                workload.check();
            }
        }
    }
}

#[test]
fn each_row_is_compared_with_peers() {
    let peers = || SYSTEMS.iter().filter(|system| system.package.is_some());
    for &row in ROWS {
        let known = peers().filter(|peer| peer.small(row).is_some()).count();
        assert!(known >= 3, "{:?} is compared with {known} peers", row.id);
    }
}

#[test]
fn the_release_of_each_peer_is_known() {
    for system in SYSTEMS {
        let own = [OURS, BULK, RAW, FLAT, LIST].contains(&system.name);
        assert_eq!(system.release().is_none(), own, "{}", system.name);
    }
    let hecs = SYSTEMS.iter().find(|system| system.name == "hecs");
    let release = hecs.and_then(|hecs| hecs.release()).unwrap();
    assert!(release.starts_with("0.11."), "{release}");
}

#[test]
fn each_row_is_described_in_the_document() {
    let text = include_str!("../../README.md");
    let (_, rows) = text.split_once("\n## The rows\n").unwrap();
    for row in ROWS {
        let start = format!("\n| {:?} |", row.id);
        assert!(rows.contains(&start), "{:?} is not described", row.id);
    }
}

#[test]
fn the_rows_of_the_growth_table_give_the_right_result() {
    for row in [Id::W2, Id::W4, Id::W6, Id::W8, Id::W9] {
        for groups in [1, 1_000] {
            let mut workload = ours::beside(row, 500, groups).unwrap();
            workload.time(2);
            workload.check();
        }
    }
}

/// Measured in a separate process, as for the table: two arrays of three floats and one of generations.
#[test]
fn the_memory_of_arrays_is_what_they_hold() {
    let output = Command::new(env!("CARGO_BIN_EXE_table"))
        .args(["--resident", "W11", RAW])
        .output()
        .unwrap();
    let bytes: f64 = String::from_utf8(output.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let per_entity = bytes / 1e6;
    assert!((27.0..30.0).contains(&per_entity), "{per_entity}");
}
