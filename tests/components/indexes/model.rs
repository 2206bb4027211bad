//! Random programs: after every step, and inside every observer, each lookup gives what a
//! look at every entity gives; and the same program gives the same order twice.

use std::sync::Arc;

use ecs::prelude::*;
use proptest::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Tag(#[component(index)] u8);

#[derive(Component, Default)]
#[component(context = Game, pooled)]
struct Marks(#[component(index(each))] Vec<u8>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u8);

#[derive(Component)]
#[component(context = Game)]
struct Hidden;

/// One operation, on the `n`-th of all entities there have been.
#[derive(Clone, Debug)]
enum Op {
    Create(u8, Vec<u8>, u8),
    Tag(usize, u8),
    UpdateTag(usize, u8),
    Marks(usize, Vec<u8>),
    UpdateMarks(usize, u8),
    Seat(usize, u8),
    UpdateSeat(usize, u8),
    Hide(usize, bool),
    RemoveTag(usize),
    TakeMarks(usize),
    TakeSeat(usize),
    RemoveAll(usize),
    Destroy(usize),
    SwapTags(usize, usize),
    SwapSeats(usize, usize),
    TagMany(u8),
    UntagMany(usize),
    SeatMany(u8),
    Activate(bool),
    Defragment,
    Reset,
}

const KEYS: u8 = 6;

fn op() -> impl Strategy<Value = Op> {
    let (n, key) = (0..12_usize, 0..KEYS);
    let keys = || proptest::collection::vec(0..KEYS, 0..4);
    prop_oneof![
        4 => (key.clone(), keys(), key.clone()).prop_map(|(t, m, s)| Op::Create(t, m, s)),
        3 => (n.clone(), key.clone()).prop_map(|(n, k)| Op::Tag(n, k)),
        2 => (n.clone(), key.clone()).prop_map(|(n, k)| Op::UpdateTag(n, k)),
        3 => (n.clone(), keys()).prop_map(|(n, k)| Op::Marks(n, k)),
        2 => (n.clone(), key.clone()).prop_map(|(n, k)| Op::UpdateMarks(n, k)),
        3 => (n.clone(), key.clone()).prop_map(|(n, k)| Op::Seat(n, k)),
        2 => (n.clone(), key.clone()).prop_map(|(n, k)| Op::UpdateSeat(n, k)),
        2 => (n.clone(), any::<bool>()).prop_map(|(n, on)| Op::Hide(n, on)),
        1 => n.clone().prop_map(Op::RemoveTag),
        1 => n.clone().prop_map(Op::TakeMarks),
        1 => n.clone().prop_map(Op::TakeSeat),
        1 => n.clone().prop_map(Op::RemoveAll),
        2 => n.clone().prop_map(Op::Destroy),
        1 => (n.clone(), n.clone()).prop_map(|(a, b)| Op::SwapTags(a, b)),
        1 => (n.clone(), n.clone()).prop_map(|(a, b)| Op::SwapSeats(a, b)),
        1 => key.clone().prop_map(Op::TagMany),
        1 => n.prop_map(Op::UntagMany),
        1 => key.prop_map(Op::SeatMany),
        1 => any::<bool>().prop_map(Op::Activate),
        1 => Just(Op::Defragment),
        1 => Just(Op::Reset),
    ]
}

/// The indexes that have key functions.
struct Indexes {
    shown: EntityIndex<Game, (u8, Option<u8>)>,
    /// Now and then deactivated.
    marked: EntityIndex<Game, u8>,
}

impl Indexes {
    fn new(game: &mut Game) -> Self {
        let shown = Game::all_of::<(Tag, Seat)>().none_of::<Hidden>();
        let shown = game.entity_index(shown, |e| (e.tag().0, e.get_seat().map(|seat| seat.0)));
        let marked = EntityIndex::with_keys(game, Game::any_of::<Marks>(), |e| e.marks().0.clone());
        Self { shown, marked }
    }

    /// Every answer of every index, checked against a look at every entity.
    fn answers(&self, game: &Game) -> Vec<Vec<EntityId<Game>>> {
        let mut answers = Vec::new();
        let mut check = |found: Vec<EntityId<Game>>, has: &dyn Fn(GameEntity<'_>) -> bool| {
            let expected = game.entities().filter(|e| has(*e)).map(|e| e.id());
            let mut sorted = found.clone();
            sorted.sort();
            assert!(sorted.iter().copied().eq(expected), "{found:?}");
            answers.push(found);
        };
        for key in 0..KEYS {
            let tag = |e: GameEntity<'_>| e.get_tag().map(|tag| tag.0);
            let seat = |e: GameEntity<'_>| e.get_seat().map(|seat| seat.0);
            let marked = |e: GameEntity<'_>| e.get_marks().is_some_and(|m| m.0.contains(&key));
            check(game.entities_with_tag(&key).ids(), &|e| tag(e) == Some(key));
            check(game.entities_with_marks(&key).ids(), &marked);
            let owner = game.entity_with_seat(&key).map(|e| e.id());
            check(owner.into_iter().collect(), &|e| seat(e) == Some(key));
            let active = self.marked.is_active(game);
            check(self.marked.get(game, &key).ids(), &|e| active && marked(e));
            for other in 0..KEYS {
                let found = self.shown.get(game, &(key, Some(other)));
                check(found.ids(), &|e| {
                    !e.has_hidden() && tag(e) == Some(key) && seat(e) == Some(other)
                });
            }
        }
        answers
    }
}

struct World {
    game: Game,
    ids: Vec<EntityId<Game>>,
    indexes: Arc<Indexes>,
}

impl World {
    fn new() -> Self {
        let mut game = Game::new();
        let indexes = Arc::new(Indexes::new(&mut game));
        let (entered, updated) = (indexes.clone(), indexes.clone());
        let (left, destroyed) = (indexes.clone(), indexes.clone());
        let tagged = game.group(Game::all_of::<Tag>());
        // Observers that react, each in a way that comes to an end.
        tagged.on_entered(
            &mut game,
            move |game: &mut Game, change: &Change<'_, Game>| {
                entered.answers(game);
                let id = change.entity();
                match game.get_entity(id).and_then(|e| Some(e.get_tag()?.0)) {
                    Some(0) => drop(game.entity_mut(id).replace_tag(1)),
                    Some(5) => game.entity_mut(id).destroy(),
                    _ => {}
                }
            },
        );
        tagged.on_updated(
            &mut game,
            move |game: &mut Game, change: &Change<'_, Game>| {
                updated.answers(game);
                if let Some(mut entity) = game.get_entity_mut(change.entity())
                    && entity.get_tag().is_some_and(|tag| tag.0 == 4)
                {
                    entity.remove_tag();
                }
            },
        );
        let seated = game.group(Game::all_of::<Seat>());
        seated.on_left(
            &mut game,
            move |game: &mut Game, change: &Change<'_, Game>| {
                left.answers(game);
                if change.previous::<Seat>().is_some_and(|seat| seat.0 == 2)
                    && let Some(id) = game.entities_with_tag(&2).ids().first()
                    && game.entity_with_seat(&2).is_none()
                {
                    game.entity_mut(*id).replace_seat(2);
                }
            },
        );
        game.observers()
            .on_destroyed(move |game, _| drop(destroyed.answers(game)));
        let ids = Vec::new();
        Self { game, ids, indexes }
    }

    fn with(&mut self, n: usize, change: impl FnOnce(GameEntityMut<'_>)) {
        if let Some(&id) = self.ids.get(n)
            && let Some(entity) = self.game.get_entity_mut(id)
        {
            change(entity);
        }
    }

    /// Those of the living that are as wanted.
    fn living(&self, wanted: impl Fn(GameEntity<'_>) -> bool) -> Vec<EntityId<Game>> {
        let living = self.ids.iter().filter_map(|id| self.game.get_entity(*id));
        living.filter(|e| wanted(*e)).map(|e| e.id()).collect()
    }

    fn run(&mut self, op: Op) {
        match op {
            Op::Create(tag, marks, seat) => {
                let id = match self.game.entity_with_seat(&seat) {
                    None => self
                        .game
                        .create_with((Tag(tag), Marks(marks), Seat(seat)))
                        .id(),
                    Some(_) => self.game.create_with((Tag(tag), Marks(marks))).id(),
                };
                self.ids.insert(0, id);
            }
            Op::Tag(n, key) => self.with(n, |mut e| _ = e.replace_tag(key)),
            Op::UpdateTag(n, key) => self.with(n, |mut e| {
                if e.has_tag() {
                    e.update_tag(|tag| tag.0 = key);
                }
            }),
            Op::Marks(n, keys) => self.with(n, |mut e| _ = e.replace_marks(keys)),
            Op::UpdateMarks(n, key) => self.with(n, |mut e| {
                if e.has_marks() {
                    e.update_marks(|marks| marks.0.push(key));
                }
            }),
            Op::Seat(n, key) => self.with(n, |mut e| _ = e.try_replace(Seat(key))),
            Op::UpdateSeat(n, key) => {
                self.with(n, |mut e| {
                    drop(e.try_update(|seat: &mut Seat| seat.0 = key))
                });
            }
            Op::Hide(n, on) => self.with(n, |mut e| _ = e.set_hidden(on)),
            Op::RemoveTag(n) => self.with(n, |mut e| _ = e.try_remove_tag()),
            Op::TakeMarks(n) => self.with(n, |mut e| _ = e.take_marks()),
            Op::TakeSeat(n) => self.with(n, |mut e| _ = e.take_seat()),
            Op::RemoveAll(n) => self.with(n, |mut e| _ = e.remove_all()),
            Op::Destroy(n) => self.with(n, |e| e.destroy()),
            op => self.run_on_many(op),
        }
    }

    fn run_on_many(&mut self, op: Op) {
        match op {
            Op::SwapTags(a, b) => {
                if let (Some(&a), Some(&b)) = (self.ids.get(a), self.ids.get(b)) {
                    let entity = self.game.try_entity_mut(a);
                    let _ = entity.and_then(|mut entity| entity.try_swap::<Tag>(b).map(drop));
                }
            }
            Op::SwapSeats(a, b) => {
                if let (Some(&a), Some(&b)) = (self.ids.get(a), self.ids.get(b)) {
                    let entity = self.game.try_entity_mut(a);
                    let _ = entity.and_then(|mut entity| entity.try_swap::<Seat>(b).map(drop));
                }
            }
            Op::TagMany(key) => {
                let ids = self.living(|e| !e.has_tag());
                let _ = self.game.many(&ids).try_add(|_| Tag(key));
            }
            Op::UntagMany(count) => {
                let ids = self.living(|e| e.has_tag());
                let _ = self
                    .game
                    .many(&ids[..count.min(ids.len())])
                    .try_remove::<Tag>();
            }
            Op::SeatMany(key) => {
                let ids = self.living(|e| !e.has_seat());
                let mut next = key;
                let _ = self.game.many(&ids).try_add(|_| {
                    next += 1;
                    Seat(next - 1)
                });
            }
            Op::Activate(true) => self.indexes.marked.activate(&mut self.game),
            Op::Activate(false) => self.indexes.marked.deactivate(&mut self.game),
            Op::Defragment => self.game.defragment(),
            Op::Reset => self.game.reset(),
            _ => unreachable!("{op:?} is of one entity"),
        }
    }
}

proptest! {
    #[test]
    fn lookups_say_what_a_look_at_every_entity_says(
        program in proptest::collection::vec(op(), 1..60),
    ) {
        let (mut first, mut second) = (World::new(), World::new());
        for op in program {
            first.run(op.clone());
            second.run(op);
            let answers = first.indexes.answers(&first.game);
            prop_assert_eq!(answers, second.indexes.answers(&second.game));
        }
    }
}
