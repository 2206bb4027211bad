//! A world of two contexts with an inspector and a client, whose frames are run by the test.

use ecs::VisitContexts;
use ecs::prelude::*;
use ecs_inspector::Inspector;
use serde_json::{Value, json};

use crate::client::Socket;
use crate::program::{Game, game};

#[ecs::context]
pub(crate) struct Ui;

#[derive(Component, Clone, Debug)]
#[component(context = Ui)]
pub(crate) struct Button(pub(crate) u32);

#[derive(Contexts)]
pub(crate) struct World {
    pub(crate) game: Game,
    pub(crate) ui: Ui,
}

/// The world, its inspector and a client.
pub(crate) struct Stage<W = World> {
    pub(crate) world: W,
    pub(crate) systems: Systems<W>,
    pub(crate) inspector: Inspector,
    socket: Socket,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let mut ui = Ui::new();
        ui.create_with(Button(3));
        Self::with(World { game: game(), ui })
    }
}

impl<W: VisitContexts> Stage<W> {
    pub(crate) fn with(world: W) -> Self {
        let inspector = Inspector::serve("127.0.0.1:0").unwrap();
        let address = inspector.address().unwrap();
        let socket = Socket::open(address, &format!("ws://{address}/ws")).unwrap();
        Self {
            world,
            systems: Systems::new(),
            inspector,
            socket,
        }
    }

    pub(crate) fn frame(&mut self) {
        self.systems.execute(&mut self.world);
        self.systems.cleanup(&mut self.world);
        self.inspector.update(&mut self.world, &mut self.systems);
    }

    /// Sends a request, and runs frames until the answer arrives.
    pub(crate) fn ask(&mut self, kind: &str, name: &str, params: Value) -> Value {
        self.ask_as(1, kind, name, params)
    }

    /// Watches, and runs frames until the first answer arrives.
    pub(crate) fn watch(&mut self, name: &str, params: Value) -> Value {
        self.ask_as(2, "watch", name, params)
    }

    fn ask_as(&mut self, id: u32, kind: &str, name: &str, params: Value) -> Value {
        let text = json!({ "id": id, kind: name, "params": params }).to_string();
        self.ask_text(id, text)
    }

    /// Sends a request, and calls `frame` until the answer arrives.
    pub(crate) fn ask_with(
        &mut self,
        kind: &str,
        name: &str,
        params: Value,
        frame: impl FnMut(&mut Self),
    ) -> Value {
        let text = json!({ "id": 1, kind: name, "params": params }).to_string();
        self.ask_in(1, text, frame)
    }

    /// Sends a message without waiting.
    pub(crate) fn send(&mut self, message: &Value) {
        self.socket.send(message.clone());
    }

    /// Sends a text, and runs frames until an answer with this id arrives.
    pub(crate) fn ask_text(&mut self, id: u32, text: String) -> Value {
        self.ask_in(id, text, Self::frame)
    }

    fn ask_in(&mut self, id: u32, text: String, mut frame: impl FnMut(&mut Self)) -> Value {
        let message = tungstenite::Message::text(text.clone());
        self.socket.0.send(message).unwrap();
        let timeout = std::time::Duration::from_millis(1);
        self.socket
            .0
            .get_ref()
            .set_read_timeout(Some(timeout))
            .unwrap();
        for _ in 0..5000 {
            frame(self);
            if let Ok(tungstenite::Message::Text(text)) = self.socket.0.read() {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["id"] == id {
                    return message;
                }
            }
        }
        panic!("no answer to {text}");
    }
}
