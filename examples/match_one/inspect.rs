//! Looking inside the game while it is played, from a browser.

use std::io;
use std::thread::sleep;
use std::time::Duration;

use ecs_inspector::Inspector;

use super::arguments::Inspect;
use super::logic::MatchOne;

/// How long a frame takes, and how many there are between two turns that the game takes by itself.
const FRAME: Duration = Duration::from_millis(33);
const FRAMES: u32 = 15;

/// Starts the inspector if it is wanted, where the environment says, else at its usual address.
pub(crate) fn start(inspect: Inspect) -> io::Result<Inspector> {
    let builder = Inspector::builder().title("Match One");
    match (inspect, std::env::var_os("ECS_INSPECTOR")) {
        (Inspect::No, _) => Ok(Inspector::off()),
        (Inspect::Yes, Some(_)) => builder.from_env(),
        (Inspect::Yes, None) => builder.serve("127.0.0.1:7777"),
    }
}

/// Lets frames pass before a turn, more of them while the game is paused. Without an inspector there
/// is nothing to wait for.
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
