//! The generated code for each declaration: the snapshots of Entitas' code generator, as programs.
//! The expansions themselves are snapshots of `ecs-derive`.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;

/// Neither a component nor a context.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Plain(u8);

pub(crate) mod declared {
    //! A context in a module, with its components.

    use ecs::prelude::*;

    #[ecs::context]
    pub(crate) struct Level;

    #[derive(Component)]
    #[component(context = Level)]
    pub(crate) struct Outside(pub(crate) u8);

    pub(crate) mod deeper {
        use super::{Level, LevelEntity, LevelEntityMut};
        use ecs::prelude::*;

        #[derive(Component)]
        #[component(context = Level)]
        pub(crate) struct Inside {
            pub(crate) first: u8,
            pub(crate) second: &'static str,
            pub(crate) third: bool,
        }

        #[derive(Component)]
        #[component(context = Level)]
        struct Hidden(u8);

        pub(crate) fn hide(entity: &mut LevelEntityMut<'_>) -> u8 {
            entity.add_hidden(7).hidden().0
        }
    }
}

use super::world::{Game, GameEntity, GameEntityMut};
use declared::deeper::{Inside, hide};
use declared::{Level, LevelEntity, LevelEntityMut, Outside};

/// A context without components.
#[ecs::context]
struct Bare;

#[derive(Component)]
#[component(context = Game)]
struct Words {
    r#type: u8,
    r#match: u8,
    r#loop: u8,
}

#[derive(Component)]
#[component(context = Game)]
struct Unit;

#[derive(Component)]
#[component(context = Game)]
struct Braces {}

#[derive(Component)]
#[component(context = Game)]
struct Phantom(PhantomData<u8>);

#[derive(Component)]
#[component(context = Game)]
struct Odd {
    array: [u8; 3],
    generic: Option<Vec<Result<u8, Plain>>>,
    nested: nested::Deep,
    choice: nested::Choice,
}

mod nested {
    #[derive(Debug, PartialEq)]
    pub(super) struct Deep(pub(super) &'static str);

    #[derive(Debug, PartialEq)]
    pub(super) enum Choice {
        One(u8),
    }
}

#[derive(Component)]
#[component(context = Game, event(any(set, removed), self(set, removed)))]
struct Loud {
    volume: u8,
    pitch: u8,
}

#[derive(Component)]
#[component(context = Game, event(any(set), self(removed, priority = -1)))]
struct Muted;

/// The attributes are in the reverse order of delivery.
#[derive(Component)]
#[component(context = Game, event(self(removed, set), any(removed, set)))]
struct Backwards;

#[derive(Component)]
#[component(context = Game)]
struct Label(#[component(index)] &'static str);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Number {
    #[component(primary_index)]
    number: u8,
}

fn names<C>(components: &[ecs::ComponentInfo<C>]) -> Vec<&'static str> {
    components.iter().map(|info| info.name()).collect()
}

/// GEN-002, GEN-003, GEC-002.
#[test]
fn a_plain_type_is_no_component_and_no_context() {
    let (game, level) = (Game::new(), Level::new());
    let is_plain = |name: &&str| *name == "Plain" || *name == "Deep";
    assert!(!names(&game.components()).iter().any(is_plain));
    assert!(!names(&level.components()).iter().any(is_plain));
}

/// GEN-004.
#[test]
fn a_private_component_has_private_accessors() {
    let mut level = Level::new();
    let mut entity = level.create_entity();
    assert_eq!(hide(&mut entity), 7);
    let id = entity.id();
    assert!(level.components().find("Hidden").is_some());
    assert_eq!(level.entity(id).component_indices().len(), 1);
}

/// GEN-006, GEN-007, GEC-003, GEC-004.
#[test]
fn a_component_in_a_module_is_named_by_its_type_only() {
    let mut level = Level::new();
    let mut entity: LevelEntityMut<'_> = level.create_entity();
    entity.add_outside(1).add_inside(2, "two", true);
    let id = entity.id();
    let entity: LevelEntity<'_> = level.entity(id);
    assert_eq!((entity.outside().0, entity.inside().first), (1, 2));
    assert_eq!(
        Level::all_of::<(Outside, Inside)>(),
        Level::all_of::<(Inside, Outside)>()
    );
    let info = level.components().find("Inside").unwrap();
    assert!(info.type_name().ends_with("declared::deeper::Inside"));
    assert_eq!((info.name(), info.accessor()), ("Inside", "inside"));
    assert_eq!(level.to_string(), "Level");
}

/// GEN-008, GEN-009, GEN-010, GEN-011.
#[test]
fn each_field_is_an_argument_in_order_of_declaration() {
    let mut level = Level::new();
    let mut entity = level.create_entity();
    entity.add_outside(1).replace_outside(2);
    entity.add_inside(1, "one", false);
    entity.replace_inside(2, "two", true);
    assert_eq!(entity.outside().0, 2);
    let inside = entity.inside();
    assert_eq!(
        (inside.first, inside.second, inside.third),
        (2, "two", true)
    );
}

/// GEN-012.
#[test]
fn fields_named_by_reserved_words_are_arguments_too() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    let words = entity.add_words(1, 2, 3).words();
    assert_eq!((words.r#type, words.r#match, words.r#loop), (1, 2, 3));
}

/// GEN-013. A field without data is still a field, but takes no storage.
#[test]
fn a_type_without_fields_is_a_flag() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.set_unit(true).set_braces(true);
    entity.add_phantom(PhantomData);
    assert!(entity.is_unit() && entity.is_braces() && entity.phantom().0 == PhantomData);
    let takes_none = |name| game.components().find(name).unwrap().is_flag();
    assert!(["Unit", "Braces", "Phantom"].into_iter().all(takes_none));
}

/// GEN-024.
#[test]
fn fields_can_be_of_any_type() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    let generic = Some(vec![Ok(1), Err(Plain(2))]);
    let (nested, choice) = (nested::Deep("deep"), nested::Choice::One(1));
    entity.add_odd([1, 2, 3], generic.clone(), nested, choice);
    let odd = entity.odd();
    assert_eq!((odd.array, &odd.generic), ([1, 2, 3], &generic));
    assert_eq!(odd.nested, nested::Deep("deep"));
    assert_eq!(odd.choice, nested::Choice::One(1));
}

/// The log of listeners, in order.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<&'static str>>>);

impl Said {
    fn says(&self, word: &'static str) -> impl FnMut(GameEntityMut<'_>) + Send + Sync + 'static {
        let said = self.0.clone();
        move |_| said.lock().unwrap().push(word)
    }

    fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// GEN-025, GEN-026. A listener reads the values from the entity it receives.
#[test]
fn each_event_of_a_component_has_a_method_that_adds_a_listener() {
    let (mut game, said) = (Game::new(), Said::default());
    game.on_any_loud_set(|entity| {
        let loud = entity.loud();
        assert_eq!((loud.volume, loud.pitch), (3, 4));
    });
    game.on_any_loud_set(said.says("any added"));
    game.on_any_loud_removed(said.says("any removed"));
    let mut entity = game.create_entity();
    entity.on_loud_set(said.says("added"));
    entity.on_loud_removed(said.says("removed"));
    let id = entity.add_loud(3, 4).id();
    game.events().deliver();
    assert_eq!(said.take(), ["any added", "added"]);
    game.entity_mut(id).remove_loud();
    game.events().deliver();
    assert_eq!(said.take(), ["any removed", "removed"]);
}

/// GEN-027, GEN-028, GEN-029. Lower priorities are notified first.
#[test]
fn all_events_of_a_context_are_one_system_in_order() {
    let (mut game, said) = (Game::new(), Said::default());
    let mut events = EventSystems::new();
    game.on_any_loud_set(said.says("loud"));
    game.on_any_muted_set(said.says("muted"));
    let muted = game.create_with(Muted).id();
    game.entity_mut(muted)
        .on_muted_removed(said.says("not muted"));
    game.create_entity().add_muted().add_loud(1, 1);
    game.entity_mut(muted).remove_muted();
    events.execute(&mut game);
    assert_eq!(said.take(), ["not muted", "loud", "muted"]);
}

/// GEN-029, with attributes in another order.
#[test]
fn the_order_of_events_does_not_depend_on_that_of_attributes() {
    let (mut game, said) = (Game::new(), Said::default());
    let [set, removed] = [1, 2].map(|_| game.create_with(Backwards).id());
    game.entity_mut(set).remove_backwards();
    game.events().deliver();
    game.entity_mut(removed)
        .on_backwards_removed(said.says("removed"));
    game.entity_mut(set).on_backwards_set(said.says("set"));
    game.on_any_backwards_removed(said.says("any removed"));
    game.on_any_backwards_set(said.says("any set"));

    game.entity_mut(removed).remove_backwards();
    game.entity_mut(set).add_backwards();
    EventSystems::new().execute(&mut game);
    assert_eq!(said.take(), ["any set", "any removed", "set", "removed"]);
}

/// GEN-030.
#[test]
fn the_event_system_of_a_context_without_events_has_nothing_to_do() {
    let mut bare = Bare::new();
    let mut events = EventSystems::new();
    bare.create_entity();
    events.execute(&mut bare);
    assert_eq!(
        (bare.events().listeners(), bare.events().undelivered()),
        (0, 0)
    );
}

/// GEN-031.
#[test]
fn each_indexed_field_is_looked_up_by_a_method_of_the_context() {
    let mut game = Game::new();
    let one = game.create_with((Label("a"), Number { number: 1 })).id();
    let two = game.create_with((Label("a"), Number { number: 2 })).id();
    assert_eq!(game.entities_with_label(&"a").ids(), [one, two]);
    assert_eq!(game.entity_with_number(&2).map(|e| e.id()), Some(two));
}

/// GEN-032, GEN-034.
#[test]
fn a_context_needs_no_components() {
    let mut bare = Bare::new();
    assert!(bare.components().is_empty());
    let everything = bare.group(Bare::all_of::<()>());
    let id = bare.create_entity().id();
    assert_eq!(everything.ids(&bare), [id]);
    assert!(CleanupSystems::new(&mut bare).is_empty() && Group::all(&bare) == [everything]);
}
