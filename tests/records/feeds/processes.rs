//! A mirror detects feeds of other processes, such as those of a restarted server.

use std::env;
use std::fs;

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Mirror};
use support::this_program;

use super::wire::{Name, Net};

/// The file to which another process of these tests writes its deltas.
const FILE: &str = "ECS_TEST_DELTAS";

/// The first three deltas of a feed.
fn deltas() -> Vec<Delta<Net>> {
    let mut net = Net::new();
    let feed = net.feed::<Name>();
    let mut next = |name: &str| {
        net.create_with(Name(name.to_owned()));
        feed.take(&mut net)
    };
    vec![next("Ann"), next("Bob"), next("Cid")]
}

/// The deltas of this test, run in another process.
fn deltas_of_another_process() -> Vec<Delta<Net>> {
    let file = env::temp_dir().join(format!("ecs-deltas-{}", std::process::id()));
    let test = "feeds::processes::deltas_of_another_process_are_rejected";
    let mut command = this_program();
    let output = command.args(["--exact", test]).env(FILE, &file).output();
    assert!(output.unwrap().status.success());
    let deltas = postcard::from_bytes(&fs::read(&file).unwrap()).unwrap();
    fs::remove_file(file).unwrap();
    deltas
}

/// F42.
#[test]
fn deltas_of_another_process_are_rejected() {
    if let Some(file) = env::var_os(FILE) {
        return fs::write(file, postcard::to_stdvec(&deltas()).unwrap()).unwrap();
    }
    let (mut net, mut mirror) = (Net::new(), Mirror::new());
    let [first, second]: [Vec<_>; 2] = [(); 2].map(|()| deltas_of_another_process());
    for delta in &first[..2] {
        mirror.apply(&mut net, delta).unwrap();
    }
    for delta in &second {
        let applied = mirror.apply(&mut net, delta);
        match delta.is_everything() {
            true => assert_eq!(applied, Err(ApplyError::OtherFeed)),
            false => assert!(applied.is_err()), // unreadable, but for an accident: it has a short tag
        }
    }
    mirror.apply(&mut net, &first[2]).unwrap();
    assert_eq!(net.len(), 3);
}
