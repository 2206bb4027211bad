//! Mirrors that go on with the feed of another origin, which has the same ids.

use std::sync::{Arc, Mutex};

use ecs::ApplyError;
use support::{attempt, panic_of};

use super::*;

/// Not a type of the library, so it is not compared.
#[derive(Clone)]
struct Opaque;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Sealed(#[allow(dead_code)] (u8, Opaque));

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Under {
    #[component(relation(reverse = below))]
    top: Id,
}

/// An origin with a ship, what is on it, and something else; the same ids at each call.
fn origin() -> (Game, [Id; 3]) {
    let mut game = Game::new();
    let ship = game.create_with((Position(1), Health(9))).id();
    let sail = game.create_with((Health(1), Under { top: ship })).id();
    let buoy = game
        .create_with((Health(2), Seat(5), Sealed((0, Opaque))))
        .id();
    (game, [ship, sail, buoy])
}

/// A feed and a mirror that has applied what it sent first.
struct Follower {
    game: Game,
    feed: Feed<Game>,
    other: Game,
    mirror: Mirror<Game>,
    ids: [Id; 3],
}

fn feed_of(game: &mut Game) -> Feed<Game> {
    game.feed::<(Position, Health, Frozen, Score, Seat, Under, Sealed)>()
}

impl Follower {
    fn new() -> Self {
        let ((mut game, ids), mut other) = (origin(), Game::new());
        other.create_entity(); // so that ids differ
        let (feed, mut mirror) = (feed_of(&mut game), Mirror::new());
        mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
        Self {
            game,
            feed,
            other,
            mirror,
            ids,
        }
    }

    fn rebase(&mut self, delta: &Delta<Game>) -> Result<(), ApplyError> {
        self.mirror.rebase(&mut self.other, delta)
    }

    fn locals(&self) -> [Option<Id>; 3] {
        self.ids.map(|id| self.mirror.local(id))
    }
}

#[test]
fn entities_that_both_origins_know_keep_their_local_ids() {
    let (mut follower, (mut next, [ship, sail, buoy])) = (Follower::new(), origin());
    let before = follower.locals();
    let own = follower.other.create_with((Position(7), Socket)).id();
    let local = before[0].unwrap();
    follower.other.entity_mut(local).add_socket();
    next.entity_mut(ship).replace_health(8).remove_position();
    next.destroy(buoy);
    let fish = next.create_with(Seat(5)).id();
    assert_eq!((fish.index(), fish == buoy), (buoy.index(), false));
    let feed = feed_of(&mut next);
    follower.rebase(&feed.take(&mut next)).unwrap();
    assert_eq!(follower.locals(), [before[0], before[1], None]);
    let (copy, sails) = (follower.other.entity(local), [before[1].unwrap()]);
    assert_eq!((copy.health(), copy.below()), (&Health(8), &sails[..]));
    assert!(copy.is_socket() && !copy.has_position());
    assert!(!follower.other.contains(before[2].unwrap()));
    assert_eq!(follower.other.entity(own).position(), &Position(7));
    let fish = follower.mirror.local(fish).unwrap();
    let found = follower.other.entity_with_seat(&5).map(|it| it.id());
    assert_eq!(found, Some(fish));

    next.entity_mut(sail).replace_health(2);
    let delta = feed.take(&mut next);
    follower.mirror.apply(&mut follower.other, &delta).unwrap();
    assert_eq!(follower.other.entity(sails[0]).health(), &Health(2));
}

#[test]
fn observers_are_notified_of_what_differs_only() {
    let (mut follower, (mut next, [ship, sail, buoy])) = (Follower::new(), origin());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let [any, healthy, under, sealed] = [
        Game::all_of::<Health>(),
        Game::all_of::<Health>(),
        Game::all_of::<Under>(),
        Game::all_of::<Sealed>(),
    ]
    .map(|matcher| follower.other.group(matcher));
    let log = |what: &'static str| {
        let heard = heard.clone();
        move |_: &mut Game, change: &ecs::Change<'_, Game>| {
            heard.lock().unwrap().push((what, change.entity()));
        }
    };
    any.on_entered(&mut follower.other, log("entered"));
    any.on_left(&mut follower.other, log("left"));
    healthy.on_updated(&mut follower.other, log("health"));
    under.on_updated(&mut follower.other, log("under"));
    sealed.on_updated(&mut follower.other, log("sealed"));

    let feed = feed_of(&mut next);
    let [ship_here, sail_here, buoy_here] = follower.locals().map(Option::unwrap);
    follower.rebase(&feed.take(&mut next)).unwrap();
    let notified = || {
        let mut notified = std::mem::take(&mut *heard.lock().unwrap());
        notified.sort_unstable(); // by name: the order of components is that of first use
        notified
    };
    assert_eq!(notified(), [("sealed", buoy_here)]);

    next.entity_mut(ship).replace_health(3).remove_position();
    next.entity_mut(sail).replace(Under { top: buoy });
    let feed = feed_of(&mut next);
    follower.rebase(&feed.take(&mut next)).unwrap();
    let all = [
        ("health", ship_here),
        ("sealed", buoy_here),
        ("under", sail_here),
    ];
    assert_eq!(notified(), all);
}

#[test]
fn changes_made_here_are_overwritten() {
    let (mut follower, (mut next, _)) = (Follower::new(), origin());
    let [_, sail, buoy] = follower.locals().map(Option::unwrap);
    follower.other.entity_mut(sail).replace_health(77);
    follower.other.entity_mut(buoy).remove_seat().add_frozen();
    follower.other.destroy(sail);
    let feed = feed_of(&mut next);
    follower.rebase(&feed.take(&mut next)).unwrap();
    let [_, sail, same] = follower.locals().map(Option::unwrap);
    assert_eq!(follower.other.entity(sail).health(), &Health(1));
    let buoy_here = follower.other.entity(buoy);
    assert!(same == buoy && buoy_here.seat() == &Seat(5) && !buoy_here.is_frozen());
}

#[test]
fn only_everything_of_another_feed_is_accepted() {
    let (mut follower, (mut next, [ship, ..])) = (Follower::new(), origin());
    let feed = feed_of(&mut next);
    feed.take(&mut next);
    next.entity_mut(ship).replace_health(8);
    let second = feed.take(&mut next);
    let (expected, found) = (1, 2);
    let missing = ApplyError::Missing { expected, found };
    assert_eq!(follower.rebase(&second), Err(missing));
    follower.game.create_with(Position(3));
    let delta = follower.feed.take(&mut follower.game);
    let applied = follower.mirror.apply(&mut follower.other, &delta);
    assert_eq!(applied, Ok(()), "it follows the same feed as before");

    let everything = feed.everything(&next);
    follower.rebase(&everything).unwrap();
    let repeated = ApplyError::Repeated { number: 2 };
    assert_eq!(follower.rebase(&everything), Err(repeated.clone()));
    assert_eq!(follower.rebase(&second), Err(repeated));
    let late = follower.feed.take_all(&mut follower.game);
    let rejected = follower.mirror.apply(&mut follower.other, &late);
    assert_eq!(rejected, Err(ApplyError::OtherFeed));
    let text = ApplyError::OtherFeed.to_string();
    assert!(text.contains("`Mirror::rebase`"), "{text}");
}

#[test]
fn a_conflict_with_an_entity_of_other_code_changes_nothing() {
    let (mut follower, (mut next, [ship, ..])) = (Follower::new(), origin());
    follower.other.create_with(Score(1));
    next.entity_mut(ship).add_score(2).replace_health(8);
    let feed = feed_of(&mut next);
    let delta = feed.take(&mut next);
    let rejected = follower.rebase(&delta);
    assert!(matches!(rejected, Err(ApplyError::Rejected(_))));
    let local = follower.mirror.local(ship).unwrap();
    assert_eq!(follower.other.entity(local).health(), &Health(9));
    let delta_before = follower.feed.take(&mut follower.game);
    let applied = follower.mirror.apply(&mut follower.other, &delta_before);
    assert_eq!(applied, Ok(()), "it follows the same feed as before");
    follower.other.destroy_score_entity();
    follower.rebase(&delta).unwrap();
    assert_eq!(follower.other.entity(local).score(), &Score(2));
}

#[test]
fn an_incomplete_mirror_goes_on_with_another_feed() {
    let (mut follower, (mut next, _)) = (Follower::new(), origin());
    let observers = follower.other.observers();
    let subscription = observers.on_will_be_destroyed(|_, _| panic!("no"));
    follower.game.destroy(follower.ids[2]);
    let delta = follower.feed.take(&mut follower.game);
    assert!(attempt(|| _ = follower.mirror.apply(&mut follower.other, &delta)).is_some());
    follower.other.unsubscribe(subscription);
    let feed = feed_of(&mut next);
    follower.rebase(&feed.take(&mut next)).unwrap();
    assert!(follower.locals().iter().all(Option::is_some));
}

#[test]
fn a_mirror_is_rebased_in_its_own_context() {
    let (mut follower, (mut next, _)) = (Follower::new(), origin());
    let feed = feed_of(&mut next);
    let delta = feed.take(&mut next);
    let text = panic_of(|| _ = follower.mirror.rebase(&mut Game::new(), &delta));
    assert!(
        text.contains("this mirror belongs to another `Game`"),
        "{text}"
    );
}
