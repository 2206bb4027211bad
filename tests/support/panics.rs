//! Calls that are expected to panic: their messages are returned, not printed.

use std::backtrace::Backtrace;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are expected and not to be printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Messages of panics that abort the process: they are always printed.
const ABORTS: [&str; 2] = ["unsafe precondition", "panic in a "];

fn text_of<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    let payload = info.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or_default()
}

fn install_quiet_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if ABORTS.iter().any(|what| text_of(info).contains(what)) {
                // Bypasses the capture of the test harness, which an abort would lose.
                _ = writeln!(io::stderr(), "{info}\n{}", Backtrace::force_capture());
            }
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
}

/// Runs `act`; returns the message of its panic, if any.
pub fn attempt<R>(act: impl FnOnce() -> R) -> Option<String> {
    install_quiet_hook();
    let before = QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(act));
    QUIET.set(before);
    let payload = outcome.err()?;
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
    Some(text.unwrap_or_default())
}

/// Runs `act`, which must panic; returns the message.
#[track_caller]
pub fn panic_of<R>(act: impl FnOnce() -> R) -> String {
    attempt(act).expect("the call should have panicked")
}
