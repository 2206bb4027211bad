//! Deltas as bytes, valid and corrupt.

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed, Mirror};
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
        let received: Delta<Net> = postcard::from_bytes(&bytes(&delta)).unwrap();
        let read = mirror.read(&received).unwrap();
        assert_eq!(format!("{read:?}"), format!("{delta:?}"));
        assert_eq!(bytes(&read), bytes(&from_text));
        assert_eq!(bytes(&received), bytes(&delta)); // a relay may pass it on
        mirror.apply(&mut other, &received).unwrap();
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

/// A feed of many entities with a position, whose first delta was taken.
fn moving(count: u32) -> (Net, Feed<Net>, Vec<EntityId<Net>>) {
    let mut game = Net::new();
    let feed = game.feed::<All>();
    let ids = game.create_many((0..count).map(|n| place(n as f32)));
    feed.take(&mut game);
    (game, feed, ids)
}

/// The numbers of bytes in `networks.md`, each beside the values; the one that `postcard` puts before
/// all bytes is among them.
#[test]
fn names_are_sent_once() {
    let (mut game, feed, ids) = moving(16_000);
    (0..300).for_each(|_| assert_eq!(bytes(&feed.take(&mut game)).len(), 4)); // of any number
    let mut sent = |moved: &[EntityId<Net>]| {
        game.many(moved).replace_with(|_| place(1.0));
        bytes(&feed.take(&mut game)).len() - 8 * moved.len()
    };
    assert_eq!(sent(&ids[100..101]), 7);
    assert_eq!(sent(&ids[15_999..]), 8);
    assert_eq!(sent(&ids[100..200]), 4 + 4 + 100);
    let reused = {
        game.destroy(ids[15_999]);
        game.create_with(place(0.5)).id()
    };
    feed.take(&mut game);
    game.entity_mut(reused).replace_place(1.0, 2.0);
    assert_eq!(bytes(&feed.take(&mut game)).len() - 8, 9);
}

#[test]
fn deltas_that_are_not_the_next_one_of_the_feed_are_rejected() {
    let (mut game, feed, ids) = moving(3);
    let mut step = |x: f32| {
        game.entity_mut(ids[0]).replace_place(x, 0.0);
        let everything = feed.everything(&game);
        postcard::from_bytes(&bytes(&feed.take(&mut game)))
            .map(|delta: Delta<Net>| (delta, everything))
            .unwrap()
    };
    let (mut other, mut mirror) = (Net::new(), Mirror::new());
    let (second, everything) = step(2.0);
    let unread = mirror.apply(&mut other, &second);
    assert_eq!(unread, Err(ApplyError::Unreadable));
    mirror.apply(&mut other, &everything).unwrap();
    let steps: Vec<_> = (3..2000).map(|x| step(x as f32).0).collect();
    let missing = |found| Err(ApplyError::Missing { expected: 2, found });
    assert_eq!(mirror.apply(&mut other, &steps[0]), missing(3));
    assert_eq!(mirror.apply(&mut other, &steps[1020]), missing(1023));
    // Usually `Unreadable`. In one run of 512, the tag matches another number.
    assert!(mirror.apply(&mut other, &steps[1500]).is_err());
    mirror.apply(&mut other, &second).unwrap();
    steps[..1100]
        .iter()
        .for_each(|delta| mirror.apply(&mut other, delta).unwrap());
    let repeated = |number| Err(ApplyError::Repeated { number });
    assert_eq!(mirror.apply(&mut other, &steps[1099]), repeated(1102));
    assert_eq!(mirror.apply(&mut other, &steps[100]), repeated(103));
    assert!(mirror.apply(&mut other, &second).is_err());
    mirror.apply(&mut other, &steps[1100]).unwrap();
}

#[test]
fn a_delta_with_changes_is_looked_into_by_its_mirror() {
    let (mut game, feed, ids) = moving(2);
    let (mut other, mut mirror) = (Net::new(), Mirror::new());
    mirror.apply(&mut other, &feed.everything(&game)).unwrap();
    game.entity_mut(ids[1]).remove_place().add_leader(3);
    let delta: Delta<Net> = postcard::from_bytes(&bytes(&feed.take(&mut game))).unwrap();
    assert!(!delta.is_empty() && !delta.is_everything());
    let message = attempt(|| _ = delta.number()).unwrap();
    assert!(message.contains("mirror.read(&delta)"), "{message}");
    let read = mirror.read(&delta).unwrap();
    assert_eq!((read.number(), read.removed::<Place>()), (2, &ids[1..]));
    assert!(read.set::<Leader>().eq([(ids[1], &Leader(3))]));
}

/// Each byte of a delta with changes is changed to each other value, or it is cut. Its tag has 16 bits,
/// so one of 65,536 is not noticed.
#[test]
fn damaged_changes_are_noticed() {
    let mut game = Net::new();
    let feed = game.feed::<All>();
    let [first, second] = deltas(&mut game, &feed);
    let (mut other, mut mirror) = (Net::new(), Mirror::new());
    mirror.apply(&mut other, &first).unwrap();
    let whole = bytes(&second);
    let (_, content) = whole.split_first().unwrap(); // the length
    let is_next = |content: &[u8]| {
        let whole = postcard::to_stdvec(content).unwrap();
        let delta = postcard::from_bytes::<Delta<Net>>(&whole);
        let read = delta.ok().and_then(|delta| mirror.read(&delta).ok());
        read.is_some_and(|read| read.number() == 2)
    };
    let (mut tried, mut unnoticed) = (0, 0);
    for at in 0..content.len() {
        unnoticed += usize::from(is_next(&content[..at]));
        for flip in 1..=255 {
            let mut broken = content.to_vec();
            broken[at] ^= flip;
            tried += 1;
            unnoticed += usize::from(is_next(&broken));
        }
    }
    assert!(tried > 10_000 && unnoticed <= 5, "{unnoticed} of {tried}");
    assert!(is_next(content));
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
        "the delta has format 9, and this program reads formats 4 and 5: it was written with a newer",
    );
    rejected(
        0,
        1,
        "the delta has format 1, and this program reads formats 4 and 5: it was written with an older",
    );
    let other = "this is a delta of context `Nut`, not of `Net`";
    rejected(3, b'u', other);
    rejected(2, 0, "the bytes are broken: the data ends too early");
    let place = |text: &str| {
        whole
            .windows(text.len())
            .position(|at| at == text.as_bytes())
    };
    rejected(
        place("y: f32").unwrap(),
        b'z',
        "component `Place` was sent with the fields `x: f32, z: f32` and has `x: f32, y: f32` now",
    );
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
