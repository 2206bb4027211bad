use ecs_benches::report::{between_marks, figure};

#[test]
fn only_what_is_between_the_marks_is_replaced() {
    let text = "a\n<!-- table -->\nold\n<!-- /table -->\nb\n";
    let once = between_marks(text, "table", "new\n").unwrap();
    assert_eq!(once, "a\n<!-- table -->\n\nnew\n\n<!-- /table -->\nb\n");
    assert_eq!(between_marks(&once, "table", "new\n"), Some(once));
    assert_eq!(between_marks("no marks", "table", "new"), None);
}

#[test]
fn figures_have_three_digits() {
    assert_eq!(
        [0.1, 9.999, 99.96, 1771.2].map(figure),
        ["0.10", "10.0", "100", "1771"]
    );
}
