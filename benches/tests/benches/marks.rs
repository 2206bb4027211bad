use ecs_benches::marks::MARKS;

#[test]
fn each_mark_and_what_it_stands_beside_give_the_right_result() {
    for mark in MARKS {
        for make in [mark.ours, mark.by_hand] {
            let mut workload = make(mark.items / 10);
            for times in 1..=20 {
                workload.time(times);
                workload.check();
            }
        }
    }
}
