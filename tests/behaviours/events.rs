//! Events: the delivery, and removing listeners.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::world::{Game, GameEntity, GameEntityMut, Plain};

#[derive(Component, Debug)]
#[component(context = Game)]
#[component(event(any(set, removed), self(set, removed)))]
pub(crate) struct Score(u32);

#[derive(Component)]
#[component(context = Game, event(any, set, priority = 1))]
pub(crate) struct Alpha;

#[derive(Component)]
#[component(context = Game, event(any, set, priority = -1))]
pub(crate) struct Omega;

#[derive(Component)]
#[component(context = Game, event(any, set))]
pub(crate) struct Beta;

#[derive(Component)]
#[component(context = Game, event(any, set))]
pub(crate) struct Gamma;

/// The entities that listeners were notified of.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<EntityId<Game>>>>);

impl Heard {
    /// A listener that logs the entity and calls a closure with it.
    fn and(
        &self,
        mut then: impl FnMut(GameEntityMut<'_>) + Send + Sync + 'static,
    ) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + 'static {
        let heard = self.0.clone();
        move |entity| {
            heard.lock().unwrap().push(entity.id());
            then(entity);
        }
    }

    fn note(&self) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + 'static {
        self.and(|_| ())
    }

    fn take(&self) -> Vec<EntityId<Game>> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

fn stage() -> (Game, Heard) {
    (Game::new(), Heard::default())
}

/// Stores a subscription that is known only after its closure was created.
type Place = Arc<Mutex<Option<Subscription>>>;

/// A listener that unsubscribes the stored one.
fn ending(place: &Place) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + 'static {
    let place = place.clone();
    move |mut entity| {
        let listener = place.lock().unwrap().unwrap();
        assert!(entity.context_mut().unsubscribe(listener));
    }
}

fn destroy(entity: GameEntityMut<'_>) {
    entity.destroy();
}

/// EAA-001, EAR-001, ESA-001, ESR-001.
#[test]
fn unraised_events_are_not_notified() {
    let (mut stage, heard) = stage();
    stage.on_any_score_set(heard.note());
    stage.create_entity().on_score_set(heard.note());
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));

    stage.events().clear_listeners();
    stage.on_any_score_removed(heard.note());
    let mut entity = stage.create_entity();
    entity.on_score_removed(heard.note());
    entity.add_score(1);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
}

/// EAA-002.
#[test]
fn a_listener_to_any_is_notified_of_added_components() {
    let (mut stage, heard) = stage();
    stage.on_any_score_set(heard.and(|entity| assert_eq!(entity.score().0, 7)));
    let id = stage.create_entity().add_score(7).id();
    assert_eq!(heard.take(), []);
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![id]));
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));

    stage
        .entity_mut(id)
        .replace_score(8)
        .update_score(|score| score.0 -= 1);
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![id]));
}

/// EAA-003, ESA-004.
#[test]
fn a_component_removed_again_is_not_notified_as_added() {
    let (mut stage, heard) = stage();
    stage.on_any_score_set(heard.note());
    let mut entity = stage.create_entity();
    entity.on_score_set(heard.note());
    entity.add_score(1).remove_score();
    let dead = stage.create_entity().add_score(2).id();
    stage.destroy(dead);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
}

/// EAA-004, EAR-004, ESA-005, ESR-005.
#[test]
fn a_listener_may_remove_itself() {
    let (mut stage, heard) = stage();
    let id = stage.create_entity().id();
    let places: [Place; 4] = Default::default();
    let [any_added, any_removed, own_added, own_removed] = &places;
    let listener = stage.on_any_score_set(heard.and(ending(any_added)));
    any_added.lock().unwrap().replace(listener);
    let listener = stage.on_any_score_removed(heard.and(ending(any_removed)));
    any_removed.lock().unwrap().replace(listener);
    let mut entity = stage.entity_mut(id);
    let listener = entity.on_score_set(heard.and(ending(own_added)));
    own_added.lock().unwrap().replace(listener);
    let listener = entity.on_score_removed(heard.and(ending(own_removed)));
    own_removed.lock().unwrap().replace(listener);

    for _ in 0..2 {
        stage.entity_mut(id).add_score(1);
        stage.events().deliver();
        stage.entity_mut(id).remove_score();
        stage.events().deliver();
    }
    assert_eq!(heard.take(), [id; 4]);
    assert_eq!(stage.events().listeners(), 0);
}

/// EAA-005: a listener destroys the entity of another listener.
#[test]
fn a_listener_of_an_entity_destroyed_by_another_listener_is_skipped() {
    let (mut stage, heard) = stage();
    let ids = [1, 2].map(|_| stage.create_entity().id());
    for (id, other) in [(ids[0], ids[1]), (ids[1], ids[0])] {
        let end = move |mut entity: GameEntityMut<'_>| entity.context_mut().destroy(other);
        stage.entity_mut(id).on_score_set(heard.and(end));
        stage.entity_mut(id).add_score(1);
    }
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![ids[0]]));
    assert!(stage.contains(ids[0]) && !stage.contains(ids[1]));
    assert_eq!(
        (stage.events().deliver(), stage.events().listeners()),
        (0, 1)
    );
}

/// CTX-032.
#[test]
fn a_listener_of_one_entity_is_not_notified_of_the_next_one_in_its_slot() {
    let (mut stage, heard) = stage();
    let mut watched = stage.create_entity();
    watched.on_score_set(heard.note());
    watched.on_score_removed(heard.note());
    let id = watched.id();
    assert_eq!(stage.events().listeners(), 2);
    stage.destroy(id);

    let next = stage.create_entity().add_score(1).id();
    assert_eq!(next.index(), id.index());
    assert_eq!(
        (stage.events().deliver(), stage.events().listeners()),
        (0, 0)
    );
    stage.destroy(next);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
}

/// EAA-005, EAR-005: the first of two listeners destroys the entity, so the second is not notified.
#[test]
fn a_listener_may_destroy_the_entity_so_that_others_are_skipped() {
    let (mut stage, heard) = stage();
    stage.on_any_score_set(heard.and(destroy));
    stage.on_any_score_set(heard.note());
    let id = stage.create_entity().add_score(1).id();
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![id]));
    assert!(!stage.contains(id));

    stage.events().clear_listeners();
    stage.on_any_score_removed(heard.and(destroy));
    stage.on_any_score_removed(heard.and(|entity| assert!(!entity.is_alive())));
    let id = stage.create_entity().add_score(1).remove_score().id();
    assert_eq!((stage.events().deliver(), heard.take()), (2, vec![id; 2]));
}

/// EAR-002.
#[test]
fn a_listener_to_any_is_notified_of_removed_components() {
    let (mut stage, heard) = stage();
    stage.on_any_score_removed(heard.and(|entity| assert!(!entity.has_score())));
    let bare = stage.create_entity().add_score(1).remove_score().id();
    let dead = stage.create_entity().add_score(1).id();
    stage.destroy(dead);
    assert_eq!(
        (stage.events().deliver(), heard.take()),
        (2, vec![bare, dead])
    );
    assert!(stage.contains(bare) && !stage.contains(dead));
}

/// EAR-003, ESR-004.
#[test]
fn a_component_added_again_is_not_notified_as_removed() {
    let (mut stage, heard) = stage();
    stage.on_any_score_removed(heard.note());
    let mut entity = stage.create_entity();
    entity.on_score_removed(heard.note());
    entity.add_score(1).remove_score().add_score(2);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
}

/// ESA-002, ESA-003.
#[test]
fn a_listener_of_an_entity_is_notified_of_that_one_alone() {
    let (mut stage, heard) = stage();
    let listened = stage.create_entity().id();
    stage
        .entity_mut(listened)
        .on_score_set(heard.and(|entity| assert_eq!(entity.score().0, 1)));
    stage.create_entity().add_score(2);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
    stage.entity_mut(listened).add_score(1);
    assert_eq!(
        (stage.events().deliver(), heard.take()),
        (1, vec![listened])
    );
}

/// ESA-006, ESR-006.
#[test]
fn a_listener_of_an_entity_may_destroy_it() {
    let (mut stage, heard) = stage();
    let mut entity = stage.create_entity();
    entity.on_score_set(heard.and(destroy));
    entity.on_score_set(heard.note());
    let id = entity.add_score(1).id();
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![id]));

    let mut entity = stage.create_entity().add_score(1).id();
    stage
        .entity_mut(entity)
        .on_score_removed(heard.and(destroy));
    stage.entity_mut(entity).remove_score();
    assert_eq!((stage.events().deliver(), heard.take()), (1, vec![entity]));
    entity = stage.create_entity().id();
    assert_eq!(stage.events().deliver(), 0);
    assert!(stage.contains(entity) && stage.events().listeners() == 0);
}

/// ESR-002, ESR-003. Unlike in Entitas, destroying the entity counts as a removal: it is the last
/// notification of its listeners.
#[test]
fn a_listener_of_an_entity_is_notified_of_removal_by_destroy() {
    let (mut stage, heard) = stage();
    let ids = [1, 2, 3].map(|score| stage.create_entity().add_score(score).id());
    for id in &ids[..2] {
        stage.entity_mut(*id).on_score_removed(heard.note());
    }
    stage.entity_mut(ids[2]).remove_score();
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
    stage.entity_mut(ids[0]).remove_score();
    stage.destroy(ids[1]);
    assert_eq!(
        (stage.events().deliver(), heard.take()),
        (2, vec![ids[0], ids[1]])
    );
    assert_eq!(stage.events().listeners(), 1);
}

/// EVL-001.
#[test]
fn an_entity_can_have_several_listeners_and_they_end_with_it() {
    let (mut stage, heard) = stage();
    let mut entity = stage.create_entity();
    entity.on_score_set(heard.note());
    entity.on_score_set(heard.note());
    let id = entity.add_score(1).id();
    assert_eq!(
        (stage.events().listeners(), stage.events().deliver()),
        (2, 2)
    );
    assert_eq!(heard.take(), [id, id]);
    stage.destroy(id);
    stage.events().deliver();
    assert_eq!(stage.events().listeners(), 0);
}

/// EVL-002, EVL-003, EVL-004. To destroy an entity with its last listener, destroy it when it is
/// empty.
#[test]
fn ending_the_last_listener_leaves_the_entity() {
    let (mut stage, heard) = stage();
    let mut entity = stage.create_entity();
    let (listener, id) = (entity.on_score_set(heard.note()), entity.id());
    assert!(stage.unsubscribe(listener) && !stage.unsubscribe(listener));
    assert!(stage.contains(id) && stage.entity(id).is_empty());

    let listener = stage.create_with(Beta).on_score_set(heard.note());
    assert!(stage.unsubscribe(listener));
    assert!(stage.entities().filter(|entity| entity.is_beta()).count() == 1);

    stage.entity_mut(id).add_score(1);
    assert_eq!((stage.events().deliver(), heard.take()), (0, vec![]));
}

/// EVS-001.
#[test]
fn one_system_delivers_all_events_by_priority_and_then_by_component() {
    let (mut stage, heard) = stage();
    stage.on_any_gamma_set(heard.note());
    stage.on_any_alpha_set(heard.note());
    stage.on_any_beta_set(heard.note());
    stage.on_any_omega_set(heard.note());
    let [alpha, beta, gamma, omega] = [
        stage.create_with(Alpha).id(),
        stage.create_with(Beta).id(),
        stage.create_with(Gamma).id(),
        stage.create_with(Omega).id(),
    ];
    let mut systems = Systems::new().add(EventSystems::new());
    systems.execute(&mut stage);
    assert_eq!(heard.take(), [omega, beta, gamma, alpha]);
}

/// EVS-002.
#[test]
fn a_context_without_events_has_a_system_that_delivers_nothing() {
    let mut silent = Plain::new();
    silent.create_entity();
    let mut systems = Systems::new().add(EventSystems::new());
    systems.execute(&mut silent);
    assert_eq!(
        systems.reactions().map(|reactions| reactions.calls),
        Some(0)
    );
}
