//! What a component must offer to be shown between two values.

/// A value that can be shown between two others, such as a position.
///
/// The values that are shown are for rendering only; the context keeps the exact ones.
///
/// # Examples
///
/// ```
/// use ecs_prediction::Interpolate;
///
/// #[derive(Clone, Debug, PartialEq)]
/// struct Position { x: f32, y: f32 }
///
/// impl Interpolate for Position {
///     fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
///         Self {
///             x: self.x.shifted(&from.x, &to.x, fraction),
///             y: self.y.shifted(&from.y, &to.y, fraction),
///         }
///     }
///     fn distance(&self, other: &Self) -> f32 {
///         (self.x - other.x).hypot(self.y - other.y)
///     }
/// }
///
/// let (a, b) = (Position { x: 0.0, y: 2.0 }, Position { x: 4.0, y: 2.0 });
/// assert_eq!(a.interpolate(&b, 0.25), Position { x: 1.0, y: 2.0 });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown between two values",
    note = "implement `ecs_prediction::Interpolate` for it: `shifted` and `distance`"
)]
pub trait Interpolate: Clone + ecs::ThreadSafe {
    /// Returns this value, moved by a fraction of the way from one value to another:
    /// `self + (to - from) * fraction`. Fields that cannot be moved stay as they are.
    ///
    /// The fraction is between 0 and 1, or greater where a bound on
    /// [extrapolation](crate::Interpolated::extrapolate) allows it.
    #[must_use]
    fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self;

    /// Returns how far two values are apart, in the unit of your thresholds; 0 if a player cannot see
    /// the difference.
    #[must_use]
    fn distance(&self, other: &Self) -> f32;

    /// Returns the value at a fraction of the way to another one.
    #[must_use]
    fn interpolate(&self, to: &Self, fraction: f32) -> Self {
        self.shifted(self, to, fraction)
    }
}

impl Interpolate for f32 {
    fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
        self + (to - from) * fraction
    }

    fn distance(&self, other: &Self) -> f32 {
        (self - other).abs()
    }
}

impl Interpolate for f64 {
    fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
        self + (to - from) * Self::from(fraction)
    }

    fn distance(&self, other: &Self) -> f32 {
        (self - other).abs() as f32
    }
}
