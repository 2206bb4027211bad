//! Events of components of several contexts, and of components of a context in another
//! crate.

use ecs::prelude::*;

mod home {
    #[ecs::context]
    pub(crate) struct World;

    #[ecs::context]
    pub(crate) struct Menu;
}

mod abroad {
    use ecs::prelude::*;

    use super::home::{Menu, MenuEntity, MenuEntityMut, World, WorldEntity, WorldEntityMut};

    #[derive(Component)]
    #[component(context(World, Menu), extension)]
    #[component(event(any, set), event(any, removed), event(self, set, priority = 2))]
    pub(crate) struct Label(pub(crate) u8);
}

use self::home::{Menu, MenuEntity, MenuEntityMut, World, WorldEntity, WorldEntityMut};

#[derive(Component)]
#[component(
    context(World, Menu),
    name = "type",
    event(any, set),
    event(self, removed)
)]
struct Kind(u8);

#[test]
fn each_context_of_a_component_has_its_own_listeners() {
    let (mut world, mut menu) = (World::new(), Menu::new());
    world.on_any_type_set(|entity| assert_eq!(entity.r#type().0, 1));
    menu.on_any_type_set(|entity| assert_eq!(entity.r#type().0, 2));
    world.create_with(Kind(1));
    let id = menu.create_with(Kind(2)).id();
    menu.entity_mut(id).on_type_removed(|_| ());
    menu.destroy(id);
    assert_eq!((world.events().deliver(), menu.events().deliver()), (1, 1));
}

#[test]
fn an_extension_has_the_same_methods_as_traits() {
    use self::abroad::{
        LabelEventExt as _, LabelEventMutExt as _, LabelExt as _, LabelMutExt as _,
    };

    let (mut world, mut menu) = (World::new(), Menu::new());
    world.on_any_label_set(|entity| assert_eq!(entity.label().0, 1));
    menu.on_any_label_removed(|entity| assert!(entity.is_alive() && !entity.has_label()));
    let id = world.create_entity().id();
    world.entity_mut(id).on_label_set(|mut entity| {
        entity.remove_label();
    });
    world.entity_mut(id).add_label(1);
    let label = menu.create_entity().add_label(2).id();
    menu.entity_mut(label)
        .on_label_set(|entity| assert_eq!(entity.label().0, 2));
    assert_eq!((world.events().deliver(), menu.events().deliver()), (2, 0));
    menu.entity_mut(label).remove_label();
    assert!(!world.entity(id).has_label());
    assert_eq!(menu.events().deliver(), 1);
}

#[test]
fn generic_code_listens_in_any_context() {
    fn count<C: Context, T: Component<C> + Bundle<C>>(context: &mut C, value: T) -> usize {
        context.events().on_set::<T>(|entity| drop(entity));
        context.create_with(value);
        context.events().deliver()
    }
    assert_eq!(count(&mut World::new(), Kind(1)), 1);
    assert_eq!(count(&mut Menu::new(), Kind(1)), 1);
}
