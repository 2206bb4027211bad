//! A crate that denies all lints.

#![deny(
    warnings,
    future_incompatible,
    let_underscore,
    missing_docs,
    missing_debug_implementations,
    nonstandard_style,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    single_use_lifetimes,
    clippy::all,
    clippy::pedantic
)]
#![forbid(unsafe_code)]

use ecs::prelude::*;

/// The context.
#[ecs::context]
struct Game;

#[derive(Component, Debug, Clone)]
#[component(event(any(set), self(set)), event(any(removed, priority = 3)))]
struct Name {
    #[component(into)]
    text: String,
}

#[derive(Component, Debug, Default)]
#[component(pooled)]
struct Bag(Vec<u8>);

#[derive(Component, Debug)]
struct Flag;

#[derive(Component, Debug)]
#[component(extension, event(any, set), event(self, removed, priority = -2))]
struct Outside(u8);

/// Seen from outside.
#[derive(Component, Debug, Clone)]
pub struct Ticket {
    /// Its number.
    #[component(primary_index)]
    pub number: u32,
    #[component(index(each))]
    tags: Vec<u8>,
    #[component(index(each))]
    owner: Option<u8>,
}

#[derive(Component, Debug)]
#[component(extension)]
struct OutsideKey(#[component(index)] u8);

#[deprecated]
#[derive(Component)]
struct Old;

/// The world.
#[derive(Contexts, Debug)]
struct World {
    game: Game,
    #[contexts(skip)]
    time: f32,
}

/// Fields of private types.
#[derive(Bundle, Debug)]
pub struct Else {
    outside: Outside,
    flag: Flag,
}

#[derive(Component, Debug, Clone)]
struct ChildOf {
    #[component(relation(reverse = children, on_target_destroyed = destroy, acyclic, ordered))]
    parent: EntityId<Game>,
}

#[derive(Component, Debug, Clone)]
#[component(extension)]
struct Follows {
    #[component(index)]
    since: u32,
    #[component(relation)]
    leader: EntityId<Game>,
}

#[derive(Component, Debug, Clone)]
#[component(many)]
struct Mesh {
    file: u32,
}

#[derive(Component, Debug, Clone)]
struct Likes {
    #[component(relation(many, reverse = liked_by))]
    whom: EntityId<Game>,
    amount: u32,
}

#[derive(Component, Debug, PartialEq)]
#[component(unique, state)]
enum Mode {
    Menu,
    Playing,
}

/// Seen from outside.
#[derive(Component, Debug)]
#[component(unique, extension)]
pub struct Score(pub u32);

#[derive(Component, Debug)]
#[component(instances(Stat<Flag> as flag_stat, Stat<Bag> as bag_stat))]
struct Stat<T: Send + Sync + 'static> {
    value: u32,
    of: Option<fn() -> T>,
}

#[derive(Component, Debug)]
#[component(requires(Flag, Bag = Bag(vec![1])))]
struct Whole;

#[derive(Component, Debug)]
#[component(cleanup(remove), version = 2, alias = "Blow")]
struct Hit(u32);

#[derive(Component, Debug)]
#[component(cleanup(destroy), transient)]
struct Dead;

/// Seen from outside.
#[derive(QueryData, Debug)]
pub struct Scores<'a> {
    /// One.
    pub score: &'a Score,
}

#[derive(QueryData, Debug)]
struct Named<'a> {
    name: &'a mut Name,
    bag: Option<&'a Bag>,
}

/// Read-only query data of any component.
#[derive(QueryData, Debug)]
struct Reading<'a, T: Component<Game>>(&'a T);

fn others(game: &mut Game) {
    game.query_mut::<Named<'_>>().for_each(|it| {
        it.name.text.clear();
        assert!(it.bag.is_none());
    });
    let flags = game.query::<Reading<'_, Flag>>().iter();
    flags.for_each(|it| assert_eq!(size_of_val(it.0), 0));
    let parent = game.create_with(Whole).id();
    let child = game.create_with(ChildOf { parent }).id();
    let _ = game.entity_mut(child).add_follows(1, parent).add_hit(1);
    assert_eq!(game.entity(parent).children(), [child]);
    assert_eq!(game.entities_with_follows(&1).ids(), [child]);
    assert_eq!(game.entity(child).follows().leader, parent);
    let _ = game.entity_mut(child).add_likes(parent, 1);
    let _ = game.entity_mut(child).add_mesh(2);
    assert_eq!(game.entity(child).likes(parent).amount, 1);
    let mut meshes = game.entity(child).all_mesh();
    assert!(meshes.all(|(_, mesh)| mesh.file == 2));
    let _ = game.set_mode(Mode::Menu);
    let _ = game.set_mode(Mode::Playing);
    let _ = game.set_score(3);
    let owner = game.mode_entity().expect("it is set").id();
    let mut entity = game.entity_mut(owner);
    let _ = entity.add_flag_stat(1, None).add_bag_stat(2, None);
    assert!(entity.flag_stat().of.is_none() && entity.bag_stat().value == 2);
    let _ = game.entity_mut(parent).add_dead();
    CleanupSystems::new(game).run(game);
    assert!(!game.contains(parent) && !game.contains(child));
    assert!(game.mode() == &Mode::Playing && game.score().0 == 3);
}

fn pass(world: &mut World) {
    world.time += 1.0;
    let _ = world.game.create_entity();
}

fn main() {
    others(&mut Game::new());
    let mut game = Game::new();
    let _ = game.on_any_name_set(|_| ());
    let mut entity = game.create_entity();
    let _ = entity.on_outside_removed(|_| ());
    let _ = entity
        .add_name("x")
        .add_flag()
        .add_bag(vec![1])
        .add_outside(1);
    assert_eq!(entity.context_mut().events().deliver(), 1);
    assert_eq!(entity.name().text.len() + entity.bag().0.len(), 2);
    let mut world = World {
        game: Game::new(),
        time: 0.0,
    };
    Systems::new().add(pass).execute(&mut world);
    assert!(world.game.len() == 1 && world.time > 0.0);
    assert!(entity.outside().0 == 1 && !entity.is_old());
    let _ = entity.add_ticket(7, vec![1], Some(2)).add_outside_key(3);
    let others = Else {
        outside: Outside(1),
        flag: Flag,
    };
    assert!(game.create_with(others).is_flag());
    assert!(game.entity_with_ticket_number(&7).is_some());
    assert_eq!(game.entities_with_ticket_tags(&1).len(), 1);
    assert_eq!(game.entities_with_ticket_owner(&2).len(), 1);
    assert_eq!(game.entities_with_outside_key(&3).len(), 1);
}
