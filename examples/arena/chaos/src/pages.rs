//! Two players in headless Chromium, whose pages are never loaded again.

use std::time::Duration;

use crate::Failure;
use crate::devtools::{Browser, Page, program};

/// Walks about, aims at others, and records how long no tick was seen.
const PLAY: &str = "window.isSamePage = true; window.longest = 0; window.moved = performance.now(); window.shown = []; \
    window.lastTick = 0; window.frames = 0; \
    arena.steer = (report, hands) => { \
        const now = performance.now(), turn = Math.floor(frames++ / 40) * 2.4; \
        [hands.x, hands.y, hands.shoots] = [Math.cos(turn) * 100, Math.sin(turn) * 100, frames % 90 < 30].map(Number); \
        [hands.x, hands.y] = [hands.x, hands.y].map(Math.round); hands.shoots = Boolean(hands.shoots); \
        if (report && report.tick > lastTick) { \
            longest = Math.max(longest, now - moved); [lastTick, moved] = [report.tick, now]; } \
        if (report?.trouble && !shown.includes(report.trouble)) shown.push(report.trouble); }";

pub(crate) struct Pages {
    browser: Browser,
    pages: Vec<Page>,
}

/// What the pages have seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// The longest time without a tick, in seconds.
    pub(crate) silence: f64,
    /// What players were shown, such as that the page connects again.
    pub(crate) shown: Vec<String>,
}

impl Pages {
    /// Opens the pages, in a room; `None` if there is no Chromium, which is a failure with `ARENA_BROWSER=required`.
    pub(crate) fn open(port: u16, room: &str) -> Result<Option<Self>, Failure> {
        let version = std::process::Command::new(program())
            .arg("--version")
            .output();
        if version.is_err() {
            let missing = format!("`{}` does not start", program());
            if std::env::var("ARENA_BROWSER").is_ok_and(|it| it == "required") {
                return Err(missing.into());
            }
            println!("without pages: {missing}");
            return Ok(None);
        }
        let mut pages = Self {
            browser: Browser::start(),
            pages: Vec::new(),
        };
        for name in ["Ann", "Ben"] {
            pages.add(port, room, name);
        }
        Ok(Some(pages))
    }

    /// Opens one more page, of the version that is served now.
    pub(crate) fn add(&mut self, port: u16, room: &str, name: &str) {
        let url = format!("http://127.0.0.1:{port}/?name={name}&room={room}");
        let page = self.browser.open(&url);
        let has_begun = "Boolean(window.arena?.report?.me)";
        self.browser.until(&page, "the page has begun", has_begun);
        self.browser.eval(&page, PLAY);
        self.pages.push(page);
    }

    /// What they have seen since the last call.
    pub(crate) fn seen(&mut self) -> Seen {
        let mut seen = Seen::default();
        for page in &self.pages {
            let longest = "(() => { const it = Math.max(longest, performance.now() - moved); longest = 0; return it; })()";
            let longest = self
                .browser
                .eval(page, longest)
                .as_f64()
                .unwrap_or(f64::MAX);
            seen.silence = seen.silence.max(longest / 1e3);
            let shown = self.browser.eval(page, "shown.splice(0)");
            let shown = shown.as_array().into_iter().flatten();
            seen.shown
                .extend(shown.filter_map(|text| text.as_str().map(str::to_owned)));
        }
        seen
    }

    /// Waits until all of them go on.
    pub(crate) fn until_they_go_on(&mut self) {
        for page in &self.pages {
            let goes_on = "isSamePage && !arena.report.trouble && performance.now() - moved < 400";
            self.browser
                .until(page, "the page goes on without a reload", goes_on);
        }
    }

    /// Writes a picture of the first page.
    pub(crate) fn picture(&mut self, file: &std::path::Path) {
        std::thread::sleep(Duration::from_millis(200));
        self.browser.picture(&self.pages[0], file);
    }
}
