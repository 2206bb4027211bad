//! Drawing the board and the text next to it, or a message that the screen is too small.

use crossterm::style::Color;

use super::super::picture::{Picture, Sprite};
use super::Player;
use super::grid::{Grid, Ink};
use super::layout::{Layout, Rect, Size};
use super::look::Look;

const TITLE: &str = " Match One ";
const KEYS: [(&str, &str); 9] = [
    ("arrows", "move"),
    ("space", "take (or click)"),
    ("b", "burst mode"),
    ("r", "new board"),
    ("u", "undo a turn"),
    ("y", "redo a turn"),
    ("s", "save"),
    ("l", "load"),
    ("q", "quit"),
];

/// The rows of the score, the mode, the keys and the message next to the board.
const SCORE: u16 = 0;
const BURST: u16 = 2;
const FIRST_KEY: u16 = 4;
const MESSAGE: u16 = 14;
/// The width of the first column of these rows.
const LABEL: u16 = 7;

/// Draws everything for a screen of this size.
pub(crate) fn all(player: &Player, screen: Size) -> Grid {
    let mut grid = Grid::new(screen);
    match Layout::of(screen, player.size) {
        Ok(layout) => {
            frame(layout, &mut grid);
            board(player, layout, &mut grid);
            side(player, layout.side, &mut grid);
        }
        Err(needed) => no_room(needed, &mut grid),
    }
    grid
}

/// Draws the frame of the board, with as much of the title as fits.
fn frame(layout: Layout, grid: &mut Grid) {
    let board = layout.board;
    let (top, bottom, right) = (board.y, board.bottom() - 1, board.right() - 1);
    let inside = layout.inside();
    let width = usize::from(inside.width);
    let mut put = |x, y, text: &str| grid.put(x, y, text, Ink::PLAIN);
    put(board.x, top, &format!("╭{TITLE:─<width$.width$}╮"));
    for y in inside.rows() {
        put(board.x, y, "│");
        put(right, y, "│");
    }
    put(board.x, bottom, &format!("╰{:─<width$}╯", ""));
}

fn board(player: &Player, layout: Layout, grid: &mut Grid) {
    let picture = &player.picture;
    // Destroyed pieces are drawn beneath the ones that fall into their cells.
    for (_, sprite) in picture.sprites().filter(|(_, sprite)| sprite.has_ended()) {
        tile(sprite, Look::ENDING, layout, grid);
    }
    let taken = player.game.reach(player.cursor);
    for (id, sprite) in picture.sprites().filter(|(_, sprite)| !sprite.has_ended()) {
        let look = Look::of(sprite.face, taken.contains(&id));
        tile(sprite, look, layout, grid);
    }
    cursor(player, layout, grid);
}

/// Fills a cell and draws the shape in the middle.
fn tile(sprite: &Sprite, look: Look, layout: Layout, grid: &mut Grid) {
    let Some(place) = layout.place(sprite.cell.x, sprite.height) else {
        return;
    };
    grid.fill(place, look.ground);
    for (y, shape) in place.rows().zip(look.shape) {
        grid.put(place.x, y, &format!(" {shape} "), Ink::of(look.ink));
    }
}

/// Puts brackets around the cell that the cursor is on.
fn cursor(player: &Player, layout: Layout, grid: &mut Grid) {
    let cell = player.cursor;
    let Some(place) = layout.place(cell.x, f32::from(cell.y)) else {
        return;
    };
    let ink = Ink::of(Color::White).bold();
    for y in place.rows() {
        grid.put(place.x, y, "[", ink);
        grid.put(place.right() - 1, y, "]", ink);
    }
}

fn side(player: &Player, side: Rect, grid: &mut Grid) {
    let Picture {
        score, burst_mode, ..
    } = player.picture;
    let plain = |text| (text, Ink::PLAIN);
    let score = score.to_string();
    let burst = match burst_mode {
        true => ("on", Ink::of(Color::Red).bold()),
        false => plain("off"),
    };
    let stand = [
        (SCORE, plain("Score"), (score.as_str(), Ink::PLAIN.bold())),
        (BURST, plain("Burst"), burst),
    ];
    let keys = (FIRST_KEY..).zip(KEYS);
    let keys = keys.map(|(row, (key, does))| (row, (key, Ink::of(Color::DarkCyan)), plain(does)));
    for (row, (label, label_ink), (text, ink)) in stand.into_iter().chain(keys) {
        grid.put(side.x, side.y + row, label, label_ink);
        grid.put(side.x + LABEL, side.y + row, text, ink);
    }
    grid.put_wrapped(side.below(MESSAGE), &player.message);
}

fn no_room(needed: Size, grid: &mut Grid) {
    let Size { width, height } = grid.size();
    let text = format!(
        "Match One needs {} x {} characters, and this terminal has {width} x {height}. \
         Enlarge it, or press q and choose a smaller --width and --height.",
        needed.width, needed.height
    );
    grid.put_wrapped(Rect::new(0, 0, width, height), &text);
}
