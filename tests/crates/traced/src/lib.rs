//! The output of a `tracing` subscriber while a game is played.

use std::io::{Result, Write};
use std::sync::{Arc, Mutex};

use tracing::Level;
use tracing_subscriber::fmt;

/// The written output.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Returns the lines that are written up to a level while `play` runs, without times.
pub fn lines(level: Level, play: impl FnOnce()) -> Vec<String> {
    let page = Page::default();
    let writer = page.clone();
    let subscriber = fmt()
        .with_max_level(level)
        .with_ansi(false)
        .without_time()
        .with_span_events(fmt::format::FmtSpan::ENTER)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, play);
    let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    text.lines().map(|line| line.trim().to_owned()).collect()
}
