//! Deltas as bytes, valid and corrupt.

use ecs::prelude::*;
use ecs::{Delta, Feed, Mirror};
use serde::{Deserialize, Serialize};

use support::attempt;

/// Has few components, whose bytes these tests spell out.
#[ecs::context]
pub(super) struct Net;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Net)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Net)]
pub(super) struct Name(pub(super) String);

#[derive(Component)]
#[component(context = Net)]
struct Burning;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Net, unique)]
struct Leader(u8);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Net)]
struct Holds {
    #[component(relation(reverse = held_by, acyclic))]
    by: EntityId<Net>,
}

#[derive(Component, Clone)]
#[component(context = Net)]
struct Handle(u32);

type All = (Place, Name, Burning, Leader, Holds);

fn bytes(delta: &Delta<Net>) -> Vec<u8> {
    postcard::to_stdvec(delta).unwrap()
}

fn place(x: f32) -> Place {
    Place { x, y: -x }
}

/// Everything, then a delta with something of each kind.
fn deltas(game: &mut Net, feed: &Feed<Net>) -> [Delta<Net>; 2] {
    let ids = game.create_many((0..20).map(|n| place(n as f32)));
    game.entity_mut(ids[3]).add_leader(1);
    let first = feed.take(game);
    game.many(&ids[..3]).destroy();
    game.many(&ids[5..9]).remove::<Place>();
    game.entity_mut(ids[3]).remove_leader();
    game.entity_mut(ids[4]).add_leader(2).add_holds(ids[3]);
    game.create_with((Name("Ada".into()), Burning, place(0.5)));
    [first, feed.take(game)]
}

fn picture(game: &Net) -> Vec<String> {
    let all = game.entities().map(|entity| {
        let (place, name) = (entity.get::<Place>(), entity.get::<Name>());
        let leader = entity.get::<Leader>();
        let held = (entity.has::<Holds>(), entity.held_by().len());
        format!(
            "{place:?} {name:?} {leader:?} {held:?} {}",
            entity.is_burning()
        )
    });
    let mut all: Vec<_> = all
        .filter(|line| line != "None None None (false, 0) false")
        .collect();
    all.sort();
    all
}

#[test]
fn a_delta_goes_over_the_wire() {
    let (mut game, mut other) = (Net::new(), Net::new());
    let (feed, mut mirror) = (game.feed::<All>(), Mirror::new());
    for delta in deltas(&mut game, &feed) {
        let text = serde_json::to_string(&delta).unwrap();
        let from_text: Delta<Net> = serde_json::from_str(&text).unwrap();
        let read: Delta<Net> = postcard::from_bytes(&bytes(&delta)).unwrap();
        assert_eq!(format!("{read:?}"), format!("{delta:?}"));
        assert_eq!(bytes(&read), bytes(&from_text));
        mirror.apply(&mut other, &read).unwrap();
    }
    assert_eq!(picture(&other), picture(&game));
}

#[test]
fn a_delta_takes_little_more_than_its_values() {
    let mut game = Net::new();
    let feed = game.feed::<All>();
    let ids = game.create_many((0..10_000).map(|n| place(n as f32)));
    let values = |count: usize| count * 8;
    let all = bytes(&feed.take(&mut game)).len();
    assert!(all <= values(10_000) * 13 / 10, "{all}");
    let some: Vec<_> = ids.iter().copied().step_by(97).take(100).collect();
    game.many(&some).replace_with(|_| place(1.0));
    let few = bytes(&feed.take(&mut game)).len();
    assert!(few <= values(100) * 13 / 10, "{few}");
}

#[test]
fn components_that_cannot_be_written_are_named() {
    let mut game = Net::new();
    let feed = game.feed::<(Place, Handle)>();
    assert_eq!(game.create_with(Handle(1)).handle().0, 1);
    let rejected = postcard::to_stdvec(&feed.take(&mut game));
    assert!(rejected.is_err());
    let rejected = serde_json::to_string(&feed.take_all(&mut game)).unwrap_err();
    let text = rejected.to_string();
    assert!(
        text.contains("component `Handle` cannot be written"),
        "{text}"
    );
}

#[test]
fn input_that_is_no_delta_of_the_context_is_reported() {
    let mut game = Net::new();
    let feed = game.feed::<All>();
    game.create_with(place(1.0));
    let text = serde_json::to_string(&feed.take(&mut game)).unwrap();
    let whole: Vec<u8> = serde_json::from_str(&text).unwrap();
    let rejected = |at: usize, byte: u8, expected: &str| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes.truncate(if at == 2 { 2 } else { bytes.len() });
        let text = serde_json::to_string(&bytes).unwrap();
        let error = serde_json::from_str::<Delta<Net>>(&text).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    };
    rejected(
        0,
        9,
        "the delta has format 9, and this program reads formats up to 1",
    );
    let other = "this is a delta of context `Nut`, not of `Net`";
    rejected(3, b'u', other);
    rejected(2, 0, "the bytes are broken: the data ends too early");
    let last = whole.len() - 1; // the number of ordered sources of the last relation
    rejected(
        last,
        0xff,
        "component `Place` cannot be read: the data ends too early",
    );
}

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[test]
fn broken_bytes_are_an_error_and_never_a_panic() {
    let mut game = Net::new();
    let feed = game.feed::<All>();
    let whole = deltas(&mut game, &feed).map(|delta| bytes(&delta));
    let mut random = Random(0x9e37_79b9);
    let (mut applied, mut rejected) = (0, 0);
    for round in 0..4000 {
        let mut broken = whole.clone();
        for _ in 0..=random.below(3) {
            let bytes = &mut broken[(round + 1) % 2];
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = [0, 1, 2, 0x7f, 0x80, 0xff][random.below(6)],
                _ => bytes.truncate(at.max(1)),
            }
        }
        let done = attempt(|| {
            let (mut other, mut mirror) = (Net::new(), Mirror::new());
            for bytes in &broken {
                let Ok(delta) = postcard::from_bytes::<Delta<Net>>(bytes) else {
                    return rejected += 1;
                };
                match mirror.apply(&mut other, &delta) {
                    Ok(()) => applied += 1,
                    Err(_) => return rejected += 1,
                }
            }
        });
        assert_eq!(done, None, "{broken:?}");
    }
    assert!(applied > 500 && rejected > 500, "{applied} {rejected}");
}
