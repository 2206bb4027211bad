//! The rules of `PROTOCOL.md`, one by one, with a socket whose other end is the test.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed};
use ecs_gateway_client::{Client, Event, Message, Options, Outcome, Socket};
use serde_json::{Value, json};

use crate::game::{Body, Field};

/// What a gateway of this test has got, and what it sends.
struct Wire {
    url: String,
    is_open: bool,
    sent: Vec<Message>,
    coming: VecDeque<Message>,
}

thread_local! {
    /// All connections, in the order in which they were opened.
    static WIRES: RefCell<Vec<Wire>> = RefCell::default();
}

/// The last connection, or one before.
fn wire_before<T>(back: usize, of: impl FnOnce(&mut Wire) -> T) -> T {
    WIRES.with_borrow_mut(|all| {
        let at = all.len() - 1 - back;
        of(&mut all[at])
    })
}

fn wire<T>(of: impl FnOnce(&mut Wire) -> T) -> T {
    wire_before(0, of)
}

fn urls() -> Vec<String> {
    WIRES.with_borrow(|all| all.iter().map(|it| it.url.clone()).collect())
}

/// How many connections are open.
fn open() -> usize {
    WIRES.with_borrow(|all| all.iter().filter(|it| it.is_open).count())
}

struct Fake(usize);

impl Socket for Fake {
    fn open(url: &str) -> Self {
        WIRES.with_borrow_mut(|all| {
            all.push(Wire {
                url: url.to_owned(),
                is_open: true,
                sent: Vec::new(),
                coming: VecDeque::from([Message::Opened]),
            });
            Self(all.len() - 1)
        })
    }

    fn send(&mut self, message: Message) {
        WIRES.with_borrow_mut(|all| all[self.0].sent.push(message));
    }

    fn receive(&mut self) -> Option<Message> {
        WIRES.with_borrow_mut(|all| all[self.0].coming.pop_front())
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        WIRES.with_borrow_mut(|all| all[self.0].is_open = false);
    }
}

/// A client, and its time.
struct Test {
    client: Client<Field, u64, Fake>,
    now: Duration,
}

impl Test {
    fn new(options: Options) -> Self {
        WIRES.with_borrow_mut(Vec::clear);
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
        self.say_joined(inputs);
    }

    fn say_joined(&mut self, inputs: u64) {
        let (room, player, connection) = ("field", 7, 33);
        self.say(json!({"type": "joined", "room": room, "player": player, "connection": connection, "inputs": inputs}));
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

    /// A delta of a join that may come late.
    fn show_late(&self, join: u64, header: (u64, u64, u64), delta: &Delta<Field>) {
        let bytes = postcard::to_stdvec(&(3_u8, join, header, delta)).unwrap();
        wire(|it| it.coming.push_back(Message::Binary(bytes)));
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

/// A packet with an input.
fn input(number: u8) -> Vec<u8> {
    vec![1, number, number + 100]
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
        json!({"type": "hello", "version": 3, "game": 3, "token": null, "login": {"name": "Jö"}});
    assert_eq!(test.texts(1), [hello]);
    test.say(json!({"type": "welcome", "version": 3, "user": 7, "token": "secret", "room": "old"}));
    let welcome = "Welcome { user: 7, room: Some(\"old\") }";
    assert_eq!(test.polled(), [welcome]);
    let join = json!({"type": "join", "room": "field", "spectate": false, "baselines": false,
        "connection": 0, "known": 0, "sent": 0});
    assert_eq!(test.texts(2), [join, json!({"type": "list"})]);
    assert_eq!(test.client.token(), Some("secret"));

    test.say_joined(0);
    test.polled();
    test.play(2..=3);
    assert_eq!(test.packets(), [input(1), input(2), input(3)]);
    test.say(json!({"type": "outcomes", "played": [[1, 9]], "rejected": [[2, "late"]]}));
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
    let join = &test.texts(1)[0];
    let place = ["connection", "known", "sent"].map(|it| join[it].as_u64().unwrap());
    assert_eq!(place, [33, 1, 4]);
    test.say_joined(3);
    test.polled();
    assert_eq!(test.packets(), [input(4), input(5)]);
    test.say(json!({"type": "outcomes", "played": [[2, 9], [5, 10]], "rejected": []}));
    let played: Vec<_> = outcomes(&test.events()).iter().map(|it| it.0).collect();
    assert_eq!((played, test.client.pending()), (vec![2, 5], 2));
}

#[test]
fn another_gateway_gets_all_without_an_outcome_under_the_same_numbers() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=4);
    test.say(json!({"type": "outcomes", "played": [[1, 9], [3, 9]], "rejected": []}));
    test.events();
    test.close(1006);
    test.now += Duration::from_secs(1);
    test.enter(1);
    test.polled();
    assert_eq!(test.packets(), [input(2), input(4)]);
    test.play(5..=5);
    assert_eq!(test.packets(), [input(5)]);
    test.say(json!({"type": "outcomes", "played": [[2, 12], [5, 13]], "rejected": []}));
    let played: Vec<_> = outcomes(&test.events()).iter().map(|it| it.0).collect();
    assert_eq!(played, [2, 5]);
    let (mut origin, feed) = origin();
    // This gateway says nothing of inputs that the first one has passed on.
    test.show((12, 1, 0), &feed.take(&mut origin));
    test.show((13, 2, 4), &feed.take(&mut origin));
    assert_eq!(inputs(&test.events()), [3, 5]);
}

fn inputs(events: &[Event<Field>]) -> Vec<u64> {
    let input = |it: &Event<Field>| match it {
        Event::Delta { input, .. } => Some(*input),
        _ => None,
    };
    events.iter().filter_map(input).collect()
}

#[test]
fn a_drain_moves_the_client_once_the_next_gateway_shows_the_room() {
    let mut test = Test::joined(0);
    let (mut origin, feed) = origin();
    test.polled();
    test.play(1..=2);
    test.packets();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.is_quiet();
    assert_eq!(urls(), ["ws://one", "ws://two"]); // at once
    test.play(3..=3);
    assert_eq!(
        wire_before(1, |it| it.sent.len()),
        1,
        "the first one still gets inputs"
    );
    test.enter(0);
    test.is_quiet();
    test.play(4..=4); // the next one has been asked
    let bytes = postcard::to_stdvec(&(1_u8, 9_u64, 1_u64, 1_u64, feed.take(&mut origin))).unwrap();
    let outcome = json!({"type": "outcomes", "played": [[1, 9]], "rejected": []});
    wire_before(1, |it| {
        assert_eq!(it.sent.len(), 1);
        it.coming.push_back(Message::Binary(bytes));
        it.coming.push_back(Message::Text(outcome.to_string()));
    });
    let events = test.events();
    assert_eq!(
        (inputs(&events), outcomes(&events).len(), open()),
        (vec![1], 1, 2)
    );
    assert_eq!(test.packets(), [[0; 0]; 0]);

    test.show((9, 1, 0), &feed.take(&mut origin));
    let events = test.events();
    assert!(
        matches!(&events[..], [Event::Joined { .. }, Event::Delta { .. }]),
        "{events:?}"
    );
    assert_eq!(
        test.packets(),
        [input(2), input(3), input(4), vec![2, 1, 0]]
    );
    assert_eq!(open(), 1);
}

#[test]
fn a_client_leaves_a_gateway_that_ends_also_if_there_is_no_other_one_yet() {
    let mut test = Test::joined(0);
    test.polled();
    test.say(json!({"type": "reconnect", "url": null, "seconds": 10}));
    test.is_quiet();
    assert_eq!(open(), 2);
    let events = test.close(1006);
    assert!(
        matches!(
            &events[..],
            [Event::Closed {
                code: 1001,
                again: true,
                ..
            }]
        ),
        "{events:?}"
    );
    assert_eq!(open(), 0);
    test.now += Duration::from_millis(250);
    test.enter(0);
    assert_eq!((test.polled().len(), open()), (1, 1));
}

#[test]
fn a_gateway_may_end_before_the_next_one_shows_the_room() {
    let (mut test, (mut origin, feed)) = (Test::joined(0), origin());
    test.polled();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.is_quiet();
    let (code, reason) = (1001, String::new());
    wire_before(1, |it| {
        it.coming.push_back(Message::Closed { code, reason })
    });
    assert!(matches!(
        &test.events()[..],
        [Event::Closed { again: true, .. }]
    ));
    test.enter(0);
    test.show((9, 1, 0), &feed.take(&mut origin));
    assert!(matches!(
        &test.events()[..],
        [Event::Joined { .. }, Event::Delta { .. }]
    ));
    assert_eq!((open(), urls().len()), (1, 2));
}

#[test]
fn a_client_that_leaves_its_room_meanwhile_does_so_by_the_next_gateway() {
    let mut test = Test::joined(0);
    test.polled();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.enter(0);
    test.is_quiet();
    test.client.join("other", false);
    assert_eq!(
        (test.texts(1)[0]["room"].as_str(), open()),
        (Some("other"), 1)
    );
    assert!(matches!(&test.events()[..], [Event::Joined { .. }])); // where it was
    test.client.leave();
    test.texts(1);
    for text in ["joined", "left"] {
        test.say(json!({"type": text, "room": "other", "player": 7, "connection": 34, "inputs": 0, "reason": ""}));
    }
    assert!(matches!(&test.events()[..], [Event::Left { .. }]));
}

#[test]
fn a_room_that_ends_while_the_client_moves_is_left_at_both_gateways() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=3);
    test.packets();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.is_quiet();
    test.enter(3);
    test.is_quiet();
    let left = json!({"type": "left", "reason": "the room is closed"}).to_string();
    wire_before(1, |it| it.coming.push_back(Message::Text(left)));
    let events = test.events();
    assert_eq!(outcomes(&events).len(), 3);
    assert!(matches!(events.last(), Some(Event::Left { .. })));
    assert_eq!(
        (open(), urls().len()),
        (2, 3),
        "it greets the next gateway again"
    );
    test.texts(1);
    test.client.join("field", false);
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    let events = test.events();
    assert!(matches!(&events[..], [Event::Welcome { .. }]), "{events:?}");
    let join = &test.texts(1)[0];
    assert_eq!((&join["connection"], &join["sent"]), (&json!(0), &json!(0)));
}

#[test]
fn requests_that_a_gateway_does_not_answer_before_it_is_left_are_reported() {
    let mut test = Test::new(Options::new("ws://one"));
    test.events();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    test.events();
    test.client.list();
    test.say(json!({"type": "reconnect", "url": "ws://two", "seconds": 10}));
    test.events();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    let events = test.events();
    assert!(
        matches!(
            &events[..],
            [Event::Closed { again: true, .. }, Event::Welcome { .. }]
        ),
        "{events:?}"
    );
    test.client.list();
    test.say(json!({"type": "rooms", "rooms": []}));
    assert_eq!(test.polled(), ["Rooms([])"]);
    test.say(json!({"type": "reconnect", "url": "ws://three", "seconds": 10}));
    test.is_quiet();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    assert!(matches!(&test.events()[..], [Event::Welcome { .. }]));
}

#[test]
fn a_gateway_that_does_not_answer_a_join_is_left() {
    let mut test = Test::new(Options::new("ws://one"));
    test.client.join("field", false);
    test.is_quiet();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    test.polled();
    test.now += Duration::from_secs(16);
    assert!(matches!(
        &test.events()[..],
        [Event::Closed { again: true, .. }]
    ));
}

#[test]
fn a_connection_that_the_room_has_forgotten_is_followed_by_a_new_one() {
    let mut test = Test::joined(0);
    test.polled();
    test.play(1..=2);
    test.packets();
    let events = test.close(4007);
    let unknown = [(1, Outcome::Unknown), (2, Outcome::Unknown)];
    assert_eq!(outcomes(&events), unknown);
    test.play(3..=3);
    test.now += Duration::from_millis(250);
    test.enter(2);
    test.polled();
    assert_eq!(test.packets(), [input(3)]);
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
        test.play(1..=1);
        let events = test.close(code);
        let is_unknown = |it: &Event<Field>| matches!(it, Event::Outcome { .. });
        assert_eq!(events.iter().any(is_unknown), !again, "{code}");
        assert!(
            matches!(events.last(), Some(Event::Closed { again: it, .. }) if *it == again),
            "{code}"
        );
        let connections = urls().len();
        test.now += Duration::from_millis(124);
        test.events();
        assert_eq!(urls().len(), connections, "{code}");
        test.now += Duration::from_millis(126);
        test.events();
        let is_soon = again && code != 4004;
        assert_eq!(open() == 1, is_soon, "{code}");
        test.now += Duration::from_secs(8);
        test.events();
        assert_eq!(urls().len() > connections, again, "{code}");
    }
}

#[test]
fn each_failure_doubles_the_pause() {
    let mut test = Test::new(Options::new("ws://one"));
    for pause in [250, 500, 1000, 2000, 4000, 8000, 8000] {
        test.events();
        assert_eq!(open(), 1);
        test.close(1006);
        test.now += Duration::from_millis(pause / 2 - 1); // spread over the other half
        test.events();
        assert_eq!(open(), 0, "{pause}");
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
        while open() == 0 {
            test.now += Duration::from_millis(1);
            test.events();
        }
        pauses.insert(test.now - lost);
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
    assert_eq!(open(), 0);
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
    assert_eq!(test.packets(), [[2, 1, 0], [2, 3, 0]]);
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
    assert_eq!(test.packets(), [[2, 4, 0], [2, 5, 0], [2, 6, 0]]);
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
    test.say(
        json!({"type": "joined", "room": "field", "player": null, "connection": 0, "inputs": 0}),
    );
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
    test.client.acknowledge(10); // of the gateway before
    assert_eq!(test.packets(), [[2, 1, 0], [2, 4, 0], [2, 7, 0]]);
    assert_eq!(game.len(), 7);
    assert_eq!(test.client.play(&1), None); // it watches
}

#[test]
fn a_delta_that_comes_late_is_skipped() {
    let mut test = Test::joined(0);
    test.polled();
    let (mut origin, feed) = origin();
    feed.acknowledge(&mut origin, 0);
    let deltas: Vec<_> = (0..4).map(|_| feed.take(&mut origin)).collect();
    let mut seen = |join, number| {
        test.show_late(join, (number, number, 0), &deltas[number as usize - 1]);
        test.polled().len()
    };
    assert_eq!(
        [seen(1, 2), seen(1, 1), seen(1, 2), seen(1, 3)],
        [1, 0, 0, 1]
    );
    assert_eq!([seen(2, 4), seen(0, 4)], [0, 0], "of another room");
    assert_eq!(seen(1, 4), 1);
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
    test.say(
        json!({"type": "joined", "room": "other", "player": 7, "connection": 34, "inputs": 0}),
    );
    test.polled();
    assert_eq!(test.packets(), [input(1)]);

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
    assert_eq!(urls().len(), 2);
    // A client in the lobby may hear nothing.
    test.client.leave();
    test.say(json!({"type": "welcome", "user": 7, "token": "secret", "room": null}));
    test.events();
    test.now += Duration::from_secs(100);
    test.is_quiet();
}
