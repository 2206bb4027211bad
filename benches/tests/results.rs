//! Every workload at a small size, so that none of them rots, and what the documents
//! say of rows and systems.

use ecs_benches::rows::ROWS;
use ecs_benches::systems::{BULK, FLAT, OURS, RAW, SYSTEMS};

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
        let own = [OURS, BULK, RAW, FLAT].contains(&system.name);
        assert_eq!(system.release().is_none(), own, "{}", system.name);
    }
    let hecs = SYSTEMS.iter().find(|system| system.name == "hecs");
    let release = hecs.and_then(|hecs| hecs.release()).unwrap();
    assert!(release.starts_with("0.11."), "{release}");
}

#[test]
fn each_row_is_described_in_the_document() {
    let text = include_str!("../../BENCHMARKS.md");
    let (_, rows) = text.split_once("\n## The rows\n").unwrap();
    for row in ROWS {
        let start = format!("\n| {:?} |", row.id);
        assert!(rows.contains(&start), "{:?} is not described", row.id);
    }
}
