//! Cleanup systems: `cleanup(remove)` and `cleanup(destroy)` at the end of a frame.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{Cleanup, CleanupSystems};

/// A separate context, to list all its cleaned up components and their order.
#[ecs::context]
struct Game;

#[derive(Component, Clone, Copy)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Default)]
#[component(context = Game, cleanup(remove), pooled)]
struct Hits(Vec<u32>);

#[derive(Component)]
#[component(context = Game, cleanup(remove))]
struct Clicked;

#[derive(Component)]
#[component(context = Game, cleanup(destroy))]
struct Dead;

#[derive(Component)]
#[component(context = Game, unique, cleanup(destroy))]
struct Level(u32);

/// Logs the changes of entities with one of the components, in order.
fn log(game: &mut Game) -> Arc<Mutex<Vec<String>>> {
    let log = Arc::new(Mutex::new(Vec::new()));
    let watched = game.group(Game::any_of::<(Hits, Clicked, Dead, Level)>());
    let (left, destroyed) = (log.clone(), log.clone());
    watched.on_left(game, move |game, change| {
        let component = &game.components()[change.component().unwrap().get()];
        let line = format!("{:?} lost {}", change.entity(), component.name());
        left.lock().unwrap().push(line);
    });
    game.observers()
        .on_destroyed(move |_, id| destroyed.lock().unwrap().push(format!("{id:?} ended")));
    log
}

#[test]
fn components_are_cleaned_up_in_order_of_their_names() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let names = "{Clicked: Remove, Dead: Destroy, Hits: Remove, Level: Destroy}";
    assert_eq!(format!("{cleanup:?}"), names);
    assert_eq!((cleanup.len(), cleanup.is_empty()), (4, false));

    let log = log(&mut game);
    let first = game.create_with((Hits(vec![]), Health(1))).id();
    game.create_with((Dead, Hits(vec![])));
    let third = game.create_with(Clicked).id();
    cleanup.run(&mut game);
    assert_eq!(
        *log.lock().unwrap(),
        [
            "2v1 lost Clicked",
            "1v1 lost Hits",
            "1v1 ended",
            "0v1 lost Hits"
        ]
    );
    assert!(game.entity(first).has_health() && game.entity(third).is_empty());
    assert_eq!(game.len(), 2);
}

#[test]
fn a_context_lists_its_cleaned_up_components() {
    let game = Game::new();
    let cleanups = game
        .components()
        .iter()
        .map(|info| (info.name(), info.cleanup()));
    assert!(cleanups.eq([
        ("Clicked", Some(Cleanup::Remove)),
        ("Dead", Some(Cleanup::Destroy)),
        ("Health", None),
        ("Hits", Some(Cleanup::Remove)),
        ("Level", Some(Cleanup::Destroy)),
    ]));
}

#[test]
fn collectors_collect_cleaned_up_components() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let collector = game.collector(Game::any_of::<(Clicked, Dead)>().left());
    let ids = [game.create_with(Clicked).id(), game.create_with(Dead).id()];
    cleanup.run(&mut game);
    assert_eq!(collector.drain(&mut game), ids);
    cleanup.run(&mut game);
    assert!(collector.drain(&mut game).is_empty());
}

#[test]
fn pooled_values_go_back_to_the_pool() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    game.create_many([(); 3].map(|()| (Hits(vec![1]), Health(1))));
    cleanup.run(&mut game);
    assert_eq!(game.storage().pooled::<Hits>(), 3);
    assert_eq!(game.len(), 3);
}

#[test]
fn a_unique_component_can_be_cleaned_up() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    for level in 1..=3 {
        game.set_level(level);
        cleanup.run(&mut game);
        assert!(!game.has_level() && game.is_empty());
    }
}

#[test]
fn an_entity_destroyed_by_an_observer_is_skipped() {
    for component in [true, false] {
        let mut game = Game::new();
        let mut cleanup = CleanupSystems::new(&mut game);
        let ids = match component {
            true => game.create_many([Clicked, Clicked, Clicked]),
            false => game.create_many([Dead, Dead, Dead]),
        };
        let (last, group) = (ids[2], game.group(Game::any_of::<(Clicked, Dead)>()));
        group.on_left(&mut game, move |game, _| _ = game.try_destroy(last));
        cleanup.run(&mut game);
        assert!(!game.contains(last) && group.is_empty(&game));
        assert_eq!(game.len(), if component { 2 } else { 0 });
    }
}

#[test]
fn entities_added_by_observers_wait_for_the_next_run() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    game.create_many([Clicked, Clicked]);
    let clicked = game.group(Game::all_of::<Clicked>());
    clicked.on_left(&mut game, |game, change| {
        if change.entity().index() < 2 {
            game.create_with(Clicked);
        }
    });
    cleanup.run(&mut game);
    assert_eq!(clicked.len(&game), 2);
    cleanup.run(&mut game);
    assert_eq!((clicked.len(&game), game.len()), (0, 4));
}

#[test]
fn all_have_lost_the_component_before_the_first_observer_runs() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    game.create_many([Clicked, Clicked]);
    let clicked = game.group(Game::all_of::<Clicked>());
    clicked.on_left(&mut game, move |game, _| assert!(clicked.is_empty(game)));
    cleanup.run(&mut game);
    assert!(clicked.is_empty(&game) && game.len() == 2);
}

#[test]
fn an_entity_that_loses_the_component_meanwhile_is_still_destroyed() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let ids = game.create_many([Dead, Dead]);
    let second = ids[1];
    game.observers().on_destroyed(move |game, _| {
        if let Some(mut entity) = game.get_entity_mut(second) {
            entity.set_dead(false);
        }
    });
    cleanup.run(&mut game);
    assert!(game.is_empty());
}

#[test]
fn an_observer_that_panics_leaves_nothing_to_clean_up() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    game.create_many([Clicked, Clicked]);
    let clicked = game.group(Game::all_of::<Clicked>());
    clicked.on_left(&mut game, |_, _| panic!("in an observer"));
    let run = std::panic::AssertUnwindSafe(|| cleanup.run(&mut game));
    assert!(std::panic::catch_unwind(run).is_err());
    assert!(clicked.is_empty(&game));
}

#[test]
#[should_panic(expected = "this group belongs to another `Game`")]
fn another_context_is_rejected() {
    let mut cleanup = CleanupSystems::new(&mut Game::new());
    cleanup.run(&mut Game::new());
}

#[test]
fn a_list_of_systems_cleans_up_in_its_phase_alone() {
    let mut game = Game::new();
    let mut systems = Systems::new().add(CleanupSystems::new(&mut game));
    game.create_many([Clicked, Clicked]);
    let clicked = game.group(Game::all_of::<Clicked>());
    systems.initialize(&mut game);
    systems.execute(&mut game);
    systems.tear_down(&mut game);
    assert_eq!(clicked.len(&game), 2);
    systems.cleanup(&mut game);
    assert!(clicked.is_empty(&game));
}

#[test]
fn a_world_of_several_contexts_cleans_each() {
    #[derive(Contexts)]
    struct World {
        game: Game,
        late: late::Game,
    }

    let (game, late) = (Game::new(), late::Game::new());
    let mut world = World { game, late };
    let game_cleanup: CleanupSystems<Game> = CleanupSystems::new(&mut world.game);
    let late_cleanup = CleanupSystems::new(&mut world.late);
    let mut systems = Systems::<World>::new().add(game_cleanup).add(late_cleanup);
    world.game.create_with(Dead);
    let id = world.late.create_with(late::Late).id();
    systems.cleanup(&mut world);
    assert!(world.game.is_empty() && world.late.entity(id).is_empty());
}

/// A component without a link-time registration.
mod late {
    use ecs::__private::IndexCell;
    use ecs::{
        BundleWriter, Cleanup, Component, ComponentIndex, ComponentNames, Components,
        prelude::Bundle,
    };

    pub(super) use crate::late::Game;

    #[derive(Clone)]
    pub(super) struct Late;

    impl Components<Game> for Late {
        fn visit(each: &mut dyn FnMut(ComponentIndex<Game>)) {
            each(ecs::__private::index_of::<Game, Self>());
        }
    }

    impl Component<Game> for Late {
        const NAMES: &'static ComponentNames = &ComponentNames {
            context: "Game",
            component: "Late",
            accessor: "late",
        };
        const CLEANUP: Option<Cleanup> = Some(Cleanup::Remove);
        const CLONE: Option<fn(&Self) -> Self> = Some(Clone::clone); // other tests record the context

        fn cell() -> &'static IndexCell<Game, Self> {
            static CELL: IndexCell<Game, Late> = IndexCell::new();
            &CELL
        }
    }

    impl Bundle<Game> for Late {
        fn visit_components(each: &mut dyn FnMut(ComponentIndex<Game>)) {
            <Self as Components<Game>>::visit(each);
        }

        fn put(self, writer: &mut BundleWriter<'_, Game>) {
            writer.put(self);
        }
    }
}

#[test]
fn a_component_that_is_numbered_late_is_cleaned_up_too() {
    let mut game = late::Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let before = cleanup.len();
    let id = game.create_with(late::Late).id();
    cleanup.run(&mut game);
    assert!(game.entity(id).is_empty());
    assert!(before <= 1 && cleanup.len() == 1); // another test may have numbered it
}
