//! Two pages in headless Chromium play against each other, also after the server was killed. Another plays with lag.
//!
//! Without Chromium, or without Rust's target for browsers, nothing is tested, and a line says so; with the variable
//! `ARENA_BROWSER=required` that is a failure. `ARENA_PICTURES=folder` keeps pictures of the pages.

mod devtools;
mod lag;
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use devtools::{Browser, Page};
use server::Server;

/// What is missing for this test.
fn missing() -> Option<String> {
    let program = devtools::program();
    let chromium = Command::new(&program).arg("--version").output();
    if let Err(error) = chromium {
        return Some(format!(
            "`{program}` does not start ({error}): install Chromium, or set CHROMIUM to its path"
        ));
    }
    let target = [
        "--print",
        "target-libdir",
        "--target",
        "wasm32-unknown-unknown",
    ];
    let folder = Command::new("rustc").args(target).output();
    let folder = folder.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    match folder {
        Ok(folder) if Path::new(&folder).exists() => None,
        _ => Some(
            "Rust has no target for browsers: run `rustup target add wasm32-unknown-unknown`"
                .to_owned(),
        ),
    }
}

fn main() {
    match (missing(), std::env::var("ARENA_BROWSER")) {
        (None, _) => {
            own_moves_are_seen_at_once_and_stay_with_lag();
            two_pages_play_on_after_a_kill();
        }
        (Some(what), Ok(must)) if must == "required" => panic!("{what}"),
        (Some(what), _) => println!("The arena was NOT tested in a browser. {what}"),
    }
}

/// Goes to the middle, where the players see each other.
const TO_THE_MIDDLE: &str = "arena.steer = (report, hands) => { \
    const [x, y] = [1280 - arena.scene[1], 896 - arena.scene[2]], far = Math.max(Math.hypot(x, y), 1); \
    [hands.x, hands.y] = far > 150 ? [100 * x / far, 100 * y / far].map(Math.round) : [0, 0]; }";
/// Aims at the other one, and shoots.
const SHOOT: &str = "arena.steer = (report, hands) => { \
    const other = things(1).find((it) => it[6] !== report.me); \
    if (other) [hands.aimX, hands.aimY] = [other[1] - arena.scene[1], other[2] - arena.scene[2]].map((it) => \
        Math.round(100 * it / Math.hypot(other[1] - arena.scene[1], other[2] - arena.scene[2]))); \
    hands.shoots = Boolean(other); }";
const WALK: &str = "{ const x = arena.scene[1] > 1280 ? -100 : 100; \
    arena.steer = (report, hands) => Object.assign(hands, { x, y: 0, shoots: false }); }";
const STAND: &str =
    "arena.steer = (report, hands) => Object.assign(hands, { x: 0, y: 0, shoots: false })";
const HELPERS: &str = "window.isSamePage = true; \
    window.things = (kind) => { const list = []; for (let at = 0; at < arena.scene.length; at += 7) \
        if (arena.scene[at] === kind) list.push([...arena.scene.slice(at, at + 7)]); return list; }; \
    window.other = () => things(1).find((it) => it[6] !== arena.report?.me);";

fn join(browser: &mut Browser, port: u16, name: &str, walls: u8) -> Page {
    let url = format!("http://127.0.0.1:{port}/?name={name}&bots=0&walls={walls}&seconds=3000");
    let page = browser.open(&url);
    browser.until(
        &page,
        "the page has begun",
        "Boolean(window.arena?.report?.me)",
    );
    browser.eval(&page, HELPERS);
    page
}

fn picture(browser: &mut Browser, page: &Page, name: &str) {
    if let Some(folder) = std::env::var_os("ARENA_PICTURES") {
        browser.picture(page, &PathBuf::from(folder).join(name));
    }
}

/// One page moves to the far side, and the other sees it.
fn sees_move(browser: &mut Browser, watcher: &Page, walker: &Page) {
    browser.until(watcher, "the other is there", "Boolean(other())");
    browser.eval(watcher, "window.from = other()[1]");
    browser.eval(walker, WALK);
    let moves = "Math.abs(other()?.[1] - from) > 100";
    browser.until(watcher, "the other moves", moves);
    browser.eval(walker, TO_THE_MIDDLE);
}

/// Records how many milliseconds and frames after a key the page has drawn the player elsewhere. If that takes half a
/// second, there is a wall.
const MEASURE: &str = "window.delays = []; window.pressed = null; \
    addEventListener('keydown', ({ timeStamp }) => { \
        pressed = { at: timeStamp, x: arena.scene[1], y: arena.scene[2], frames: 0 }; }); \
    const look = () => { \
        requestAnimationFrame(look); \
        if (!pressed) return; \
        const { at, x, y } = pressed, frames = ++pressed.frames, delay = performance.now() - at; \
        const moved = arena.scene[1] !== x || arena.scene[2] !== y; \
        if (moved) delays.push([delay, frames]); \
        if (moved || (delay > 500 && frames > 30)) pressed = null; }; \
    requestAnimationFrame(look);";
/// Another way every 40 frames, for 2,000 frames.
const WALK_ABOUT: &str = "window.frames = 0; window.seen = new Set(); \
    arena.steer = (report, hands) => { \
        const turn = Math.floor(frames++ / 40) * 2.4, speed = frames < 2000 ? 100 : 0; \
        [hands.x, hands.y] = [Math.cos(turn) * speed, Math.sin(turn) * speed].map(Math.round); \
        seen.add(String([Math.floor(arena.scene[1] / 64), Math.floor(arena.scene[2] / 64)])); }";

/// Only the median of times is compared: on a busy machine single frames are late.
fn own_moves_are_seen_at_once_and_stay_with_lag() {
    let server = Server::start();
    let mut browser = Browser::start();
    let page = join(&mut browser, lag::proxy(server.port()), "Ann", 16);
    browser.until(&page, "the player has a body", "arena.scene[3] === 1");
    browser.eval(&page, MEASURE);
    for number in 0..20 {
        let code = ["KeyA", "KeyD", "KeyW", "KeyS"][number % 4];
        browser.key(&page, code, true);
        browser.until(&page, "the player moves", "!pressed");
        browser.key(&page, code, false);
        sleep(Duration::from_millis(200 + 7 * number as u64));
    }
    let delays = browser.eval(&page, "delays.sort(([a], [b]) => a - b)");
    let moves = delays.as_array().expect("a list").len();
    assert!(moves > 9, "walls all around: {delays}");
    let number = |at: usize, part: usize| delays[at][part].as_f64().expect("a number");
    let frames = (0..moves).map(|at| number(at, 1)).fold(0.0, f64::max);
    let (median, most) = (number(moves / 2, 0), number(moves - 1, 0));
    println!(
        "a move is seen {median:.0} ms after its key, at most {most:.0} ms and {frames} frames, with a lag of {:?}",
        2 * lag::LAG
    );
    assert!(median < 60.0 && frames < 3.0, "{delays}");

    browser.eval(&page, WALK_ABOUT);
    let is_ahead = "frames > 100 && arena.report.pending > 4";
    browser.until(&page, "it is ahead of the server", is_ahead);
    for part in 1..=11 {
        let walked = format!("frames > {}", 200 * part); // each on a clock of its own
        browser.until(&page, "it walks about", &walked);
    }
    browser.eval(&page, "frames = 1000"); // walks again
    lag::hold(true);
    let stops = "arena.report.trouble === 'the server is silent'";
    browser.until(&page, "it stops without the server", stops);
    browser.eval(&page, "frames = 1500");
    lag::hold(false);
    let goes_on = "!arena.report.trouble && arena.report.pending < 15 && frames > 2200";
    browser.until(&page, "it goes on", goes_on);

    let tiles = browser.eval(&page, "seen.size").as_u64().expect("a number");
    assert!(tiles > 10, "it has been on {tiles} tiles");
    let corrections = browser.eval(&page, "arena.report.corrections");
    assert_eq!(corrections, serde_json::json!([0, 0]));
    println!("no corrections in 2,900 frames, on {tiles} tiles");
}

fn two_pages_play_on_after_a_kill() {
    let mut server = Server::start();
    let mut browser = Browser::start();
    let ann = join(&mut browser, server.port(), "Ann", 0);
    let ben = join(&mut browser, server.port(), "Ben", 0);
    for page in [&ann, &ben] {
        browser.until(page, "both are there", "arena.report.pilots.length === 2");
        browser.eval(page, TO_THE_MIDDLE);
    }
    sees_move(&mut browser, &ann, &ben);
    sees_move(&mut browser, &ben, &ann);

    browser.eval(&ann, SHOOT);
    let kills = "arena.report.pilots.some((it) => it.name === 'Ann' && it.kills > 0) && \
        arena.report.pilots.some((it) => it.name === 'Ben' && it.deaths > 0)";
    for page in [&ann, &ben] {
        browser.until(page, "Ann has killed Ben", kills);
    }
    picture(&mut browser, &ann, "kill.png");
    browser.eval(&ann, STAND);
    let corrections = browser.eval(&ann, "arena.report.corrections[1]");
    println!("corrections of at most {corrections} eighths of a point");

    let tick = browser.eval(&ann, "arena.report.tick").as_u64().unwrap();
    server.kill();
    let lost = "Boolean(arena.report.trouble)";
    browser.until(&ann, "the page says that the server is away", lost);
    picture(&mut browser, &ann, "away.png");
    server.start_again();
    for page in [&ann, &ben] {
        let goes_on = format!(
            "isSamePage && !arena.report.trouble && arena.report.tick > {tick} + 20 && {kills}"
        );
        browser.until(page, "the page goes on", &goes_on);
        browser.eval(page, TO_THE_MIDDLE);
    }
    sees_move(&mut browser, &ann, &ben);
    sees_move(&mut browser, &ben, &ann);
    println!(
        "Two pages have played in {}, also after a kill.",
        devtools::program()
    );
}
