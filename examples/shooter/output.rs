//! What the program prints.

use std::process::Command;

#[test]
fn the_program_prints_the_committed_output() {
    let output = Command::new(env!("CARGO_BIN_EXE_shooter"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        include_str!("shooter.out")
    );
}
