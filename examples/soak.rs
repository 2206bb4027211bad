//! Millions of random operations on one context, to see that it stays right and its memory bounded:
//! `cargo run --release --example soak -- [operations] [seed]`, ten million if not said.
//!
//! What entities there are is bounded, so what the context holds must be. A tenth of the operations
//! is for it to grow; what it holds at any time after that must not be much more than at the end of
//! the first half.

use std::time::Instant;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone)]
#[component(context = Game, event(any(set), self(removed)))]
struct Name(String);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Team(#[component(index)] u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Matrix([f32; 16]);

#[derive(Component, Default, Clone)]
#[component(context = Game, pooled)]
struct Path(Vec<u32>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Frozen;

type Id = EntityId<Game>;

/// How many entities there are at most.
const MOST: usize = 5_000;

/// Numbers that look random, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// A context, and who follows it.
struct Soak {
    game: Game,
    random: Random,
    ids: Vec<Id>,
    collectors: Vec<Collector<Game>>,
    observers: Vec<Subscription>,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut game = Game::new();
        let collectors = vec![
            game.collector(Game::all_of::<Health>().updated()),
            game.collector(Game::all_of::<(Team, Matrix)>().entered()),
            game.collector(Game::any_of::<(Name, Path)>().none_of::<Frozen>().left()),
        ];
        game.on_any_name_set(|_| ());
        let named = game.group(Game::all_of::<Name>().none_of::<Frozen>());
        named.on_entered(&mut game, |game, change| {
            if let Some(mut entity) = game.get_entity_mut(change.entity()) {
                entity.replace_health(1);
            }
        });
        Self {
            game,
            random: Random(seed | 1),
            ids: Vec::new(),
            collectors,
            observers: Vec::new(),
        }
    }

    fn one(&mut self) -> Option<Id> {
        let at = self.random.below(self.ids.len().max(1));
        let id = *self.ids.get(at)?;
        if !self.game.contains(id) {
            self.ids.swap_remove(at);
            return None;
        }
        Some(id)
    }

    /// Does one operation.
    fn step(&mut self) {
        match self.random.below(1_000) {
            0..150 => self.create(),
            150..290 => self.destroy(),
            290..900 => self.change(),
            900..940 => self.drain(),
            940..980 => self.follow(),
            980..999 => self.walk(),
            _ => self.upkeep(),
        }
    }

    fn create(&mut self) {
        let number = self.random.below(1_000) as u32;
        if self.ids.len() >= MOST {
            return self.destroy();
        }
        let new = match number % 4 {
            0 => vec![
                self.game
                    .create_with((Health(number), Team(number % 50)))
                    .id(),
            ],
            1 => vec![self.game.create_entity().add_name(format!("{number}")).id()],
            2 => (self.game).create_many((0..number % 20).map(|n| (Health(n), Matrix([0.0; 16])))),
            _ => vec![self.game.create_with((Path(vec![number]), Frozen)).id()],
        };
        self.ids.extend(new);
    }

    fn destroy(&mut self) {
        let ids = &mut self.ids;
        if self.random.below(10) > 0 {
            let at = self.random.below(ids.len().max(1));
            if let Some(id) = (at < ids.len()).then(|| ids.swap_remove(at)) {
                let _ = self.game.try_destroy(id);
            }
            return;
        }
        let some = ids.split_off(ids.len() - ids.len().min(15));
        let living = some.into_iter().filter(|&id| self.game.contains(id));
        let living: Vec<_> = living.collect();
        self.game.many(&living).destroy();
    }

    fn change(&mut self) {
        let number = self.random.below(1_000) as u32;
        let Some(id) = self.one() else { return };
        let mut entity = self.game.entity_mut(id);
        match number % 13 {
            0 => _ = entity.replace_health(number),
            1 => _ = entity.take_health(),
            2 => _ = entity.replace_team(number % 50),
            3 => _ = entity.take_team(),
            4 => _ = entity.replace_name(format!("name {number}")),
            5 => _ = entity.take_name(),
            6 => _ = entity.replace_matrix([number as f32; 16]),
            7 => _ = entity.take_matrix(),
            8 => _ = entity.replace_path_with(|path| path.0.push(number)),
            9 => _ = entity.take_path(),
            10 => _ = entity.set_frozen(number.is_multiple_of(2)),
            11 if entity.has_health() => _ = entity.update_health(|health| health.0 += 1),
            _ => _ = entity.insert((Health(number), Team(number % 50))),
        }
    }

    fn drain(&mut self) {
        let at = self.random.below(self.collectors.len() + 1);
        match self.collectors.get(at) {
            Some(collector) => drop(collector.drain(&mut self.game)),
            None => _ = self.game.events().deliver(),
        }
    }

    /// Observers and listeners that come and go.
    fn follow(&mut self) {
        if self.observers.len() > 30 {
            let at = self.random.below(self.observers.len());
            self.game.unsubscribe(self.observers.swap_remove(at));
        }
        let new = match self.random.below(3) {
            0 => self.game.observers().on_created(|_, _| ()),
            1 => Group::all(&self.game)[0].on_updated(&mut self.game, |_, _| ()),
            _ => match self.one() {
                Some(id) => self.game.entity_mut(id).on_name_removed(|_| ()),
                None => return,
            },
        };
        self.observers.push(new);
    }

    fn walk(&mut self) {
        match self.random.below(3) {
            0 => self
                .game
                .query_mut::<&mut Health>()
                .for_each(|health| health.0 ^= 1),
            1 => (self.game.query_mut::<(&Team, Mut<'_, Matrix>)>())
                .for_each(|(team, mut matrix)| matrix.0[0] += team.0 as f32),
            _ => {
                let copied = self.one();
                self.ids
                    .extend(copied.map(|id| self.game.clone_entity(id).id()));
            }
        }
    }

    fn upkeep(&mut self) {
        match self.random.below(40) {
            0 => self.game.storage_mut().shrink_to_fit(),
            1 => self.game.defragment(),
            2 => self.game.reset(),
            _ => _ = self.game.storage_mut().defragment_for(50),
        }
    }

    /// Looks whether all that is known of the entities in several ways agrees.
    fn check(&mut self) {
        self.game.storage().check_invariants();
        let teams = (0..50).map(|team| self.game.entities_with_team(&team).len());
        let teams: usize = teams.sum();
        assert_eq!(teams, self.game.query::<&Team>().iter().count());
        let named = self.game.group(Game::all_of::<Name>().none_of::<Frozen>());
        let by_entity = self.game.entities();
        let by_entity = by_entity.filter(|entity| entity.has_name() && !entity.is_frozen());
        assert_eq!(named.len(&self.game), by_entity.count());
        self.ids.retain(|&id| self.game.contains(id));
        assert!(self.ids.len() <= self.game.len());
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |otherwise| {
        arguments
            .next()
            .map_or(otherwise, |it| it.parse().expect("a number"))
    };
    let (operations, seed) = (number(10_000_000), number(1));
    let (mut soak, start) = (Soak::new(seed), Instant::now());
    let (mut first_half, mut second_half) = (0, 0);
    for done in 1..=operations {
        soak.step();
        if done % (operations / 100).max(1) == 0 {
            let held = soak.game.storage().memory().total();
            let highest = if done * 2 <= operations {
                &mut first_half
            } else {
                &mut second_half
            };
            *highest = held.max(*highest);
        }
        if done % (operations / 10).max(1) == 0 {
            soak.check();
            let (entities, held) = (soak.game.len(), soak.game.storage().memory().total());
            println!(
                "{done:>9} operations: {entities:>5} entities, {:>6} kB",
                held / 1024
            );
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{:.0} operations a second", operations as f64 / seconds);
    println!(
        "at most {} kB in the first half, {} kB in the second",
        first_half / 1024,
        second_half / 1024
    );
    assert!(second_half <= first_half * 5 / 4, "memory grows");
    println!("memory is bounded");
}
