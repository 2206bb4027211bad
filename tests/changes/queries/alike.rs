//! Duplicate components in a query: the compiler rejects known ones, and distinguishes those that
//! look alike. Others are rejected when the query is created.

use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames, Components, View};

use support::game::{Game, GameEntity, GameEntityMut};
use support::panic_of;

mod east {
    #[derive(ecs::Component)]
    #[component(context = super::Game, extension, name = "east_wind")]
    pub(super) struct Wind(pub(super) i32);
}

mod west {
    #[derive(ecs::Component)]
    #[component(context = super::Game, extension, name = "west_wind")]
    pub(super) struct Wind(pub(super) i32);
}

/// Two components declared at the same place.
macro_rules! twins {
    ($($name:ident)*) => {$(
        #[derive(Component)]
        #[component(context = Game, extension)]
        struct $name(i32);
    )*};
}
twins!(Castor Pollux);

/// Two components from one declaration.
#[derive(Component)]
#[component(context = Game, extension, instances(Mast<u8> as foremast, Mast<u16> as mainmast))]
struct Mast<T: Send + Sync + 'static>(T);

#[test]
fn similar_components_are_distinguished() {
    let mut game = Game::new();
    game.create_with((east::Wind(1), west::Wind(2), Castor(3), Pollux(4)));
    let query = game.query_mut::<(&mut east::Wind, &west::Wind)>();
    query.for_each(|(east, west)| east.0 += west.0);
    let query = game.query_mut::<(&mut Castor, &Pollux, &east::Wind)>();
    query.for_each(|(castor, pollux, wind)| castor.0 += pollux.0 + wind.0);
    assert_eq!(game.query::<&Castor>().single().map(|it| it.0), Some(10));

    game.create_with((Mast(1_u8), Mast(2_u16)));
    let query = game.query_mut::<(&Mast<u8>, &mut Mast<u16>)>();
    query.for_each(|(fore, main)| main.0 += u16::from(fore.0));
    assert_eq!(game.query::<&Mast<u16>>().single().map(|it| it.0), Some(3));
}

/// A component without the place of its declaration.
struct ByHand;

impl Components<Game> for ByHand {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Game>)) {
        each(ecs::__private::index_of::<Game, Self>());
    }
}

impl Component<Game> for ByHand {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Game",
        component: "ByHand",
        accessor: "by_hand",
    };

    fn cell() -> &'static ecs::__private::IndexCell<Game, Self> {
        static CELL: ecs::__private::IndexCell<Game, ByHand> = ecs::__private::IndexCell::new();
        &CELL
    }
}

#[test]
fn a_duplicate_component_is_rejected_when_the_query_is_created() {
    let mut game = Game::new();
    for text in [
        panic_of(|| drop(game.query_mut::<(&mut ByHand, &ByHand)>())),
        panic_of(|| drop(game.query_mut::<(&ByHand, &Castor, Option<&mut ByHand>)>())),
        panic_of(|| drop(game.query_mut::<(&mut ByHand, (&Castor, &mut ByHand))>())),
        panic_of(|| drop(game.query_mut::<(Mut<'_, ByHand>, View<'_, Game, ByHand>)>())),
    ] {
        assert!(text.contains("asks for component `ByHand` twice"), "{text}");
    }
}

#[test]
fn a_component_that_is_only_read_may_occur_twice() {
    let mut game = Game::new();
    game.create_with((Castor(1), Pollux(2)));
    assert_eq!(game.query::<(&Castor, &Castor)>().iter().count(), 1);
    let query = game.query_mut::<(&Castor, &mut Pollux, View<'_, Game, Castor>)>();
    query.for_each(|(castor, pollux, _)| pollux.0 += castor.0);
    assert_eq!(game.query::<&Pollux>().single().map(|it| it.0), Some(3));
}
