//! A WebSocket for pages.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{BinaryType, CloseEvent, Event, MessageEvent};

use crate::socket::{Message, Socket};

type Incoming = Rc<RefCell<VecDeque<Message>>>;

/// The WebSocket of this platform: the browser's.
pub struct WebSocket {
    /// `None` if the browser rejects the URL.
    socket: Option<Open>,
    incoming: Incoming,
}

struct Open {
    socket: web_sys::WebSocket,
    // The browser calls them until the socket is dropped.
    _opened: Closure<dyn FnMut(Event)>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _closed: Closure<dyn FnMut(CloseEvent)>,
}

impl Open {
    fn new(socket: web_sys::WebSocket, incoming: &Incoming) -> Self {
        socket.set_binary_type(BinaryType::Arraybuffer);
        let to = incoming.clone();
        let opened = Closure::<dyn FnMut(Event)>::new(move |_| {
            to.borrow_mut().push_back(Message::Opened);
        });
        let to = incoming.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            to.borrow_mut().extend(message(&event));
        });
        let to = incoming.clone();
        let closed = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            let (code, reason) = (event.code(), event.reason());
            to.borrow_mut().push_back(Message::Closed { code, reason });
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        Self {
            socket,
            _opened: opened,
            _message: message,
            _closed: closed,
        }
    }
}

fn message(event: &MessageEvent) -> Option<Message> {
    let data = event.data();
    match data.dyn_into::<ArrayBuffer>() {
        Ok(buffer) => Some(Message::Binary(Uint8Array::new(&buffer).to_vec())),
        Err(data) => Some(Message::Text(data.as_string()?)),
    }
}

impl Socket for WebSocket {
    fn open(url: &str) -> Self {
        let incoming = Incoming::default();
        let socket = match web_sys::WebSocket::new(url) {
            Ok(socket) => Some(Open::new(socket, &incoming)),
            Err(error) => {
                let (code, reason) = (1006, format!("{error:?}"));
                let closed = Message::Closed { code, reason };
                incoming.borrow_mut().push_back(closed);
                None
            }
        };
        Self { socket, incoming }
    }

    fn send(&mut self, message: Message) {
        if let Some(Open { socket, .. }) = &self.socket {
            // Errors are followed by the end of the connection.
            let _ = match message {
                Message::Text(text) => socket.send_with_str(&text),
                Message::Binary(bytes) => socket.send_with_u8_array(&bytes),
                Message::Opened | Message::Closed { .. } => Ok(()),
            };
        }
    }

    fn receive(&mut self) -> Option<Message> {
        self.incoming.borrow_mut().pop_front()
    }
}

impl Drop for WebSocket {
    fn drop(&mut self) {
        if let Some(Open { socket, .. }) = &self.socket {
            socket.set_onopen(None);
            socket.set_onmessage(None);
            socket.set_onclose(None);
            let _ = socket.close();
        }
    }
}

impl fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.incoming.borrow().len();
        write!(f, "WebSocket {{ waiting: {waiting}, .. }}")
    }
}
