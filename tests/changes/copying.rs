//! Copying entities: what is copied, how it is told, and what is refused.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames};

use support::panic_of;

#[ecs::context]
struct World;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Health(u32);

/// Not `Clone`, but a flag has nothing to clone.
#[derive(Component, Debug)]
#[component(context = World)]
struct Frozen;

#[derive(Component, Debug)]
#[component(context = World)]
struct Socket {
    _port: u32,
}

/// Panics when it is cloned at zero.
#[derive(Component, Debug)]
#[component(context = World)]
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

impl Components<World> for Score {
    fn visit(each: &mut dyn FnMut(ComponentIndex)) {
        each(ecs::__private::index_of::<World, Self>());
    }
}

impl Component<World> for Score {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "World",
        component: "Score",
        accessor: "score",
    };
    const UNIQUE: bool = true;
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);

    fn cell() -> &'static ecs::__private::IndexCell<World, Self> {
        static CELL: ecs::__private::IndexCell<World, Score> = ecs::__private::IndexCell::new();
        &CELL
    }
}

type Id = EntityId<World>;
type Log = Arc<Mutex<Vec<String>>>;

fn hero(world: &mut World) -> Id {
    world
        .create_with((Name("hero".into()), Health(3), Frozen))
        .id()
}

/// Everything a user can see of a world.
fn picture(world: &World) -> String {
    format!("{:?}", world.entities().collect::<Vec<_>>())
}

/// Writes down what the observers of the world and of some groups hear.
fn observe(world: &mut World) -> Log {
    let log = Log::default();
    let note = log.clone();
    world.observers().on_created(move |world, id| {
        let line = format!("created {:?}", world.entity(id));
        note.lock().unwrap().push(line);
    });
    let matchers = [
        World::all_of::<Name>().none_of::<Health>(),
        World::all_of::<Health>(),
        World::all_of::<(Name, Health)>(),
    ];
    for matcher in matchers {
        let group = world.group(matcher);
        let note = log.clone();
        let tell = move |_: &mut World, change: &Change<'_, World>| {
            let (id, event) = (change.entity(), change.event());
            let line = format!("{id:?} {event:?} {:?}", change.component_name());
            note.lock().unwrap().push(line);
        };
        group.on_entered(world, tell.clone());
        group.on_left(world, tell.clone());
        group.on_updated(world, tell);
    }
    log
}

#[test]
fn a_clone_has_equal_components_of_its_own() {
    let mut world = World::new();
    let id = hero(&mut world);
    let copy = world.clone_entity(id).replace_health(9).id();
    assert_ne!(id, copy);
    assert_eq!(world.entity(copy).name(), world.entity(id).name());
    assert!(world.entity(copy).is_frozen());
    assert_eq!(world.entity(id).health().0, 3);
}

#[test]
fn a_clone_is_told_as_one_change() {
    let mut world = World::new();
    let id = hero(&mut world);
    let log = observe(&mut world);
    let collector = world.collector(World::all_of::<Name>().none_of::<Health>().entered());
    world.clone_entity(id);
    let expected = [
        r#"created 1v1(Frozen, Health(3), Name("hero"))"#,
        "1v1 Entered None",
        "1v1 Entered None",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
    assert!(collector.is_empty(&world));
}

/// Creates an entity with the components whose bits are set.
fn create(world: &mut World, bits: u32) -> Id {
    let (name, health) = (Name("n".into()), Health(bits));
    let entity = match bits {
        0b001 => world.create_with(name),
        0b010 => world.create_with(health),
        0b011 => world.create_with((name, health)),
        0b100 => world.create_with(Frozen),
        0b101 => world.create_with((Frozen, name)),
        0b110 => world.create_with((Frozen, health)),
        0b111 => world.create_with((Frozen, name, health)),
        _ => world.create_entity(),
    };
    entity.id()
}

#[test]
fn clones_and_templates_make_the_same_change_as_a_bundle() {
    for bits in 0..8 {
        let told = |second: fn(&mut World, Id, u32)| {
            let mut world = World::new();
            let first = create(&mut world, bits);
            let log = observe(&mut world);
            let collector = world.collector(World::any_of::<(Name, Health)>().any_change());
            second(&mut world, first, bits);
            assert_eq!(world.len(), 2);
            let told = log.lock().unwrap().clone();
            (told, collector.drain(&mut world), picture(&world))
        };
        let bundle = told(|world, _, bits| _ = create(world, bits));
        let clone = told(|world, first, _| _ = world.clone_entity(first));
        let template = told(|world, first, _| {
            let template = CloneOptions::all().template(world, first);
            template.create(world);
        });
        assert!(!bundle.0.is_empty());
        assert_eq!(bundle, clone);
        assert_eq!(bundle, template);
    }
}

#[test]
fn a_clone_of_an_entity_without_components_has_none() {
    let mut world = World::new();
    let id = world.create_entity().id();
    assert!(world.clone_entity(id).is_empty());
    assert_eq!(world.len(), 2);
}

#[test]
fn components_are_chosen_by_type_and_by_index() {
    let mut world = World::new();
    let id = hero(&mut world);
    let [health, name] = [
        world.components().index_of::<Health>(),
        world.components().index_of::<Name>(),
    ];
    let mut copied = |copying: CloneOptions<World>| {
        let copy = copying.clone_entity(&mut world, id);
        (copy.has_name(), copy.has_health(), copy.is_frozen())
    };
    assert_eq!(copied(CloneOptions::all()), (true, true, true));
    assert_eq!(copied(CloneOptions::only::<Name>()), (true, false, false));
    assert_eq!(
        copied(CloneOptions::only::<(Name, Frozen, Socket)>()),
        (true, false, true)
    );
    assert_eq!(
        copied(CloneOptions::all().without::<(Name, Frozen)>()),
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
    let mut world = World::new();
    let id = hero(&mut world);
    world.entity_mut(id).add(Score(7));
    assert!(!world.clone_entity(id).has::<Score>());
    let named = CloneOptions::only::<Score>();
    assert!(named.clone_entity(&mut world, id).is_empty());
    let to = world.create_entity().id();
    CloneOptions::all().copy(&mut world, id, to);
    assert!(world.entity(to).has_health() && !world.entity(to).has::<Score>());
    assert!(!CloneOptions::all().template(&world, id).has::<Score>());
}

#[test]
fn what_is_not_clone_is_named_and_nothing_has_changed() {
    let mut world = World::new();
    let id = hero(&mut world);
    world.entity_mut(id).add_socket(80);
    let to = world.create_entity().id();
    let log = observe(&mut world);
    let before = picture(&world);

    let refused = CloneOptions::all()
        .try_clone_entity(&mut world, id)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot copy component `Socket` of entity 0v1 of context `World`: it is not `Clone`; \
         derive `Clone` for it, or leave it out with `CloneOptions::all().without::<Socket>()`"
    );
    assert_eq!(
        CloneOptions::all().try_copy(&mut world, id, to),
        Err(refused.clone())
    );
    let template = CloneOptions::all().try_template(&world, id);
    assert_eq!(template.unwrap_err(), refused);
    assert_eq!(panic_of(|| _ = world.clone_entity(id)), refused.to_string());
    assert_eq!(picture(&world), before);
    assert!(log.lock().unwrap().is_empty());
    let without = CloneOptions::all().without::<Socket>();
    assert!(without.try_clone_entity(&mut world, id).is_ok());
}

#[test]
fn dead_entities_are_refused() {
    let mut world = World::new();
    let (id, dead) = (hero(&mut world), world.create_entity().id());
    world.destroy(dead);
    let all = CloneOptions::all();
    let refused = all.try_clone_entity(&mut world, dead).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot copy entity 1v1 of context `World`: it is not alive; \
         check `contains` first or use `get_entity` or `get_entity_mut`"
    );
    assert_eq!(all.try_copy(&mut world, dead, id), Err(refused.clone()));
    assert_eq!(all.try_copy(&mut world, id, dead), Err(refused.clone()));
    assert_eq!(
        panic_of(|| all.copy(&mut world, id, dead)),
        refused.to_string()
    );
}

#[test]
fn components_already_there_are_refused_replaced_or_kept() {
    let mut world = World::new();
    let from = hero(&mut world);
    let to = world.create_with((Health(1), Socket { _port: 80 })).id();
    let log = observe(&mut world);
    let before = picture(&world);

    let refused = CloneOptions::all()
        .try_copy(&mut world, from, to)
        .unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::AlreadyHasComponent));
    assert_eq!(refused.component().unwrap().component, "Health");
    assert_eq!(refused.entity(), Some(to.raw()));
    assert_eq!(picture(&world), before);
    assert!(log.lock().unwrap().is_empty());

    CloneOptions::all()
        .on_conflict(OnConflict::Keep)
        .copy(&mut world, from, to);
    assert_eq!(world.entity(to).health().0, 1);
    assert!(world.entity(to).is_frozen() && world.entity(to).has_socket());

    log.lock().unwrap().clear();
    CloneOptions::all()
        .on_conflict(OnConflict::Replace)
        .copy(&mut world, from, to);
    assert_eq!(world.entity(to).health().0, 3);
    let told = [
        r#"1v1 Updated Some("Health")"#,
        r#"1v1 Updated Some("Health")"#,
        r#"1v1 Updated Some("Name")"#,
    ];
    assert_eq!(*log.lock().unwrap(), told);
}

#[test]
fn an_entity_may_be_copied_to_itself() {
    let mut world = World::new();
    let id = hero(&mut world);
    let before = picture(&world);
    assert!(CloneOptions::all().try_copy(&mut world, id, id).is_err());
    CloneOptions::all()
        .on_conflict(OnConflict::Keep)
        .copy(&mut world, id, id);
    CloneOptions::all()
        .on_conflict(OnConflict::Replace)
        .copy(&mut world, id, id);
    assert_eq!(picture(&world), before);
}

#[test]
fn a_panic_in_clone_changes_nothing_and_tells_nobody() {
    let mut world = World::new();
    let id = hero(&mut world);
    world.entity_mut(id).add_fragile(0);
    let to = world.create_with(Health(1)).id();
    let log = observe(&mut world);
    let before = picture(&world);
    let all = CloneOptions::all().on_conflict(OnConflict::Replace);

    assert_eq!(panic_of(|| _ = world.clone_entity(id)), "broken");
    assert_eq!(panic_of(|| all.copy(&mut world, id, to)), "broken");
    assert_eq!(panic_of(|| drop(all.template(&world, id))), "broken");
    assert_eq!(picture(&world), before);
    assert!(log.lock().unwrap().is_empty());

    world.entity_mut(id).replace_fragile(1);
    log.lock().unwrap().clear();
    assert_eq!(world.clone_entity(id).fragile().0, 1);
    assert_eq!(world.len(), 3);
}

#[test]
fn an_observer_may_destroy_the_entity_copied_to() {
    let mut world = World::new();
    let from = hero(&mut world);
    let to = world.create_entity().id();
    let healthy = world.group(World::all_of::<Health>());
    healthy.on_entered(&mut world, |world, change| world.destroy(change.entity()));
    let refused = CloneOptions::all()
        .try_copy(&mut world, from, to)
        .unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::NotAlive));
    assert_eq!(refused.component().unwrap().component, "Name");
}

#[test]
fn copies_made_by_an_observer_are_told_after_the_change_under_way() {
    let mut world = World::new();
    let named = world.group(World::all_of::<Name>());
    named.on_entered(&mut world, |world, change| {
        if world.len() == 1 {
            world.clone_entity(change.entity());
        }
    });
    let log = observe(&mut world);
    world.create_entity().add_name("twin".to_owned());
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
    let world = World::new();
    let copying = CloneOptions::<World>::all().without::<Health>();
    let index = world.components().index_of::<Health>();
    let text = format!(
        "CloneOptions {{ all_but: {{{}}}, existing: Refuse }}",
        index.get()
    );
    assert_eq!(format!("{copying:?}"), text);
    assert_eq!(format!("{:?}", copying.clone()), text);
    let only = CloneOptions::<World>::only::<()>().on_conflict(OnConflict::Keep);
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
    let mut world = World::new();
    let id = hero(&mut world);
    assert_eq!(twin(&mut world, id), id);
    assert_eq!(world.len(), 2);
}
