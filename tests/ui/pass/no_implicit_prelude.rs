//! A crate without prelude whose modules are named like those of the standard library.

#![no_implicit_prelude]

mod alloc {}
mod core {}
mod ecs {}
mod std {}

use ::ecs::Context as _;

pub struct Option;
pub struct Result;
pub struct Box;
pub struct Vec;

#[::ecs::context]
pub struct Game;

#[derive(::ecs::Component)]
pub struct Name {
    #[component(into)]
    pub text: ::std::string::String,
    pub option: Option,
}

#[derive(::ecs::Component, ::std::default::Default)]
#[component(pooled)]
pub struct Bag(pub ::std::vec::Vec<u8>);

#[derive(::ecs::Component)]
#[component(event(any, set), event(self, removed, priority = 1))]
pub enum Kind {
    One,
}

#[derive(::ecs::Component)]
pub struct Flag;

#[derive(::ecs::Component)]
#[component(extension, event(any, set), event(self, removed))]
pub struct Outside(pub u8);

#[derive(::ecs::Contexts)]
pub struct World {
    pub r#type: Game,
    #[contexts(skip)]
    pub option: Option,
}

#[derive(::ecs::Component, ::std::clone::Clone)]
pub struct Seat {
    #[component(primary_index)]
    pub number: u32,
    #[component(index(each))]
    pub guests: ::std::vec::Vec<::std::string::String>,
}

#[derive(::ecs::Component)]
#[component(extension)]
pub struct OutsideKey(#[component(index)] pub u8);

#[derive(::ecs::Component, ::std::clone::Clone)]
pub struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    pub parent: ::ecs::EntityId<Game>,
}

#[derive(::ecs::Component, ::std::clone::Clone)]
#[component(extension)]
pub struct Follows {
    #[component(index)]
    pub since: u32,
    #[component(relation)]
    pub leader: ::ecs::EntityId<Game>,
}

#[derive(::ecs::Component)]
#[component(many)]
pub struct Mesh {
    pub file: u32,
}

#[derive(::ecs::Component, ::std::clone::Clone)]
#[component(extension)]
pub struct Likes {
    #[component(relation(many, reverse = liked_by))]
    pub whom: ::ecs::EntityId<Game>,
    pub amount: u32,
}

#[derive(::ecs::Component, ::std::cmp::PartialEq)]
#[component(unique, state)]
pub enum Mode {
    Menu,
    Playing,
}

#[derive(::ecs::Component)]
#[component(unique, extension)]
pub struct Score(pub u32);

#[derive(::ecs::Component)]
#[component(instances(Stat<Flag> as flag_stat, Stat<Kind> as kind_stat))]
pub struct Stat<T: ::std::marker::Send + ::std::marker::Sync + 'static> {
    pub value: u32,
    pub of: ::std::option::Option<fn() -> T>,
}

#[derive(::ecs::Component)]
#[component(requires(Flag, Bag, Kind = Kind::One))]
pub struct Whole;

#[derive(::ecs::Component)]
#[component(cleanup(remove), version = 2, alias = "Blow")]
pub struct Hit(pub u32);

#[derive(::ecs::Component)]
#[component(cleanup(destroy), transient)]
pub struct Dead;

#[derive(::ecs::Bundle)]
pub struct Outsides(pub Outside, pub OutsideKey);

#[derive(::ecs::QueryData)]
pub struct Named<'a> {
    pub r#type: &'a mut Name,
    pub option: ::std::option::Option<&'a Bag>,
}

fn main() {
    let mut world = World {
        r#type: Game::new(),
        option: Option,
    };
    ::ecs::HasContext::<Game>::context_mut(&mut world).create_entity();
    let mut game = Game::new();
    let _ = game.entity_with_seat_number(&1);
    let _ = game.entities_with_seat_guests("Ann").ids();
    let _ = game.entities_with_outside_key(&1).ids();
    game.query_mut::<Named>()
        .for_each(|named| named.r#type.text.clear());
    game.on_any_kind_set(|_| ());
    game.on_any_outside_set(|_| ());
    game.events().warn_of_undelivered(false);
    game.create_with(Outsides(Outside(1), OutsideKey(2)));
    let mut entity = game.create_entity();
    entity
        .add_name("x", Option)
        .add_kind(Kind::One)
        .set_flag(true);
    entity.on_kind_removed(|_| ());
    entity.add_bag_with(|bag| bag.0.push(1)).add_outside(1);
    others();
}

fn others() {
    let mut game = Game::new();
    let parent = game.create_with(Whole).id();
    let child = game.create_with(ChildOf { parent }).id();
    game.entity_mut(child).add_follows(1, parent).add_hit(1);
    ::std::assert_eq!(game.entity(parent).children(), [child]);
    ::std::assert_eq!(game.entities_with_follows(&1).ids(), [child]);
    game.set_mode(Mode::Menu);
    game.set_mode(Mode::Playing);
    game.set_score(3);
    let owner = game.mode_entity().expect("it is set").id();
    let mut entity = game.entity_mut(owner);
    entity.add_flag_stat(1, ::std::option::Option::None);
    entity.add_kind_stat(2, ::std::option::Option::None);
    ::std::assert_eq!(entity.flag_stat().value + entity.kind_stat().value, 3);
    game.entity_mut(parent).add_dead();
    ::ecs::CleanupSystems::new(&mut game).run(&mut game);
    ::std::assert!(!game.contains(parent) && !game.contains(child));
    ::std::assert!(game.mode() == &Mode::Playing && game.score().0 == 3);
}
