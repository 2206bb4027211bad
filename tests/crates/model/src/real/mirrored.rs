//! A feed, and contexts that follow it.

use ecs::prelude::*;
use ecs::{Delta, Feed, Mirror};

use crate::check::check_invariants;
use crate::game::{A, C, D, F, G, Game, GameEntity, H, I, Id, J, L, M, N, O, P, number_of};
use crate::op::Kind;

/// The components of the feed, without relations.
const NOTIFIED: [Kind; 10] = {
    use Kind::*;
    [A, C, D, F, G, L, M, N, O, P]
};

/// The relations of the feed.
const RELATIONS: [Kind; 3] = [Kind::H, Kind::I, Kind::J];

type Notified = (A, C, D, F, G, H, I, J, (L, M, N, O, P));

type Sees = fn(GameEntity<'_>) -> bool;

pub(super) struct Subscriber {
    feed: Feed<Game>,
    near: bool,
    sees: Sees,
    /// The first follows from the start, the second one joins late.
    copies: Vec<Copied>,
}

/// A context that follows the feed.
struct Copied {
    mirror: Mirror<Game>,
    other: Game,
    /// How many entities it had before, so that ids differ.
    own: usize,
}

fn is_near(entity: GameEntity<'_>) -> bool {
    entity.get::<A>().is_none_or(|a| a.0.get() < 5)
}

fn sent(entity: GameEntity<'_>) -> Vec<Option<u64>> {
    NOTIFIED.map(|kind| number_of(entity, kind)).to_vec()
}

fn is_notified(entity: GameEntity<'_>) -> bool {
    entity.has_any::<Notified>()
}

impl Subscriber {
    pub(super) fn new(game: &mut Game, near: bool) -> Self {
        let sees: Sees = if near { is_near } else { |_| true };
        Self {
            feed: Self::feed(game, near),
            near,
            sees,
            copies: vec![Copied::new(1)],
        }
    }

    /// A feed; that of what is near expects acknowledgements.
    fn feed(game: &mut Game, near: bool) -> Feed<Game> {
        let feed = game.feed::<Notified>().only(|_| true);
        if near {
            feed.acknowledge(game, 0);
        }
        feed
    }

    /// Acknowledges a third of the deltas, which arrive everywhere.
    fn acknowledge(&self, game: &mut Game) {
        let number = self.copies[0].mirror.applied();
        if self.near && number.is_multiple_of(3) {
            self.feed.acknowledge(game, number);
        }
    }

    /// Shows what is near, if it does not show all.
    fn look(&mut self, game: &Game) {
        if self.near {
            let near = game.entities().filter(|it| is_near(*it));
            let ids = near.map(GameEntity::id);
            self.feed.set_visible::<Notified>(ids);
        }
    }

    /// Takes a delta, and checks that all copies that it reaches have the same entities. For everything, another
    /// copy joins; if it is there already, it leaves after a delta is lost and everything is taken,
    /// and the other one goes on with another feed.
    pub(super) fn follow(&mut self, game: &mut Game, everything: bool) {
        self.look(game);
        let is_late_there = self.copies.len() > 1;
        let delta = match everything {
            true if !is_late_there => {
                let mut late = Copied::new(3);
                late.apply(&self.feed.everything(game)); // in the middle of changes
                return self.copies.push(late);
            }
            true => {
                drop(self.feed.take(game));
                self.feed.take_all(game)
            }
            false => self.feed.take(game),
        };
        let is_lost = self.near && !everything && delta.number() % 3 == 1;
        for copy in &mut self.copies {
            if is_lost && copy.own == 1 {
                continue;
            }
            copy.apply(&delta);
            copy.check_all(game, self.sees);
        }
        self.acknowledge(game);
        if everything {
            self.copies.truncate(1);
            self.feed = Self::feed(game, self.near);
            self.look(game);
            let (delta, copy) = (self.feed.take(game), &mut self.copies[0]);
            copy.rebase(&delta);
            copy.check_all(game, self.sees);
        }
    }
}

impl Copied {
    fn new(own: usize) -> Self {
        let (mut other, mirror) = (Game::new(), Mirror::new());
        (0..own).for_each(|_| _ = other.create_entity());
        Self { mirror, other, own }
    }

    /// Applies a delta: that itself in the copy that joins late, what its bytes say in the other.
    fn apply(&mut self, delta: &Delta<Game>) {
        let sent = (self.own == 1).then(|| self.over_the_wire(delta));
        let applied = self
            .mirror
            .apply(&mut self.other, sent.as_ref().unwrap_or(delta));
        applied.expect("nothing is lost");
        check_invariants(&self.other);
    }

    /// The delta as it is received, which is the same.
    fn over_the_wire(&self, delta: &Delta<Game>) -> Delta<Game> {
        let bytes = postcard::to_stdvec(delta).expect("it can be written");
        let received = postcard::from_bytes(&bytes).expect("it can be read");
        let read = self.mirror.read(&received).expect("it is the next one");
        // Its bytes may be others: those of the feed can refer to what the copy has.
        assert_eq!(format!("{read:?}"), format!("{delta:?}"));
        drop(read); // may panic; a result that was returned before would never be dropped
        received
    }

    /// Follows another feed of the same context: all entities keep their local ids.
    fn rebase(&mut self, delta: &Delta<Game>) {
        let origin = |it: GameEntity<'_>| Some((it.id(), self.mirror.origin(it.id())?));
        let before: Vec<_> = self.other.entities().filter_map(origin).collect();
        let rebased = self.mirror.rebase(&mut self.other, delta);
        rebased.expect("the entities are the same");
        check_invariants(&self.other);
        for (here, origin) in before {
            assert_eq!(self.mirror.local(origin), Some(here));
        }
    }

    /// Both sides have the same entities.
    fn check_all(&self, game: &Game, sees: Sees) {
        let sent = game.entities().filter(|it| is_notified(*it) && sees(*it));
        let mut known = Vec::new();
        for there in sent {
            self.check(game, there);
            known.push(self.local(there.id()));
        }
        game.entities()
            .for_each(|there| self.check_order(game, there, sees));
        known.sort_unstable();
        for here in self.other.entities().skip(self.own) {
            let is_known = known.binary_search(&here.id()).is_ok();
            assert!(is_known || is_only_target(here), "{here:?}");
        }
    }

    fn local(&self, there: Id) -> Id {
        self.mirror.local(there).expect("it was sent")
    }

    /// The sources of the ordered relation are those that were sent, in the order of the origin.
    fn check_order(&self, game: &Game, there: GameEntity<'_>, sees: Sees) {
        let sources = there.of_h().iter();
        let sources = sources.filter(|&&id| sees(game.entity(id)));
        let sources: Vec<_> = sources.map(|&id| self.local(id)).collect();
        let here = self.mirror.local(there.id());
        let here = here.map(|here| self.other.entity(here).of_h());
        assert_eq!(here.unwrap_or_default(), sources, "{there:?}");
    }

    fn check(&self, game: &Game, there: GameEntity<'_>) {
        let here = self.other.entity(self.local(there.id()));
        assert_eq!(sent(here), sent(there), "{there:?}");
        for kind in RELATIONS {
            let target = |it| number_of(it, kind).and_then(Id::from_bits);
            match (target(here), target(there)) {
                (Some(here), Some(there)) if game.contains(there) => {
                    assert_eq!(self.mirror.local(there), Some(here));
                }
                (Some(here), Some(there)) => {
                    assert!(self.mirror.origin(here).is_none_or(|it| it == there));
                }
                (here, there) => assert_eq!(here, there),
            }
        }
    }
}

fn is_only_target(entity: GameEntity<'_>) -> bool {
    let sources = entity.of_h().len() + entity.of_i().len() + entity.of_j().len();
    entity.is_empty() && sources > 0
}
