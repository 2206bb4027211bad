//! The client of the arena: the functions that the page calls. It imports nothing, so the page needs no other tool to
//! load it. Bytes go in and out through one buffer.
//!
//! ```text
//! page                                     here
//! reserve(n), write bytes, start(n)        begins: `Start` as JSON
//! outgoing() ─► kind; socket(), buffer(), length()   what to do with a socket: see `socket`
//! reserve(n), write bytes, incoming(..)    what has come over one
//! controls(..)                             what the player does
//! frame(now) ─► numbers; scene()           plays up to now; what to draw: see `scene`
//! report() ─► bytes; buffer()              scores and the like, as JSON
//! ```

#![allow(
    unsafe_code,
    reason = "the names of what the page calls are not mangled"
)]

mod play;
mod scene;
mod socket;

use std::cell::RefCell;
use std::time::Duration;

use arena_rules::{Step, Weapon};
use ecs_gateway_client::Message;

use play::{Play, Start};

/// Where bytes go in and out, the socket that they are for, the numbers of the last frame, and the game once it has begun.
struct State {
    buffer: Vec<u8>,
    socket: u32,
    scene: Vec<f64>,
    play: Option<Play>,
}

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State { buffer: Vec::new(), socket: 0, scene: Vec::new(), play: None })
    };
}

fn with<R>(call: impl FnOnce(&mut State) -> R) -> R {
    STATE.with_borrow_mut(call)
}

/// Makes room for so many bytes, and returns where to write them.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    with(|state| {
        state.buffer.clear();
        state.buffer.resize(length, 0);
        state.buffer.as_mut_ptr()
    })
}

/// Where the bytes are that the last call has returned.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *const u8 {
    with(|state| state.buffer.as_ptr())
}

/// How many they are.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    with(|state| state.buffer.len())
}

/// Begins, with a [`Start`] in the buffer. Returns 0 if that cannot be read.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> u32 {
    with(|state| {
        let start: Option<Start> = serde_json::from_slice(&state.buffer).ok();
        state.play = start.map(Play::new);
        u32::from(state.play.is_some())
    })
}

/// What has come over a socket: 1 it is open, 2 text, 3 bytes, 4 it is closed, with a code and a reason.
#[unsafe(no_mangle)]
pub extern "C" fn incoming(socket: u32, kind: u32, code: u32) {
    with(|state| {
        let text = || String::from_utf8_lossy(&state.buffer).into_owned();
        let message = match kind {
            1 => Message::Opened,
            2 => Message::Text(text()),
            3 => Message::Binary(state.buffer.clone()),
            _ => Message::Closed {
                code: code as u16,
                reason: text(),
            },
        };
        socket::receive(socket, message);
    });
}

/// The number of the socket that the last call of [`outgoing`] is about.
#[unsafe(no_mangle)]
pub extern "C" fn socket() -> u32 {
    with(|state| state.socket)
}

/// What to do with a socket: 0 nothing, 1 open it to the URL in the buffer, 2 send text, 3 send bytes, 4 close it.
#[unsafe(no_mangle)]
pub extern "C" fn outgoing() -> u32 {
    with(|state| match socket::next() {
        Some(order) => {
            (state.socket, state.buffer) = (order.socket, order.bytes);
            order.kind
        }
        None => 0,
    })
}

/// What the player does from now on: two directions of at most 100, whether it shoots, and the weapon that it takes
/// in its hand, from 1; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn controls(x: i32, y: i32, aim_x: i32, aim_y: i32, shoots: u32, weapon: u32) {
    let part = |it: i32| it.clamp(-100, 100) as i8;
    let weapon = match weapon {
        1 => Some(Weapon::Blaster),
        2 => Some(Weapon::Scatter),
        3 => Some(Weapon::Rocket),
        _ => None,
    };
    with(|state| {
        if let Some(play) = &mut state.play {
            play.control(Step {
                walk: (part(x), part(y)),
                aim: (part(aim_x), part(aim_y)),
                shoots: shoots != 0,
                weapon,
            });
        }
    });
}

/// Plays up to a time in milliseconds. Returns of how many numbers the scene is.
#[unsafe(no_mangle)]
pub extern "C" fn frame(now: f64) -> usize {
    with(|state| {
        state.scene.clear();
        if let Some(play) = &mut state.play {
            play.advance(Duration::from_secs_f64(now.max(0.0) / 1_000.0));
            play.draw(&mut state.scene);
        }
        state.scene.len()
    })
}

/// Where they are.
#[unsafe(no_mangle)]
pub extern "C" fn scene() -> *const f64 {
    with(|state| state.scene.as_ptr())
}

/// Scores and the like, as JSON in the buffer. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn report() -> usize {
    with(|state| {
        let report = state.play.as_ref().map(Play::report);
        state.buffer = report.map_or_else(Vec::new, |it| it.to_string().into_bytes());
        state.buffer.len()
    })
}
