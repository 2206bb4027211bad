//! Copying entities: what is copied, what is notified, and what is rejected.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames};
use support::game::{ChildOf, Frozen, Game, GameEntity, GameEntityMut, Health, Id, Name};

use support::panic_of;

/// Not `Clone`, but a flag can be copied anyway.
#[derive(Component, Debug)]
#[component(context = Game, extension)]
struct Rooted;

#[derive(Component, Debug)]
#[component(context = Game, extension)]
struct Socket {
    _port: u32,
}

/// Its clone panics at zero.
#[derive(Component, Debug)]
#[component(context = Game, extension)]
struct Fragile(u32);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(self.0 > 0, "broken");
        Self(self.0)
    }
}

/// A unique component, by hand.
#[derive(Clone, Debug, PartialEq)]
struct Score(u32);

impl Components<Game> for Score {
    fn visit(each: &mut dyn FnMut(ComponentIndex<Game>)) {
        each(ecs::__private::index_of::<Game, Self>());
    }
}

impl Component<Game> for Score {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "Game",
        component: "Score",
        accessor: "score",
    };
    const UNIQUE: bool = true;
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);

    fn cell() -> &'static ecs::__private::IndexCell<Game, Self> {
        static CELL: ecs::__private::IndexCell<Game, Score> = ecs::__private::IndexCell::new();
        &CELL
    }
}

type Log = Arc<Mutex<Vec<String>>>;

fn hero(game: &mut Game) -> Id {
    game.create_with((Name("hero".into()), Health(3), Rooted))
        .id()
}

/// The visible state of a game.
fn picture(game: &Game) -> String {
    format!("{:?}", game.entities().collect::<Vec<_>>())
}

/// Logs the notifications of the game and of some groups.
fn observe(game: &mut Game) -> Log {
    let log = Log::default();
    let note = log.clone();
    game.observers().on_created(move |game, id| {
        let line = format!("created {:?}", game.entity(id));
        note.lock().unwrap().push(line);
    });
    let matchers = [
        Game::all_of::<Name>().none_of::<Health>(),
        Game::all_of::<Health>(),
        Game::all_of::<(Name, Health)>(),
    ];
    for matcher in matchers {
        let group = game.group(matcher);
        let note = log.clone();
        let tell = move |_: &mut Game, change: &Change<'_, Game>| {
            let (id, event) = (change.entity(), change.event());
            let line = format!("{id:?} {event:?} {:?}", change.component_name());
            note.lock().unwrap().push(line);
        };
        group.on_entered(game, tell.clone());
        group.on_left(game, tell.clone());
        group.on_updated(game, tell);
    }
    log
}

#[test]
fn a_clone_has_equal_but_separate_components() {
    let mut game = Game::new();
    let id = hero(&mut game);
    let copy = game.clone_entity(id).replace_health(9).id();
    assert_ne!(id, copy);
    assert_eq!(game.entity(copy).name(), game.entity(id).name());
    assert!(game.entity(copy).is_rooted());
    assert_eq!(game.entity(id).health().0, 3);
}

#[test]
fn a_clone_is_notified_as_one_change() {
    let mut game = Game::new();
    let id = hero(&mut game);
    let log = observe(&mut game);
    let collector = game.collector(Game::all_of::<Name>().none_of::<Health>().entered());
    game.clone_entity(id);
    let expected = [
        r#"created 1v1(Health(3), Name("hero"), Rooted)"#,
        "1v1 Entered None",
        "1v1 Entered None",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
    assert!(collector.is_empty(&game));
}

/// Creates an entity with the components whose bits are set.
fn create(game: &mut Game, bits: u32) -> Id {
    let (name, health) = (Name("n".into()), Health(bits));
    let entity = match bits {
        0b001 => game.create_with(name),
        0b010 => game.create_with(health),
        0b011 => game.create_with((name, health)),
        0b100 => game.create_with(Rooted),
        0b101 => game.create_with((Rooted, name)),
        0b110 => game.create_with((Rooted, health)),
        0b111 => game.create_with((Rooted, name, health)),
        _ => game.create_entity(),
    };
    entity.id()
}

#[test]
fn clones_and_templates_make_the_same_change_as_a_bundle() {
    for bits in 0..8 {
        let notified = |second: fn(&mut Game, Id, u32)| {
            let mut game = Game::new();
            let first = create(&mut game, bits);
            let log = observe(&mut game);
            let collector = game.collector(Game::any_of::<(Name, Health)>().any_change());
            second(&mut game, first, bits);
            assert_eq!(game.len(), 2);
            let notified = log.lock().unwrap().clone();
            (notified, collector.drain(&mut game), picture(&game))
        };
        let bundle = notified(|game, _, bits| _ = create(game, bits));
        let clone = notified(|game, first, _| _ = game.clone_entity(first));
        let template = notified(|game, first, _| {
            let template = CloneOptions::all().template(game, first);
            template.create(game);
        });
        assert!(!bundle.0.is_empty());
        assert_eq!(bundle, clone);
        assert_eq!(bundle, template);
    }
}

#[test]
fn a_clone_of_an_entity_without_components_has_none() {
    let mut game = Game::new();
    let id = game.create_entity().id();
    assert!(game.clone_entity(id).is_empty());
    assert_eq!(game.len(), 2);
}

#[test]
fn components_are_chosen_by_type_and_by_index() {
    let mut game = Game::new();
    let id = hero(&mut game);
    let [health, name] = [
        game.components().index_of::<Health>(),
        game.components().index_of::<Name>(),
    ];
    let mut copied = |copying: CloneOptions<Game>| {
        let copy = copying.clone_entity(&mut game, id);
        (copy.has_name(), copy.has_health(), copy.is_rooted())
    };
    assert_eq!(copied(CloneOptions::all()), (true, true, true));
    assert_eq!(copied(CloneOptions::only::<Name>()), (true, false, false));
    assert_eq!(
        copied(CloneOptions::only::<(Name, Rooted, Socket)>()),
        (true, false, true)
    );
    assert_eq!(
        copied(CloneOptions::all().without::<(Name, Rooted)>()),
        (false, true, false)
    );
    assert_eq!(
        copied(CloneOptions::only_indices([health, name])),
        (true, true, false)
    );
    assert_eq!(
        copied(CloneOptions::only_indices([health, name]).without_indices([name])),
        (false, true, false)
    );
    assert_eq!(copied(CloneOptions::only::<()>()), (false, false, false));
}

#[test]
fn unique_components_are_never_copied() {
    let mut game = Game::new();
    let id = hero(&mut game);
    game.entity_mut(id).add(Score(7));
    assert!(!game.clone_entity(id).has::<Score>());
    let named = CloneOptions::only::<Score>();
    assert!(named.clone_entity(&mut game, id).is_empty());
    let to = game.create_entity().id();
    CloneOptions::all().copy(&mut game, id, to);
    assert!(game.entity(to).has_health() && !game.entity(to).has::<Score>());
    assert!(!CloneOptions::all().template(&game, id).has::<Score>());
}

#[test]
fn a_component_without_clone_is_named_and_nothing_changes() {
    let mut game = Game::new();
    let id = hero(&mut game);
    game.entity_mut(id).add_socket(80);
    let to = game.create_entity().id();
    let log = observe(&mut game);
    let before = picture(&game);

    let rejected = CloneOptions::all()
        .try_clone_entity(&mut game, id)
        .unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "cannot copy component `Socket` of entity 0v1 of context `Game`: it is not `Clone`; \
         derive `Clone` for it, or exclude it with `CloneOptions::all().without::<Socket>()`"
    );
    assert_eq!(
        CloneOptions::all().try_copy(&mut game, id, to),
        Err(rejected.clone())
    );
    let template = CloneOptions::all().try_template(&game, id);
    assert_eq!(template.unwrap_err(), rejected);
    assert_eq!(panic_of(|| _ = game.clone_entity(id)), rejected.to_string());
    assert_eq!(picture(&game), before);
    assert!(log.lock().unwrap().is_empty());
    let without = CloneOptions::all().without::<Socket>();
    assert!(without.try_clone_entity(&mut game, id).is_ok());
}

#[test]
fn a_context_lists_its_clone_components() {
    let game = Game::new();
    let is_clone = |name: &str| game.components().find(name).unwrap().is_clone();
    let names = ["Health", "Name", "Rooted", "Socket"];
    assert_eq!(names.map(is_clone), [true, true, true, false]);
}

#[test]
fn dead_entities_are_rejected() {
    let mut game = Game::new();
    let (id, dead) = (hero(&mut game), game.create_entity().id());
    game.destroy(dead);
    let all = CloneOptions::all();
    let rejected = all.try_clone_entity(&mut game, dead).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "cannot copy entity 1v1 of context `Game`: it is not alive; \
         check `contains` first or use `get_entity` or `get_entity_mut`"
    );
    assert_eq!(all.try_copy(&mut game, dead, id), Err(rejected.clone()));
    assert_eq!(all.try_copy(&mut game, id, dead), Err(rejected.clone()));
    assert_eq!(
        panic_of(|| all.copy(&mut game, id, dead)),
        rejected.to_string()
    );
}

#[test]
fn components_already_there_are_rejected_replaced_or_kept() {
    let mut game = Game::new();
    let from = hero(&mut game);
    let to = game.create_with((Health(1), Socket { _port: 80 })).id();
    let log = observe(&mut game);
    let before = picture(&game);

    let rejected = CloneOptions::all()
        .try_copy(&mut game, from, to)
        .unwrap_err();
    assert!(matches!(rejected.kind(), ErrorKind::AlreadyHasComponent));
    assert_eq!(rejected.component().unwrap().component, "Health");
    assert_eq!(rejected.entity(), Some(to.raw()));
    assert_eq!(picture(&game), before);
    assert!(log.lock().unwrap().is_empty());

    CloneOptions::all()
        .on_conflict(OnConflict::Keep)
        .copy(&mut game, from, to);
    assert_eq!(game.entity(to).health().0, 1);
    assert!(game.entity(to).is_rooted() && game.entity(to).has_socket());

    log.lock().unwrap().clear();
    CloneOptions::all()
        .on_conflict(OnConflict::Replace)
        .copy(&mut game, from, to);
    assert_eq!(game.entity(to).health().0, 3);
    let notified = [
        r#"1v1 Updated Some("Health")"#,
        r#"1v1 Updated Some("Health")"#,
        r#"1v1 Updated Some("Name")"#,
    ];
    assert_eq!(*log.lock().unwrap(), notified);
}

#[test]
fn an_entity_may_be_copied_to_itself() {
    let mut game = Game::new();
    let id = hero(&mut game);
    let before = picture(&game);
    assert!(CloneOptions::all().try_copy(&mut game, id, id).is_err());
    CloneOptions::all()
        .on_conflict(OnConflict::Keep)
        .copy(&mut game, id, id);
    CloneOptions::all()
        .on_conflict(OnConflict::Replace)
        .copy(&mut game, id, id);
    assert_eq!(picture(&game), before);
}

#[test]
fn a_panic_in_clone_changes_and_notifies_nothing() {
    let mut game = Game::new();
    let id = hero(&mut game);
    game.entity_mut(id).add_fragile(0);
    let to = game.create_with(Health(1)).id();
    let log = observe(&mut game);
    let before = picture(&game);
    let all = CloneOptions::all().on_conflict(OnConflict::Replace);

    assert_eq!(panic_of(|| _ = game.clone_entity(id)), "broken");
    assert_eq!(panic_of(|| all.copy(&mut game, id, to)), "broken");
    assert_eq!(panic_of(|| drop(all.template(&game, id))), "broken");
    assert_eq!(picture(&game), before);
    assert!(log.lock().unwrap().is_empty());

    game.entity_mut(id).replace_fragile(1);
    log.lock().unwrap().clear();
    assert_eq!(game.clone_entity(id).fragile().0, 1);
    assert_eq!(game.len(), 3);
}

#[test]
fn an_observer_may_destroy_the_entity_copied_to() {
    let mut game = Game::new();
    let from = hero(&mut game);
    let to = game.create_entity().id();
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_entered(&mut game, |game, change| game.destroy(change.entity()));
    let name = game.group(Game::all_of::<Name>());
    let copied = Arc::new(Mutex::new(Vec::new()));
    let names = copied.clone();
    name.on_entered(&mut game, move |_, change| {
        names.lock().unwrap().push(change.entity());
    });
    CloneOptions::all().copy(&mut game, from, to);
    assert!(!game.contains(to));
    assert_eq!(*copied.lock().unwrap(), [to], "it had all components");
}

/// A rejected relation or key is an error before anything has changed.
#[test]
fn a_rejected_copy_has_changed_nothing() {
    let mut game = Game::new();
    let root = game.create_with(Health(1)).id();
    let from = game
        .create_with((Health(7), Frozen, ChildOf { parent: root }))
        .id();
    let before = picture(&game);
    let log = observe(&mut game);
    let options = CloneOptions::all().on_conflict(OnConflict::Replace);
    let error = options.try_copy(&mut game, from, root).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RelationCycle);
    let template = options.template(&game, from);
    let error = template.try_apply_to(&mut game, root, OnConflict::Replace);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::RelationCycle);
    assert_eq!(picture(&game), before);
    assert!(log.lock().unwrap().is_empty());
}

#[test]
fn copies_made_by_an_observer_are_notified_after_the_current_change() {
    let mut game = Game::new();
    let named = game.group(Game::all_of::<Name>());
    named.on_entered(&mut game, |game, change| {
        if game.len() == 1 {
            game.clone_entity(change.entity());
        }
    });
    let log = observe(&mut game);
    game.create_entity().add_name("twin".to_owned());
    let expected = [
        "created 0v1",
        r#"0v1 Entered Some("Name")"#,
        r#"created 1v1(Name("twin"))"#,
        "1v1 Entered None",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn a_choice_of_components_prints_and_clones() {
    let game = Game::new();
    let copying = CloneOptions::<Game>::all().without::<Health>();
    let index = game.components().index_of::<Health>();
    let text = format!(
        "CloneOptions {{ all_but: {{{}}}, existing: Reject, descendants: None }}",
        index.get()
    );
    assert_eq!(format!("{copying:?}"), text);
    assert_eq!(format!("{:?}", copying.clone()), text);
    let only = CloneOptions::<Game>::only::<()>().on_conflict(OnConflict::Keep);
    assert!(format!("{only:?}").starts_with("CloneOptions { only: "));
}

fn twin<C: Context>(context: &mut C, id: EntityId<C>) -> EntityId<C> {
    let copy = CloneOptions::all().try_clone_entity(context, id).map(drop);
    copy.expect("can be cloned");
    context.entities().len();
    id
}

#[test]
fn code_that_is_generic_over_contexts_copies_too() {
    let mut game = Game::new();
    let id = hero(&mut game);
    assert_eq!(twin(&mut game, id), id);
    assert_eq!(game.len(), 2);
}
