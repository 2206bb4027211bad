//! Every workload at a small size, so that none of them rots.

use ecs_benches::rows::ROWS;
use ecs_benches::systems::SYSTEMS;

#[test]
fn each_workload_gives_the_right_result() {
    for &row in ROWS {
        let mut known = 0;
        for system in SYSTEMS {
            let Some(mut workload) = system.small(row) else {
                continue;
            };
            for times in 1..=3 {
                workload.time(times);
                workload.check();
            }
            known += 1;
        }
        assert!(known > 1, "{:?} is compared with nothing", row.id);
    }
}
