//! Contexts, components and fields named like the parameters of generated code, and arguments for
//! the parameters of a component.

#![deny(warnings, clippy::pedantic)]

use ecs::prelude::*;

/// A context with this name, with everything that is generated for one.
macro_rules! context {
    ($module:ident, $context:ident) => {
        mod $module {
            use ecs::prelude::*;

            #[ecs::context]
            #[allow(non_camel_case_types)]
            pub(super) struct $context;

            #[derive(Component, Clone)]
            #[component(context = $context, event(any(set), self(removed)))]
            pub(super) struct Number(#[component(index)] pub(super) u8);

            #[derive(Component, Clone)]
            #[component(context = $context, extension, unique, event(any(set), self(removed)))]
            pub(super) struct Outside(#[component(index(each))] pub(super) Vec<u8>);

            #[derive(Bundle)]
            pub(super) struct Both {
                pub(super) number: Number,
                pub(super) outside: Outside,
            }

            #[derive(Contexts, Default)]
            pub(super) struct World {
                pub(super) context: $context,
            }

            #[test]
            fn works() {
                let mut world = World::default();
                let (number, outside) = (Number(1), Outside(vec![2, 3]));
                let id = world.context.create_with(Both { number, outside }).id();
                let entity = world.context.entity(id);
                assert_eq!(entity.get::<Number>().map(|it| it.0), Some(1));
                assert_eq!(world.context.entities_with_outside(&3).ids(), [id]);
                let mut entity = world.context.entity_mut(id);
                entity.insert(Number(4)).update::<Number, _>(|it| it.0 += 1);
                assert_eq!(world.context.entities_with_number(&5).ids(), [id]);
            }
        }
    };
}

/// Each of these contexts has the name of a parameter.
mod contexts_called_like_parameters {
    context!(b, B);
    context!(c, C);
    context!(q, Q);
    context!(t, T);
    context!(underscores_c, __C);
    context!(underscores_v, __V);
}

/// The context of the declarations below.
#[ecs::context]
struct Game;

/// Const arguments in braces, in types too.
#[derive(Component)]
#[component(context = Game, instances(Lanes<{ 2 + 2 }> as four_lanes, Lanes<{ 5 }> as five_lanes))]
struct Lanes<const N: usize> {
    #[component(index)]
    each: [u8; N],
}

/// Types with lifetimes named like those of generated code.
#[derive(Component, Clone)]
#[component(context = Game, instances(
    Call<for<'entity> fn(&'entity u8) -> u8> as call_of_entity,
    Call<for<'clone> fn(&'clone u16) -> u8> as call_of_clone,
    Call<for<'a> fn(&'a u32) -> u8> as call_of_a,
))]
struct Call<F: Send + Sync + 'static>(F);

/// A field that no other code reads.
#[derive(Component, Clone)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children))]
    _parent: EntityId<Game>,
}

/// Fields that no other code reads.
#[derive(Component, Clone)]
#[component(context = Game)]
struct Ticket {
    #[component(primary_index)]
    _number: u8,
    #[component(index(each))]
    _tags: Vec<u8>,
    #[component(into)]
    _text: String,
}

/// F41.
#[test]
fn values_in_braces_stand_for_parameters() {
    let mut game = Game::new();
    let id = game.create_entity().add_four_lanes([1, 2, 3, 4]).id();
    game.entity_mut(id).add_five_lanes([0; 5]);
    assert_eq!(game.entities_with_four_lanes(&[1, 2, 3, 4]).ids(), [id]);
}

#[test]
fn types_with_lifetimes_stand_for_parameters() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_call_of_entity(|_| 1).add_call_of_clone(|_| 2);
    entity.add_call_of_a(|_| 3);
    entity.update_call_of_clone_with(|call, _| call.0 = |_| 4);
    assert_eq!((entity.call_of_entity().0)(&0), 1);
    assert_eq!((entity.call_of_clone().0)(&0), 4);
}

/// F41.
#[test]
fn fields_with_an_underscore_can_be_indexed_or_be_relations() {
    let mut game = Game::new();
    let parent = game.create_entity().id();
    let id = game.create_entity().add_child_of(parent).id();
    game.entity_mut(id).add_ticket(1, vec![2], "three");
    assert_eq!(game.entity(parent).children(), [id]);
    assert!(game.entity_with_ticket__number(&1).is_some());
    assert_eq!(game.entities_with_ticket__tags(&2).ids(), [id]);
}
