//! Undo in Match One: turns that are undone and redone, and games that go back at any time and then
//! continue as if nothing had happened.

use ecs::prelude::*;

use super::{cell, face, game, rows, score};
use crate::headless::Player;
use crate::logic::{MatchOne, Settings, present};
use crate::picture::Picture;
use crate::turns::{Histories, Turns};

/// Pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A player's request in a turn.
#[derive(Clone, Copy)]
enum Asked {
    Select(u16, u16),
    NewBoard,
    ToggleBurstMode,
}

impl Asked {
    fn any(numbers: &mut Numbers) -> Self {
        match numbers.below(12) {
            0 => Self::NewBoard,
            1 => Self::ToggleBurstMode,
            _ => Self::Select(numbers.below(8) as u16, numbers.below(9) as u16),
        }
    }

    fn of(self, game: &mut MatchOne) {
        match self {
            Self::Select(x, y) => game.select(cell(x, y)),
            Self::NewBoard => game.new_board(),
            Self::ToggleBurstMode => game.toggle_burst_mode(),
        }
    }
}

/// Makes some changes to a game, and undoes them.
fn detour(game: &mut MatchOne, histories: &Histories, numbers: &mut Numbers) {
    let before = histories.mark(&mut game.world);
    for _ in 0..numbers.below(5) {
        match numbers.below(8) {
            0 => game.world.game.destroy_all(),
            _ => Asked::any(numbers).of(game),
        }
        (0..numbers.below(3)).for_each(|_| game.frame());
    }
    histories.rewind(&mut game.world, before);
}

/// Everything that can be seen of a game.
fn state(game: &MatchOne) -> Vec<String> {
    let world = &game.world;
    let game = world.game.entities().map(|entity| format!("{entity:?}"));
    let input = world.input.entities().map(|entity| format!("{entity:?}"));
    let state = world.state.entities().map(|entity| format!("{entity:?}"));
    game.chain(input).chain(state).collect()
}

fn start() -> MatchOne {
    let mut game = MatchOne::new(Settings::default());
    game.start();
    game
}

#[test]
fn a_game_that_goes_back_at_any_checkpoint_goes_on_as_if_nothing_had_been() {
    let (mut plain, mut rewound) = (start(), start());
    let histories = Histories::record(&mut rewound.world);
    let mut numbers = Numbers(7);
    for turn in 0..200 {
        detour(&mut rewound, &histories, &mut numbers);
        let asked = Asked::any(&mut numbers);
        asked.of(&mut plain);
        asked.of(&mut rewound);
        for _ in 0..2 {
            detour(&mut rewound, &histories, &mut numbers);
            plain.frame();
            rewound.frame();
            assert_eq!(state(&rewound), state(&plain), "in turn {turn}");
        }
    }
    assert!(score(&plain) > 0);
}

#[test]
fn a_run_that_goes_back_before_each_turn_writes_what_is_recorded() {
    let mut player = Player::new(Settings::default());
    let histories = Histories::record(&mut player.game.world);
    let mut numbers = Numbers(3);
    let mut out = Vec::new();
    let detour = |player: &mut Player| {
        detour(&mut player.game, &histories, &mut numbers);
        player.picture.restart(present(&player.game.world));
    };
    player.play(200, &mut out, detour).unwrap();
    let recorded = include_str!("../headless.out");
    assert_eq!(String::from_utf8(out).unwrap(), recorded);
}

#[test]
fn turns_are_taken_back_and_done_again_one_by_one() {
    let mut game = start();
    let mut turns = Turns::record(&mut game.world);
    let mut numbers = Numbers(5);
    let mut states = vec![state(&game)];
    for _ in 0..20 {
        turns.begin(&mut game);
        Asked::any(&mut numbers).of(&mut game);
        game.settle();
        states.push(state(&game));
    }
    for expected in states.iter().rev().skip(1) {
        assert!(turns.undo(&mut game));
        game.frame();
        assert_eq!(&state(&game), expected);
    }
    assert!(!turns.undo(&mut game));
    for expected in &states[1..] {
        assert!(turns.redo(&mut game));
        game.frame();
        assert_eq!(&state(&game), expected);
    }
    assert!(!turns.redo(&mut game));
}

#[test]
fn another_turn_takes_the_place_of_those_taken_back() {
    let mut game = game(&["ab", "ba"]);
    let mut turns = Turns::record(&mut game.world);
    turns.begin(&mut game);
    game.select(cell(0, 0));
    assert!(turns.undo(&mut game));
    assert_eq!(
        (rows(&game), score(&game)),
        (vec!["ab".into(), "ba".into()], 0)
    );
    turns.begin(&mut game);
    game.select(cell(1, 1));
    game.frame();
    assert_eq!(
        (rows(&game), score(&game)),
        (vec!["a.".into(), "ba".into()], 1)
    );
    assert!(!turns.redo(&mut game));
}

#[test]
fn a_picture_shows_what_has_been_taken_back_and_what_comes_then() {
    let mut game = start();
    let mut picture = Picture::new(&mut game.world, 9);
    picture.restart(present(&game.world));
    let mut turns = Turns::record(&mut game.world);
    for turn in 0..30 {
        turns.begin(&mut game);
        game.select(cell(turn % 8, turn % 9));
        game.frame();
        if turn % 3 > 0 {
            turns.undo(&mut game);
            picture.restart(present(&game.world));
        }
        game.settle();
        picture.follow();
        for cell in game.world.config.board_size().cells() {
            assert_eq!(picture.face(cell), face(&game, cell), "in turn {turn}");
        }
        assert_eq!(picture.score, score(&game));
    }
}
