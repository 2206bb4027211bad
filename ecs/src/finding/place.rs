//! Components that are places.

use super::grid::Grid;
use crate::reactions::entity_index::Index;

/// A component that is a place, for `#[component(index(grid = 16.0))]`.
///
/// The derive implements it for structs with the fields `x` and `y`, or `x`, `y` and `z`, of type `f32`, if they have
/// that attribute. Implement it for others.
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
/// use ecs::Place;
///
/// #[ecs::context]
/// pub struct Game;
///
/// #[derive(Component)]
/// #[component(context = Game, index(grid = 16.0))]
/// pub struct Square(u8, u8);
///
/// impl Place for Square {
///     type At = [f32; 2];
///
///     fn at(&self) -> [f32; 2] {
///         [self.0, self.1].map(f32::from)
///     }
/// }
///
/// let mut game = Game::new();
/// let id = game.create_with(Square(3, 4)).id();
/// assert_eq!(game.entities_by_square().within([0.0, 0.0], 5.0).next().unwrap().0, id);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a place",
    label = "this component cannot be in a grid",
    note = "give it fields `x` and `y`, or `x`, `y` and `z`, of type `f32`, or implement `ecs::Place`"
)]
pub trait Place {
    /// The coordinates: `[f32; 2]` or `[f32; 3]`.
    type At: Coordinates;

    /// Returns the place.
    fn at(&self) -> Self::At;
}

/// Arrays of `f32`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the coordinates of a place",
    note = "write `[f32; 2]` or `[f32; 3]`"
)]
pub trait Coordinates: Sized + 'static {
    /// The grid of such places.
    type Grid<C: 'static>: Index<C, Key = Self>;

    /// Returns a grid without entities.
    fn grid<C: 'static>(size: f32) -> Self::Grid<C>;
}

impl<const D: usize> Coordinates for [f32; D] {
    type Grid<C: 'static> = Grid<C, D>;

    fn grid<C: 'static>(size: f32) -> Grid<C, D> {
        Grid::new(size)
    }
}

/// The grid of a component.
#[doc(hidden)]
pub type GridOf<C, T> = <<T as Place>::At as Coordinates>::Grid<C>;
