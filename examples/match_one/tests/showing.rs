//! The updates that views receive, and the output without a terminal.

use ecs::prelude::*;
use ecs_inspector::Inspector;

use super::{cell, face, game, score};
use crate::headless;
use crate::logic::{Face, MatchOne, Settings, Update, subscribe};
use crate::picture::Picture;

/// The output of a run without a terminal.
fn written(seed: u64, turns: u32) -> String {
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let mut out = Vec::new();
    headless::run(settings, turns, Inspector::off(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_run_without_a_terminal_writes_what_is_recorded() {
    let recorded = include_str!("../headless.out");
    assert_eq!(written(7, 200), recorded);
}

#[test]
fn the_seed_alone_decides_what_a_run_writes() {
    assert_eq!(written(8, 60), written(8, 60));
    assert_ne!(written(8, 60), written(9, 60));
}

#[test]
fn a_picture_made_of_the_updates_shows_the_board_as_it_is() {
    let mut game = MatchOne::new(Settings::default());
    let mut picture = Picture::new(&mut game.world, 0);
    game.start();
    for turn in 0..40 {
        match turn {
            13 => game.new_board(),
            20 => game.toggle_burst_mode(),
            _ => game.select(cell(turn % 8, turn % 9)),
        }
        game.settle();
        picture.follow();
        for cell in game.world.config.board_size().cells() {
            assert_eq!(picture.face(cell), face(&game, cell));
        }
        assert_eq!(picture.score, score(&game));
        assert_eq!(picture.burst_mode, game.world.input.is_burst_mode());
    }
    assert!(picture.burst_mode && picture.score > 0);
}

#[test]
fn a_piece_that_is_selected_as_soon_as_it_is_there_is_seen_to_end() {
    let mut game = MatchOne::new(Settings::default());
    let mut picture = Picture::new(&mut game.world, 0);
    game.start();
    for turn in 0..30 {
        game.select(cell(turn % 8, 8));
        game.frame();
    }
    game.settle();
    picture.follow();
    (0..20).for_each(|_| picture.step());
    assert_eq!(picture.sprites().count(), game.world.game.len());
}

#[test]
fn what_has_ended_is_seen_a_little_longer_and_no_more() {
    let mut game = MatchOne::new(Settings::default());
    let mut picture = Picture::new(&mut game.world, 9);
    game.start();
    game.settle();
    picture.follow();
    let all = picture.sprites().count();
    game.new_board();
    game.settle();
    picture.follow();
    assert_eq!(picture.sprites().count(), 2 * all);
    (0..20).for_each(|_| picture.step());
    assert_eq!(picture.sprites().count(), all);
    assert!(
        picture
            .sprites()
            .all(|(_, sprite)| sprite.height == f32::from(sprite.cell.y))
    );
}

#[test]
fn updates_come_once_and_only_of_changes() {
    let mut game = game(&["b", "a"]);
    let updates = subscribe(&mut game.world);
    let id = |game: &MatchOne, y| {
        let board = &game.world.game;
        board.entity_with_position(&cell(0, y)).unwrap().id()
    };
    let (lower, upper) = (id(&game, 0), id(&game, 1));
    let notified = |game: &mut MatchOne| {
        game.frame();
        updates.try_iter().collect::<Vec<Update>>()
    };
    game.select(cell(0, 0));
    assert_eq!(
        notified(&mut game),
        [Update::Destroyed(lower), Update::Score(1)]
    );
    let next = notified(&mut game);
    assert_eq!(next.len(), 2, "{next:?}");
    assert_eq!(next[0], Update::Placed(upper, Face::Piece(1), cell(0, 0)));
    let Update::Placed(new, _, place) = next[1] else {
        panic!("{next:?}");
    };
    assert!(game.world.game.contains(new) && place == cell(0, 1));
    assert_eq!(notified(&mut game), []);
    game.toggle_burst_mode();
    assert_eq!(notified(&mut game), [Update::BurstMode(true)]);
    game.toggle_burst_mode();
    assert_eq!(notified(&mut game), [Update::BurstMode(false)]);
}
