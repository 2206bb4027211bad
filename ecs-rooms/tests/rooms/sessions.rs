//! A session that was saved and loaded goes on as the one that was not.

#![allow(unreachable_pub, reason = "a context shows its components")]

use ecs::prelude::*;
use ecs_rooms::{Game, Opening, Room as _, Session};
use serde::{Deserialize, Serialize};

/// A context of its own: what a list does when it starts, and in each state, shows in its checksum.
#[ecs::context]
pub struct Match;

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Match, unique)]
pub struct Sum(pub u64);

#[derive(Component, Clone, Copy, PartialEq, Hash, Serialize, Deserialize)]
#[component(context = Match, unique, state)]
pub enum Phase {
    Lobby,
    Playing,
}

struct Starts;

impl System<Match> for Starts {
    fn initialize(&mut self, game: &mut Match) {
        game.update_sum(|sum| sum.0 += 1_000);
    }

    fn execute(&mut self, game: &mut Match) {
        game.update_sum(|sum| sum.0 += 1);
    }
}

impl Game for Match {
    type Input = ();
    type View = Sum;

    fn begin(&mut self, opening: &Opening) {
        self.set_sum(opening.seed);
        self.set_phase(Phase::Lobby);
    }

    fn systems(&mut self) -> Systems<Self> {
        let add = |number| move |game: &mut Match| game.update_sum(|sum| sum.0 += number);
        Systems::new()
            .add(Starts)
            .on_enter(Phase::Lobby, add(10_000))
            .on_enter(Phase::Playing, add(100_000))
    }

    fn input(&mut self, _: u64, (): ()) {
        self.set_phase(Phase::Playing);
    }
}

#[test]
fn a_session_that_was_loaded_goes_on_as_the_one_that_was_saved() {
    let inputs = |tick| if tick == 5 { vec![(0, ())] } else { Vec::new() };
    for saved in 0..9 {
        let (mut session, mut loaded) = (Session::<Match>::new(&7.into()), None);
        for tick in 0..9 {
            if tick == saved {
                loaded = Some(Session::<Match>::load(&session.save().unwrap()).unwrap());
            }
            session.tick(inputs(tick).into());
            if let Some(loaded) = &mut loaded {
                loaded.tick(inputs(tick).into());
                let sums = [session.game.sum().0, loaded.game.sum().0];
                assert_eq!(
                    sums[0], sums[1],
                    "saved before tick {saved}, after tick {tick}"
                );
                assert_eq!(session.checksum(), loaded.checksum());
            }
        }
        assert_eq!(session.game.sum().0, 7 + 1_000 + 9 + 10_000 + 100_000);
    }
}
