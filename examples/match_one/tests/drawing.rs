//! The drawing on a terminal, character by character.

use crossterm::style::{Color, force_color_output};

use super::game;
use crate::terminal::grid::{Grid, Ink, Spot};
use crate::terminal::layout::Size;
use crate::terminal::request::Request;
use crate::terminal::{Player, draw};

const SMALL: Size = Size::new(40, 18);

fn player() -> Player {
    Player::resume(game(&["abb", "#ed"]).world)
}

/// Column, row and content of each spot that is not empty.
fn spots(grid: &Grid) -> Vec<(u16, u16, Spot)> {
    grid.changes(&Grid::new(grid.size())).collect()
}

fn spot(grid: &Grid, x: u16, y: u16) -> Spot {
    let mut spots = spots(grid).into_iter();
    let found = spots.find(|&(column, row, _)| (column, row) == (x, y));
    found.unwrap().2
}

/// The letters, without empty space on the right and below.
fn text(grid: &Grid) -> String {
    let Size { width, height } = grid.size();
    let mut rows = vec![vec![' '; width.into()]; height.into()];
    for (x, y, spot) in spots(grid) {
        rows[usize::from(y)][usize::from(x)] = spot.letter;
    }
    let rows = rows.into_iter().map(String::from_iter);
    let rows: Vec<_> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

/// What is written to a terminal that shows the grid `before`.
fn written(grid: &Grid, before: &Grid) -> String {
    force_color_output(true);
    let mut out = Vec::new();
    grid.write_over(before, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_game_is_drawn_in_the_middle_of_the_screen() {
    let expected = "
 ╭ Match One ─╮  Score  0
 │ /\\ [oo] oo │
 │ \\/ [oo] oo │  Burst  off
 │ ##  ==  \\/ │
 │ ##  ==  /\\ │  arrows move
 ╰────────────╯  space  take (or click)
                 b      burst mode
                 r      new board
                 u      undo a turn
                 y      redo a turn
                 s      save
                 l      load
                 q      quit

                 loaded";
    assert_eq!(text(&draw::all(&player(), SMALL)), expected);
}

#[test]
fn what_a_selection_would_take_is_bright_and_the_cursor_is_over_it() {
    let grid = draw::all(&player(), SMALL);
    let (black, white) = (Ink::of(Color::Black), Ink::of(Color::White).bold());
    let tile = |letter, ink, ground| Spot {
        letter,
        ink,
        ground,
    };
    assert_eq!(spot(&grid, 3, 2), tile('/', black, Color::DarkRed));
    assert_eq!(spot(&grid, 6, 2), tile('[', white, Color::Green));
    assert_eq!(spot(&grid, 7, 2), tile('o', black, Color::Green));
    assert_eq!(spot(&grid, 10, 2), tile(' ', black, Color::Green));
    let grey = Ink::of(Color::Grey);
    assert_eq!(spot(&grid, 3, 4), tile('#', grey, Color::DarkGrey));
}

#[test]
fn what_stands_beside_the_board_has_its_colours() {
    let ink = |player: &Player, x, y| spot(&draw::all(player, SMALL), x, y).ink;
    let mut player = player();
    assert_eq!(ink(&player, 24, 1), Ink::PLAIN.bold());
    assert_eq!(ink(&player, 24, 3), Ink::PLAIN);
    assert_eq!(ink(&player, 17, 5), Ink::of(Color::DarkCyan));
    player.perform(Request::ToggleBurstMode);
    player.frame();
    assert_eq!(ink(&player, 24, 3), Ink::of(Color::Red).bold());
}

#[test]
fn a_screen_without_room_says_how_much_there_should_be() {
    let expected = "\
Match One needs 38 x 16
characters, and this
terminal has 23 x 7.
Enlarge it, or press q
and choose a smaller
--width and --height.";
    assert_eq!(text(&draw::all(&player(), Size::new(23, 7))), expected);
}

#[test]
fn every_screen_has_a_picture() {
    let player = player();
    for (width, height) in (0..45).flat_map(|width| (0..20).map(move |height| (width, height))) {
        let grid = draw::all(&player, Size::new(width, height));
        let has_room = width >= 38 && height >= 16;
        assert_eq!(text(&grid).contains('╭'), has_room, "{width} x {height}");
    }
}

#[test]
fn a_word_that_is_wider_than_the_screen_is_broken() {
    let narrow = text(&draw::all(&player(), Size::new(6, 5)));
    assert_eq!(narrow, "Match\nOne\nneeds\n38 x\n16");
    let narrower = text(&draw::all(&player(), Size::new(4, 5)));
    assert_eq!(narrower, "Matc\nh\nOne\nneed\ns 38");
}

#[test]
fn only_what_has_changed_is_written() {
    let size = Size::new(10, 3);
    let (mut before, mut grid) = (Grid::new(size), Grid::new(size));
    before.put(2, 1, "before", Ink::PLAIN);
    grid.put(2, 1, "beFore", Ink::PLAIN);
    assert_eq!(written(&grid, &before), "\x1b[2;5HF\x1b[0m");
    assert_eq!(written(&grid, &grid), "");
}

#[test]
fn colours_are_written_where_they_change() {
    let (blank, mut grid) = (Grid::new(Size::new(10, 3)), Grid::new(Size::new(10, 3)));
    grid.put(7, 0, "ab", Ink::of(Color::DarkRed).bold());
    grid.put(9, 0, "too long", Ink::of(Color::DarkRed));
    grid.put(0, 1, "c", Ink::PLAIN);
    let expected = "\x1b[1;8H\x1b[38;5;1;49m\x1b[1mab\x1b[22mt\x1b[2;1H\x1b[39;49mc\x1b[0m";
    assert_eq!(written(&grid, &blank), expected);
}

#[test]
fn a_step_of_the_cursor_writes_its_brackets_alone() {
    let mut player = player();
    let before = draw::all(&player, SMALL);
    assert!(written(&draw::all(&player, SMALL), &before).is_empty());
    player.perform(Request::Step(1, 0));
    let grid = draw::all(&player, SMALL);
    let places: Vec<_> = grid.changes(&before).map(|(x, y, _)| (x, y)).collect();
    let expected = [2, 3].map(|y| [6, 9, 10, 13].map(|x| (x, y)));
    assert_eq!(places, expected.concat());
}

#[test]
fn text_cannot_command_the_terminal() {
    let mut grid = Grid::new(Size::new(10, 1));
    grid.put(0, 0, "a\x1b[2J\nb\u{9b}c", Ink::PLAIN);
    assert_eq!(text(&grid), "a[2Jbc");
}
