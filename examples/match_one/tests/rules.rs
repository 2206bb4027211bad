//! Selecting, falling, filling, scoring; and invariants of every board.

use ecs::prelude::*;

use super::{cell, game, rows, score};
use crate::logic::{BoardSize, MatchOne, Settings};

#[test]
fn a_selection_takes_what_matches_and_touches() {
    let mut game = game(&["abcd", "baac", "daba", "aacd"]);
    game.select(cell(1, 1));
    game.frame();
    assert_eq!(rows(&game), ["abcd", "b..c", "d.ba", "..cd"]);
    assert_eq!(score(&game), 5);
}

#[test]
fn a_piece_that_matches_no_neighbour_is_taken_alone() {
    let mut game = game(&["ab", "ba"]);
    game.select(cell(0, 0));
    game.frame();
    assert_eq!(rows(&game), ["ab", ".a"]);
    assert_eq!(score(&game), 1);
}

#[test]
fn a_blocker_and_what_is_not_on_the_board_cannot_be_taken() {
    let mut game = game(&["ab", "#a"]);
    for cell in [cell(0, 0), cell(2, 0), cell(0, 2), cell(9, 9)] {
        game.select(cell);
        game.settle();
    }
    assert_eq!(rows(&game), ["ab", "#a"]);
    assert_eq!(score(&game), 0);
}

#[test]
fn selections_of_one_frame_count_each_piece_once() {
    let mut game = game(&["aab", "bcc"]);
    game.select(cell(0, 1));
    game.select(cell(1, 1));
    game.select(cell(1, 0));
    game.frame();
    assert_eq!(rows(&game), ["..b", "b.."]);
    assert_eq!(score(&game), 4);
}

#[test]
fn what_is_above_falls_and_keeps_its_order() {
    let mut game = game(&["cd", "dc", "aa", "bc"]);
    game.select(cell(0, 1));
    game.settle();
    let rows = rows(&game);
    assert_eq!(rows[1..], ["cd", "dc", "bc"]);
    assert!(!rows[0].contains('.'));
}

#[test]
fn an_entity_falls_as_the_entity_that_it_is() {
    let mut game = game(&["c", "b", "a"]);
    let falling = game
        .world
        .game
        .entity_with_position(&cell(0, 2))
        .unwrap()
        .id();
    game.select(cell(0, 0));
    game.settle();
    let fallen = game.world.game.entity_with_position(&cell(0, 1)).unwrap();
    assert_eq!((fallen.id(), fallen.position().0), (falling, cell(0, 1)));
}

#[test]
fn blockers_do_not_move_and_what_they_shelter_stays_empty() {
    let mut game = game(&["ab", "#c", "bb", "bd"]);
    game.select(cell(0, 0));
    game.settle();
    let rows = rows(&game);
    assert_eq!((&rows[0][..1], &rows[1][..1]), ("a", "#"));
    assert_eq!(rows[2..], [".c", ".d"]);
}

#[test]
fn pieces_fall_within_a_shelter_too() {
    let mut game = game(&["#", "a", "b", "c"]);
    game.select(cell(0, 0));
    game.settle();
    assert_eq!(rows(&game), ["#", ".", "a", "b"]);
}

#[test]
fn in_burst_mode_a_selection_takes_all_pieces_around_it() {
    let mut game = game(&["abcda", "bc#ab", "cdabc", "dabcd"]);
    game.toggle_burst_mode();
    game.select(cell(2, 1));
    game.frame();
    assert_eq!(rows(&game), ["abcda", "b.#.b", "c...c", "d...d"]);
    assert_eq!(score(&game), 8);
}

#[test]
fn burst_mode_can_be_switched_off_again() {
    let mut game = game(&["ab", "ba"]);
    game.toggle_burst_mode();
    game.toggle_burst_mode();
    game.select(cell(0, 0));
    game.frame();
    assert_eq!(score(&game), 1);
}

#[test]
fn at_the_edge_burst_mode_takes_what_there_is() {
    let mut game = game(&["abc", "bca", "cab"]);
    game.toggle_burst_mode();
    game.select(cell(0, 0));
    game.frame();
    assert_eq!(rows(&game), ["abc", "..a", "..b"]);
}

#[test]
fn requests_last_one_frame_and_burst_mode_stays() {
    let mut game = game(&["ab", "ba"]);
    game.toggle_burst_mode();
    game.select(cell(0, 0));
    game.new_board();
    assert_eq!(game.world.input.len(), 3);
    game.frame();
    assert_eq!(game.world.input.len(), 1);
    assert!(game.world.input.is_burst_mode());
}

#[test]
fn a_new_board_ends_everything_and_the_score() {
    let mut game = start(3);
    let old: Vec<_> = game
        .world
        .game
        .entities()
        .map(|entity| entity.id())
        .collect();
    game.select(cell(2, 2));
    game.settle();
    assert!(score(&game) > 0);
    let before = rows(&game);
    game.select(cell(1, 1));
    game.new_board();
    game.frame();
    assert!(game.world.game.is_empty());
    game.frame();
    assert_eq!(score(&game), 0);
    assert!(old.iter().all(|&id| !game.world.game.contains(id)));
    assert_ne!(rows(&game), before);
    check(&game);
    assert_eq!(game.world.game.len(), 42);
}

#[test]
fn new_boards_may_be_asked_for_in_every_frame() {
    let mut game = start(3);
    for _ in 0..5 {
        game.new_board();
        game.new_board();
        game.frame();
    }
    game.settle();
    check(&game);
    assert_eq!(game.world.game.len(), 42);
}

#[test]
fn a_board_of_blockers_alone_stands_still() {
    let mut game = MatchOne::new(Settings {
        blocker_percent: 100,
        ..Settings::default()
    });
    game.start();
    let before = rows(&game);
    assert!(before.iter().all(|row| row == "########"));
    game.select(cell(3, 3));
    game.settle();
    assert_eq!(rows(&game), before);
}

#[test]
fn the_same_seed_gives_the_same_board_and_another_one_another() {
    assert_eq!(rows(&start(1)), rows(&start(1)));
    assert_ne!(rows(&start(1)), rows(&start(2)));
}

#[test]
fn whatever_is_selected_the_index_is_right_and_nothing_hangs_in_the_air() {
    for seed in 0..20 {
        let mut game = start(seed);
        check(&game);
        for turn in 0..60 {
            if turn % 7 == 6 {
                game.toggle_burst_mode();
            }
            let blockers = blockers(&game);
            let taken = turn * 31 + seed;
            game.select(cell((taken % 7) as u16, (taken / 7 % 6) as u16));
            game.settle();
            check(&game);
            assert_eq!(self::blockers(&game), blockers);
        }
    }
}

/// A game on a board of seven by six.
fn start(seed: u64) -> MatchOne {
    let size = BoardSize {
        width: 7,
        height: 6,
    };
    let mut game = MatchOne::new(Settings {
        size,
        seed,
        ..Settings::default()
    });
    game.start();
    game
}

fn blockers(game: &MatchOne) -> Vec<(usize, usize)> {
    let rows = rows(game);
    let at = |(y, row): (usize, &String)| {
        let found: Vec<_> = row.match_indices('#').map(|(x, _)| (x, y)).collect();
        found
    };
    rows.iter().enumerate().flat_map(at).collect()
}

/// Checks the invariants of a board at rest.
#[track_caller]
fn check(game: &MatchOne) {
    let board = &game.world.game;
    let size = *game.world.config.board_size();
    for entity in board.entities() {
        let place = entity.position().0;
        assert!(size.contains(place) && !entity.has_destroyed());
        assert_eq!(
            board.entity_with_position(&place).unwrap().id(),
            entity.id()
        );
        let below = place.offset(0, -1);
        let hangs = below.is_some_and(|below| board.entity_with_position(&below).is_none());
        assert!(!(entity.has_movable() && hangs), "{entity:?}");
    }
    let found = size
        .cells()
        .filter(|cell| board.entity_with_position(cell).is_some());
    assert_eq!(found.count(), board.len());
    let open = size.columns().map(|x| size.entrance(x));
    assert!(
        open.into_iter()
            .all(|cell| board.entity_with_position(&cell).is_some())
    );
}
