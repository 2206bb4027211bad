//! Entities created together: their values are checked against each other.

use std::cell::Cell;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use support::panic_of;

/// A context of its own, because the components of `support` are not saved, and their `Clone` is
/// derived.
#[ecs::context]
struct Level;

type Id = EntityId<Level>;

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Level)]
struct Name(String);

/// A primary key.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Level)]
struct Seat(#[component(primary_index)] u32);

/// Unique.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Level, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Level)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic))]
    parent: Id,
}

thread_local! {
    /// The target that clones have instead of another one.
    static INSTEAD_OF: Cell<Option<(Id, Id)>> = const { Cell::new(None) };
}

/// A relation whose clones may have another target.
#[derive(Component, Debug, Serialize, Deserialize)]
#[component(context = Level)]
struct Follows(#[component(relation(acyclic))] Id);

impl Clone for Follows {
    fn clone(&self) -> Self {
        match INSTEAD_OF.get() {
            Some((target, instead)) if self.0 == target => Self(instead),
            _ => Self(self.0),
        }
    }
}

fn child_of(parent: Id) -> ChildOf {
    ChildOf { parent }
}

fn part(name: &str) -> Template<Level> {
    Template::new().with(Name(name.into())).named(name)
}

/// A template whose first entity is a child of its own grandchild.
fn ring() -> Template<Level> {
    let middle = part("middle").with_child(child_of, Template::new());
    let tree = part("top").with_child(child_of, middle);
    let tree = tree.with_child(child_of, Template::new());
    let middle = tree.get_at::<ChildOf>(2).unwrap().parent;
    tree.with(ChildOf { parent: middle })
}

/// Asserts that creating a template panics with these words and leaves a context as it was.
fn assert_rejected(template: &Template<Level>, words: &[&str]) {
    let mut level = Level::new();
    level.create_with(Name("before".into()));
    let before = serde_json::to_string(&level.save()).unwrap();
    let message = panic_of(|| _ = template.create(&mut level));
    for word in words {
        assert!(message.contains(word), "{word}: {message}");
    }
    assert_eq!(serde_json::to_string(&level.save()).unwrap(), before);
    level.storage().check_invariants();
}

#[test]
fn a_template_with_a_cycle_is_rejected_with_the_names_of_its_entries() {
    let words = [
        "component `ChildOf`",
        "context `Level`",
        "\"entry top of the template\"",
        "\"entry middle of the template\"",
        "the relation is `acyclic`; give one of them another target",
    ];
    assert_rejected(&ring(), &words);
}

#[test]
fn a_template_read_from_a_file_with_a_cycle_is_rejected() {
    let text = serde_json::to_string(&ring()).unwrap();
    let read: Template<Level> = serde_json::from_str(&text).unwrap();
    assert_rejected(&read, &["acyclic"]);
    let bytes = postcard::to_allocvec(&ring()).unwrap();
    let read: Template<Level> = postcard::from_bytes(&bytes).unwrap();
    assert_rejected(&read, &["acyclic"]);
}

#[test]
fn an_entry_cannot_be_its_own_target() {
    let tree = part("top").with_child(child_of, part("below"));
    let top = tree.get_at::<ChildOf>("below").unwrap().parent;
    assert_rejected(
        &tree.with(ChildOf { parent: top }),
        &["entry top of the template", "cannot be its own target"],
    );
}

#[test]
fn a_template_with_a_primary_key_twice_is_rejected() {
    let tree = Template::new()
        .with(Seat(4))
        .with_child(child_of, part("guest").with(Seat(4)));
    let words = [
        "component `Seat`",
        "\"entry guest of the template\"",
        "\"entry 0 of the template\"",
        "4 already",
    ];
    assert_rejected(&tree, &words);
}

#[test]
fn a_template_with_a_unique_component_twice_is_rejected() {
    let tree = Template::new()
        .with(Score(1))
        .with_child(child_of, part("guest").with(Score(2)));
    assert_rejected(&tree, &["component `Score`", "it is unique"]);
}

#[test]
fn a_copied_tree_whose_clones_refer_to_each_other_is_rejected() {
    let mut level = Level::new();
    let leader = level.create_entity().id();
    let top = level.create_with(Follows(leader)).id();
    let below = level
        .create_with((ChildOf { parent: top }, Follows(top)))
        .id();
    INSTEAD_OF.set(Some((leader, below))); // the copies follow each other
    let options = ecs::CloneOptions::all().with_descendants::<ChildOf>();
    let cloned = options
        .try_clone_entity(&mut level, top)
        .map(|copy| copy.id());
    INSTEAD_OF.set(None);
    assert_eq!(cloned.unwrap_err().kind(), ErrorKind::RelationCycle);
    assert_eq!(level.len(), 3);
    level.storage().check_invariants();
}

#[test]
fn a_delta_with_a_cycle_leaves_none() {
    let mut origin = Level::new();
    let feed = origin.feed::<ChildOf>();
    let top = origin.create_entity().id();
    let middle = origin.create_with(ChildOf { parent: top }).id();
    let below = origin.create_with(ChildOf { parent: middle }).id();
    let mut bytes = postcard::to_allocvec(&feed.take(&mut origin)).unwrap();
    let id = |id: Id| postcard::to_allocvec(&id).unwrap();
    assert_eq!(id(top).len(), id(below).len());
    // The parent of `middle` is the last mention of `top`.
    let at = bytes
        .windows(id(top).len())
        .rposition(|found| found == id(top));
    let at = at.unwrap();
    bytes[at..at + id(top).len()].copy_from_slice(&id(below));
    let delta: ecs::Delta<Level> = postcard::from_bytes(&bytes).unwrap();
    let (mut client, mut mirror) = (Level::new(), ecs::Mirror::new());
    let applied = mirror.apply(&mut client, &delta);
    assert_eq!(applied, Err(ecs::ApplyError::Incomplete));
    client.storage().check_invariants();
    for entity in client.query::<ecs::EntityId<Level>>().iter() {
        assert!(
            client
                .entity(entity)
                .related::<ChildOf>()
                .ancestors()
                .count()
                < 3
        );
    }
}
