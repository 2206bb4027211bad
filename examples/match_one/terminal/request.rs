//! The requests behind keys and mouse events.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::super::logic::Cell;
use super::layout::Layout;

/// A request of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Leave,
    NewBoard,
    ToggleBurstMode,
    /// Undoes the last turn.
    Undo,
    /// Redoes it.
    Redo,
    Save,
    Load,
    /// Moves the cursor by columns and rows.
    Step(i16, i16),
    /// Moves the cursor to a cell.
    Point(Cell),
    /// Takes the piece under the cursor.
    Select,
    /// Takes a piece.
    Click(Cell),
}

impl Request {
    /// Returns the request of an event. Mouse events need a layout.
    pub(super) fn of(event: &Event, layout: Option<Layout>) -> Option<Self> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => Self::of_key(*key),
            Event::Mouse(mouse) => Self::of_mouse(*mouse, layout?),
            _ => None,
        }
    }

    fn of_key(key: KeyEvent) -> Option<Self> {
        match key.code {
            // In raw mode this is a key like any other, not a signal.
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                Some(Self::Leave)
            }
            KeyCode::Char('q') => Some(Self::Leave),
            KeyCode::Char('r') => Some(Self::NewBoard),
            KeyCode::Char('b') => Some(Self::ToggleBurstMode),
            KeyCode::Char('u') => Some(Self::Undo),
            KeyCode::Char('s') => Some(Self::Save),
            KeyCode::Char('l') => Some(Self::Load),
            KeyCode::Char('y') => Some(Self::Redo),
            KeyCode::Char(' ') => Some(Self::Select),
            KeyCode::Left => Some(Self::Step(-1, 0)),
            KeyCode::Right => Some(Self::Step(1, 0)),
            KeyCode::Up => Some(Self::Step(0, 1)),
            KeyCode::Down => Some(Self::Step(0, -1)),
            _ => None,
        }
    }

    fn of_mouse(mouse: MouseEvent, layout: Layout) -> Option<Self> {
        let cell = layout.cell_at(mouse.column, mouse.row)?;
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Self::Click(cell)),
            MouseEventKind::Moved => Some(Self::Point(cell)),
            _ => None,
        }
    }
}
