//! Generic components: each named instance is a separate component.

use std::collections::HashMap;
use std::marker::PhantomData;

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, instances(Stat<Health> as health_stat, Stat<Mana> as mana_stat))]
struct Stat<T> {
    base: u32,
    of: PhantomData<T>,
}

impl<T> Stat<T> {
    fn new(base: u32) -> Self {
        let of = PhantomData;
        Self { base, of }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Health;
#[derive(Debug, Clone, PartialEq)]
struct Mana;

trait Kind: Send + Sync + 'static {
    type Unit: Send + Sync + Clone + PartialEq + std::fmt::Debug + 'static;
}

impl Kind for Health {
    type Unit = u8;
}

impl Kind for Vec<Mana> {
    type Unit = String;
}

/// Every kind of parameter in a field.
#[derive(Component)]
#[component(context = Game, instances(
    Amount<'static, Health, 2> as health_amount,
    Amount<'static, Vec<Mana>, 3> as r#yield,
))]
struct Amount<'a, T: Kind, const N: usize> {
    units: [<T as Kind>::Unit; N],
    #[component(into)]
    name: &'a str,
    all: HashMap<u8, <T as Kind>::Unit>,
    next: Option<Box<Self>>,
    make: fn(&T) -> <T as Kind>::Unit,
}

#[derive(Component)]
#[component(context = Game, instances(Slot<1> as first_slot, Slot<2> as second_slot))]
struct Slot<const N: u8>;

#[derive(Component, Clone)]
#[component(context = Game, instances(Key<u32> as number_key, Key<String> as text_key))]
struct Key<K>(#[component(primary_index)] K);

#[derive(Component)]
#[component(context = Game, instances(Tags<u8> as tags))]
struct Tags<K>(#[component(index(each))] Vec<K>);

#[derive(Component, Debug, PartialEq)]
#[component(context(Game, Input), unique, state, instances(Turn<u8> as turn))]
enum Turn<P> {
    Of(P),
    Open,
}

#[derive(Component)]
#[component(context = Game, pooled, event(any, set), cleanup(remove), instances(
    Damage<Health> as damage,
    Damage<Mana> as drain,
))]
struct Damage<T>(u32, PhantomData<T>);

impl<T> Default for Damage<T> {
    fn default() -> Self {
        Self(0, PhantomData)
    }
}

#[derive(Component)]
#[component(context = Game, requires(Stat<T> = Stat::new(5)), instances(
    Regenerates<Health> as heals,
    Regenerates<Mana> as charges,
))]
struct Regenerates<T>(PhantomData<T>);

mod elsewhere {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut};

    #[derive(Component)]
    #[component(context = Game, extension, unique, instances(
        Limit<u8> as small_limit,
        Limit<u64> as large_limit,
    ))]
    pub(crate) struct Limit<T>(pub(crate) T);
}

#[test]
fn each_instance_is_a_component_of_its_own() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_health_stat(3, PhantomData);
    assert!(!entity.has_mana_stat() && entity.has::<Stat<Health>>());
    entity
        .add(Stat::<Mana>::new(4))
        .update_mana_stat(|stat| stat.base += 1);
    assert_eq!((entity.health_stat().base, entity.mana_stat().base), (3, 5));
    assert_eq!(entity.take_mana_stat(), Some(Stat::new(5)));
    let id = entity.id();

    let healthy = game.group(Game::all_of::<Stat<Health>>().none_of::<Stat<Mana>>());
    assert_eq!(healthy.ids(&game), [id]);
    let other = game
        .create_with((Stat::<Health>::new(1), Stat::<Mana>::new(2)))
        .id();
    assert_eq!(healthy.len(&game), 1);
    game.query_mut::<(&mut Stat<Health>, &Stat<Mana>)>()
        .for_each(|(health, mana)| health.base += mana.base);
    assert_eq!(game.entity(other).health_stat().base, 3);
}

#[test]
fn generic_code_works_with_every_instance() {
    fn raise<T>(game: &mut Game, id: EntityId<Game>)
    where
        Stat<T>: Component<Game>,
    {
        game.entity_mut(id)
            .update::<Stat<T>, _>(|stat| stat.base *= 2);
    }
    let mut game = Game::new();
    let id = game
        .create_with((Stat::<Health>::new(1), Stat::<Mana>::new(2)))
        .id();
    raise::<Health>(&mut game, id);
    raise::<Mana>(&mut game, id);
    let entity = game.entity(id);
    assert_eq!((entity.health_stat().base, entity.mana_stat().base), (2, 4));
}

#[test]
fn messages_name_the_instance() {
    let mut game = Game::new();
    let mut entity = game.create_with(Stat::<Health>::new(1));
    let error = entity
        .try_add_health_stat(2, PhantomData)
        .map(drop)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot add component `Stat<Health>` to entity 0v1 of context `Game`: it already has one; \
         check `has_health_stat` first or use `replace_health_stat`"
    );
    let names: Vec<_> = game.components().iter().map(|info| info.name()).collect();
    assert!(names.contains(&"Stat<Health>") && names.contains(&"Stat<Mana>"));
    assert!(game.components().find("Stat<Mana>").is_some());
}

#[test]
fn fields_have_the_types_of_the_instance() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity.add_health_amount([1, 2], "health", HashMap::new(), None, |_| 3);
    let all = HashMap::from([(1, "b".to_owned())]);
    let units = ["x", "y", "z"].map(str::to_owned);
    entity.add_yield(units, "mana", all, None, |list| list.len().to_string());
    let (health, mana) = (entity.health_amount(), entity.r#yield());
    assert_eq!(((health.make)(&Health), health.units), (3, [1, 2]));
    assert_eq!(
        ((mana.make)(&vec![Mana]), mana.units.len()),
        ("1".to_owned(), 3)
    );
    assert_eq!((health.name, mana.all[&1].as_str()), ("health", "b"));
    assert!(health.next.is_none() && health.all.is_empty() && mana.next.is_none());
}

#[test]
fn flags_are_distinguished_by_their_values() {
    let mut game = Game::new();
    let mut entity = game.create_entity();
    entity
        .add_first_slot()
        .set_second_slot(true)
        .set_first_slot(false);
    assert!(!entity.is_first_slot() && entity.is_second_slot());
    let id = entity.id();
    assert!(game.clone_entity(id).is_second_slot());
}

#[test]
fn each_instance_has_its_own_index() {
    let mut game = Game::new();
    let number = game.create_entity().add_number_key(7).id();
    let text = game.create_entity().add_text_key("seven".into()).id();
    assert_eq!(game.entity_with_number_key(&7).unwrap().id(), number);
    assert_eq!(game.entity_with_text_key("seven").unwrap().id(), text);
    assert!(game.entity_mut(text).try_add_number_key(7).is_err());
    let tagged = game.create_entity().add_tags(vec![1, 2]).id();
    assert_eq!(game.entities_with_tags(&2).ids(), [tagged]);
}

#[test]
fn unique_instances_are_states_and_services_of_each_context() {
    let (mut game, mut input) = (Game::new(), Input::new());
    game.set_turn(Turn::Of(3));
    input.set_turn(Turn::Open);
    assert_eq!((game.turn(), input.turn()), (&Turn::Of(3), &Turn::Open));
    let mut systems = Systems::new().while_in(Turn::Of(3), |game: &mut Game| {
        game.set_turn(Turn::Open);
    });
    systems.execute(&mut game);
    assert_eq!(game.turn(), &Turn::Open);
}

#[test]
fn events_and_cleanup_are_of_the_instance() {
    let mut game = Game::new();
    let inbox = game.inbox::<u32>();
    game.on_any_damage_set(|mut entity| {
        let amount = entity.damage().0;
        entity.context_mut().send(amount);
    });
    let id = game
        .create_entity()
        .add_damage_with(|it| it.0 += 3)
        .add_drain(9, PhantomData)
        .id();
    game.events().deliver();
    assert!(inbox.drain(&mut game).iter().eq(&[3]));
    CleanupSystems::new(&mut game).run(&mut game);
    assert!(game.entity(id).is_empty());
    assert_eq!(game.storage().pooled::<Damage<Mana>>(), 1);
}

#[test]
fn an_instance_requires_the_arguments_of_its_parameters() {
    let mut game = Game::new();
    let entity = game.create_with(Regenerates::<Mana>(PhantomData));
    assert_eq!(entity.mana_stat().base, 5);
    assert!(entity.has_charges() && !entity.has_health_stat());
    assert!(
        game.create_entity()
            .add_heals(PhantomData)
            .has_health_stat()
    );
}

#[test]
fn an_extension_has_traits_named_after_the_instance() {
    use elsewhere::{LargeLimitContextExt as _, LargeLimitExt as _, SmallLimitMutExt as _};

    let mut game = Game::new();
    let id = game.set_large_limit(1 << 40).id();
    game.entity_mut(id).add_small_limit(3);
    let entity = game.entity(id);
    assert_eq!(entity.large_limit().0, 1 << 40);
    assert_eq!(entity.get::<elsewhere::Limit<u8>>().unwrap().0, 3);
}
