use ecs_benches::comparison::{Comparison, figures, ratios, releases};
use ecs_benches::rows::{Id, ROWS, Row};
use ecs_benches::systems::{OURS, SYSTEMS};

/// Returns a row in which the systems have the figures 1, 2, 3, … in order.
fn counted(row: Row) -> Comparison {
    let figures = SYSTEMS
        .iter()
        .zip(1..)
        .map(|(&it, at)| (it, Some(f64::from(at))));
    let figures = figures.collect();
    Comparison { row, figures }
}

#[test]
fn ratios_are_to_the_best_peer_and_to_the_arrays() {
    let row = counted(ROWS[0]);
    assert_eq!(row.best_peer(), Some(("hecs", 6.0)));
    assert_eq!(row.to_best_peer(OURS), Some(1.0 / 6.0));
    let table = ratios(&[row]);
    let line = table.lines().nth(2).unwrap();
    let expected = "| W1 bulk_create | ns per entity | 1.00 | 2.00 | hecs 6.00 \
                    | 0.17× | 0.33× | 0.33× | 0.50× |";
    assert_eq!(line, expected);
}

#[test]
fn who_works_by_hand_is_no_peer() {
    let row = ROWS.iter().find(|row| row.id == Id::W8).unwrap();
    let row = counted(*row);
    assert_eq!(row.best_peer(), Some(("hecs flat", 7.0)));
    assert!(figures(&[row], SYSTEMS).contains(" 4.00 | 5.00 | *6.00* | 7.00 |"));
}

#[test]
fn all_lines_of_a_table_have_as_many_cells() {
    let rows: Vec<_> = ROWS.iter().map(|&row| counted(row)).collect();
    for table in [ratios(&rows), figures(&rows, SYSTEMS)] {
        let bars = |line: &str| line.matches('|').count();
        let expected = table.lines().next().map(bars);
        assert!(
            table.lines().all(|line| Some(bars(line)) == expected),
            "{table}"
        );
    }
}

#[test]
fn a_release_is_named_once() {
    let text = releases(SYSTEMS);
    assert_eq!(text.matches("hecs").count(), 1, "{text}");
}
