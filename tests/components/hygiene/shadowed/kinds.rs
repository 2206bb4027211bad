//! F41: every other kind of declaration, where names of the prelude and of crates are shadowed.

use super::*;

#[derive(::ecs::Component, ::core::fmt::Debug, ::core::clone::Clone)]
#[component(context = World)]
pub(crate) struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    pub(crate) parent: ::ecs::EntityId<World>,
}

#[derive(::ecs::Component, ::core::fmt::Debug, ::core::clone::Clone)]
#[component(context = World)]
pub(crate) struct Ticket {
    #[component(primary_index)]
    pub(crate) number: u32,
    #[component(index(each))]
    pub(crate) tags: ::std::vec::Vec<u8>,
    #[component(index)]
    pub(crate) row: u8,
}

#[derive(::ecs::Component, ::core::fmt::Debug, ::core::clone::Clone)]
#[component(context = World, extension, event(any(set, removed), self(set, removed)))]
pub(crate) struct Follows {
    #[component(index)]
    pub(crate) since: u32,
    #[component(relation)]
    pub(crate) leader: ::ecs::EntityId<World>,
}

#[derive(::ecs::Component, ::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
#[component(context = World, unique, state)]
pub(crate) enum Mode {
    Menu,
    Playing,
}

#[derive(::ecs::Component)]
#[component(context = World, instances(Stat<Flag> as flag_stat, Stat<Kind> as kind_stat))]
pub(crate) struct Stat<T: ::core::marker::Send + ::core::marker::Sync + 'static> {
    pub(crate) value: u32,
    pub(crate) of: ::core::option::Option<fn() -> T>,
}

/// The derives of `serde` do not work among these names.
#[derive(::ecs::Component, ::core::clone::Clone)]
#[component(context = World, version = 2, alias = "Wallet", from(1 = u32))]
pub(crate) struct Purse(pub(crate) u32);

impl ::core::convert::From<u32> for Purse {
    fn from(copper: u32) -> Self {
        Self(copper / 100)
    }
}

impl ::serde::Serialize for Purse {
    fn serialize<S: ::serde::Serializer>(&self, to: S) -> ::core::result::Result<S::Ok, S::Error> {
        to.serialize_u32(self.0)
    }
}

impl<'de> ::serde::Deserialize<'de> for Purse {
    fn deserialize<D>(from: D) -> ::core::result::Result<Self, D::Error>
    where
        D: ::serde::Deserializer<'de>,
    {
        <u32 as ::serde::Deserialize>::deserialize(from).map(Self)
    }
}

#[derive(::ecs::Component)]
#[component(context = World, transient)]
pub(crate) struct Cache(pub(crate) u8);

#[derive(::ecs::Bundle)]
pub(crate) struct Guest {
    pub(crate) ticket: Ticket,
    pub(crate) bag: ::core::option::Option<Bag>,
}

#[derive(::ecs::Contexts, ::core::default::Default)]
pub(crate) struct Worlds {
    pub(crate) world: World,
    #[contexts(skip)]
    pub(crate) time: f32,
}

fn guest(number: u32) -> Guest {
    let ticket = Ticket {
        number,
        tags: ::std::vec![1, 2],
        row: 3,
    };
    Guest {
        ticket,
        bag: ::core::option::Option::None,
    }
}

#[test]
fn relations_and_indexes_work_among_other_names() {
    let mut world = World::new();
    let parent = world.create_with(guest(7)).id();
    let child = world.create_with(ChildOf { parent }).id();
    world.entity_mut(child).add_follows(1, parent);
    ::std::assert_eq!(world.entity(parent).children(), [child]);
    ::std::assert_eq!(world.entities_with_follows(&1).ids(), [child]);
    ::std::assert_eq!(world.entities_with_ticket_tags(&2).ids(), [parent]);
    ::std::assert_eq!(world.entities_with_ticket_row(&3).ids(), [parent]);
    ::std::assert!(world.entity_with_ticket_number(&7).is_some());
    ::std::assert!(world.try_create_with(guest(7)).is_err());
    world.destroy(parent);
    ::std::assert!(world.is_empty());
}

#[test]
fn states_and_instances_work_among_other_names() {
    let mut worlds = <Worlds as ::core::default::Default>::default();
    worlds.world.set_mode(Mode::Menu);
    worlds.world.set_mode(Mode::Playing);
    ::std::assert_eq!(worlds.world.mode(), &Mode::Playing);
    let none = ::core::option::Option::None;
    let mut entity = worlds.world.create_entity();
    entity
        .add_flag_stat(1, none)
        .add_kind_stat(2, ::core::option::Option::None);
    ::std::assert_eq!(entity.flag_stat().value + entity.kind_stat().value, 3);
    ::std::assert!(worlds.time == 0.0);
}

#[test]
fn events_are_delivered_among_other_names() {
    let mut world = World::new();
    world.on_any_follows_set(|entity| ::std::assert_eq!(entity.follows().since, 1));
    let leader = world.create_entity().id();
    let mut entity = world.create_entity();
    entity.on_follows_removed(|entity| ::std::assert!(entity.is_alive()));
    let id = entity.add_follows(1, leader).id();
    ::std::assert_eq!(world.events().deliver(), 1);
    world.entity_mut(id).remove_follows();
    ::std::assert_eq!(world.events().deliver(), 1);
}

#[test]
fn older_versions_and_transient_components_work_among_other_names() {
    let text = r#"{"format":1,"context":"World","entities":{"0v1":{"Wallet@1":250}}}"#;
    let world = World::load(&mut ::serde_json::Deserializer::from_str(text));
    let mut world = world.expect("an older version");
    let id = ::ecs::Group::<World>::ids(world.group(World::all_of::<Purse>()), &world)[0];
    world.entity_mut(id).add_cache(1);
    ::std::assert_eq!(world.entity(id).purse().0, 2);
    let saved = ::serde_json::to_string(&world.save()).expect("a save");
    ::std::assert!(saved.contains("Purse@2") && !saved.contains("Cache"));
}
