//! The active mutant, from `ECS_MUTANT`. With `ECS_MUTANTS_REACHED`, the numbers of all reached mutants
//! are written to that file when the process exits.
#![allow(unsafe_code, missing_docs, clippy::all)]

extern crate std;

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::vec::Vec;

const UNREAD: u32 = u32::MAX;
const RECORDING: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicU8; 1 << 15] = [const { AtomicU8::new(0) }; 1 << 15];

unsafe extern "C" {
    fn atexit(call: extern "C" fn()) -> i32;
}

#[inline]
pub(crate) fn is(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == number || active >= RECORDING && first_or_recording(number)
}

#[cold]
fn first_or_recording(number: u32) -> bool {
    if ACTIVE.load(Relaxed) == UNREAD {
        read();
    }
    if ACTIVE.load(Relaxed) == RECORDING {
        REACHED[number as usize].store(1, Relaxed);
    }
    ACTIVE.load(Relaxed) == number
}

fn read() {
    let number = std::env::var("ECS_MUTANT").ok().and_then(|text| text.parse().ok());
    if std::env::var_os("ECS_MUTANTS_REACHED").is_some() {
        // SAFETY: `write` is a function of the C ABI that exists until the program exits.
        unsafe { atexit(write) };
        ACTIVE.store(RECORDING, Relaxed);
    } else {
        ACTIVE.store(number.unwrap_or(NONE), Relaxed);
    }
}

extern "C" fn write() {
    let reached = REACHED.iter().enumerate().filter(|(_, it)| it.load(Relaxed) == 1);
    let lines: Vec<_> = reached.map(|(number, _)| std::format!("{number}\n")).collect();
    // A test may start processes, which also get here.
    if let Some(path) = std::env::var_os("ECS_MUTANTS_REACHED")
        && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = std::io::Write::write_all(&mut file, lines.concat().as_bytes());
    }
}
