//! Sockets that the page owns: what goes out waits until the page takes it, what comes in until the client asks. A client
//! that moves to another gateway has two of them.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use ecs_gateway_client::{Message, Socket};

/// What the page shall do with a socket.
pub(crate) struct Order {
    pub(crate) socket: u32,
    pub(crate) kind: u32,
    pub(crate) bytes: Vec<u8>,
}

struct Wires {
    /// The number of the last socket.
    last: u32,
    /// What has come over each that is open.
    coming: BTreeMap<u32, VecDeque<Message>>,
    going: VecDeque<Order>,
}

// A `Socket` is made of a URL alone, so what it shares with the page is here.
thread_local! {
    static WIRES: RefCell<Wires> = const {
        RefCell::new(Wires { last: 0, coming: BTreeMap::new(), going: VecDeque::new() })
    };
}

/// The next thing that the page shall do.
pub(crate) fn next() -> Option<Order> {
    WIRES.with_borrow_mut(|wires| wires.going.pop_front())
}

/// The page has received something, over a socket that may be closed here.
pub(crate) fn receive(socket: u32, message: Message) {
    WIRES.with_borrow_mut(|wires| {
        let coming = wires.coming.get_mut(&socket);
        coming
            .into_iter()
            .for_each(|it| it.push_back(message.clone()));
    });
}

pub(crate) struct Page(u32);

impl Page {
    fn push(&self, kind: u32, bytes: Vec<u8>) {
        let socket = self.0;
        let order = Order {
            socket,
            kind,
            bytes,
        };
        WIRES.with_borrow_mut(|wires| wires.going.push_back(order));
    }
}

impl Socket for Page {
    fn open(url: &str) -> Self {
        let socket = WIRES.with_borrow_mut(|wires| {
            wires.last += 1;
            wires.coming.insert(wires.last, VecDeque::new());
            Self(wires.last)
        });
        socket.push(1, url.into());
        socket
    }

    fn send(&mut self, message: Message) {
        match message {
            Message::Text(text) => self.push(2, text.into_bytes()),
            Message::Binary(bytes) => self.push(3, bytes),
            _ => {}
        }
    }

    fn receive(&mut self) -> Option<Message> {
        WIRES.with_borrow_mut(|wires| wires.coming.get_mut(&self.0)?.pop_front())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        WIRES.with_borrow_mut(|wires| wires.coming.remove(&self.0));
        self.push(4, Vec::new());
    }
}
