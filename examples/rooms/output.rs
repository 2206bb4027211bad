//! What the program prints.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rooms-demo"));
    command.args(arguments).output().unwrap()
}

#[test]
fn a_short_run_verifies_all_its_ticks() {
    let output = run(&["--rooms", "10", "--seconds", "2"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(printed.contains("verified"), "{printed}");
}

#[test]
fn an_unknown_argument_is_an_error_that_names_the_known_ones() {
    let output = run(&["--room", "10"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        errors.contains("`--room`") && errors.contains("--rooms"),
        "{errors}"
    );
}

#[test]
fn a_running_room_can_be_inspected() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rooms-demo"));
    command.args(["--rooms", "3", "--seconds", "20", "--inspect", "room2"]);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.split("http://").nth(1).unwrap().trim_end_matches('/');
    let get = |path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let path = "/api/entities?all=Ship&columns=Position&count=9";
    let answers = [get(path), get(path)];
    process.kill().unwrap();
    process.wait().unwrap();
    for answer in answers {
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("\"x\""),
            "{answer}"
        );
    }
}
