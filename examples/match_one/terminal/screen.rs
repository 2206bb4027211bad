//! The terminal, taken over and given back: however the program ends, by leaving, by an
//! error or by a panic.

use std::io::{self, BufWriter, Write as _, stdout};
use std::{panic, thread};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use super::grid::Grid;
use super::layout::Size;

/// The right to draw on the terminal. Dropping it gives the terminal back.
pub(super) struct Screen {
    /// What the terminal shows.
    drawn: Grid,
}

impl Screen {
    /// Takes the terminal over: raw keys, a screen of its own, the mouse.
    pub(super) fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let drawn = Grid::new(Size::new(0, 0));
        // From here on it is given back, also where the rest cannot be taken.
        let screen = Self { drawn };
        give_back_before_panics();
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
        Ok(screen)
    }

    /// How large the terminal is now.
    pub(super) fn size(&self) -> io::Result<Size> {
        let (width, height) = terminal::size()?;
        Ok(Size::new(width, height))
    }

    /// Draws a picture: what has changed of it, or all where the size is another one.
    pub(super) fn draw(&mut self, grid: Grid) -> io::Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        if grid.size() != self.drawn.size() {
            queue!(out, Clear(ClearType::All))?;
            self.drawn = Grid::new(grid.size());
        }
        grid.write_over(&self.drawn, &mut out)?;
        self.drawn = grid;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // After a panic the hook has done it already. Twice would move the cursor back
        // to where the program began, and the shell would write over the message.
        if !thread::panicking() {
            give_back();
        }
    }
}

/// Puts a hook before the one that writes the message, for a screen that can be read.
fn give_back_before_panics() {
    let write = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        give_back();
        write(info);
    }));
}

fn give_back() {
    // Nothing is left to be done where the terminal has gone away.
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = terminal::disable_raw_mode();
}
