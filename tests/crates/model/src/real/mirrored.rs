//! A feed, and a context that is kept in step by it.

use ecs::prelude::*;
use ecs::{Feed, Mirror};

use crate::game::{A, C, D, F, G, Game, GameEntity, I, Id, L, number_of};
use crate::op::Kind;

/// What it tells, but for the relation.
const TOLD: [Kind; 6] = [Kind::A, Kind::C, Kind::D, Kind::F, Kind::G, Kind::L];

pub(super) struct Follower {
    feed: Feed<Game>,
    mirror: Mirror<Game>,
    other: Game,
}

fn told(entity: GameEntity<'_>) -> Vec<Option<u64>> {
    TOLD.map(|kind| number_of(entity, kind)).to_vec()
}

fn is_told(entity: GameEntity<'_>) -> bool {
    entity.has_any::<(A, C, D, F, G, I, L)>()
}

impl Follower {
    pub(super) fn new(game: &mut Game) -> Self {
        let mut other = Game::new();
        other.create_entity(); // so that ids differ
        Self {
            feed: game.feed::<(A, C, D, F, G, I, L)>(),
            mirror: Mirror::new(),
            other,
        }
    }

    /// Takes what has changed; then both sides have the same entities.
    pub(super) fn follow(&mut self, game: &mut Game) {
        let delta = self.feed.take(game);
        let applied = self.mirror.apply(&mut self.other, &delta);
        applied.expect("nothing is lost");
        let told: Vec<_> = game.entities().filter(|it| is_told(*it)).collect();
        for &there in &told {
            self.check(game, there);
        }
        let mut known: Vec<Id> = told.iter().map(|it| self.local(it.id())).collect();
        known.sort_unstable();
        for here in self.other.entities().skip(1) {
            let only_led_to = here.is_empty() && !here.of_i().is_empty();
            assert!(
                known.binary_search(&here.id()).is_ok() || only_led_to,
                "{here:?}"
            );
        }
    }

    fn local(&self, there: Id) -> Id {
        self.mirror.local(there).expect("it has been told")
    }

    fn check(&self, game: &Game, there: GameEntity<'_>) {
        let here = self.other.entity(self.local(there.id()));
        assert_eq!(told(here), told(there), "{there:?}");
        assert_eq!(here.has_i(), there.has_i());
        if let (Some(here), Some(there)) = (here.get_i(), there.get_i()) {
            assert!(game.contains(there.0));
            assert_eq!(self.mirror.local(there.0), Some(here.0));
        }
    }
}
