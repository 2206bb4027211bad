//! The accessors of a context for each unique component.

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

use support::panic_of;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context(Game, Input), unique)]
pub(crate) struct Cursor {
    pub(crate) x: u16,
    pub(crate) y: u16,
}

#[derive(Component)]
#[component(context = Game, unique, name = "heading")]
pub(crate) struct Caption(#[component(into)] pub(crate) String);

#[derive(Component, Debug, PartialEq)]
#[component(context = Game, unique)]
pub(crate) enum Phase {
    Day,
    Night { moon: bool },
}

#[derive(Component)]
#[component(context = Game, unique, by_value)]
pub(crate) struct Clock(pub(crate) Box<dyn Fn() -> u64 + Send + Sync>);

#[derive(Component)]
#[component(context = Game, unique)]
pub(crate) struct Paused;

#[derive(Component)]
#[component(context = Game, unique)]
pub(crate) struct r#Type(pub(crate) u8);

mod guarded {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut};

    #[derive(Component)]
    #[component(context = Game, unique)]
    pub(crate) struct Pin {
        hidden: u8,
    }

    pub(crate) fn set(game: &mut Game) {
        game.set_pin(7).update_pin(|pin| pin.hidden += 1);
    }

    pub(crate) fn hidden(pin: &Pin) -> u8 {
        pin.hidden
    }
}

/// Represents another crate, which cannot add inherent methods to the contexts.
mod elsewhere {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

    #[derive(Component, Debug, PartialEq)]
    #[component(context(Game, Input), unique, extension)]
    pub(crate) struct Volume(pub(crate) u8);

    #[derive(Component)]
    #[component(context = Game, unique, extension)]
    pub(crate) struct Muted;
}

#[test]
fn the_fields_are_arguments_in_order() {
    let mut game = Game::new();
    assert!(!game.has_cursor() && game.get_cursor().is_none());
    let id = game.set_cursor(1, 2).id();
    assert_eq!(game.cursor(), &Cursor { x: 1, y: 2 });
    assert_eq!(game.set_cursor(3, 4).id(), id);
    assert_eq!(
        game.update_cursor(|cursor| core::mem::replace(&mut cursor.x, 4)),
        3
    );
    assert_eq!(game.try_update_cursor(|cursor| cursor.y), Ok(4));
    game.cursor_mut_untracked().y = 9;
    assert_eq!(game.get_cursor(), Some(&Cursor { x: 4, y: 9 }));
    assert_eq!(game.cursor_entity().unwrap().cursor(), game.cursor());
    game.remove_cursor();
    assert!(game.try_remove_cursor().is_err());
    assert!(game.try_set_cursor(5, 6).is_ok());
    assert_eq!(game.try_set_cursor(7, 8).unwrap().cursor().x, 7);
}

#[test]
fn each_context_of_the_component_has_them() {
    let mut input = Input::new();
    input.set_cursor(1, 2);
    assert_eq!(input.cursor_entity().unwrap().cursor().y, 2);
    assert!(!Game::new().has_cursor());
}

#[test]
fn the_rules_of_arguments_and_names_are_those_of_the_entities() {
    let mut game = Game::new();
    game.set_heading("dawn");
    game.set_heading(String::from("dusk"));
    game.set_phase(Phase::Night { moon: true });
    game.set_phase(Phase::Day);
    game.set_type(3);
    assert_eq!(
        (game.heading().0.as_str(), game.phase()),
        ("dusk", &Phase::Day)
    );
    assert_eq!((game.r#type().0, game.type_entity().is_some()), (3, true));
    guarded::set(&mut game);
    assert_eq!(guarded::hidden(game.pin()), 8);
}

/// A unique component may hold a service, which a test can replace.
#[test]
fn a_unique_component_may_hold_a_service() {
    let mut game = Game::new();
    game.set_clock(Clock(Box::new(|| 42)));
    assert_eq!((game.clock().0)(), 42);
}

#[test]
fn a_flag_is_set_with_its_entity() {
    let mut game = Game::new();
    assert!(!game.is_paused() && game.paused_entity().is_none());
    let id = game.set_paused(true).unwrap().id();
    assert_eq!(game.set_paused(true).unwrap().id(), id);
    assert!(game.is_paused() && game.has_paused());
    assert_eq!(game.paused_entity().unwrap().id(), id);
    assert!(game.set_paused(false).is_none() && game.set_paused(false).is_none());
    assert!(game.is_empty() && game.try_remove_paused().is_err());
    game.set_paused(true);
    game.remove_paused();
    assert!(!game.is_paused());
}

#[test]
fn unsetting_keeps_an_entity_with_other_components() {
    let mut game = Game::new();
    let id = game.create_with((Cursor { x: 1, y: 2 }, Paused)).id();
    game.set_paused(false);
    assert!(game.entity(id).has_cursor() && !game.is_paused());
    game.set_paused(true);
    game.remove_cursor();
    assert!(!game.contains(id) && game.is_paused());
}

#[test]
fn a_separate_method_destroys_the_entity_with_all_components() {
    let mut game = Game::new();
    for flag in [false, true] {
        let id = game.create_with((Cursor { x: 1, y: 2 }, Paused)).id();
        match flag {
            true => game.destroy_paused_entity(),
            false => game.destroy_cursor_entity(),
        }
        assert!(!game.contains(id) && !game.is_paused() && !game.has_cursor());
    }
    assert!(game.try_destroy_paused_entity().is_err());
}

#[test]
fn setting_a_flag_as_it_is_reports_nothing() {
    let mut game = Game::new();
    let collector = game.collector(Game::all_of::<Paused>().any_change());
    game.set_paused(false);
    assert!(collector.drain(&mut game).is_empty());
    let id = game.set_paused(true).unwrap().id();
    assert_eq!(collector.drain(&mut game), [id]);
    game.set_paused(true);
    assert!(collector.drain(&mut game).is_empty());
}

#[test]
fn setting_is_one_change() {
    let mut game = Game::new();
    let empty = game.group(Game::none_of::<Cursor>());
    let collector = game.collector(Game::none_of::<Cursor>().any_change());
    game.set_cursor(1, 2);
    assert!(empty.is_empty(&game) && collector.drain(&mut game).is_empty());
}

#[test]
fn an_extension_has_the_same_accessors_as_a_trait() {
    use elsewhere::{MutedContextExt as _, VolumeContextExt as _, VolumeExt as _};

    let mut game = Game::new();
    let id = game.set_volume(3).id();
    game.update_volume(|volume| volume.0 += 1);
    assert_eq!(game.volume_entity().unwrap().volume().0, 4);
    assert_eq!(game.set_volume(5).id(), id);
    assert!(game.try_set_volume(6).is_ok());
    assert!(game.set_muted(true).is_some() && game.is_muted());
    game.remove_volume();
    assert!(game.get_volume().is_none() && game.muted_entity().is_some());

    let mut input = Input::new();
    input.set_volume(1);
    assert_eq!(input.volume(), &elsewhere::Volume(1));
}

#[test]
fn generic_code_over_contexts_can_call_the_methods() {
    fn raise<C: Context>(context: &mut C)
    where
        Cursor: ecs::UniqueComponent<C>,
    {
        context.unique_mut::<Cursor>().set(Cursor { x: 1, y: 1 });
        context
            .unique_mut::<Cursor>()
            .update(|cursor| cursor.y += 1);
        assert!(context.unique::<Cursor>().is_set());
        assert!(context.unique::<Cursor>().entity().is_some());
        assert_eq!(context.unique::<Cursor>().component().y, 2);
    }
    raise(&mut Game::new());
    raise(&mut Input::new());
}

#[test]
fn accessors_of_a_missing_owner_panic() {
    let mut game = Game::new();
    let none = |verb: &str, remedy: &str| {
        format!(
            "cannot {verb} unique component `Cursor` of context `Game`: no entity has it; check \
             `has_cursor` first or use `{remedy}`"
        )
    };
    assert_eq!(
        panic_of(|| game.cursor().clone()),
        none("read", "get_cursor")
    );
    assert_eq!(
        panic_of(|| game.update_cursor(|_| unreachable!())),
        none("update", "set_cursor")
    );
    assert_eq!(
        panic_of(|| game.cursor_mut_untracked().x),
        none("access", "set_cursor")
    );
    assert_eq!(
        panic_of(|| game.remove_cursor()),
        none("remove", "try_remove_cursor")
    );
    assert_eq!(
        panic_of(|| game.destroy_cursor_entity()),
        none("destroy the entity of", "try_destroy_cursor_entity")
    );
    let error = game.try_destroy_cursor_entity().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UniqueNotSet));
    let error = game.try_remove_cursor().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UniqueNotSet));
    assert_eq!((error.entity(), error.context()), (None, "Game"));
    assert_eq!(error.component().unwrap().component, "Cursor");
    assert_eq!(error, game.unique_mut::<Cursor>().try_remove().unwrap_err());
    let updated = game.try_update_cursor(|_| unreachable!()).err();
    assert!(matches!(updated, Some(error) if error.kind() == ErrorKind::UniqueNotSet));
}
