//! The accessors of each kind of component.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

#[derive(Component, Debug, PartialEq)]
#[component(context = Game)]
pub(crate) struct Health(pub(crate) u32);

#[derive(Component, Debug, PartialEq)]
#[component(context = Game)]
pub(crate) struct Range(pub(crate) u32, pub(crate) u32);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Frozen;

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Braced {}

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Parenthesised();

#[derive(Component, Debug, PartialEq)]
#[component(context = Game)]
pub(crate) enum Team {
    Red,
    Blue { rank: u8 },
}

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, by_value)]
pub(crate) struct Grid {
    cells: [u8; 4],
}

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Label {
    #[component(into)]
    pub(crate) text: String,
    pub(crate) size: u8,
}

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Title(#[component(into)] pub(crate) Option<String>);

#[derive(Component, Default)]
#[component(context = Game, pooled)]
pub(crate) struct Waypoints(pub(crate) Vec<u32>);

#[derive(Component)]
#[component(context = Game, name = "pos")]
pub(crate) struct PositionOnScreen(pub(crate) u8);

#[derive(Component, Debug, PartialEq)]
#[component(context(Game, Input))]
pub(crate) struct Owner(pub(crate) u8);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Node {
    pub(crate) next: Option<Box<Self>>,
}

/// A component with fields of every visibility, to check what is visible outside.
mod guarded {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut};

    #[derive(Component)]
    #[component(context = Game)]
    pub(crate) struct Secret {
        pub(crate) shown: u8,
        hidden: u8,
    }

    impl Secret {
        pub(crate) fn sum(&self) -> u8 {
            self.shown + self.hidden
        }
    }

    /// The only way to set the private field.
    pub(crate) fn keep(entity: &mut GameEntityMut<'_>, hidden: u8) {
        entity.replace_secret(1, hidden);
    }

    pub(crate) fn hidden(entity: GameEntity<'_>) -> u8 {
        entity.secret().hidden
    }
}

/// Represents another crate, which cannot add inherent methods to the handles.
mod elsewhere {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

    #[derive(Component, Debug, PartialEq, Default)]
    #[component(context(Game, Input), extension, pooled)]
    pub(crate) struct Weight(pub(crate) u8);

    #[derive(Component)]
    #[component(context = Game, extension)]
    pub(crate) struct Marked;
}

#[test]
fn named_fields_are_arguments_in_order() {
    let mut game = Game::new();
    let id = game.create_entity().add_position(1.0, 2.0).id();

    let entity = game.entity(id);
    assert!(entity.has_position());
    assert_eq!(entity.position(), &Position { x: 1.0, y: 2.0 });
    assert_eq!(entity.get_position(), Some(entity.position()));
}

#[test]
fn a_reference_from_a_shared_handle_outlives_the_handle() {
    let mut game = Game::new();
    let id = game.create_entity().add_position(1.0, 2.0).id();
    let position = game.entity(id).position();
    let got = game.entity(id).get_position();
    assert_eq!(Some(position), got);
}

#[test]
fn an_entity_without_the_component_says_so() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(!entity.has_position());
    assert_eq!(entity.get_position(), None);
    assert_eq!(entity.take_position(), None);
    assert!(entity.try_remove_position().is_err());
}

#[test]
fn exclusive_handles_change_every_kind_of_value() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_position(1.0, 2.0)
        .replace_position(3.0, 4.0)
        .update_position(|p| p.x += 1.0);
    entity.position_mut_untracked().y = 0.5;
    assert_eq!(entity.position(), &Position { x: 4.0, y: 0.5 });
    assert_eq!(entity.take_position(), Some(Position { x: 4.0, y: 0.5 }));
    assert!(!entity.has_position());
}

#[test]
fn the_rejecting_forms_return_errors_and_change_nothing() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(entity.try_remove_health().is_err());
    entity.try_add_health(1).unwrap().add_range(1, 2);
    assert_eq!(
        entity.try_add_health(2).unwrap_err().to_string(),
        format!(
            "cannot add component `Health` to entity {:?} of context `Game`: it already has one; \
             check `has_health` first or use `replace_health`",
            entity.id()
        )
    );
    assert_eq!(entity.health(), &Health(1));
    entity.try_remove_health().unwrap();
    assert!(!entity.has_health());
}

#[test]
#[should_panic(expected = "cannot read component `Position` of entity")]
fn a_getter_panics_where_the_component_is_missing() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    let _ = game.entity(id).position();
}

#[test]
fn a_panic_names_the_line_of_the_caller() {
    type Case = (u32, fn(&mut GameEntityMut<'_>));
    let cases: [Case; 7] = [
        (line!(), |e| _ = e.health()),
        (line!(), |e| e.update_health(|_| ())),
        (line!(), |e| _ = e.remove_health()),
        (line!(), |e| _ = e.health_mut_untracked()),
        (line!(), |e| _ = e.add_range(1, 2)),
        (line!(), |e| _ = e.add_frozen()),
        (line!(), |e| _ = e.as_ref().health()),
    ];
    for (line, case) in cases {
        let mut game = Game::new();
        let mut entity = game.create_entity();
        entity.add_range(1, 2).add_frozen();
        let place = place_of_panic(move || case(&mut entity));
        assert_eq!(place, (file!().to_owned(), line));
    }
}

/// The file and line of the panic in `run`.
fn place_of_panic(run: impl FnOnce()) -> (String, u32) {
    let (sender, receiver) = mpsc::channel();
    let this_thread = thread::current().id();
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != this_thread {
            return previous(info);
        }
        let place = info.location().expect("a panic has a place");
        let _ = sender.send((place.file().to_owned(), place.line()));
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    drop(panic::take_hook());
    assert!(result.is_err());
    receiver.recv().expect("the hook has run")
}

#[test]
fn tuple_fields_are_arguments_in_order() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_health(3).add_range(1, 2).replace_range(5, 6);
    assert_eq!(
        (entity.health(), entity.range()),
        (&Health(3), &Range(5, 6))
    );
}

#[test]
fn a_flag_is_set_and_asked_for() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(!entity.is_frozen());

    entity.set_frozen(true).set_frozen(true);
    assert!(entity.is_frozen() && entity.has_frozen() && entity.as_ref().is_frozen());
    assert!(entity.try_add_frozen().is_err());

    entity.set_frozen(false).set_frozen(false);
    assert!(!entity.has_frozen());
    assert!(entity.try_remove_frozen().is_err());

    entity.add_frozen().remove_frozen().replace_frozen();
    assert!(entity.is_frozen());
}

#[test]
fn setting_a_flag_as_it_is_reports_nothing() {
    let mut game = Game::new();
    let trigger = Game::all_of::<Frozen>().any_change();
    let collector = game.collector(trigger);
    let id = game.create_entity().set_frozen(false).id();
    assert!(collector.drain(&mut game).is_empty());

    game.entity_mut(id).set_frozen(true);
    assert_eq!(collector.drain(&mut game), [id]);
    game.entity_mut(id).set_frozen(true);
    assert!(collector.drain(&mut game).is_empty());
    game.entity_mut(id).set_frozen(false);
    assert_eq!(collector.drain(&mut game), [id]);
}

#[test]
fn a_struct_without_fields_is_a_flag_however_it_is_written() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_braced().set_parenthesised(true);
    assert!(entity.is_braced() && entity.is_parenthesised());
}

#[test]
fn an_enum_is_passed_by_value() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_team(Team::Red)
        .replace_team(Team::Blue { rank: 2 });
    assert_eq!(entity.team(), &Team::Blue { rank: 2 });
}

#[test]
fn a_struct_is_passed_by_value() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_grid(Grid { cells: [1; 4] });
    assert_eq!(entity.grid(), &Grid { cells: [1; 4] });
    assert!(entity.try_add_grid(Grid { cells: [2; 4] }).is_err());
}

#[test]
fn into_takes_what_can_be_converted() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_label("hero", 3)
        .add_title(String::from("the first"));
    assert_eq!(
        (entity.label().text.as_str(), entity.label().size),
        ("hero", 3)
    );
    assert_eq!(entity.title().0.as_deref(), Some("the first"));
    assert!(entity.replace_title(None).title().0.is_none());
}

#[test]
fn a_pooled_value_is_filled_again_and_keeps_its_capacity() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_waypoints_with(|w| w.0.extend(0..100));
    let capacity = entity.waypoints().0.capacity();

    entity
        .remove_waypoints()
        .replace_waypoints_with(|w| w.0.push(7));
    assert_eq!(entity.waypoints().0, [7]);
    assert_eq!(entity.waypoints().0.capacity(), capacity);
}

#[test]
fn a_name_replaces_the_base_of_the_accessors() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_pos(3);
    assert_eq!(entity.pos().0, 3);
    assert!(
        entity
            .try_add_pos(4)
            .unwrap_err()
            .to_string()
            .contains("`has_pos`")
    );
}

#[test]
fn a_component_of_two_contexts_has_accessors_in_both() {
    let mut game = Game::new();
    let mut input = Input::new();
    assert_eq!(game.create_entity().add_owner(1).owner(), &Owner(1));
    assert_eq!(input.create_entity().add_owner(2).owner(), &Owner(2));
}

#[test]
fn a_field_may_mention_its_own_type() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_node(Some(Box::new(Node { next: None })));
    assert!(entity.node().next.as_ref().unwrap().next.is_none());
}

#[test]
fn private_fields_are_read_through_the_type_and_set_in_its_module_alone() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    guarded::keep(&mut entity, 4);
    assert_eq!(entity.secret().sum(), 5);
    assert_eq!(guarded::hidden(entity.as_ref()), 4);
    entity.update_secret(|secret| secret.shown = 2);
    entity.remove_secret();
}

#[test]
fn an_extension_has_the_same_accessors_as_traits() {
    use elsewhere::{MarkedExt as _, MarkedMutExt as _, WeightExt as _, WeightMutExt as _};

    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert_eq!(
        entity
            .add_weight(3)
            .update_weight(|w| core::mem::replace(&mut w.0, 4)),
        3
    );
    entity.set_marked(true);
    assert!(entity.is_marked() && entity.has_weight());

    let id = entity.id();
    let weight = game.entity(id).weight();
    assert_eq!((weight.0, game.entity(id).is_marked()), (4, true));

    let mut input = Input::new();
    input
        .create_entity()
        .add_weight_with(|w| w.0 = 2)
        .remove_weight();
    assert_eq!(input.storage().pooled::<elsewhere::Weight>(), 1);
}

#[test]
fn contexts_and_handles_print_and_compare() {
    let mut game = Game::new();
    let (a, b) = (game.create_entity().id(), game.create_entity().id());
    assert_eq!(game.to_string(), "Game");
    assert_eq!(game.entity(a), game.entity(a));
    assert_ne!(game.entity(a), game.entity(b));
    assert!(!format!("{game:?} {:?} {:?}", game.entity(a), Input::default()).is_empty());
}

#[test]
fn a_component_knows_its_names_and_what_it_can_do() {
    type Names = (&'static str, &'static str, &'static str);
    fn names<C, T: Component<C>>() -> Names {
        (T::NAMES.context, T::NAMES.component, T::NAMES.accessor)
    }
    assert_eq!(names::<Game, Position>(), ("Game", "Position", "position"));
    assert_eq!(names::<Input, Owner>(), ("Input", "Owner", "owner"));
    assert_eq!(
        names::<Game, PositionOnScreen>(),
        ("Game", "PositionOnScreen", "pos")
    );

    assert!(<Position as Component<Game>>::DEBUG.is_some());
    assert!(<Position as Component<Game>>::CLONE.is_some());
    assert!(<Health as Component<Game>>::CLONE.is_none());
    assert!(<Frozen as Component<Game>>::DEBUG.is_none());
    const { assert!(<Waypoints as Component<Game>>::POOLED) };
    const { assert!(!<Health as Component<Game>>::POOLED) };
}

mod tuples {
    use super::*;

    macro_rules! components {
        ($($name:ident)*) => { $(
            #[derive(Component, Clone, Copy)]
            #[component(context = Input)]
            struct $name;
        )* };
    }

    components!(T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13);

    #[test]
    fn of_more_than_twelve_elements_nest() {
        let mut input = Input::new();
        let six = (T1, T2, T3, T4, T5, T6);
        let seven = (T7, T8, T9, T10, T11, T12, T13);
        let id = input.create_with((six, seven)).id();
        type Seven = (T7, T8, T9, T10, T11, T12, T13);
        let group = input.group(Input::all_of::<((T1, T2, T3, T4, T5, T6), Seven)>());
        assert_eq!(group.ids(&input), [id]);
        type Read<'q> = (&'q T7, &'q T8, &'q T9, &'q T10, &'q T11, &'q T12, &'q T13);
        let mut visited = 0;
        let query = input.query::<((&T1, &T2, &T3, &T4, &T5, &T6), Read<'_>)>();
        query.for_each(|(_, (_, _, _, _, _, _, T13))| visited += 1);
        assert_eq!(visited, 1);
        let columns = (vec![T1], (vec![T2], (vec![T3], vec![T4])));
        let created = input.create_columns(columns);
        assert!(input.entity(created[0]).has_all::<(T1, (T2, (T3, T4)))>());
    }
}
