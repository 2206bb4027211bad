//! Access of tools to values and relations of unknown types.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Has only these components, because a tool finds all relations and indexes of a context.
#[ecs::context]
struct Tools;

#[derive(Component, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Tools)]
struct Level(u32);

/// Can be neither printed nor serialized.
#[derive(Component, PartialEq)]
#[component(context = Tools, by_value)]
struct Opaque(usize);

#[derive(Component, Debug)]
#[component(context = Tools)]
struct Marked;

#[derive(Component, Clone)]
#[component(context = Tools)]
struct Under {
    #[component(relation)]
    root: EntityId<Tools>,
}

#[test]
fn a_value_is_printed_written_and_read_without_its_type() {
    let mut game = Tools::new();
    let hero = game.create_with((Level(3), Opaque(1), Marked)).id();
    let components = game.components();
    let text = |name: &str| {
        let component = components.find(name).unwrap().index();
        let value = game.entity(hero).dynamic().get(component).unwrap();
        let value = components.value(component, value).unwrap();
        (format!("{value:?}"), serde_json::to_string(&value).ok())
    };
    assert_eq!(
        text("Level"),
        (String::from("Level(3)"), Some(String::from("3")))
    );
    assert_eq!(
        text("Marked"),
        (String::from("Marked"), Some(String::from("{}")))
    );
    assert_eq!(text("Opaque").1, None);
    assert!(
        components
            .value(components.index_of::<Level>(), &7_u8)
            .is_none()
    );
}

#[test]
fn a_value_that_is_read_can_be_added() {
    let mut game = Tools::new();
    let hero = game.create_entity().id();
    let components = game.components();
    let [level, opaque] = ["Level", "Opaque"].map(|name| components.find(name).unwrap().index());
    let read = |index, text| components.read(index, &mut serde_json::Deserializer::from_str(text));
    assert!(read(level, "\"three\"").is_err());
    let rejected = read(opaque, "{}").unwrap_err().to_string();
    assert!(
        rejected.contains("component `Opaque` cannot be read"),
        "{rejected}"
    );
    let value = read(level, "4").unwrap();
    game.entity_mut(hero)
        .dynamic()
        .try_add(level, value)
        .unwrap();
    assert_eq!(game.entity(hero).level(), &Level(4));
}

#[test]
fn relations_are_notified_without_their_types() {
    let mut game = Tools::new();
    let root = game.create_entity().id();
    assert_eq!(game.entity(root).dynamic().relations().count(), 1);
    let leaves = game.create_many([Under { root }, Under { root }]);
    let relations = |id| game.entity(id).dynamic().relations().next().unwrap();
    assert_eq!(relations(root).sources(), leaves);
    assert_eq!(relations(leaves[1]).target(), Some(root));
    assert_eq!(
        relations(root).component(),
        game.components().index_of::<Under>()
    );
    assert!(game.components().find("Under").unwrap().is_relation());
    assert!(!game.components().find("Level").unwrap().is_relation());
}

#[test]
fn subscribers_are_listed_while_their_handles_exist() {
    let mut game = Tools::new();
    let listed = |game: &Tools| {
        let all = [
            game.storage().collectors(),
            game.storage().inboxes(),
            game.storage().indexes(),
        ];
        all.map(|them| them.iter().map(|it| it.count).collect::<Vec<_>>())
    };
    let links = listed(&game)[2].len();
    let collector = game.collector(Tools::all_of::<Level>().entered());
    let (first, second) = (game.inbox::<u32>(), game.inbox::<u64>());
    let index = game.entity_index(Tools::all_of::<Level>(), |entity| entity.level().0);
    game.create_many([Level(1), Level(1), Level(2)]);
    game.send(7_u32);
    game.send(8_u32);
    let [collectors, inboxes, indexes] = listed(&game);
    assert_eq!((collectors, inboxes), (vec![3], vec![2, 0]));
    assert_eq!(indexes.len(), links + 1);
    drop((collector, first, index));
    let [collectors, inboxes, indexes] = listed(&game);
    assert_eq!((collectors, inboxes), (vec![], vec![0]));
    assert_eq!(indexes.len(), links);
    drop(second);
}
