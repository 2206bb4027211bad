//! The context of all programs, with a component of every sort.

use std::time::Duration;

use ecs::prelude::*;
use ecs::{AsOf, Group, Place};
use serde::{Deserialize, Serialize};

use crate::are_numbers_late;
use crate::faults::Val;
use crate::op::Kind;

#[ecs::context]
pub struct Game;

pub type Id = EntityId<Game>;

/// A plain value; its *set* event is delivered after those of other components.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, event(any(set, priority = 1)))]
pub struct A(pub Val);

/// A value without `Clone`.
#[derive(Component, Serialize, Deserialize)]
#[component(context = Game)]
pub struct B(pub Val);

/// A pooled value.
#[derive(Component, Clone, Default, Serialize, Deserialize)]
#[component(context = Game, pooled)]
pub struct C(pub Val);

/// A flag; its *set* event is delivered first, and its *removed* event of one entity last.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(
    context = Game,
    event(any(set, priority = -1), self(removed, priority = 2))
)]
pub struct D;

/// A unique value, which is a state of the context, and requires another component.
#[derive(Component, Clone, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique, state, requires(L = L::new(6)))]
pub struct E(pub Val);

/// A key shared by entities, and a place.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, index(grid = 2.0))]
pub struct F(#[component(index)] pub Val);

impl Place for F {
    type At = [f32; 3];

    fn at(&self) -> [f32; 3] {
        let number = f32::from(self.0.get());
        [number, number % 5.0, -number]
    }
}

/// A primary key, also in order, that requires other components.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, requires(D, O = O::new(3)))]
pub struct G(#[component(primary_index(ordered))] pub Val);

/// An ordered relation that destroys its sources with the target.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub struct H(
    #[component(relation(reverse = of_h, on_target_destroyed = destroy, acyclic, ordered))] pub Id,
);

/// A relation that is removed with its target.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub struct I(#[component(relation(reverse = of_i))] pub Id);

/// A relation that outlives its target, and requires other components.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, requires(O = O::new(1), L = L::new(2)))]
pub struct J(#[component(relation(reverse = of_j, on_target_destroyed = keep))] pub Id);

/// A relation that rejects the destroy of its target.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub struct K(#[component(relation(reverse = of_k, on_target_destroyed = reject))] pub Id);

/// A value large enough for blocks to share memory, removed by cleanup.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, cleanup(remove))]
pub struct L(pub Val, pub [u64; 8]);

/// A pooled value with several keys, or none, in a cycle of required components.
#[derive(Component, Clone, Default, Serialize, Deserialize)]
#[component(context = Game, pooled, requires(O = O::new(2)))]
pub struct M {
    number: Val,
    #[component(index(each))]
    pub keys: Vec<Val>,
}

impl M {
    /// The keys for a number, one of them perhaps twice.
    pub fn keys_of(number: u8) -> impl Iterator<Item = u8> {
        (0..number % 4).map(move |nth| (number + nth * nth) % 3)
    }
}

/// A `Copy` value whose entities are destroyed by cleanup.
#[derive(Component, Clone, Copy, Serialize, Deserialize, PartialEq)]
#[component(context = Game, cleanup(destroy))]
pub struct N(pub u8);

/// A value that requires others and is required by others.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, requires(N = N(4), M = M::new(5)))]
pub struct O(pub Val);

/// A timer.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(context = Game)]
pub struct P(pub Timer);

/// The duration of timers.
pub const LASTS: u64 = 4;

/// A component as programs see it: a number, which is that of an entity for a relation.
pub trait Numbered: Component<Game> {
    fn new(number: u64) -> Self;
    fn number(&self) -> u64;
    fn set(&mut self, number: u64);
}

fn val(number: u64) -> Val {
    Val::new(u8::try_from(number).expect("small numbers"))
}

fn id(number: u64) -> Id {
    EntityId::from_bits(number).expect("the bits of an id")
}

macro_rules! numbered {
    ($make:ident, |$value:ident| $read:expr, $($name:ident)*) => { $(
        impl Numbered for $name {
            fn new(number: u64) -> Self {
                Self($make(number))
            }
            fn number(&self) -> u64 {
                let $value = &self.0;
                $read
            }
            fn set(&mut self, number: u64) {
                self.0 = $make(number);
            }
        }
    )* };
}

numbered!(val, |value| value.get().into(), A B C E F G O);
numbered!(id, |target| target.to_bits(), H I J K);

impl Numbered for D {
    fn new(_: u64) -> Self {
        Self
    }
    fn number(&self) -> u64 {
        0
    }
    fn set(&mut self, _: u64) {}
}

impl Numbered for L {
    fn new(number: u64) -> Self {
        Self(val(number), [number; 8])
    }
    fn number(&self) -> u64 {
        assert_eq!(self.1, [u64::from(self.0.get()); 8]);
        self.0.get().into()
    }
    fn set(&mut self, number: u64) {
        *self = Self::new(number);
    }
}

impl Numbered for M {
    fn new(number: u64) -> Self {
        let number = val(number);
        let keys = Self::keys_of(number.get()).map(Val::new).collect();
        Self { number, keys }
    }
    fn number(&self) -> u64 {
        let keys = self.keys.iter().map(Val::get);
        assert!(keys.eq(Self::keys_of(self.number.get())));
        self.number.get().into()
    }
    fn set(&mut self, number: u64) {
        *self = Self::new(number);
    }
}

impl Numbered for N {
    fn new(number: u64) -> Self {
        Self(u8::try_from(number).expect("small numbers"))
    }
    fn number(&self) -> u64 {
        self.0.into()
    }
    fn set(&mut self, number: u64) {
        *self = Self::new(number);
    }
}

/// The number of a timer has these digits: whether it repeats and is paused, what has elapsed, how
/// often it has finished in its last tick.
impl Numbered for P {
    fn new(number: u64) -> Self {
        let (flags, elapsed) = (number % 4, number / 4 % (LASTS + 1));
        let times = number / 4 / (LASTS + 1);
        let mut timer = match flags & 1 {
            0 => Timer::once(Duration::from_millis(LASTS)),
            _ => Timer::repeating(Duration::from_millis(LASTS)),
        };
        timer.tick(Duration::from_millis(elapsed + times * LASTS * (flags & 1)));
        if times == 0 {
            timer.tick(Duration::ZERO);
        }
        if flags & 2 != 0 {
            timer.pause();
        }
        Self(timer)
    }
    fn number(&self) -> u64 {
        let Self(timer) = self;
        let elapsed = u64::try_from(timer.elapsed().as_millis()).expect("it is short");
        assert_eq!(timer.elapsed() + timer.remaining(), timer.duration());
        assert_eq!(timer.just_finished(), timer.times_finished_this_tick() > 0);
        assert_eq!(
            timer.is_finished(),
            timer.just_finished() || elapsed == LASTS
        );
        let flags = u64::from(timer.is_repeating()) + 2 * u64::from(timer.is_paused());
        flags + 4 * (elapsed + (LASTS + 1) * timer.times_finished_this_tick())
    }
    fn set(&mut self, number: u64) {
        *self = Self::new(number);
    }
}

/// Evaluates an expression with `T` standing for the type of a component.
macro_rules! with_type {
    ($kind:expr, $T:ident => $body:expr) => {
        with_type!(@ $kind, $T, $body, A B C D E F G H I J K L M N O P)
    };
    // Only for the named components.
    ($kind:expr, $T:ident in $($name:ident)* => $body:expr, else $other:expr) => {
        match $kind {
            $($crate::op::Kind::$name => {
                type $T = $crate::game::$name;
                $body
            })*
            _ => $other,
        }
    };
    (@ $kind:expr, $T:ident, $body:expr, $($name:ident)*) => {
        match $kind {
            $($crate::op::Kind::$name => {
                type $T = $crate::game::$name;
                $body
            })*
        }
    };
}

pub(crate) use with_type;

/// The number in a component of an entity.
#[must_use]
pub fn number_of(entity: GameEntity<'_>, kind: Kind) -> Option<u64> {
    if are_numbers_late() && !has(entity, kind) {
        return None;
    }
    with_type!(kind, T => entity.get::<T>().map(T::number))
}

/// The number that a component of an entity had in the past.
#[must_use]
pub fn number_as_of(past: &AsOf<'_, Game>, id: Id, kind: Kind) -> Option<u64> {
    with_type!(kind, T => past.get::<T>(id).map(T::number))
}

fn has(entity: GameEntity<'_>, kind: Kind) -> bool {
    let mut indices = entity.component_indices().into_iter();
    indices.any(|index| index.get() == kind as usize)
}

/// Whether a read may name the type of a component: if naming a type numbers it, only types that
/// have a number already.
#[must_use]
pub fn may_name(game: &Game, kind: Kind) -> bool {
    !are_numbers_late() || game.entities().any(|entity| has(entity, kind))
}

/// The groups of a program: without those of [`watch_terms`].
#[must_use]
pub fn groups(game: &Game) -> Vec<Group<Game>> {
    let is_own = |group: &Group<Game>| group.matcher(game).any().len() < 2;
    Group::all(game).into_iter().filter(is_own).collect()
}

/// Makes groups with terms over all relations, one inside another: invariants check who is in them. Each
/// matcher, unlike those of programs, has two any-of sets.
pub fn watch_terms(game: &mut Game) {
    let fit = || Game::any_of::<(A, D)>().any_of::<(A, D, L)>();
    game.group(fit().related::<H>(fit()));
    game.group(fit().without_related::<I>(fit().with_disabled()));
    game.group(fit().with_referrers::<J>(fit().related::<K>(fit())));
    game.group(fit().without_referrers::<H>(fit().with_referrers::<I>(fit())));
}
