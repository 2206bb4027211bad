//! Copies of entities with those below them.

use std::sync::{Arc, Mutex};

use super::*;

/// A component whose clone panics while this is raised.
static RAISED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[derive(Component)]
#[component(context = Game, extension)]
struct Brittle(Arc<()>);

impl Clone for Brittle {
    fn clone(&self) -> Self {
        let raised = RAISED.load(std::sync::atomic::Ordering::Relaxed);
        assert!(!raised, "on purpose");
        Self(self.0.clone())
    }
}

#[derive(Component)]
#[component(context = Game, extension)]
struct Rigid(u8);

fn with_children() -> CloneOptions<Game> {
    CloneOptions::all().with_descendants::<ChildOf>()
}

fn names(game: &Game, top: Id) -> Vec<&str> {
    let below = game.entity(top).related::<ChildOf>().descendants();
    below.map(|id| game.entity(id).name().0.as_str()).collect()
}

#[test]
fn a_tree_is_copied_with_the_relations_inside_it() {
    let mut game = Game::new();
    let sea = named(&mut game, "sea");
    let ship = child(&mut game, sea, "ship");
    let mast = child(&mut game, ship, "mast");
    child(&mut game, ship, "helm");
    let sail = child(&mut game, mast, "sail");
    game.entity_mut(sail).add_targets(mast);
    game.entity_mut(mast).add_targets(sea);

    let twin = with_children().clone_entity(&mut game, ship).id();
    assert_eq!(names(&game, twin), ["mast", "sail", "helm"]);
    assert_eq!(names(&game, ship), ["mast", "sail", "helm"]);
    assert_eq!(game.entity(sea).children(), [ship, twin]);
    let copied_mast = game.entity(twin).children()[0];
    let copied_sail = game.entity(copied_mast).children()[0];
    assert_eq!(game.entity(copied_sail).targets().0, copied_mast);
    assert_eq!(game.entity(copied_mast).targeted_by(), [copied_sail]);
    assert_eq!(game.entity(sea).targeted_by(), [mast, copied_mast]);
    assert_eq!(game.len(), 9);
}

#[test]
fn options_hold_for_all_that_are_copied() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    let mast = child(&mut game, ship, "mast");
    assert_eq!(game.entity_mut(mast).add_rigid(1).rigid().0, 1);
    let refused = with_children()
        .try_clone_entity(&mut game, ship)
        .map(|_| ());
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::NotClone);
    assert_eq!(game.len(), 2);
    let copying = with_children().without::<Rigid>();
    let twin = copying.clone_entity(&mut game, ship).id();
    assert_eq!(names(&game, twin), ["mast"]);
    let alone = game.clone_entity(ship);
    assert!(alone.children().is_empty());
    game.destroy(ship);
    let dead = copying.try_clone_entity(&mut game, ship).map(|_| ());
    assert_eq!(dead.unwrap_err().kind(), ErrorKind::NotAlive);
}

#[test]
fn observers_find_all_copies_whole() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    child(&mut game, ship, "mast");
    child(&mut game, ship, "helm");
    let by_name = game.entity_index(Game::all_of::<Name>(), |entity| entity.name().0.clone());
    let children = game.group(Game::all_of::<ChildOf>());
    let created = game.collector(Game::all_of::<Name>().entered());
    created.clear(&mut game);
    let log = Arc::new(Mutex::new(Vec::new()));
    let (first, second) = (log.clone(), log.clone());
    game.observers().on_created(move |game, id| {
        assert_eq!((game.len(), by_name.get(game, "mast").len()), (6, 2));
        let name = &game.entity(id).name().0;
        first.lock().unwrap().push(format!("created {name}"));
    });
    children.on_entered(&mut game, move |game, change| {
        let name = &game.entity(change.entity()).name().0;
        second.lock().unwrap().push(format!("child {name}"));
    });
    with_children().clone_entity(&mut game, ship);
    let told = [
        "created ship",
        "created mast",
        "child mast",
        "created helm",
        "child helm",
    ];
    assert_eq!(*log.lock().unwrap(), told);
    assert_eq!(created.len(&game), 3);
}

#[test]
fn a_target_that_has_died_is_refused_to_copies() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    let mast = child(&mut game, ship, "mast");
    let whom = named(&mut game, "gone");
    game.entity_mut(mast)
        .add_remembers(Remembers { times: 1, whom });
    game.destroy(whom);
    for copying in [with_children(), CloneOptions::all()] {
        let refused = copying.try_clone_entity(&mut game, mast).map(|_| ());
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::TargetNotAlive);
    }
    let refused = with_children()
        .try_clone_entity(&mut game, ship)
        .map(|_| ());
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::TargetNotAlive);
    assert_eq!((game.len(), game.entity(ship).children()), (2, &[mast][..]));
    game.storage().check_invariants(); // nothing is left of copies that came before it
}

#[test]
fn a_clone_that_panics_leaves_nothing_behind() {
    let mut game = Game::new();
    let token = Arc::new(());
    let ship = game
        .create_with((called("ship"), Brittle(token.clone())))
        .id();
    let mast = child(&mut game, ship, "mast");
    game.create_with((ChildOf { parent: mast }, Brittle(token.clone())));
    let copying = CloneOptions::all().with_descendants::<ChildOf>();
    let clone = |game: &mut Game| {
        let clone = std::panic::AssertUnwindSafe(|| copying.clone_entity(game, ship).id());
        std::panic::catch_unwind(clone)
    };
    let next = game.create_entity().id();
    game.destroy(next);
    RAISED.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(clone(&mut game).is_err());
    RAISED.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!((game.len(), Arc::strong_count(&token)), (3, 3));
    let twin = clone(&mut game).unwrap();
    assert_eq!((twin.index(), Arc::strong_count(&token)), (next.index(), 5));
}

#[test]
fn long_chains_are_copied() {
    let mut game = Game::new();
    let top = named(&mut game, "top");
    let mut last = top;
    for _ in 0..10_000 {
        last = child(&mut game, last, "link");
    }
    let twin = with_children().clone_entity(&mut game, top).id();
    assert_eq!(names(&game, twin).len(), 10_000);
}

#[test]
fn observers_of_lives_alone_are_told_of_each_copy() {
    let mut game = Game::new();
    let ship = named(&mut game, "ship");
    child(&mut game, ship, "mast");
    let told = Arc::new(Mutex::new(Vec::new()));
    let note = told.clone();
    game.observers()
        .on_created(move |game, id| note.lock().unwrap().push(game.entity(id).name().0.clone()));
    with_children().clone_entity(&mut game, ship);
    assert_eq!(*told.lock().unwrap(), ["ship", "mast"]);
}
