//! The components of all systems, and our context. The traits of the peers are implemented where the
//! components are used.

use bytemuck::{Pod, Zeroable};

/// The context of our entities.
#[ecs::context]
pub struct Game;

macro_rules! components {
    ($($(#[$doc:meta])* $name:ident($value:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, ecs::Component, Pod, Zeroable)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[component(context = Game)]
        #[repr(transparent)]
        pub struct $name(pub $value);
    )*};
}

components! {
    /// A matrix, an unusually wide component.
    Transform([f32; 16]);
    /// The position.
    Position([f32; 3]);
    /// The rotation.
    Rotation([f32; 3]);
    /// The velocity.
    Velocity([f32; 3]);
    /// The component that entities of all kinds have.
    Data(f32);
    /// The component that every entity has.
    A(f32);
    /// The component that is added and removed.
    B(f32);
}

/// The mark that is added and removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, ecs::Component)]
#[component(context = Game)]
pub struct Flag;

/// The number of kinds of component in W3.
pub const KINDS: usize = 26;

/// Calls a macro with the names of the 26 kinds.
macro_rules! with_kinds {
    ($callback:ident) => {
        $callback! {
            Ka Kb Kc Kd Ke Kf Kg Kh Ki Kj Kk Kl Km Kn Ko Kp Kq Kr Ks Kt Ku Kv Kw Kx Ky Kz
        }
    };
}
pub(crate) use with_kinds;

/// Calls a macro with the kinds of the groups of W10 that name Flag and a kind. No entity has these
/// kinds, so the groups stay empty.
macro_rules! with_kinds_beside_flag {
    ($callback:ident) => {
        $callback! { Ka Kb Kc Kd Ke Kf Kg Kh Ki Kj Kk Kl Km Kn Ko }
    };
}
pub(crate) use with_kinds_beside_flag;

/// Calls a macro with the kinds of the groups of W10 that name Flag and exclude a kind, and so are
/// entered.
macro_rules! with_kinds_without {
    ($callback:ident) => {
        $callback! { Ka Kb Kc Kd }
    };
}
pub(crate) use with_kinds_without;

macro_rules! define_kinds {
    ($($kind:ident)*) => {$(
        /// One of the 26 kinds.
        #[derive(Clone, Copy, Debug, PartialEq, ecs::Component)]
        #[component(context = Game)]
        pub struct $kind(pub f32);
    )*};
}
with_kinds!(define_kinds);

/// The number of components in W17.
pub const PARTS: usize = 200;

/// A component of W17, identified by its two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<const HIGH: usize, const LOW: usize>(pub u16);

/// Calls a macro with the numbers of the components of W17, ten times with twenty of them.
macro_rules! with_parts {
    ($callback:ident) => {
        with_parts! { $callback: 0 1 2 3 4 5 6 7 8 9 }
    };
    ($callback:ident: $($high:literal)*) => {$(
        $callback! { $high: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 }
    )*};
}
pub(crate) use with_parts;

/// Returns the four components of entity `index` in W1i, W2 and W4w.
pub fn wide(index: usize) -> (Transform, Position, Rotation, Velocity) {
    let rotation = Rotation([0.75, 1.0, 1.25]);
    (Transform([1.0; 16]), position(index), rotation, velocity())
}

/// The four components of W1, one column each.
#[derive(Clone, Debug)]
pub struct Columns {
    /// A transform for each entity.
    pub transforms: Vec<Transform>,
    /// A position for each entity.
    pub positions: Vec<Position>,
    /// A rotation for each entity.
    pub rotations: Vec<Rotation>,
    /// A velocity for each entity.
    pub velocities: Vec<Velocity>,
}

impl Columns {
    /// Creates the components of [`wide`] for `entities` entities.
    pub fn new(entities: usize) -> Self {
        Self {
            transforms: (0..entities).map(|index| wide(index).0).collect(),
            positions: (0..entities).map(|index| wide(index).1).collect(),
            rotations: (0..entities).map(|index| wide(index).2).collect(),
            velocities: (0..entities).map(|index| wide(index).3).collect(),
        }
    }

    /// Returns the components of one entity after the other.
    #[inline]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (Transform, Position, Rotation, Velocity)> {
        let transforms = self.transforms.iter().zip(&self.positions);
        let rest = self.rotations.iter().zip(&self.velocities);
        let row = |((&transform, &position), (&rotation, &velocity))| {
            (transform, position, rotation, velocity)
        };
        transforms.zip(rest).map(row)
    }
}

/// The initial position of entity `index`. No field is zero, which unwritten memory is.
pub fn position(index: usize) -> Position {
    Position([index as f32, 0.25, 0.5])
}

/// The initial position of every entity in rows that replace it by [`position`]; every field differs.
pub fn stale(_index: usize) -> Position {
    Position([-1.0; 3])
}

/// The velocity of every entity.
pub fn velocity() -> Velocity {
    Velocity([1.0, 2.0, 3.0])
}

/// One step of W2.
#[inline]
pub fn advance(position: &mut Position, velocity: &Velocity) {
    for (coordinate, speed) in position.0.iter_mut().zip(velocity.0) {
        *coordinate += speed;
    }
}

/// One step of W2 over whole columns, as flat floats that the compiler vectorizes.
#[inline]
pub fn advance_all(positions: &mut [Position], velocities: &[Velocity]) {
    let coordinates = bytemuck::cast_slice_mut::<_, f32>(positions);
    let speeds = bytemuck::cast_slice::<_, f32>(velocities);
    for (coordinate, speed) in coordinates.iter_mut().zip(speeds) {
        *coordinate += speed;
    }
}

/// Returns the position of entity `index` after `steps` steps of W2.
pub fn advanced(index: usize, steps: u64) -> Position {
    let steps = steps as f32;
    let Position([x, y, z]) = position(index);
    Position([x + steps, y + 2.0 * steps, z + 3.0 * steps])
}

/// Returns the value 1 after it was doubled `times` times.
pub fn doubled(times: u64) -> f32 {
    2f32.powi(times.min(1_000) as i32)
}
