//! The terminal, taken over and given back: however the program ends, by leaving, by an
//! error or by a panic.

use std::io::{self, stdout};
use std::{panic, thread};

use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, Frame};

/// The right to draw on the terminal. Dropping it gives the terminal back.
pub(super) struct Screen(DefaultTerminal);

impl Screen {
    /// Takes the terminal over: raw keys, a screen of its own, the mouse.
    pub(super) fn enter() -> io::Result<Self> {
        let terminal = ratatui::try_init().inspect_err(|_| ratatui::restore())?;
        let screen = Self(terminal);
        release_mouse_before_panics();
        execute!(stdout(), EnableMouseCapture)?;
        Ok(screen)
    }

    /// Draws one picture.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.0.draw(draw).map(drop)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // After a panic the hook has done it already. Twice would move the cursor back
        // to where the program began, and the shell would write over the message.
        if !thread::panicking() {
            release_mouse();
            ratatui::restore();
        }
    }
}

/// Puts a hook before that of `ratatui`, which gives back all but the mouse, and is
/// itself before the one that writes the message.
fn release_mouse_before_panics() {
    let restore = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        release_mouse();
        restore(info);
    }));
}

fn release_mouse() {
    // Nothing is left to be done where the terminal has gone away.
    let _ = execute!(stdout(), DisableMouseCapture);
}
