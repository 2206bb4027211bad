//! A page that walks about in the room `field` of the tests, with the WebSocket of the browser. `tests/client/page.rs`
//! builds and opens it: this is no example of a game. The components are those of `tests/gateway/game.rs`, which needs the
//! gateway, and so cannot be compiled for a page.

#![cfg(all(feature = "web", target_arch = "wasm32"))]
#![allow(
    missing_docs,
    unreachable_pub,
    reason = "a context shows its components"
)]

use std::time::Duration;

use ecs::Mirror;
use ecs::prelude::*;
use ecs_gateway_client::{Client, Event, Options, Outcome, WebSocket};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;

#[ecs::context]
pub struct Field;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Body {
    #[component(primary_index)]
    pub player: u64,
    pub name: String,
    pub sum: u64,
    pub inputs: u64,
    pub is_there: bool,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Purse(pub u32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Field, unique)]
pub struct Map(pub String);

#[derive(Serialize)]
pub enum Input {
    Enter { name: String },
    Walk { x: i32, y: i32 },
    Add(u64),
}

#[wasm_bindgen]
extern "C" {
    /// Sends JSON to the test.
    fn report(text: &str);
}

#[derive(Default)]
struct Page {
    user: u64,
    joins: u32,
    deltas: u32,
    played: u32,
}

impl Page {
    fn hear(&mut self, client: &mut Client<Field, Input, WebSocket>, event: Event<Field>) {
        match event {
            Event::Joined { .. } => self.joins += 1,
            Event::Welcome { user, .. } => self.user = user,
            Event::Outcome {
                outcome: Outcome::Played { .. },
                ..
            } => self.played += 1,
            Event::Closed { again: true, .. } => {}
            Event::Delta { .. } => unreachable!("it was applied"),
            other => report(&format!(r#"{{"error": "{other:?}, {client:?}"}}"#)),
        }
    }

    fn show(&mut self, client: &Client<Field, Input, WebSocket>, field: &Field) {
        self.deltas += 1;
        let own = field.entity_with_body(&self.user);
        if let Some(at) = own.as_ref().and_then(|own| own.get_position())
            && self.deltas.is_multiple_of(20)
        {
            let (x, y, pending) = (at.x, at.y, client.pending());
            let Self {
                user,
                joins,
                played,
                ..
            } = self;
            report(&format!(
                r#"{{"user": {user}, "at": [{x}, {y}], "joins": {joins}, "played": {played}, "pending": {pending}}}"#
            ));
        }
    }
}

#[wasm_bindgen(start)]
fn start() {
    let window = web_sys::window().expect("a page has one");
    let host = window.location().host().expect("it has an address");
    let mut client = Client::new(Options::new(format!("ws://{host}/ws")));
    client.join("field", false);
    client.play(&Input::Enter {
        name: "Jö".to_owned(),
    });
    client.play(&Input::Walk { x: -3, y: 40 });

    let (mut field, mut mirror, mut page) = (Field::new(), Mirror::new(), Page::default());
    let (mut now, mut frames) = (Duration::ZERO, 0);
    let frame = Closure::<dyn FnMut()>::new(move || {
        now += Duration::from_millis(10);
        frames += 1;
        if frames % 3 == 0 {
            client.play(&Input::Add(1));
        }
        while let Some(event) = client.poll(now) {
            if let Event::Delta { delta, .. } = &event {
                match mirror.rebase(&mut field, delta) {
                    Ok(_) => page.show(&client, &field),
                    Err(_) => client.lost(),
                }
            } else {
                page.hear(&mut client, event);
            }
        }
    });
    let callback = frame.as_ref().unchecked_ref();
    let timer = window.set_interval_with_callback_and_timeout_and_arguments_0(callback, 10);
    timer.expect("pages have timers");
    frame.forget(); // it runs as long as the page is open
}
