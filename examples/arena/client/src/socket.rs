//! A socket that the page owns: what goes out waits until the page takes it, what comes in until the client asks.

use std::cell::RefCell;
use std::collections::VecDeque;

use ecs_gateway_client::{Message, Socket};

struct Wire {
    coming: VecDeque<Message>,
    going: VecDeque<(u32, Vec<u8>)>,
}

// A `Socket` is made of a URL alone, so what it shares with the page is here. There is one at a time.
thread_local! {
    static WIRE: RefCell<Wire> = const {
        RefCell::new(Wire { coming: VecDeque::new(), going: VecDeque::new() })
    };
}

fn push(kind: u32, bytes: Vec<u8>) {
    WIRE.with_borrow_mut(|wire| wire.going.push_back((kind, bytes)));
}

/// The next thing that the page shall do.
pub(crate) fn next() -> Option<(u32, Vec<u8>)> {
    WIRE.with_borrow_mut(|wire| wire.going.pop_front())
}

/// The page has received something.
pub(crate) fn receive(message: Message) {
    WIRE.with_borrow_mut(|wire| wire.coming.push_back(message));
}

pub(crate) struct Page;

impl Socket for Page {
    fn open(url: &str) -> Self {
        WIRE.with_borrow_mut(|wire| wire.coming.clear());
        push(1, url.into());
        Self
    }

    fn send(&mut self, message: Message) {
        match message {
            Message::Text(text) => push(2, text.into_bytes()),
            Message::Binary(bytes) => push(3, bytes),
            _ => {}
        }
    }

    fn receive(&mut self) -> Option<Message> {
        WIRE.with_borrow_mut(|wire| wire.coming.pop_front())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        push(4, Vec::new());
    }
}
