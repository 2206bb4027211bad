//! Hints to tools about the fields of a component.

/// How a tool shows a field of a component, as set by the attributes `hidden`, `range` and `color`.
/// Returned by [`ComponentInfo::hints`](crate::ComponentInfo::hints).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Hint;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Lamp {
///     #[component(range = 0..=100)]
///     power: u8,
///     #[component(color)]
///     light: [f32; 3],
///     #[component(hidden)]
///     handle: u64,
/// }
///
/// let game = Game::new();
/// let hints = game.components().find("Lamp").unwrap().hints();
/// assert_eq!((hints[0].path, hints[0].hint), ("/power", Hint::Range { from: 0.0, to: 100.0 }));
/// assert_eq!((hints[1].hint, hints[2].hint), (Hint::Color, Hint::Hidden));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldHint {
    /// The position of the field in a value, as a JSON pointer into what `serde` writes by default:
    /// `/x`, `/1` in a tuple struct, and empty for the only field of a tuple struct.
    pub path: &'static str,
    /// How the field is shown.
    pub hint: Hint,
}

/// How a tool shows a field.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Hint {
    /// The field is not shown.
    Hidden,
    /// A number in this range. The range is a hint only: any value can be written.
    Range {
        /// The minimum.
        from: f64,
        /// The maximum.
        to: f64,
    },
    /// A color: three or four numbers (all up to 1, or up to 255), one number `0xRRGGBB`, or a
    /// string `#rrggbb`.
    Color,
}
