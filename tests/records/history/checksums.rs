//! Checksums: what they depend on, and that they are correct at each point of a history.

use std::collections::{BTreeMap, VecDeque};

use ecs::prelude::*;
use ecs::{Checksum, ChecksumHasher, History};
use support::attempt;

use super::{Game, GameEntity, GameEntityMut, Health, Team, Touchy};

/// The checksum, which must equal the sum over all entities, however much of it was cached.
#[track_caller]
fn checked(game: &mut Game, history: &History<Game>) -> u64 {
    let whole = history.checksum(game);
    assert_eq!(game.checksum(), whole);
    let parts = game.entities().map(|entity| game.checksum_of(entity.id()));
    assert_eq!(whole, parts.fold(0, u64::wrapping_add));
    whole
}

#[test]
fn a_checksum_depends_on_every_value_and_its_entity() {
    let sum = |values: [u32; 2], frozen: usize, second: bool| {
        let mut game = Game::new();
        let history = game.record();
        let ids = game.create_many(values.map(Health));
        game.entity_mut(ids[frozen]).add_frozen();
        if second {
            game.create_entity();
        }
        checked(&mut game, &history)
    };
    let one = sum([1, 2], 0, false);
    assert_eq!(one, sum([1, 2], 0, false));
    let others = [
        sum([2, 1], 0, false),
        sum([1, 3], 0, false),
        sum([1, 2], 1, false),
        sum([1, 2], 0, true),
    ];
    assert!(others.iter().all(|&other| other != one), "{one} {others:?}");
}

#[test]
fn a_checksum_depends_on_living_entities_and_on_components() {
    let of_the_first = |fill: fn(&mut GameEntityMut<'_>)| {
        let mut game = Game::new();
        let history = game.record();
        fill(&mut game.create_entity());
        history.checksum(&mut game)
    };
    let health = of_the_first(|entity| _ = entity.add_health(1));
    let mood = of_the_first(|entity| _ = entity.add_mood(1));
    assert_ne!(health, mood, "the component");
    let of_the_rest = |ended: &[usize]| {
        let mut game = Game::new();
        let history = game.record();
        let ids = [(); 2].map(|()| game.create_entity().id());
        ended.iter().for_each(|&nth| game.destroy(ids[nth]));
        history.checksum(&mut game)
    };
    assert_ne!(of_the_rest(&[0]), of_the_rest(&[1]), "the index");
    let of_a_life = |lives: u32| {
        let mut game = Game::new();
        let history = game.record();
        for _ in 1..lives {
            let id = game.create_with(Health(1)).id();
            game.destroy(id);
        }
        game.create_with(Health(1));
        history.checksum(&mut game)
    };
    assert_ne!(of_a_life(1), of_a_life(2), "the generation");
}

#[test]
fn a_checksum_ignores_excluded_components() {
    let mut game = Game::new();
    let first = game.create_with((Health(1), Team("red"))).id();
    let second = game.create_with(Health(1)).id();
    let history = History::builder().without::<Team>().record(&mut game);
    let before = checked(&mut game, &history);
    game.entity_mut(first).replace_team("blue");
    game.entity_mut(second).add_team("red");
    assert_eq!(checked(&mut game, &history), before);
    game.entity_mut(first).replace_health(2).remove_team();
    assert_ne!(checked(&mut game, &history), before);
    game.entity_mut(first).replace_health(1);
    assert_eq!(checked(&mut game, &history), before);
    game.destroy(second);
    checked(&mut game, &history);
}

#[test]
fn a_checksum_is_correct_after_forget_undo_and_cut_off() {
    let mut game = Game::new();
    let ids = game.create_many((0..4).map(Health));
    let history = game.record();
    let health = |game: &mut Game, nth: usize, value| {
        game.entity_mut(ids[nth]).replace_health(value);
    };
    let first = checked(&mut game, &history);
    let start = history.mark(&mut game);
    health(&mut game, 0, 10);
    health(&mut game, 1, 11);
    let middle = history.mark(&mut game);
    let second = checked(&mut game, &history);
    health(&mut game, 2, 12);
    history.rewind(&mut game, start);
    assert_eq!(checked(&mut game, &history), first);
    history.forward(&mut game, middle);
    assert_eq!(checked(&mut game, &history), second);
    health(&mut game, 3, 13);
    let third = checked(&mut game, &history);
    history.forget_before(&mut game, middle);
    game.storage().check_invariants();
    assert_eq!(checked(&mut game, &history), third);
    health(&mut game, 0, 20);
    checked(&mut game, &history);
    history.rewind(&mut game, middle);
    assert_eq!(checked(&mut game, &history), second);
    game.reset();
    game.create_with(Health(1));
    checked(&mut game, &history);
}

#[test]
fn a_checksum_of_cut_off_changes_is_not_reused() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let history = game.record();
    let start = history.mark(&mut game);
    let both = |game: &mut Game, value| {
        ids.iter()
            .for_each(|&id| _ = game.entity_mut(id).replace_health(value));
        checked(game, &history)
    };
    let first = both(&mut game, 10);
    history.rewind(&mut game, start);
    assert_ne!(both(&mut game, 20), first);
}

#[test]
fn a_checksum_is_right_after_a_change_that_could_not_be_recorded() {
    let mut game = Game::new();
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_left(&mut game, |_, _| {}); // so that the value is cloned for the history
    game.create_with(Health(1));
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    let before = checked(&mut game, &history);
    assert!(attempt(|| game.destroy(id)).is_some());
    assert_ne!(checked(&mut game, &history), before);
}

#[test]
fn a_checksum_is_right_after_a_value_that_could_not_be_recorded() {
    let mut game = Game::new();
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_updated(&mut game, |_, _| {}); // so that the value is cloned for the history
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    let before = checked(&mut game, &history);
    assert!(attempt(|| _ = game.entity_mut(id).replace_touchy(false)).is_some());
    assert_ne!(checked(&mut game, &history), before);
}

/// An uninhabited component type.
#[ecs::context]
struct Blank;

#[test]
fn a_context_without_components_has_a_checksum_of_its_entities() {
    let mut blank = Blank::new();
    let history = blank.record();
    let none = history.checksum(&mut blank);
    let id = blank.create_entity().id();
    let one = history.checksum(&mut blank);
    assert_ne!(one, none);
    blank.destroy(id);
    assert_eq!(history.checksum(&mut blank), none);
}

/// Has a `Hash` that covers the memory of its lists, which differs between machines.
#[derive(Component, Clone, Hash)]
#[component(context = Game, extension)]
struct Slots {
    sizes: Vec<usize>,
    offsets: [isize; 2],
}

/// Has a hash and no checksum.
#[derive(Clone, Hash)]
enum Kind {
    Plain,
    Numbered(isize),
}

#[derive(Component, Clone, Hash)]
#[component(context = Game, extension)]
struct Kinds(Kind, Vec<u16>);

#[derive(Component, Clone, Hash)]
#[component(context = Game, extension, by_value)]
struct Whole {
    offsets: Vec<isize>,
}

/// An enum that cannot be hashed.
#[derive(Component, Clone)]
#[component(context = Game, extension)]
enum Form {
    Dot,
    Circle(f32),
    Outline { corners: Vec<(f32, f64)> },
}

/// Has a negative discriminant; its derived hash would depend on the machine.
#[derive(Component, Clone, Hash)]
#[component(context = Game, extension)]
enum Signed {
    Below = -1,
    At = 0,
}

#[derive(Component, Clone)]
#[component(context = Game, extension)]
struct Ordered {
    by_name: BTreeMap<String, Vec<usize>>,
    queue: VecDeque<EntityId<Game>>,
}

#[derive(Component, Clone)]
#[component(context = Game, extension, instances(Listed<u8> as bytes, Listed<usize> as sizes))]
enum Listed<T> {
    Nothing,
    Items(Vec<T>),
}

/// Its fields cannot be borrowed, so it is hashed as a whole.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash)]
#[component(context = Game, extension, by_value)]
#[repr(C, packed(2))]
struct Packed(u8, u64);

/// The cached field does not count.
#[derive(Component, Clone, Hash)]
#[component(context = Game, extension)]
struct Cached {
    value: u32,
    square: u64,
}

impl Checksum for Cached {
    fn feed(&self, hasher: &mut ChecksumHasher) {
        self.value.feed(hasher);
    }
}

/// The checksum of an entity with a component.
fn sum_of(component: impl Bundle<Game>) -> u64 {
    let mut game = Game::new();
    let id = game.create_with(component).id();
    game.checksum_of(id)
}

/// F26.
#[test]
fn components_have_the_same_checksums_on_every_machine() {
    let (sizes, offsets) = (vec![1, 2], [-1, 2]);
    let id = EntityId::from_bits(1 << 32).unwrap();
    let sums = [
        sum_of(Slots { sizes, offsets }),
        sum_of(Kinds(Kind::Plain, vec![1, 2])),
        sum_of(Kinds(Kind::Numbered(-1), vec![])),
        sum_of(Whole { offsets: vec![-1] }),
        sum_of(Form::Dot),
        sum_of(Form::Circle(f32::NAN)),
        sum_of(Form::Outline {
            corners: vec![(1.5, -2.5)],
        }),
        sum_of(Signed::Below),
        sum_of(Signed::At),
        sum_of(Ordered {
            by_name: [("a".to_owned(), vec![1])].into(),
            queue: [id].into(),
        }),
        sum_of(Listed::Items(vec![1_u8])),
        sum_of(Listed::Items(vec![1_usize])),
        sum_of(Listed::<usize>::Nothing),
        sum_of(Packed(1, 2)),
    ];
    let expected = [
        0x8ed7_e487_659b_3f48,
        0x875c_1198_499a_8d0d,
        0xa0ce_892f_862c_65fe,
        0x9dc3_43cc_0376_79a6,
        0x34c7_b673_e51b_a2e3,
        0xc682_fd89_d7ac_d161,
        0xe14b_fe9c_f691_df20,
        0x0e68_b8d4_54c1_3f2b,
        0x7e7e_af1c_24b4_5c5b,
        0xde7b_447a_5635_d556,
        0xab64_2fbf_8260_6a27,
        0x2eaa_ee29_9515_7a49,
        0xb1f6_56f3_9d8f_bf7a,
        0x3a80_0f38_02a9_5e1e,
    ];
    assert_eq!(sums, expected);
}

#[test]
fn an_enum_counts_with_its_variant_and_all_fields_of_it() {
    let sums = [
        sum_of(Form::Dot),
        sum_of(Form::Circle(0.0)),
        sum_of(Form::Circle(1.0)),
        sum_of(Form::Outline { corners: vec![] }),
        sum_of(Form::Outline {
            corners: vec![(0.0, 0.0)],
        }),
    ];
    let different: std::collections::HashSet<_> = sums.into_iter().collect();
    assert_eq!(different.len(), sums.len(), "{sums:?}");
}

#[test]
fn a_checksum_of_the_type_comes_before_those_of_its_fields() {
    let sum = |value, square| sum_of(Cached { value, square });
    assert_eq!(sum(2, 4), sum(2, 0));
    assert_ne!(sum(2, 4), sum(3, 4));
}
