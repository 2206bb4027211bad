//! Relations refer to entities of the mirror's context.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs::{History, Relation};

use super::*;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: Id,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Follows {
    #[component(relation(reverse = subscribers))]
    leader: Id,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Remembers {
    #[component(relation(reverse = admirers, on_target_destroyed = keep))]
    friend: Id,
}

struct Related {
    game: Game,
    other: Game,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
}

fn is_near(entity: GameEntity<'_>) -> bool {
    entity.get::<Position>().is_none_or(|it| it.0 < 5)
}

impl Related {
    fn new() -> Self {
        let (mut game, mut other) = (Game::new(), Game::new());
        other.create_entity();
        let feed = game
            .feed::<(Position, ChildOf, Follows, Remembers)>()
            .only(is_near);
        let mirror = Mirror::new();
        Self {
            game,
            other,
            feed,
            mirror,
        }
    }

    fn follow(&mut self) {
        let delta = self.feed.take(&mut self.game);
        self.mirror.apply(&mut self.other, &delta).unwrap();
        self.check();
    }

    fn targets_equal<T: Relation<Game>>(&self, there: GameEntity<'_>, here: GameEntity<'_>) {
        let there = there.get::<T>().map(T::target);
        let here = here.get::<T>().map(T::target);
        assert_eq!(there.is_some(), here.is_some());
        if let (Some(there), Some(here)) = (there, here) {
            match self.game.contains(there) {
                true => assert_eq!(self.mirror.local(there), Some(here)),
                false => assert!(self.mirror.origin(here).is_none_or(|it| it == there)),
            }
        }
    }

    /// The children that were sent are in the order of the origin.
    fn children_equal(&self, there: GameEntity<'_>, here: GameEntity<'_>) {
        let notified = |id: &&Id| is_near(self.game.entity(**id));
        let there = there.children().iter().filter(notified);
        let there: Vec<_> = there.filter_map(|&id| self.mirror.local(id)).collect();
        assert_eq!(here.children(), there);
    }

    fn check(&self) {
        let notified = self
            .game
            .entities()
            .filter(|entity| !entity.is_empty() && is_near(*entity));
        let mut known = BTreeMap::new();
        for there in notified {
            let local = self.mirror.local(there.id()).expect("it was sent");
            let here = self.other.entity(local);
            assert_eq!(here.get::<Position>(), there.get::<Position>());
            self.targets_equal::<ChildOf>(there, here);
            self.targets_equal::<Follows>(there, here);
            self.targets_equal::<Remembers>(there, here);
            self.children_equal(there, here);
            known.insert(local, there.id());
        }
        for here in self
            .other
            .entities()
            .skip(1)
            .filter(|it| !known.contains_key(&it.id()))
        {
            assert!(here.is_empty(), "only a target: {here:?}");
            let related = [
                here.children().len(),
                here.subscribers().len(),
                here.admirers().len(),
            ];
            assert!(
                related.iter().sum::<usize>() > 0,
                "nothing refers to {here:?}"
            );
        }
    }
}

#[test]
fn a_target_outside_of_the_feed_exists_without_components() {
    let mut pair = Related::new();
    let ship = pair.game.create_with(Position(9)).id();
    let sail = pair
        .game
        .create_with((Position(1), ChildOf { parent: ship }))
        .id();
    pair.follow();
    let local = pair.mirror.local(ship).unwrap();
    assert!(pair.other.entity(local).is_empty());
    pair.game.entity_mut(ship).replace_position(2);
    pair.follow();
    assert_eq!(pair.other.entity(local).position(), &Position(2));
    pair.game.entity_mut(ship).replace_position(9);
    pair.follow();
    assert!(pair.other.entity(local).is_empty());
    pair.game.entity_mut(sail).remove_child_of();
    pair.follow();
    assert!(!pair.other.contains(local));
}

#[test]
fn chains_can_be_reversed() {
    let mut pair = Related::new();
    let ids = pair.game.create_many([Position(0), Position(1)]);
    pair.game.entity_mut(ids[0]).add_child_of(ids[1]);
    pair.follow();
    pair.game.entity_mut(ids[0]).remove_child_of();
    pair.game.entity_mut(ids[1]).add_child_of(ids[0]);
    pair.follow();
    let third = pair.game.create_with(Position(2)).id();
    pair.game.entity_mut(ids[0]).add_child_of(third);
    pair.follow();
    pair.game.entity_mut(ids[0]).remove_child_of();
    pair.game.entity_mut(ids[1]).remove_child_of();
    pair.game.entity_mut(third).add_child_of(ids[1]);
    pair.game.entity_mut(ids[1]).add_child_of(ids[0]);
    pair.follow();
}

#[test]
fn a_relation_to_an_entity_destroyed_by_other_code_is_an_error_that_names_it() {
    let mut pair = Related::new();
    let ids = pair.game.create_many([Position(0), Position(1)]);
    pair.follow();
    pair.other.destroy(pair.mirror.local(ids[0]).unwrap());
    pair.game.entity_mut(ids[1]).add_follows(ids[0]);
    let entity = ids[0].raw();
    for position in 2..4 {
        let delta = pair.feed.take(&mut pair.game);
        let rejected = pair.mirror.apply(&mut pair.other, &delta);
        assert_eq!(rejected, Err(ecs::ApplyError::Destroyed { entity }));
        let everything = pair.feed.take_all(&mut pair.game);
        pair.mirror.apply(&mut pair.other, &everything).unwrap();
        pair.check();
        pair.other.destroy(pair.mirror.local(ids[0]).unwrap());
        pair.game.entity_mut(ids[0]).replace_position(position);
    }
}

#[test]
fn a_relation_may_refer_to_a_dead_entity_on_both_sides() {
    let mut pair = Related::new();
    let ids = pair.game.create_many([Position(0), Position(1)]);
    pair.follow();
    pair.other.destroy(pair.mirror.local(ids[0]).unwrap());
    pair.game.entity_mut(ids[1]).add_remembers(ids[0]);
    pair.game.destroy(ids[0]);
    pair.follow();
    let local = pair.mirror.local(ids[1]).unwrap();
    let friend = pair.other.entity(local).remembers().friend;
    assert!(!pair.other.contains(friend));
}

fn record(game: &mut Game) -> History<Game> {
    let builder = History::builder().without::<failing::Door>();
    builder.record(game)
}

#[test]
fn a_kept_relation_has_its_target_again_after_a_rewind() {
    let mut pair = Related::new();
    let near = pair.game.create_with(Position(1)).id();
    let far = pair.game.create_with(Position(9)).id();
    pair.game
        .create_many([near, far].map(|friend| Remembers { friend }));
    pair.follow();
    let history = record(&mut pair.game);
    let before = history.mark(&mut pair.game);
    pair.game.many(&[near, far]).destroy();
    pair.follow();
    let after = history.mark(&mut pair.game);
    history.rewind(&mut pair.game, before);
    pair.follow();
    let local = pair.mirror.local(near).unwrap();
    assert_eq!(pair.other.entity(local).admirers().len(), 1);
    history.forward(&mut pair.game, after);
    pair.follow();
    history.rewind(&mut pair.game, before);
    pair.follow();
}

/// A parent with this many children, which have positions, and a feed that has sent them.
fn family(count: i32) -> (Related, Id, Vec<Id>) {
    let mut pair = Related::new();
    let parent = pair.game.create_with(Position(0)).id();
    let each = (0..count).map(|_| (Position(1), ChildOf { parent }));
    let children = pair.game.create_many(each);
    pair.follow();
    (pair, parent, children)
}

/// Gives a child another parent and its old one again, which makes it the last child.
fn send_back(game: &mut Game, child: Id) {
    let parent = game.entity(child).child_of().parent;
    game.entity_mut(child).remove_child_of();
    game.entity_mut(child).add_child_of(parent);
}

/// F23.
#[test]
fn a_mirror_has_the_sources_of_an_ordered_relation_in_the_order_of_the_origin() {
    let (mut pair, parent, ids) = family(6);
    for at in [3, 0, 4] {
        send_back(&mut pair.game, ids[at]);
    }
    pair.follow();
    let local = pair.mirror.local(parent).unwrap();
    let order = [1, 2, 5, 3, 0, 4].map(|at| pair.mirror.local(ids[at]).unwrap());
    assert_eq!(pair.other.entity(local).children(), order);
    // New children in another order than their ids; one of them enters the feed later.
    let new = pair.game.create_many([1, 9, 1].map(Position));
    for at in [2, 1, 0] {
        pair.game.entity_mut(new[at]).add_child_of(parent);
    }
    pair.follow();
    send_back(&mut pair.game, ids[2]);
    pair.game.entity_mut(new[1]).replace_position(2);
    pair.follow();
    let everything = pair.feed.take_all(&mut pair.game);
    pair.mirror.apply(&mut pair.other, &everything).unwrap();
    pair.check();
}

/// F23.
#[test]
fn a_mirror_follows_the_order_through_rewinds_and_restores() {
    let (mut pair, parent, ids) = family(5);
    let builder = ecs::Snapshot::builder().without::<failing::Door>();
    let before_all = builder.snapshot(&mut pair.game);
    let history = record(&mut pair.game);
    let before = history.mark(&mut pair.game);
    send_back(&mut pair.game, ids[1]);
    pair.game.entity_mut(ids[2]).remove_child_of();
    pair.follow();
    let after = history.mark(&mut pair.game);
    history.rewind(&mut pair.game, before);
    pair.follow();
    history.forward(&mut pair.game, after);
    pair.follow();
    history.rewind(&mut pair.game, before);
    pair.game.destroy(parent); // with its children
    pair.follow();
    history.rewind(&mut pair.game, before);
    pair.follow();
    send_back(&mut pair.game, ids[0]);
    pair.follow();
    drop(history);
    pair.game.restore(&before_all);
    pair.follow();
}

#[test]
fn sources_added_by_other_code_do_not_affect_the_order_of_mirrored_ones() {
    let (mut pair, parent, ids) = family(4);
    let local = pair.mirror.local(parent).unwrap();
    let own = pair.other.create_with(ChildOf { parent: local }).id();
    send_back(&mut pair.game, ids[0]);
    let delta = pair.feed.take(&mut pair.game);
    pair.mirror.apply(&mut pair.other, &delta).unwrap();
    let [a, b, c, d] = [1, 2, 3, 0].map(|at| pair.mirror.local(ids[at]).unwrap());
    assert_eq!(pair.other.entity(local).children(), [a, b, c, d, own]);
}

/// Whatever the delta is, exactly the source that moved is updated, once.
#[test]
fn a_moved_source_is_reported_also_if_its_value_is_the_same() {
    for kind in 0..4 {
        let (mut pair, parent, ids) = family(4);
        if kind > 0 {
            pair.feed.acknowledge(&mut pair.game, pair.mirror.applied());
        }
        let updated = pair.other.collector(Game::all_of::<ChildOf>().updated());
        let events = Arc::new(AtomicUsize::new(0));
        let counted = events.clone();
        let children = pair.other.group(Game::all_of::<ChildOf>());
        children.on_updated(&mut pair.other, move |_, _| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        pair.game
            .sources_mut::<ChildOf>(parent)
            .move_before(ids[3], ids[1]);
        if kind == 2 {
            let _ = pair.feed.take(&mut pair.game); // it is lost, and the next one has more
            pair.game
                .sources_mut::<ChildOf>(parent)
                .move_before(ids[0], ids[1]);
        }
        let delta = match kind {
            3 => pair.feed.take_all(&mut pair.game),
            _ => pair.feed.take(&mut pair.game),
        };
        pair.mirror.apply(&mut pair.other, &delta).unwrap();
        pair.check();
        let moved = pair.mirror.local(ids[3]).unwrap();
        assert_eq!(updated.drain(&mut pair.other), [moved], "kind {kind}");
        assert_eq!(events.load(Ordering::Relaxed), 1);
    }
}
