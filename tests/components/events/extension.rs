//! Events of components in several contexts, and of components of a context in another crate.

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

mod abroad {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

    #[derive(Component)]
    #[component(context(Game, Input), extension)]
    #[component(event(any, set), event(any, removed), event(self, set, priority = 2))]
    pub(crate) struct Sign(pub(crate) u8);
}

#[derive(Component)]
#[component(
    context(Game, Input),
    name = "move",
    event(any, set),
    event(self, removed)
)]
struct Step(u8);

#[test]
fn each_context_of_a_component_has_its_own_listeners() {
    let (mut game, mut input) = (Game::new(), Input::new());
    game.on_any_move_set(|entity| assert_eq!(entity.r#move().0, 1));
    input.on_any_move_set(|entity| assert_eq!(entity.r#move().0, 2));
    game.create_with(Step(1));
    let id = input.create_with(Step(2)).id();
    input.entity_mut(id).on_move_removed(|_| ());
    input.destroy(id);
    assert_eq!((game.events().deliver(), input.events().deliver()), (1, 1));
}

#[test]
fn an_extension_has_the_same_methods_as_traits() {
    use self::abroad::{SignEventExt as _, SignEventMutExt as _, SignExt as _, SignMutExt as _};

    let (mut game, mut input) = (Game::new(), Input::new());
    game.on_any_sign_set(|entity| assert_eq!(entity.sign().0, 1));
    input.on_any_sign_removed(|entity| assert!(entity.is_alive() && !entity.has_sign()));
    let id = game.create_entity().id();
    game.entity_mut(id).on_sign_set(|mut entity| {
        entity.remove_sign();
    });
    game.entity_mut(id).add_sign(1);
    let sign = input.create_entity().add_sign(2).id();
    input
        .entity_mut(sign)
        .on_sign_set(|entity| assert_eq!(entity.sign().0, 2));
    assert_eq!((game.events().deliver(), input.events().deliver()), (2, 0));
    input.entity_mut(sign).remove_sign();
    assert!(!game.entity(id).has_sign());
    assert_eq!(input.events().deliver(), 1);
}

#[test]
fn generic_code_listens_in_any_context() {
    fn count<C: Context + ecs::SharedContext, T: Component<C> + Bundle<C>>(
        context: &mut C,
        value: T,
    ) -> usize {
        context.events().on_set::<T>(|entity| drop(entity));
        context.create_with(value);
        context.events().deliver()
    }
    assert_eq!(count(&mut Game::new(), Step(1)), 1);
    assert_eq!(count(&mut Input::new(), Step(1)), 1);
}
