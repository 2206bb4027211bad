use ecs_benches::chart::{LEFT, MARGIN, RIGHT, svg};
use ecs_benches::comparison::Comparison;
use ecs_benches::rows::ROWS;
use ecs_benches::systems::{BULK, OURS, SYSTEMS};

/// Returns the x and the width of the first bar of a class.
fn first_bar(svg: &str, class: &str) -> (f64, f64) {
    let start = format!("<rect class=\"{class}\" x=\"");
    let rows = svg.split_once("the best peer</text>").unwrap().1;
    let bar = rows.split_once(&start).unwrap().1;
    let numbers: Vec<&str> = bar.split('"').collect();
    (numbers[0].parse().unwrap(), numbers[4].parse().unwrap())
}

#[test]
fn bars_go_from_the_best_peer_to_the_ratio() {
    let figure = |name: &str| match name {
        OURS => Some(2.0),
        BULK => Some(0.5),
        "hecs flat" => Some(1.0),
        _ => None,
    };
    let figures = SYSTEMS.iter().map(|&system| (system, figure(system.name)));
    let row = ROWS[0];
    let figures = figures.collect();
    let svg = svg(&[Comparison { row, figures }]);
    let middle = LEFT + MARGIN + (RIGHT - LEFT - 2.0 * MARGIN) / 3.0;
    let ((ours, ours_width), (bulk, width)) = (first_bar(&svg, "one"), first_bar(&svg, "bulk"));
    assert!((ours - middle).abs() < 0.1, "one halving, two doublings");
    assert!((bulk + width - middle).abs() < 0.2);
    assert!((ours_width - width).abs() < 0.2);
    assert!(svg.contains(">hecs flat 1.00 ns</text>"));
}
