//! Random programs followed by feeds: after every take the mirror equals the origin.

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed, Mirror};
use proptest::prelude::*;

use ::model::game::{A, C, D, Game, GameEntity};
use ::model::make;
use ::model::op::{Kind, Op};
use ::model::{Player, Real, programs};

type Seen = Vec<(u32, Option<u8>, Option<u8>, bool)>;

/// What a feed of `A`, `C` and `D` sends of an entity.
fn seen(entity: GameEntity<'_>) -> (Option<u8>, Option<u8>, bool) {
    let (a, c) = (entity.get::<A>(), entity.get::<C>());
    (
        a.map(|a| a.0.get()),
        c.map(|c| c.0.get()),
        entity.has::<D>(),
    )
}

/// A feed, and a context that follows it.
struct Subscriber {
    feed: Feed<Game>,
    sees: fn(GameEntity<'_>) -> bool,
    mirror: Mirror<Game>,
    other: Game,
    /// How many entities are not the mirror's.
    own: usize,
}

impl Subscriber {
    fn new(game: &mut Game, sees: fn(GameEntity<'_>) -> bool) -> Self {
        let mut other = Game::new();
        other.create_entity(); // so that ids differ
        Self {
            feed: game.feed::<(A, C, D)>().only(sees),
            sees,
            mirror: Mirror::new(),
            other,
            own: 1,
        }
    }

    fn take(&mut self, game: &mut Game) -> Delta<Game> {
        self.feed.take(game)
    }

    fn follow(&mut self, game: &mut Game) {
        let delta = self.take(game);
        self.mirror.apply(&mut self.other, &delta).unwrap();
        self.check(game);
    }

    /// Compares both sides, each entity under its id at the origin.
    fn check(&self, game: &Game) {
        let there = game
            .entities()
            .filter(|&entity| seen(entity) != (None, None, false) && (self.sees)(entity));
        let there: Seen = there.map(|entity| line(entity.id(), entity)).collect();
        let entities = || self.other.entities().filter(|it| !is_only_target(*it));
        let here =
            entities().filter_map(|entity| Some(line(self.mirror.origin(entity.id())?, entity)));
        let mut here: Seen = here.collect();
        here.sort_unstable();
        assert_eq!(here, there);
        assert_eq!(self.other.len(), self.mirror.len() + self.own);
        for entity in entities() {
            if let Some(origin) = self.mirror.origin(entity.id()) {
                assert!(game.contains(origin));
                assert_eq!(self.mirror.local(origin), Some(entity.id()));
            }
        }
    }
}

/// Whether relations of a loaded save keep the entity, which has no components any more.
fn is_only_target(entity: GameEntity<'_>) -> bool {
    let sources = [entity.of_h(), entity.of_i(), entity.of_j(), entity.of_k()];
    entity.is_empty() && sources.iter().any(|sources| !sources.is_empty())
}

fn line(origin: EntityId<Game>, entity: GameEntity<'_>) -> (u32, Option<u8>, Option<u8>, bool) {
    let (a, c, d) = seen(entity);
    (origin.index(), a, c, d)
}

/// Whether an operation is allowed while a feed exists.
fn is_followed(op: &Op) -> bool {
    !op.any(&Op::is_untracked)
}

fn followed(program: Vec<Op>) -> Vec<Op> {
    program.into_iter().filter(is_followed).collect()
}

proptest! {
    #![proptest_config(programs(5))]

    /// Feeds taken after every step, after some, and of some entities only.
    #[test]
    fn a_mirror_equals_the_origin_after_every_take(
        program in make::edited_program().prop_map(followed),
        every in 1usize..8,
    ) {
        let mut real = Real::default();
        let few: fn(GameEntity<'_>) -> bool = |entity| entity.get::<A>().is_some_and(|a| a.0.get() < 5);
        let mut always = Subscriber::new(&mut real.game, |_| true);
        let mut seldom = Subscriber::new(&mut real.game, |_| true);
        let mut some = Subscriber::new(&mut real.game, few);
        for (at, op) in program.iter().enumerate() {
            real.play(op);
            always.follow(&mut real.game);
            some.follow(&mut real.game);
            if at % every == 0 {
                seldom.follow(&mut real.game);
            }
        }
        seldom.follow(&mut real.game);
    }

    /// A lost or repeated delta is rejected with an error and without a change, and sending
    /// everything again repairs the mirror.
    #[test]
    fn lost_and_repeated_deltas_never_give_a_wrong_state(
        program in make::edited_program().prop_map(followed),
        fates in prop::collection::vec(0u8..6, 60),
    ) {
        let mut real = Real::default();
        let mut subscriber = Subscriber::new(&mut real.game, |_| true);
        let (mut last, mut lost) = (subscriber.take(&mut real.game), false);
        subscriber.mirror.apply(&mut subscriber.other, &last).unwrap();
        for (op, fate) in program.iter().zip(fates) {
            real.play(op);
            if !lost {
                let repeated = subscriber.mirror.apply(&mut subscriber.other, &last);
                prop_assert_eq!(repeated, Err(ApplyError::Repeated { number: last.number() }));
            }
            last = subscriber.take(&mut real.game);
            if fate == 0 {
                lost = true;
                continue;
            }
            let applied = subscriber.mirror.apply(&mut subscriber.other, &last);
            if lost && !last.is_everything() {
                let is_missing = matches!(applied, Err(ApplyError::Missing { .. }));
                prop_assert!(is_missing, "{:?}", applied);
                last = subscriber.feed.take_all(&mut real.game);
                subscriber.mirror.apply(&mut subscriber.other, &last).unwrap();
            } else {
                applied.unwrap();
            }
            lost = false;
            subscriber.check(&real.game);
        }
    }
}

proptest! {
    #![proptest_config(programs(2))]

    /// Relations refer to entities of the mirror's context, also if feeds send only some of them.
    #[test]
    fn relations_of_the_mirror_equal_those_of_the_origin(
        program in make::edited_program().prop_map(of_relations),
        every in 1usize..6,
    ) {
        let mut real = Real::default();
        for near in [false, true] {
            real.play(&Op::MakeFeed(near));
        }
        for (at, op) in program.iter().enumerate() {
            real.play(op);
            for feed in 0..2 {
                if at % every == 0 {
                    real.play(&Op::TakeFeed(feed, at % 16 == 15));
                }
            }
        }
    }
}

/// A context with the same entities, loaded from a save.
fn loaded(game: &Game) -> Game {
    let bytes = postcard::to_stdvec(&game.save()).expect("all can be saved");
    Game::load(&mut postcard::Deserializer::from_bytes(&bytes)).expect("all can be loaded")
}

proptest! {
    #![proptest_config(programs(5))]

    /// The origin moves: it is saved, and goes on in another process. A mirror that followed the
    /// origin before keeps its entities, and one that starts from the save has the same ids.
    #[test]
    fn mirrors_go_on_with_an_origin_that_has_moved(
        program in make::edited_program().prop_map(followed),
        cut in any::<prop::sample::Index>(),
        later in 0usize..4,
    ) {
        let mut real = Real::default();
        let (before, after) = program.split_at(cut.index(program.len() + 1));
        before.iter().for_each(|op| _ = real.play(op));
        let [mut origin, save] = [loaded(&real.game), loaded(&real.game)];
        let mut moved = Subscriber::new(&mut origin, |_| true);
        moved.follow(&mut origin);
        let mut started = Subscriber::new(&mut origin, |_| true);
        (started.mirror, started.other, started.own) = (Mirror::of(&save), save, 0);

        let (missed, after) = after.split_at(later.min(after.len()));
        missed.iter().for_each(|op| _ = real.play(op));
        let in_feed = |it: &GameEntity<'_>| seen(*it) != (None, None, false);
        let local = |id| (id, moved.mirror.local(id), started.mirror.local(id));
        let known: Vec<_> = real.game.entities().map(|it| local(it.id())).collect();
        for copy in [&mut moved, &mut started] {
            copy.feed = real.game.feed::<(A, C, D)>(); // observers may make changes
            let delta = copy.take(&mut real.game);
            copy.mirror.rebase(&mut copy.other, &delta).unwrap();
        }
        for copy in [&mut moved, &mut started] {
            copy.follow(&mut real.game);
        }
        for (id, before, same) in known.into_iter().filter(|(_, before, _)| before.is_some()) {
            if real.game.get_entity(id).is_some_and(|it| in_feed(&it)) {
                prop_assert_eq!(moved.mirror.local(id), before);
                prop_assert_eq!(started.mirror.local(id), same);
            }
        }
        for op in after {
            real.play(op);
            moved.follow(&mut real.game);
            started.follow(&mut real.game);
        }
    }
}

/// A program with more relations, and whose feeds stay.
fn of_relations(program: Vec<Op>) -> Vec<Op> {
    let other = |kind: Kind| match kind {
        Kind::B => Kind::H,
        Kind::C => Kind::I,
        Kind::L => Kind::J,
        kind => kind,
    };
    let stays = |op: &Op| !matches!(op, Op::MakeFeed(_) | Op::DropFeed(_));
    let program = followed(program).into_iter().filter(stays);
    program.map(|op| op.map_kinds(&other)).collect()
}
