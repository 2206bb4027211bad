//! A process that is killed, and the next one on the same file.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use ecs_rooms::FileStore;

use crate::race::{Order, host, played, player, until};

const FILE: &str = "ECS_ROOMS_FILE";
const NAME: &str = "killed::plays_until_it_is_killed";

/// Not a test: what the process does that is killed. It prints what is acknowledged.
#[test]
#[ignore = "run by the test below"]
fn plays_until_it_is_killed() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    let store = FileStore::open(path).unwrap();
    let host = host(&store, "first");
    host.open("a", 1).unwrap();
    until("the room", || host.stats().rooms == 1);
    let player = player(&store, "a", 1);
    for number in 0.. {
        player.send(&Order::Go(number)).unwrap();
        player.wait(Duration::from_secs(5)).unwrap();
        println!("acknowledged {number}");
    }
}

/// Starts it, and kills it after so many inputs. Returns the last one that was acknowledged.
fn kill_after(path: &Path, inputs: usize) -> u64 {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([NAME, "--exact", "--ignored", "--nocapture"])
        .env(FILE, path);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let number = |line: String| line.strip_prefix("acknowledged ")?.parse().ok();
    let mut acknowledged = lines.filter_map(number);
    let last = acknowledged.nth(inputs);
    child.kill().unwrap();
    child.wait().unwrap();
    acknowledged.last().or(last).expect("it ran")
}

#[test]
fn the_next_process_continues_where_the_killed_one_was() {
    let folder = std::env::temp_dir().join(format!("ecs-rooms-killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("rooms.redb");
    let last = kill_after(&path, 150);

    let store = FileStore::open(&path).unwrap();
    let second = host(&store, "second");
    until("take-over", || {
        second.stats().rooms == 1 && second.stats().ticks > 10
    });
    player(&store, "a", 2).send(&Order::Go(9)).unwrap();
    until("an input", || played(&store, "a").unwrap().0[2] == [9]);
    let (sent, _) = played(&store, "a").unwrap();
    let played = sent[1].len() as u64;
    assert!(
        sent[1].iter().copied().eq(0..played),
        "none twice, none missing"
    );
    assert!(
        played > last,
        "{played} inputs were played, {last} acknowledged"
    );
    assert_eq!(second.stats().failures, []);
    drop((second, store));
    std::fs::remove_dir_all(folder).unwrap();
}
