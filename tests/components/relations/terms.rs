//! Matchers with terms over relations: the order of notifications, and that flags are hidden.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use ecs::{CloneOptions, GroupEvent};
use support::game::{Frozen, Health, Score};

use super::*;

fn below_frozen() -> Matcher<Game> {
    Game::all_of::<Name>().related::<Targets>(Game::all_of::<Frozen>())
}

/// An entity with two that refer to it, in this order, and one that does not.
fn with_sources(game: &mut Game) -> (Id, [Id; 2], Id) {
    let target = named(game, "target");
    let ids = game.create_many(["a", "b", "c"].map(called));
    game.many(&ids[..2]).add(Targets(target));
    (target, [ids[0], ids[1]], ids[2])
}

/// Sends each event of a group of which `events` are observed, with the members at that time.
fn observe(game: &mut Game, matcher: Matcher<Game>) -> mpsc::Receiver<(GroupEvent, Id, Vec<Id>)> {
    let (sender, reported) = mpsc::channel();
    let group = game.group(matcher);
    for event in [GroupEvent::Entered, GroupEvent::Left, GroupEvent::Updated] {
        let sender = sender.clone();
        let members = group;
        let observer = move |game: &mut Game, change: &ecs::Change<'_, Game>| {
            let members = members.ids(game);
            sender.send((event, change.entity(), members)).unwrap();
        };
        match event {
            GroupEvent::Entered => group.on_entered(game, observer),
            GroupEvent::Left => group.on_left(game, observer),
            _ => group.on_updated(game, observer),
        };
    }
    reported
}

#[test]
fn sources_enter_and_leave_with_the_same_change_of_their_target() {
    use GroupEvent::{Entered, Left};
    let mut game = Game::new();
    let (target, [a, b], other) = with_sources(&mut game);
    let reported = observe(&mut game, below_frozen());

    game.entity_mut(target).add_frozen();
    let all = || vec![a, b];
    assert!(
        reported
            .try_iter()
            .eq([(Entered, a, all()), (Entered, b, all())])
    );
    game.entity_mut(a).replace_targets(other);
    assert!(reported.try_iter().eq([(Left, a, vec![b])]));
    game.entity_mut(other).add_targets(target);
    assert!(reported.try_iter().eq([(Entered, other, vec![b, other])]));
    game.entity_mut(target).remove_frozen();
    let left = [(Left, b, vec![]), (Left, other, vec![])];
    assert!(reported.try_iter().eq(left));
}

#[test]
fn observers_of_the_target_come_first_when_all_state_is_final() {
    let mut game = Game::new();
    let (target, sources, _) = with_sources(&mut game);
    let below = game.group(below_frozen()); // older than the group of the target's observers
    let (sender, reported) = mpsc::channel();
    let first = sender.clone();
    below.on_entered(&mut game, move |_, change| {
        first.send(vec![change.entity()]).unwrap()
    });
    let frozen = game.group(Game::all_of::<Frozen>());
    frozen.on_entered(&mut game, move |game, _| {
        sender.send(below.ids(game)).unwrap()
    });
    game.entity_mut(target).add_frozen();
    let [a, b] = sources;
    assert!(reported.try_iter().eq([vec![a, b], vec![a], vec![b]]));
}

#[test]
fn updates_of_the_target_are_not_updates_of_its_sources() {
    let mut game = Game::new();
    let (target, [a, b], _) = with_sources(&mut game);
    let matcher = Game::all_of::<Name>().related::<Targets>(Game::all_of::<Health>());
    let reported = observe(&mut game, matcher);
    game.entity_mut(target).add_health(1);
    assert_eq!(reported.try_iter().count(), 2);
    game.entity_mut(target)
        .replace_health(2)
        .update_health(|it| it.0 += 1);
    assert_eq!(reported.try_iter().count(), 0);
    game.entity_mut(a).replace_name("A".to_owned());
    assert!(
        reported
            .try_iter()
            .eq([(GroupEvent::Updated, a, vec![a, b])])
    );
}

#[test]
fn sources_of_a_destroyed_target_leave() {
    use GroupEvent::Left;
    let mut game = Game::new();
    let (target, sources, _) = with_sources(&mut game);
    game.entity_mut(target).add_frozen();
    let keeper = game
        .create_with((
            Remembers {
                times: 1,
                whom: target,
            },
            called("k"),
        ))
        .id();
    let kept = Game::all_of::<Name>().related::<Remembers>(Game::all_of::<Frozen>());
    let (reported, kept) = (observe(&mut game, below_frozen()), observe(&mut game, kept));
    game.destroy(target);
    let [a, b] = sources;
    assert!(
        reported
            .try_iter()
            .eq([(Left, a, vec![]), (Left, b, vec![])])
    );
    assert!(kept.try_iter().eq([(Left, keeper, vec![])]));
    assert_eq!(game.entity(keeper).remembers().whom, target);
}

#[test]
fn a_target_matches_while_one_of_its_sources_does() {
    let mut game = Game::new();
    let (target, [a, b], _) = with_sources(&mut game);
    let above_frozen = Matcher::default().with_referrers::<Targets>(Game::all_of::<Frozen>());
    let changed = game.collector(above_frozen.any_change());
    let above = game.group(above_frozen);
    game.many(&[a, b]).add(Frozen);
    assert_eq!(above.ids(&game), [target]);
    assert_eq!(changed.drain(&mut game), [target]);
    game.entity_mut(a).remove_frozen();
    assert!(changed.drain(&mut game).is_empty());
    game.destroy(b);
    assert_eq!(changed.drain(&mut game), [target]);
    assert!(above.is_empty(&game));
}

struct Heal;

impl ReactiveSystem<Game> for Heal {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        below_frozen().entered()
    }

    fn react(&mut self, game: &mut Game, entities: &[Id]) {
        for &id in entities {
            game.entity_mut(id).add_health(7);
        }
    }
}

#[test]
fn reactive_systems_take_terms() {
    let mut game = Game::new();
    let (target, [a, b], _) = with_sources(&mut game);
    let mut systems = Systems::new().add_reactive(&mut game, Heal);
    systems.execute(&mut game);
    game.entity_mut(target).add_frozen();
    systems.execute(&mut game);
    assert!([a, b].into_iter().all(|id| game.entity(id).health().0 == 7));
}

#[test]
fn terms_are_compared_and_printed_by_what_they_require() {
    let matcher = below_frozen();
    assert_eq!(matcher, below_frozen());
    assert_ne!(
        matcher,
        Game::all_of::<Name>().related::<ChildOf>(Game::all_of::<Frozen>())
    );
    assert_ne!(
        matcher,
        Game::all_of::<Name>().with_referrers::<Targets>(Game::all_of::<Frozen>())
    );
    let disabled = Game::all_of::<Frozen>().with_disabled();
    assert_ne!(matcher, Game::all_of::<Name>().related::<Targets>(disabled));
    assert_ne!(
        matcher,
        Game::all_of::<Name>().without_related::<Targets>(Game::all_of::<Frozen>())
    );
    assert_eq!(
        format!(
            "{:?}",
            Matcher::<Game>::default().without_related::<Targets>(below_frozen())
        ),
        "NoneOf(Related<Targets>(AllOf(Name, Related<Targets>(AllOf(Frozen)))))"
    );
}

#[test]
fn flags_are_not_seen() {
    let mut game = Game::new();
    let (sender, reported) = mpsc::channel();
    let observer = move |_: &mut Game, change: &ecs::EntityChange<'_, Game>| {
        sender
            .send((change.entity(), change.component_name()))
            .unwrap();
    };
    game.observers().on_change(observer);
    let target = game.create_with(Frozen).id();
    let below = Matcher::default().related::<Targets>(Game::all_of::<Frozen>());
    let group = game.group(below);
    let feed = game.feed::<Targets>();
    feed.take(&mut game);
    let id = game.create_with(Targets(target)).id();
    assert_eq!(group.ids(&game), [id]);
    let changes: Vec<_> = reported.try_iter().filter(|(of, _)| *of == id).collect();
    assert_eq!(changes, [(id, Some("Targets")), (id, None)]);

    let targets = game.components().index_of::<Targets>();
    assert_eq!(game.entity(id).component_indices(), [targets]);
    assert_eq!(game.entity(id).dynamic().iter().count(), 1);
    assert_eq!(
        format!("{:?}", game.entity(id)).matches("Related").count(),
        0
    );
    assert!(
        game.components()
            .find("Related<Targets>(AllOf(Frozen))")
            .is_none()
    );
    let copy = CloneOptions::all().clone_entity(&mut game, id).id();
    assert_eq!(group.ids(&game), [id, copy]);
    game.entity_mut(id).remove_all();
    assert!(game.entity(id).is_empty());
    assert_eq!(group.ids(&game), [copy]);
    game.storage().check_invariants();
}

#[test]
fn an_owner_with_nothing_but_a_unique_component_and_a_flag_is_destroyed() {
    let mut game = Game::new();
    let owner = game.create_with(Score(1)).id();
    let above = Matcher::default().with_referrers::<Targets>(Matcher::default());
    let above = game.group(above);
    game.create_with(Targets(owner));
    assert_eq!(above.ids(&game), [owner]);
    game.unique_mut::<Score>().remove();
    assert!(!game.contains(owner));
}

#[test]
fn terms_are_exact_after_a_panic_of_user_code() {
    let mut game = Game::new();
    let (target, [a, b], other) = with_sources(&mut game);
    game.entity_mut(target).add_frozen();
    let below = game.group(below_frozen());
    let watched = Game::all_of::<Targets>().any_of::<(Targets, Name)>();
    let panicking = game.entity_index(watched, |it| {
        assert!(it.name().0 != "c", "the key function panics");
        0
    });
    let added = catch_unwind(AssertUnwindSafe(|| {
        _ = game.entity_mut(other).add_targets(target)
    }));
    assert!(added.is_err());
    assert_eq!(below.ids(&game), [a, b, other]);
    drop(panicking);
    let updated = catch_unwind(AssertUnwindSafe(|| {
        game.many(&[a, b]).update(|id, targets: &mut Targets| {
            assert!(id == a, "the closure panics");
            targets.0 = other;
        });
    }));
    assert!(updated.is_err());
    let expected = [a, b, other].into_iter();
    let expected = expected.filter(|&id| game.entity(id).targets().0 == target);
    assert!(below_frozen().ids(&game).eq(expected));
}

#[test]
fn a_group_made_inside_an_observer_knows_its_terms() {
    let mut game = Game::new();
    let (target, [a, b], other) = with_sources(&mut game);
    let (sender, reported) = mpsc::channel();
    let frozen = game.group(Game::all_of::<Frozen>());
    frozen.on_entered(&mut game, move |game, _| {
        let below = game.group(below_frozen());
        sender.send(below.ids(game)).unwrap();
    });
    game.entity_mut(target).add_frozen();
    game.entity_mut(other).add_frozen();
    assert!(reported.try_iter().all(|ids| ids == [a, b]));
    game.storage().check_invariants();
}

#[test]
fn components_of_the_target_can_be_written_untracked() {
    let mut game = Game::new();
    let (target, ..) = with_sources(&mut game);
    game.group(Game::all_of::<Name>().related::<Targets>(Game::all_of::<Health>()));
    game.entity_mut(target).add_health(1);
    game.entity_mut(target).health_mut_untracked().0 = 2;
    assert_eq!(game.entity(target).health().0, 2);
}
