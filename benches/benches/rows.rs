//! Every row and system under criterion: `cargo bench -- W4/hecs`. Excludes the rows of memory,
//! which are not timed, and those that need gigabytes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ecs_benches::rows::{ROWS, Row, Unit};
use ecs_benches::systems::SYSTEMS;

fn bench_row(criterion: &mut Criterion, row: Row) {
    let mut group = criterion.benchmark_group(format!("{:?}", row.id));
    group.throughput(Throughput::Elements(row.items as u64));
    for system in SYSTEMS {
        if system.small(row).is_none() {
            continue;
        }
        // Created only if the row is selected: a world of a million entities takes time.
        let mut workload = None;
        group.bench_function(system.name, |bencher| {
            let workload = workload.get_or_insert_with(|| system.workload(row).unwrap());
            bencher.iter_custom(|times| workload.time(times));
        });
        if let Some(mut workload) = workload {
            workload.check();
        }
    }
    group.finish();
}

fn bench_rows(criterion: &mut Criterion) {
    let is_timed = |row: &&Row| row.unit == Unit::Time && !row.is_large;
    let timed = ROWS.iter().filter(is_timed);
    timed.for_each(|&row| bench_row(criterion, row));
}

criterion_group!(rows, bench_rows);
criterion_main!(rows);
