//! The rules of `PROTOCOL.md`, one by one, with a socket whose other end is the test.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed};
use ecs_gateway_client::{Client, Event, Message, Options, Outcome, Socket};
use serde_json::{Value, json};

use crate::game::{Body, Field};

/// What the gateway of this test has got, and what it sends.
#[derive(Default)]
struct Wire {
    urls: Vec<String>,
    is_open: bool,
    sent: Vec<Message>,
    coming: VecDeque<Message>,
}

thread_local! {
    static WIRE: RefCell<Wire> = RefCell::default();
}

fn wire<T>(of: impl FnOnce(&mut Wire) -> T) -> T {
    WIRE.with_borrow_mut(of)
}

struct Fake;

impl Socket for Fake {
    fn open(url: &str) -> Self {
        wire(|it| {
            assert!(!it.is_open, "two connections");
            it.is_open = true;
            it.urls.push(url.to_owned());
            it.coming = VecDeque::from([Message::Opened]);
        });
        Self
    }

    fn send(&mut self, message: Message) {
        wire(|it| it.sent.push(message));
    }

    fn receive(&mut self) -> Option<Message> {
        wire(|it| it.coming.pop_front())
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        wire(|it| it.is_open = false);
    }
}

/// A client, and its time.
struct Test {
    client: Client<Field, u64, Fake>,
    now: Duration,
}

impl Test {
    fn new(options: Options) -> Self {
        let (client, now) = (Client::new(options), Duration::ZERO);
        Self { client, now }
    }

    /// In room `field`, by a gateway that has so many inputs.
    fn joined(inputs: u64) -> Self {
        let mut test = Self::new(Options::new("ws://one"));
        test.client.join("field", false);
        test.enter(inputs);
        test
    }

    /// Passes the greeting and a join.
    fn enter(&mut self, inputs: u64) {
        self.is_quiet();
        self.texts(1);
        self.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
        self.polled();
        assert_eq!(self.texts(1)[0]["room"], "field");
        self.say(json!({"type": "joined", "room": "field", "player": 7, "inputs": inputs}));
    }

    /// There is no event.
    #[track_caller]
    fn is_quiet(&mut self) {
        assert_eq!(self.polled(), [""; 0]);
    }

    fn polled(&mut self) -> Vec<String> {
        self.events().iter().map(|it| format!("{it:?}")).collect()
    }

    fn events(&mut self) -> Vec<Event<Field>> {
        std::iter::from_fn(|| self.client.poll(self.now)).collect()
    }

    fn say(&self, text: Value) {
        wire(|it| it.coming.push_back(Message::Text(text.to_string())));
    }

    fn close(&mut self, code: u16) -> Vec<Event<Field>> {
        let reason = "of a test".to_owned();
        wire(|it| it.coming.push_back(Message::Closed { code, reason }));
        self.events()
    }

    fn show(&self, header: (u64, u64, u64), delta: &Delta<Field>) {
        let (tick, number, input) = header;
        let bytes = postcard::to_stdvec(&(1_u8, tick, number, input, delta)).unwrap();
        wire(|it| it.coming.push_back(Message::Binary(bytes)));
    }

    /// The text messages that were sent, which are so many.
    fn texts(&self, count: usize) -> Vec<Value> {
        let sent = wire(|it| std::mem::take(&mut it.sent));
        let texts: Vec<_> = sent
            .iter()
            .map(|it| match it {
                Message::Text(text) => serde_json::from_str::<Value>(text).unwrap(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts.len(), count, "{texts:?}");
        texts
    }

    /// The inputs and acknowledgements that were sent.
    fn packets(&self) -> Vec<Vec<u8>> {
        let sent = wire(|it| std::mem::take(&mut it.sent));
        let bytes = sent.into_iter().map(|it| match it {
            Message::Binary(bytes) => bytes,
            other => panic!("{other:?}"),
        });
        bytes.collect()
    }

    fn play(&mut self, inputs: std::ops::RangeInclusive<u64>) {
        for number in inputs {
            assert_eq!(self.client.play(&(number + 100)), Some(number));
        }
    }
}

/// A packet with input 100 + `own`, under the gateway's number.
fn input(number: u8, own: u8) -> Vec<u8> {
    vec![1, number, own + 100]
}

fn outcomes(events: &[Event<Field>]) -> Vec<(u64, Outcome)> {
    let outcome = |event: &Event<Field>| match event {
        Event::Outcome { input, outcome } => Some((*input, outcome.clone())),
        _ => None,
    };
    events.iter().filter_map(outcome).collect()
}

fn origin() -> (Field, Feed<Field>) {
    let mut origin = Field::new();
    let feed = origin.feed::<Body>();
    (origin, feed)
}

fn body(player: u64) -> Body {
    Body {
        player,
        name: String::new(),
        sum: 0,
        inputs: 0,
        is_there: true,
    }
}

#[test]
fn a_client_greets_joins_and_plays() {
    let mut options = Options::new("ws://one");
    (options.game, options.login) = (Some(3), json!({"name": "Jö"}));
    let mut test = Test::new(options);
    test.client.list();
    test.client.join("field", false);
    test.play(1..=1); // before it is there
    test.is_quiet();
    let hello =
        json!({"type": "hello", "version": 1, "game": 3, "token": null, "login": {"name": "Jö"}});
    assert_eq!(test.texts(1), [hello]);
    test.say(json!({"type": "welcome", "version": 1, "user": 7, "token": "secret", "room": "old"}));
    let welcome = "Welcome { user: 7, room: Some(\"old\") }";
    assert_eq!(test.polled(), [welcome]);
    let join = json!({"type": "join", "room": "field", "spectate": false, "baselines": false});
    assert_eq!(test.texts(2), [join, json!({"type": "list"})]);
    assert_eq!(test.client.token(), Some("secret"));

    test.say(json!({"type": "joined", "room": "field", "player": 7, "inputs": 300}));
    test.polled();
    test.play(2..=3);
    // 301 and so on in two bytes
    let sent = [[1, 0xad, 2, 101], [1, 0xae, 2, 102], [1, 0xaf, 2, 103]];
    assert_eq!(test.packets(), sent);
    test.say(json!({"type": "outcomes", "played": [[301, 9]], "rejected": [[302, "late"]]}));
    let events = test.events();
    let late = Outcome::Rejected("late".to_owned());
    assert_eq!(
        outcomes(&events),
        [(1, Outcome::Played { tick: 9 }), (2, late)]
    );
    assert_eq!(test.client.pending(), 1);
}

#[test]
fn inputs_without_an_outcome_are_sent_again_after_a_lost_connection() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=4);
    assert_eq!(test.packets().len(), 4);
    test.say(json!({"type": "outcomes", "played": [[1, 9]], "rejected": []}));
    test.events();
    test.close(1006);
    test.play(5..=5);
    assert_eq!((test.polled().len(), test.packets().len()), (0, 0));
    test.now += Duration::from_millis(250);
    test.is_quiet();
    assert_eq!(test.texts(1)[0]["token"], "secret");
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": "field"}));
    test.polled();
    test.texts(1);
    test.say(json!({"type": "joined", "room": "field", "player": 7, "inputs": 3}));
    test.polled();
    assert_eq!(test.packets(), [input(4, 4), input(5, 5)]);
    test.say(json!({"type": "outcomes", "played": [[2, 9], [5, 10]], "rejected": []}));
    let played: Vec<_> = outcomes(&test.events()).iter().map(|it| it.0).collect();
    assert_eq!((played, test.client.pending()), (vec![2, 5], 2));
}

#[test]
fn another_gateway_has_its_own_numbers_and_the_client_keeps_its() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=4);
    test.say(json!({"type": "outcomes", "played": [[1, 9], [3, 9]], "rejected": []}));
    test.events();
    test.close(1006);
    test.now += Duration::from_secs(1);
    wire(|it| it.sent.clear());
    test.enter(0);
    test.polled();
    assert_eq!(test.packets(), [input(1, 2), input(2, 4)]);
    test.play(5..=5);
    assert_eq!(test.packets(), [input(3, 5)]);
    test.say(json!({"type": "outcomes", "played": [[1, 12], [3, 12]], "rejected": []}));
    let played: Vec<_> = outcomes(&test.events()).iter().map(|it| it.0).collect();
    assert_eq!(played, [2, 5]);
    let (mut origin, feed) = origin();
    test.show((12, 1, 1), &feed.take(&mut origin));
    test.show((13, 2, 2), &feed.take(&mut origin));
    let inputs: Vec<_> = test
        .events()
        .iter()
        .map(|it| match it {
            Event::Delta { input, .. } => *input,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(inputs, [3, 5]);
}

#[test]
fn a_drain_moves_the_client_once_its_inputs_have_outcomes() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=2);
    test.packets();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.is_quiet();
    test.play(3..=3);
    test.say(json!({"type": "outcomes", "played": [[2, 9]], "rejected": []}));
    assert_eq!(test.events().len(), 1);
    assert_eq!((test.packets().len(), wire(|it| it.is_open)), (0, true));
    test.say(json!({"type": "outcomes", "played": [[1, 9]], "rejected": []}));
    let last = test.events().pop();
    assert!(
        matches!(
            last,
            Some(Event::Closed {
                code: 1001,
                again: true,
                ..
            })
        ),
        "{last:?}"
    );
    assert_eq!(wire(|it| it.urls.clone()), ["ws://one", "ws://two"]); // at once
    test.enter(0);
    test.polled();
    assert_eq!(test.packets(), [input(1, 3)]);
}

#[test]
fn close_codes_say_whether_and_when_to_connect_again() {
    for (code, again) in [
        (1001, true),
        (1006, true),
        (4001, false),
        (4002, true),
        (4003, true),
        (4004, true),
        (4005, false),
        (4006, false),
    ] {
        let mut test = Test::joined(0);
        test.polled();
        let events = test.close(code);
        assert!(
            matches!(&events[..], [Event::Closed { again: it, .. }] if *it == again),
            "{code}"
        );
        let connections = wire(|it| it.urls.len());
        test.now += Duration::from_millis(124);
        test.events();
        assert_eq!(wire(|it| it.urls.len()), connections, "{code}");
        test.now += Duration::from_millis(126);
        test.events();
        let is_soon = again && code != 4004;
        assert_eq!(wire(|it| it.is_open), is_soon, "{code}");
        test.now += Duration::from_secs(8);
        test.events();
        assert_eq!(wire(|it| it.urls.len()) > connections, again, "{code}");
        drop(test);
        wire(|it| *it = Wire::default());
    }
}

#[test]
fn each_failure_doubles_the_pause() {
    let mut test = Test::new(Options::new("ws://one"));
    for pause in [250, 500, 1000, 2000, 4000, 8000, 8000] {
        test.events();
        assert!(wire(|it| it.is_open));
        test.close(1006);
        test.now += Duration::from_millis(pause / 2 - 1); // spread over the other half
        test.events();
        assert!(!wire(|it| it.is_open), "{pause}");
        test.now += Duration::from_millis(pause / 2 + 1);
    }
}

#[test]
fn clients_of_a_lost_gateway_do_not_connect_again_at_once() {
    let mut pauses = BTreeSet::new();
    for user in 0..20 {
        let mut options = Options::new("ws://one");
        options.token = Some(format!("user {user}"));
        let mut test = Test::new(options);
        test.events();
        test.close(1006);
        let lost = test.now;
        while !wire(|it| it.is_open) {
            test.now += Duration::from_millis(1);
            test.events();
        }
        pauses.insert(test.now - lost);
        drop(test);
        wire(|it| *it = Wire::default());
    }
    assert!(pauses.len() > 10, "{pauses:?}");
}

#[test]
fn a_rejected_token_is_dropped_and_without_one_the_client_stays_away() {
    let mut options = Options::new("ws://one");
    options.token = Some("old".to_owned());
    let mut test = Test::new(options);
    test.events();
    assert_eq!(test.texts(1)[0]["token"], "old");
    let events = test.close(4000);
    assert!(matches!(&events[..], [Event::Closed { again: true, .. }]));
    test.now += Duration::from_secs(1);
    test.events();
    assert_eq!(test.texts(1)[0]["token"], json!(null));
    let events = test.close(4000);
    assert!(matches!(&events[..], [Event::Closed { again: false, .. }]));
    test.now += Duration::from_secs(100);
    test.events();
    assert!(!wire(|it| it.is_open));
}

#[test]
fn a_delta_that_cannot_be_applied_is_followed_by_everything() {
    let mut test = Test::joined(0);
    test.polled();
    let (mut origin, feed) = origin();
    let (mut game, mut mirror) = (Field::new(), Mirror::new());
    let mut apply = |event: &Event<Field>| match event {
        Event::Delta { delta, .. } => mirror.rebase(&mut game, delta),
        other => panic!("{other:?}"),
    };
    test.show((1, 1, 0), &feed.take(&mut origin));
    assert_eq!(apply(&test.events()[0]), Ok(()));
    origin.create_with(body(1));
    let _ = feed.take(&mut origin); // it does not come
    test.show((3, 3, 0), &feed.take(&mut origin));
    assert!(matches!(
        apply(&test.events()[0]),
        Err(ApplyError::Missing { .. } | ApplyError::Unreadable)
    ));
    assert_eq!(test.packets(), [[2, 1], [2, 3]]);
    test.client.lost();
    test.client.lost();
    assert_eq!(test.texts(1), [json!({"type": "lost"})]);
    test.show((4, 4, 0), &feed.take(&mut origin));
    test.is_quiet();
    test.show((5, 5, 0), &feed.take_all(&mut origin));
    test.show((6, 6, 0), &feed.take(&mut origin));
    let events = test.events();
    assert_eq!(
        events.iter().map(apply).collect::<Vec<_>>(),
        [Ok(()), Ok(())]
    );
    assert_eq!(test.packets(), [[2, 4], [2, 5], [2, 6]]);
    assert!(game.entity_with_body(&1).is_some());
}

#[test]
fn bytes_that_are_no_delta_are_reported() {
    let mut test = Test::joined(0);
    test.polled();
    for bytes in [&[][..], &[9, 1, 1, 1], &[1, 5, 5, 0, 1, 1]] {
        wire(|it| it.coming.push_back(Message::Binary(bytes.to_vec())));
        assert!(
            matches!(test.events()[..], [Event::Error { .. }]),
            "{bytes:?}"
        );
    }
    test.say(json!({"type": "of a later version"}));
    test.is_quiet();
    wire(|it| it.coming.push_back(Message::Text("{".to_owned())));
    assert!(matches!(test.events()[..], [Event::Error { .. }]));
}

#[test]
fn with_baselines_the_user_acknowledges_and_may_skip() {
    let mut options = Options::new("ws://one");
    options.baselines = true;
    let mut test = Test::new(options);
    test.client.join("field", true);
    test.events();
    test.texts(1);
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    test.events();
    assert_eq!(test.texts(1)[0]["baselines"], true);
    test.say(json!({"type": "joined", "room": "field", "player": null, "inputs": 0}));
    test.events();
    let (mut origin, feed) = origin();
    feed.acknowledge(&mut origin, 0);
    let (mut game, mut mirror) = (Field::new(), Mirror::new());
    for tick in 1..=9 {
        origin.create_with(body(tick));
        test.show((tick, tick, 0), &feed.take(&mut origin));
        let events = test.events();
        let [Event::Delta { number, delta, .. }] = &events[..] else {
            panic!("{events:?}");
        };
        if tick % 3 == 1 {
            mirror.rebase(&mut game, delta).unwrap();
            test.client.acknowledge(*number);
            feed.acknowledge(&mut origin, *number);
        }
    }
    assert_eq!(test.packets(), [[2, 1], [2, 4], [2, 7]]);
    assert_eq!(game.len(), 7);
    assert_eq!(test.client.play(&1), None); // it watches
}

#[test]
fn what_is_of_another_room_is_ignored() {
    let mut test = Test::joined(0);
    test.polled();
    let (mut origin, feed) = origin();
    test.play(1..=2);
    test.packets();
    test.client.join("other", false);
    assert_eq!(test.texts(1)[0]["room"], "other");
    test.play(1..=1); // of the other room
    test.show((9, 1, 0), &feed.take(&mut origin));
    let unknown = [(1, Outcome::Unknown), (2, Outcome::Unknown)];
    let events = test.events();
    assert_eq!((events.len(), outcomes(&events)), (2, unknown.to_vec()));
    assert_eq!(test.packets(), [[0; 0]; 0]);
    test.say(json!({"type": "joined", "room": "other", "player": 7, "inputs": 0}));
    test.polled();
    assert_eq!(test.packets(), [input(1, 1)]);

    test.client.leave();
    assert_eq!(test.client.play(&5), None);
    test.say(json!({"type": "left", "reason": "you have left"}));
    assert!(matches!(
        test.events()[..],
        [Event::Outcome { .. }, Event::Left { .. }]
    ));
}

#[test]
fn a_silent_connection_is_made_again() {
    let mut test = Test::joined(0);
    test.polled();
    test.now += Duration::from_secs(15);
    test.is_quiet();
    test.now += Duration::from_secs(1);
    assert!(matches!(
        test.events()[..],
        [Event::Closed { again: true, .. }]
    ));
    test.now += Duration::from_secs(1);
    test.events();
    assert_eq!(wire(|it| it.urls.len()), 2);
    // A client in the lobby may hear nothing.
    test.client.leave();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    test.events();
    test.now += Duration::from_secs(100);
    test.is_quiet();
}
