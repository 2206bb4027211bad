//! Inspecting the game from a browser while it is played.

use std::io;
use std::thread::sleep;
use std::time::Duration;

use ecs_inspector::Inspector;

use super::arguments::Inspect;
use super::logic::MatchOne;

/// The duration of a frame, and the number of frames between two turns with `--headless`.
const FRAME: Duration = Duration::from_millis(33);
const FRAMES: u32 = 15;

/// Starts the inspector if requested, at the address in the environment or else at the usual one.
pub(crate) fn start(inspect: Inspect) -> io::Result<Inspector> {
    let builder = Inspector::builder().title("Match One");
    match (inspect, std::env::var_os("ECS_INSPECTOR")) {
        (Inspect::No, _) => Ok(Inspector::off()),
        (Inspect::Yes, Some(_)) => builder.from_env(),
        (Inspect::Yes, None) => builder.serve("127.0.0.1:7777"),
    }
}

/// Runs some frames before a turn, and more while the game is paused. Without an inspector, returns
/// at once.
pub(crate) fn wait(game: &mut MatchOne, inspector: &mut Inspector) {
    let mut left = match inspector.is_on() {
        true => FRAMES,
        false => 0,
    };
    while left > 0 || inspector.is_paused() {
        game.frame();
        game.show(inspector);
        sleep(FRAME);
        left = left.saturating_sub(1);
    }
}
