//! Takes over the terminal, and restores it however the program ends: by a request, an error or a
//! panic.

use std::io::{self, BufWriter, Write as _, stdout};
use std::{panic, thread};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use super::grid::Grid;
use super::layout::Size;

/// Draws on the terminal. Dropping it restores the terminal.
pub(super) struct Screen {
    /// The grid that the terminal shows.
    drawn: Grid,
}

impl Screen {
    /// Takes over the terminal: raw keys, the alternate screen, the mouse.
    pub(super) fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let drawn = Grid::new(Size::new(0, 0));
        // From here on the terminal is restored, even if one of the next steps fails.
        let screen = Self { drawn };
        give_back_before_panics();
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
        Ok(screen)
    }

    /// Returns the present size of the terminal.
    pub(super) fn size(&self) -> io::Result<Size> {
        let (width, height) = terminal::size()?;
        Ok(Size::new(width, height))
    }

    /// Draws what has changed, or everything if the size has changed.
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
        // After a panic the hook has already done it. A second time would move the cursor back
        // to where the program started, and the shell would overwrite the message.
        if !thread::panicking() {
            give_back();
        }
    }
}

/// Restores the terminal before the panic message is written, so that it can be read.
fn give_back_before_panics() {
    let write = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        give_back();
        write(info);
    }));
}

fn give_back() {
    // If the terminal is gone, there is nothing left to do.
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = terminal::disable_raw_mode();
}
