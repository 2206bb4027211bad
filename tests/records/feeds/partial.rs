//! Values that are equal by `==` and by their checksums, but not the same: a mirror has those of its
//! origin, however it gets them.

use std::hash::{Hash, Hasher};

use ecs::{Checksum, ChecksumHasher};

use super::*;

/// Equal if its name is, as `Hash` allows.
#[derive(Clone, Debug)]
struct Named {
    name: u32,
    #[expect(dead_code, reason = "`Hash` and `PartialEq` leave it out")]
    cached: u32,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Named {}

impl Hash for Named {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.name.hash(hasher);
    }
}

/// A field that leaves something out.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Tagged(Named);

/// Fields that leave something out, in variants.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
enum Choice {
    First,
    Second(u8, Named),
}

/// A checksum that leaves something out.
#[derive(Component, Clone, Debug)]
#[component(context = Game)]
struct Shown {
    text: String,
    #[allow(dead_code)] // read by `Debug` only
    width: f32,
}

impl Checksum for Shown {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.text.feed(hasher);
    }
}

/// Whose NaNs have equal checksums, and whose zeros are equal.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Angle(f32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
enum Plan {
    Wait,
    Move { to: (i32, i32), by: Option<f64> },
}

/// An origin with the same ids at each call; what its values leave out is that of the turn.
fn origin(turn: u32) -> Game {
    let mut game = Game::new();
    game.create_with(values(turn));
    game.create_with((Choice::First, Plan::Wait));
    game
}

fn values(turn: u32) -> (Tagged, Choice, Shown, Angle) {
    let named = |name| Named { name, cached: turn };
    let (text, width) = ("7".into(), turn as f32);
    let nan = f32::from_bits(f32::NAN.to_bits() + turn);
    let choice = Choice::Second(2, named(3));
    (Tagged(named(1)), choice, Shown { text, width }, Angle(nan))
}

fn feed_of(game: &mut Game) -> Feed<Game> {
    game.feed::<(Tagged, Choice, Shown, Angle, Plan)>()
}

/// All values of a context, with the bits of numbers.
fn printed(game: &Game) -> Vec<String> {
    let entities = game.entities().map(|entity| {
        let angle = entity.get_angle().map(|angle| angle.0.to_bits());
        format!(
            "{:?} {:?} {:?} {angle:?} {:?}",
            entity.get_tagged(),
            entity.get_choice(),
            entity.get_shown(),
            entity.get_plan(),
        )
    });
    entities.collect()
}

/// A mirror that has lost the delta with the values of the second turn.
fn behind() -> (Game, Feed<Game>, Game, Mirror<Game>) {
    let (mut game, mut other, mut mirror) = (origin(1), Game::new(), Mirror::new());
    let feed = feed_of(&mut game);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    assert_eq!(printed(&other), printed(&game));
    let id = game.entities().next().unwrap().id();
    game.entity_mut(id).insert(values(2));
    drop(feed.take(&mut game));
    assert_ne!(printed(&other), printed(&game));
    (game, feed, other, mirror)
}

#[test]
fn take_all_replaces_values_with_equal_checksums() {
    let (mut game, feed, mut other, mut mirror) = behind();
    let delta = feed.take_all(&mut game);
    mirror.apply(&mut other, &delta).unwrap();
    assert_eq!(printed(&other), printed(&game));
}

#[test]
fn everything_replaces_values_with_equal_checksums() {
    let (game, feed, mut other, mut mirror) = behind();
    let delta = feed.everything(&game);
    mirror.apply(&mut other, &delta).unwrap();
    assert_eq!(printed(&other), printed(&game));
}

#[test]
fn a_rebase_replaces_values_with_equal_checksums() {
    let (_, _, mut other, mut mirror) = behind();
    let mut next = origin(3);
    let delta = feed_of(&mut next).take(&mut next);
    mirror.rebase(&mut other, &delta).unwrap();
    assert_eq!(printed(&other), printed(&next));
}

#[test]
fn a_mirror_of_a_loaded_context_replaces_values_with_equal_checksums() {
    let (mut game, mut other) = (origin(1), origin(2));
    let mut mirror = Mirror::of(&other);
    let delta = feed_of(&mut game).take(&mut game);
    mirror.apply(&mut other, &delta).unwrap();
    assert_eq!(printed(&other), printed(&game));
}

#[test]
fn zeros_of_other_signs_are_replaced_and_same_values_are_not() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let by = |by| Plan::Move {
        to: (1, 2),
        by: Some(by),
    };
    let plans = [by(0.0), by(1.5), Plan::Wait];
    let ids = game.create_many(plans);
    let (feed, mut mirror) = (game.feed::<Plan>(), Mirror::new());
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let updated = other.collector(Game::all_of::<Plan>().updated());
    game.entity_mut(ids[0]).insert(by(-0.0));
    drop(feed.take(&mut game));
    mirror.apply(&mut other, &feed.everything(&game)).unwrap();
    assert_eq!(updated.drain(&mut other), [mirror.local(ids[0]).unwrap()]);
    assert_eq!(printed(&other), printed(&game));
}
