//! Two pages in headless Chromium play against each other, also after the server was killed.
//!
//! Without Chromium, or without Rust's target for browsers, nothing is tested, and a line says so; with the variable
//! `ARENA_BROWSER=required` that is a failure. `ARENA_PICTURES=folder` keeps pictures of the pages.

mod devtools;
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

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
        (None, _) => two_pages_play_on_after_a_kill(),
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

fn join(browser: &mut Browser, server: &Server, name: &str) -> Page {
    let url = format!("{}?name={name}&bots=0&walls=0&seconds=3000", server.url());
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

fn two_pages_play_on_after_a_kill() {
    let mut server = Server::start();
    let mut browser = Browser::start();
    let ann = join(&mut browser, &server, "Ann");
    let ben = join(&mut browser, &server, "Ben");
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
