//! The systems of the game, in the order in which they run.

use ecs::prelude::*;

use super::World;
use super::clear_board::ClearBoard;
use super::fall::Fall;
use super::fill::Fill;
use super::game::Game;
use super::input::Input;
use super::lay_board::LayBoard;
use super::score::AddScore;
use super::select::Select;
use super::state::State;

/// Creates all systems. The player comes before the board, so that a selection refers to a board
/// that views have already shown; events come last, when everything has happened.
pub(super) fn all(world: &mut World) -> Systems<World> {
    Systems::with_name("MatchOne")
        .add(player(world))
        .add(board(world))
        .add(events())
        .add(cleanup(world))
}

/// Responds to the player's requests.
fn player(world: &mut World) -> Systems<World> {
    Systems::with_name("Player")
        .add_reactive(world, Select)
        .add_reactive(world, AddScore)
        .add_reactive(world, ClearBoard)
}

/// Responds to gaps on the board.
fn board(world: &mut World) -> Systems<World> {
    Systems::with_name("Board")
        .add_reactive(world, LayBoard)
        .add_reactive(world, Fall)
        .add_reactive(world, Fill)
}

/// Notifies the listeners of changes.
fn events() -> Systems<World> {
    Systems::with_name("Events")
        .add(EventSystems::<Game>::new())
        .add(EventSystems::<Input>::new())
        .add(EventSystems::<State>::new())
}

/// Destroys what lasts one frame.
fn cleanup(world: &mut World) -> Systems<World> {
    Systems::with_name("Cleanup")
        .add(CleanupSystems::new(&mut world.game))
        .add(CleanupSystems::new(&mut world.input))
}
