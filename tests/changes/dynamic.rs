//! Access for tools: components by index, values of unknown types.

use std::any::Any;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{ComponentIndex, ComponentNames, DynEntityMut};

/// Has a component that is numbered on first use.
#[ecs::context]
struct World;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = World)]
struct Health(u32);

#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
struct Frozen;

#[derive(Component)]
#[component(context = World)]
struct Socket {
    _port: u32,
}

/// Has no link-time registration, so it is numbered on first use.
#[derive(Debug, PartialEq)]
struct Late(u32);

impl Components<World> for Late {
    fn visit(each: &mut dyn FnMut(ComponentIndex<World>)) {
        each(ecs::__private::index_of::<World, Self>());
    }
}

impl Component<World> for Late {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "World",
        component: "Late",
        accessor: "late",
    };

    fn cell() -> &'static ecs::__private::IndexCell<World, Self> {
        static CELL: ecs::__private::IndexCell<World, Late> = ecs::__private::IndexCell::new();
        &CELL
    }
}

fn boxed<T: Any + Send + Sync>(value: T) -> Box<dyn Any + Send + Sync> {
    Box::new(value)
}

fn index_of(name: &str) -> ComponentIndex<World> {
    World::new().components().find(name).unwrap().index()
}

#[test]
fn a_tool_prints_all_entities_with_all_components() {
    let mut world = World::new();
    world.create_with((Name("hero".into()), Health(3), Frozen));
    world.create_entity();
    world.create_entity().add_socket(80);

    let mut dump = String::new();
    for entity in world.entities() {
        dump += &format!("{:?}:", entity.id());
        for (info, value) in entity.dynamic().iter() {
            assert_eq!(value.type_id(), info.type_id());
            let value = entity.dynamic().debug(info.index()).unwrap();
            dump += &format!(" {} = {value:?};", info.name());
        }
        dump += "\n";
    }
    let socket = std::any::type_name::<Socket>();
    let expected = format!(
        "0v1: Frozen = Frozen; Health = Health(3); Name = Name(\"hero\");\n\
         1v1:\n\
         2v1: Socket = {socket};\n"
    );
    assert_eq!(dump, expected);
}

#[test]
fn components_are_found_by_name_by_path_and_by_type() {
    let world = World::new();
    let health = world.components().find("Health").unwrap();
    assert_eq!(health.index(), world.components().index_of::<Health>());
    assert_eq!(health.type_id(), std::any::TypeId::of::<Health>());
    let path = std::any::type_name::<Health>();
    assert_eq!(
        world.components().find(path).unwrap().index(),
        health.index()
    );
    assert!(world.components().find("health").is_none());
}

#[test]
fn values_are_read_by_index() {
    let mut world = World::new();
    let mut hero = world.create_with(Health(3));
    let (health, name) = (index_of("Health"), index_of("Name"));
    assert!(hero.dynamic().has(health) && !hero.dynamic().has(name));
    let value = hero.dynamic().get(health).unwrap().downcast_ref::<Health>() == Some(&Health(3));
    assert!(value);

    let hero = hero.as_ref().dynamic();
    assert_eq!(hero.get(health).unwrap().downcast_ref(), Some(&Health(3)));
    assert!(hero.get(name).is_none() && hero.debug(name).is_none());
    assert!(hero.try_get(health).is_ok());
    assert_eq!(
        hero.try_get(name).unwrap_err().to_string(),
        "cannot read component `Name` of entity 0v1 of context `World`: \
         it has none; check `has_name` first or use `get_name`"
    );
    assert_eq!(format!("{hero:?}"), "0v1(Health(3))");
}

#[test]
fn a_value_outlives_the_handle_it_was_read_through() {
    let mut world = World::new();
    let id = world.create_with(Health(3)).id();
    let value = {
        let entity = world.entity(id);
        entity.dynamic().get(index_of("Health"))
    };
    assert!(value.unwrap().is::<Health>());
}

#[test]
fn changes_by_index_are_those_of_the_typed_methods() {
    let mut world = World::new();
    let id = world.create_with(Name("hero".into())).id();
    let log = Arc::new(Mutex::new(Vec::new()));
    let healthy = world.group(World::all_of::<(Name, Health)>());
    let tell = |world: &mut World, change: &Change<'_, World>, log: &Mutex<Vec<String>>| {
        let health = world.entity(change.entity()).get_health().cloned();
        let previous = change
            .previous_any()
            .map(|value| value.downcast_ref::<Health>());
        let line = format!("{:?} {previous:?} {health:?}", change.event());
        log.lock().unwrap().push(line);
    };
    let logs = [log.clone(), log.clone(), log.clone()];
    let [entered, left, updated] = logs;
    healthy.on_entered(&mut world, move |world, change| {
        tell(world, change, &entered)
    });
    healthy.on_left(&mut world, move |world, change| tell(world, change, &left));
    healthy.on_updated(&mut world, move |world, change| {
        tell(world, change, &updated)
    });

    let health = index_of("Health");
    let mut entity = world.entity_mut(id);
    let mut entity = entity.dynamic();
    entity.try_add(health, boxed(Health(3))).unwrap();
    entity.try_replace(health, boxed(Health(4))).unwrap();
    entity.try_remove(health).unwrap();
    entity.try_replace(health, boxed(Health(5))).unwrap();
    let taken = entity.try_take(health).unwrap().unwrap();
    assert_eq!(taken.downcast_ref(), Some(&Health(5)));
    assert!(entity.try_take(health).unwrap().is_none());

    let expected = [
        "Entered None Some(Health(3))",
        "Updated Some(Some(Health(3))) Some(Health(4))",
        "Left Some(Some(Health(4))) None",
        "Entered None Some(Health(5))",
        "Left Some(Some(Health(5))) None",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

/// Tries all changes, and returns their results.
fn attempts(entity: &mut DynEntityMut<'_, World>, component: ComponentIndex<World>) -> Vec<Error> {
    let mut errors = Vec::new();
    errors.extend(entity.try_add(component, boxed(Health(9))).err());
    errors.extend(entity.try_replace(component, boxed(Health(9))).err());
    errors.extend(entity.try_remove(component).err());
    errors.extend(entity.try_take(component).err());
    errors
}

#[test]
fn a_wrong_type_is_rejected_by_name() {
    let mut world = World::new();
    let mut hero = world.create_with(Name("hero".into()));
    let name = index_of("Name");
    let rejected = hero.dynamic().try_replace(name, boxed(Health(3))).err();
    assert_eq!(
        rejected.unwrap().to_string(),
        "cannot replace component `Name` of entity 0v1 of context `World`: \
         the value given is a `Health`; give a boxed `Name`"
    );
    let rejected = hero.dynamic().try_add(name, boxed("hero")).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "cannot add component `Name` to entity 0v1 of context `World`: the value given is of a type that is not a component of the context; give a boxed `Name`"
    );
    assert_eq!(rejected.component().unwrap().component, "Name");
    assert_eq!(
        (rejected.context(), rejected.entity()),
        ("World", Some(hero.id().raw()))
    );
    assert_eq!(hero.name().0, "hero");
}

#[test]
fn rejections_equal_those_of_the_typed_methods() {
    let mut world = World::new();
    let mut hero = world.create_with(Health(3));
    let (health, frozen) = (index_of("Health"), index_of("Frozen"));
    let present = hero
        .dynamic()
        .try_add(health, boxed(Health(4)))
        .unwrap_err();
    assert_eq!(present, hero.try_add(Health(4)).unwrap_err());
    let absent = hero.dynamic().try_remove(frozen).unwrap_err();
    assert_eq!(absent, hero.try_remove::<Frozen>().unwrap_err());
    assert_eq!(hero.health().0, 3);
}

#[test]
fn an_entity_that_an_observer_has_destroyed_is_rejected() {
    let mut world = World::new();
    let healthy = world.group(World::all_of::<Health>());
    healthy.on_entered(&mut world, |world, change| world.destroy(change.entity()));
    let mut hero = world.create_entity();
    let health = index_of("Health");
    let mut hero = hero.dynamic();
    assert_eq!(format!("{hero:?}"), "0v1");
    hero.try_add(health, boxed(Health(3))).unwrap();
    assert!(!hero.has(health) && hero.get(health).is_none());
    let errors = attempts(&mut hero, health);
    assert_eq!(errors.len(), 4);
    for error in errors {
        assert!(matches!(error.kind(), ErrorKind::NotAlive));
        assert_eq!(error.component().unwrap().component, "Health");
    }
    assert_eq!(format!("{hero:?}"), "0v1(dead)");
}

#[test]
fn a_component_that_is_numbered_late_can_be_added_by_index() {
    let mut world = World::new();
    let late = world.components().index_of::<Late>();
    let mut entity = world.create_entity();
    assert!(entity.as_ref().dynamic().get(late).is_none());
    entity.dynamic().try_add(late, boxed(Late(1))).unwrap();
    assert_eq!(entity.get::<Late>(), Some(&Late(1)));
    assert_eq!(world.components().find("Late").unwrap().index(), late);
}

#[test]
fn a_change_names_its_component() {
    let mut world = World::new();
    let log = Arc::new(Mutex::new(Vec::new()));
    let notified = log.clone();
    let named = world.group(World::all_of::<Name>());
    named.on_entered(&mut world, move |_, change| {
        assert!(change.previous_any().is_none());
        notified.lock().unwrap().push(change.component_name());
    });
    world.create_entity().add_name("a".to_owned());
    world.create_with(Name("b".into()));
    assert_eq!(*log.lock().unwrap(), [Some("Name"), None]);
}

#[test]
fn entities_are_looked_up_with_an_error_that_names_them() {
    let mut world = World::new();
    let id = world.create_with(Health(3)).id();
    assert_eq!(world.try_entity(id).unwrap().health().0, 3);
    world.try_entity_mut(id).unwrap().replace_health(4);
    world.destroy(id);
    let rejected = world.try_entity(id).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "cannot access entity 0v1 of context `World`: it is not alive; \
         check `contains` first or use `get_entity` or `get_entity_mut`"
    );
    assert_eq!(world.try_entity_mut(id).unwrap_err(), rejected);
}

#[test]
fn infallible_methods_of_living_entities_have_try_forms_too() {
    let mut world = World::new();
    let frozen = world.group(World::all_of::<Frozen>());
    frozen.on_entered(&mut world, |world, change| world.destroy(change.entity()));
    let mut hero = world.create_entity();
    hero.try_replace_health(3).unwrap();
    hero.try_update_health(|health| health.0 += 1).unwrap();
    assert_eq!(hero.try_take::<Health>().unwrap(), Some(Health(4)));
    let error = hero.try_update_health(|_| unreachable!()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoesNotHaveComponent);
    hero.try_replace_frozen().unwrap();
    let rejections = [
        hero.try_replace_health(3).err(),
        hero.try_update_health(|_| unreachable!()).err(),
        hero.try_take::<Health>().err(),
    ];
    for rejected in rejections {
        assert!(matches!(rejected, Some(error) if error.kind() == ErrorKind::NotAlive));
    }
}
