//! Every row and system under criterion: `cargo bench -- W4/hecs`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ecs_benches::rows::{ROWS, Row};
use ecs_benches::systems::SYSTEMS;

fn bench_row(criterion: &mut Criterion, row: Row) {
    let mut group = criterion.benchmark_group(format!("{:?}", row.id));
    group.throughput(Throughput::Elements(row.items as u64));
    for system in SYSTEMS {
        let Some(mut workload) = system.workload(row) else {
            continue;
        };
        group.bench_function(system.name, |bencher| {
            bencher.iter_custom(|times| workload.time(times));
        });
        workload.check();
    }
    group.finish();
}

fn bench_rows(criterion: &mut Criterion) {
    for &row in ROWS {
        bench_row(criterion, row);
    }
}

criterion_group!(rows, bench_rows);
criterion_main!(rows);
