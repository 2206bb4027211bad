//! Random worlds with a moving viewer: its mirror equals what is visible, and no delta contains
//! anything else.

use std::collections::HashMap;

use ecs::prelude::*;
use ecs::{ApplyError, Delta, Feed, Grid, IndexHandle, Mark, Mirror};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// All components can be recorded and written.
#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Position(i32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
struct Frozen;

/// Visible with the position.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Course {
    #[component(delta(step = 0.5))]
    heading: f32,
    #[component(delta(step = 0.1))]
    wind: [f64; 2],
    deck: u8,
    name: String,
}

/// Numbers are less than a step off, others are exact.
impl PartialEq for Course {
    fn eq(&self, other: &Self) -> bool {
        let is_near = |one: f64, other: f64, step: f64| {
            one.to_bits() == other.to_bits() || (one - other).abs() < step * 1.000_01
        };
        let mut winds = self.wind.iter().zip(other.wind);
        is_near(self.heading.into(), other.heading.into(), 0.5)
            && winds.all(|(one, other)| is_near(*one, other, 0.1))
            && (self.deck, &self.name) == (other.deck, &other.name)
    }
}

type Id = EntityId<Game>;

/// How far the viewer sees.
const SIGHT: i32 = 5;

/// What is known of an entity: its id in the origin, and its components.
type Line = (Id, Option<i32>, Option<u32>, bool, Option<Course>);

/// One step of a random world; entities are given by number.
#[derive(Clone, Debug)]
enum Step {
    Create(Option<i32>, Option<u32>),
    Destroy(usize),
    Move(usize, i32),
    Rise(usize),
    Harm(usize),
    Heal(usize, u32),
    Freeze(usize),
    /// Changes the heading, the wind by another number, and the deck.
    Sail(usize, i32, i32, u8),
    Land(usize),
    Mark,
    Rewind,
    Reset,
    /// The viewer moves there.
    Look(i32),
    /// The viewer sees the health of this entity alone.
    Know(usize),
    /// The viewer sees all positions, or those nearby.
    Climb(bool),
    Take(Fate),
}

/// What happens to a delta.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Arrives,
    IsLost,
    /// Everything is taken instead, for a receiver that has lost a delta.
    IsRepaired,
}

fn step() -> impl Strategy<Value = Step> {
    let at = || -12..12_i32;
    let which = || 0..12_usize;
    let value = || proptest::option::of(0..9_u32);
    prop_oneof![
        6 => (proptest::option::of(at()), value()).prop_map(|(at, health)| Step::Create(at, health)),
        2 => which().prop_map(Step::Destroy),
        8 => (which(), at()).prop_map(|(which, at)| Step::Move(which, at)),
        1 => which().prop_map(Step::Rise),
        2 => which().prop_map(Step::Harm),
        3 => (which(), 0..9_u32).prop_map(|(which, health)| Step::Heal(which, health)),
        2 => which().prop_map(Step::Freeze),
        8 => (which(), -9..9_i32, -9..9_i32, 0..3_u8).prop_map(|(it, a, b, deck)| Step::Sail(it, a, b, deck)),
        1 => which().prop_map(Step::Land),
        1 => Just(Step::Mark),
        1 => Just(Step::Rewind),
        1 => Just(Step::Reset),
        4 => at().prop_map(Step::Look),
        2 => which().prop_map(Step::Know),
        1 => any::<bool>().prop_map(Step::Climb),
        12 => fate().prop_map(Step::Take),
    ]
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![12 => Just(Fate::Arrives), 2 => Just(Fate::IsLost), 1 => Just(Fate::IsRepaired)]
}

/// A world, and what one viewer sees of it.
struct Seen {
    game: Game,
    history: History<Game>,
    mark: Option<Mark<Game>>,
    grid: IndexHandle<Game, Grid<Game, 1>>,
    ids: Vec<Id>,
    feed: Feed<Game>,
    other: Game,
    mirror: Mirror<Game>,
    viewer: i32,
    /// Whether positions are limited to those nearby.
    near: bool,
    /// The entity whose health is visible; `None` if that of all is.
    known: Option<Id>,
    /// Whether the feed has `Frozen` for no entity.
    sees_frozen: bool,
}

impl Seen {
    fn new(sees_frozen: bool, only: bool) -> Self {
        let mut game = Game::new();
        let history = game.record();
        let place = |it: GameEntity<'_>| [it.position().0 as f32];
        let grid = game.index_with(Game::all_of::<Position>(), place, Grid::new(3.0));
        let feed = game.feed::<(Position, Health, Frozen, Course)>();
        Self {
            feed: if only { feed.only(is_even) } else { feed },
            game,
            history,
            mark: None,
            grid,
            ids: Vec::new(),
            other: Game::new(),
            mirror: Mirror::new(),
            viewer: 0,
            near: false,
            known: None,
            sees_frozen,
        }
    }

    fn id(&self, which: usize) -> Option<Id> {
        let at = which.checked_rem(self.ids.len())?;
        Some(self.ids[at]).filter(|id| self.game.contains(*id))
    }

    /// Makes a change, and passes the fate of a delta to take.
    fn play(&mut self, step: &Step) -> Option<Fate> {
        match *step {
            Step::Create(at, health) => self.create(at, health),
            Step::Destroy(which) => _ = self.id(which).map(|id| self.game.destroy(id)),
            Step::Mark => self.mark = Some(self.history.mark(&mut self.game)),
            Step::Rewind => {
                if let Some(mark) = self.mark {
                    _ = self.history.try_rewind(&mut self.game, mark); // not after a reset
                }
            }
            Step::Reset => self.game.reset(),
            Step::Look(at) => self.viewer = at,
            Step::Climb(up) => self.near = !up,
            Step::Know(which) => self.known = self.id(which),
            Step::Take(fate) => return Some(fate),
            Step::Move(which, _)
            | Step::Rise(which)
            | Step::Harm(which)
            | Step::Heal(which, _)
            | Step::Freeze(which)
            | Step::Sail(which, ..)
            | Step::Land(which) => self.change(which, step),
        }
        None
    }

    fn create(&mut self, at: Option<i32>, health: Option<u32>) {
        let mut entity = self.game.create_entity();
        at.map(|at| entity.add_position(at));
        health.map(|health| entity.add_health(health));
        self.ids.push(entity.id());
    }

    fn change(&mut self, which: usize, step: &Step) {
        let Some(id) = self.id(which) else { return };
        let mut entity = self.game.entity_mut(id);
        match *step {
            Step::Move(_, at) => _ = entity.replace_position(at),
            Step::Rise(_) => _ = entity.take::<Position>(),
            Step::Harm(_) => _ = entity.take::<Health>(),
            Step::Heal(_, health) => _ = entity.replace_health(health),
            Step::Land(_) => _ = entity.take::<Course>(),
            Step::Sail(_, heading, wind, deck) => _ = entity.replace(course(heading, wind, deck)),
            _ if entity.is_frozen() => _ = entity.remove::<Frozen>(),
            _ => _ = entity.add(Frozen),
        }
    }

    /// Tells the feed what the viewer sees.
    fn look(&mut self) {
        let near = self.grid.get(&self.game);
        let near = near.within([self.viewer as f32], SIGHT as f32);
        match self.near {
            true => self
                .feed
                .set_visible::<(Position, Course)>(near.map(|(id, _)| id)),
            false => {
                let all = self.game.entities().map(GameEntity::id);
                self.feed.set_visible::<(Position, Course)>(all);
            }
        }
        match self.known {
            Some(id) => self.feed.set_visible::<Health>([id]),
            None => {
                let all = self.game.entities().map(GameEntity::id);
                self.feed.set_visible::<Health>(all);
            }
        }
        if !self.sees_frozen {
            self.feed.set_visible::<Frozen>([]);
        }
    }

    /// What the viewer sees, found by brute force.
    fn expected(&self, only: bool) -> Vec<Line> {
        let entities = self.game.entities().filter(|it| !only || is_even(*it));
        let lines = entities.map(|it| {
            let position = it.get::<Position>().map(|at| at.0);
            let is_near = |at: &i32| !self.near || (at - self.viewer).abs() <= SIGHT;
            let health = it.get::<Health>().map(|health| health.0);
            let is_known = self.known.is_none_or(|id| id == it.id());
            let course = it.get::<Course>().cloned();
            let is_seen = position.as_ref().map_or(!self.near, is_near);
            (
                it.id(),
                position.filter(is_near),
                health.filter(|_| is_known),
                it.is_frozen() && self.sees_frozen,
                course.filter(|_| is_seen),
            )
        });
        lines
            .filter(|(_, at, health, frozen, course)| {
                at.is_some() || health.is_some() || *frozen || course.is_some()
            })
            .collect()
    }

    /// What the mirror has.
    fn found(&self) -> Vec<Line> {
        let lines = self.other.entities().map(|it| {
            let (at, health) = (it.get::<Position>(), it.get::<Health>());
            let origin = self.mirror.origin(it.id()).expect("it is the mirror's");
            (
                origin,
                at.map(|at| at.0),
                health.map(|health| health.0),
                it.is_frozen(),
                it.get::<Course>().cloned(),
            )
        });
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by_key(|line| line.0);
        lines
    }
}

/// Most numbers are near others; some have no multiple of the step.
fn course(heading: i32, wind: i32, deck: u8) -> Course {
    let number = |n: i32| match n {
        8 => f64::INFINITY,
        7 => 3e17,
        6 => 1234.5,
        n => f64::from(n) * 0.13,
    };
    Course {
        heading: number(heading) as f32,
        wind: [number(wind), -number(heading)],
        deck,
        name: "x".repeat(deck.into()),
    }
}

/// For a feed that is limited by a closure, too.
fn is_even(entity: GameEntity<'_>) -> bool {
    entity.get::<Position>().is_none_or(|at| at.0 % 2 == 0)
}

/// A delta mentions visible things only.
fn check_secrecy(delta: &Delta<Game>, visible: &[Line]) {
    let find = |id: Id| visible.iter().find(|line| line.0 == id);
    assert!(delta.appeared().iter().all(|id| find(*id).is_some()));
    for (id, position) in delta.set::<Position>() {
        assert_eq!(find(id).and_then(|line| line.1), Some(position.0));
    }
    for (id, course) in delta.set::<Course>() {
        assert_eq!(find(id).and_then(|line| line.4.as_ref()), Some(course));
    }
    for (id, health) in delta.set::<Health>() {
        assert_eq!(find(id).and_then(|line| line.2), Some(health.0));
    }
    assert!(
        delta
            .set::<Frozen>()
            .all(|(id, _)| find(id).is_some_and(|line| line.3))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_mirror_equals_what_is_visible(
        steps in vec(step(), 0..80),
        [sees_frozen, only] in any::<[bool; 2]>(),
        limited_from in 0..60_usize,
    ) {
        let mut seen = Seen::new(true, only);
        let mut is_lost = false;
        for (at, step) in steps.iter().enumerate() {
            let Some(fate) = seen.play(step) else { continue };
            if at >= limited_from {
                seen.sees_frozen = sees_frozen;
                seen.look();
            } else {
                (seen.near, seen.known) = (false, None);
            }
            let delta = match fate {
                Fate::IsRepaired => seen.feed.take_all(&mut seen.game),
                _ => seen.feed.take(&mut seen.game),
            };
            let visible = seen.expected(only);
            check_secrecy(&delta, &visible);
            if fate == Fate::IsLost {
                is_lost = true;
                continue;
            }
            let bytes = postcard::to_stdvec(&delta).unwrap();
            let delta = postcard::from_bytes(&bytes).unwrap();
            match seen.mirror.apply(&mut seen.other, &delta) {
                Ok(()) => is_lost = false,
                Err(error) => {
                    let is_missing = matches!(error, ApplyError::Missing { .. } | ApplyError::Unreadable);
                    prop_assert!(is_lost && is_missing, "{}", error);
                }
            }
            if !is_lost {
                prop_assert_eq!(seen.found(), visible);
            }
        }
    }
}

/// What happens on a network that loses, repeats and reorders.
#[derive(Clone, Debug)]
enum Event {
    Change(Step),
    /// A delta is taken, or everything.
    Send(bool),
    /// One of the latest deltas arrives, perhaps again.
    Arrive(usize),
    /// One of the latest acknowledgements arrives, perhaps again.
    Acknowledge(usize),
    /// A number arrives that the receiver has made up.
    Lie(u64),
}

fn event(lies: bool) -> impl Strategy<Value = Event> {
    let most: u64 = if lies { 40 } else { 0 };
    prop_oneof![
        10 => step().prop_map(Event::Change),
        8 => prop::bool::weighted(0.04).prop_map(Event::Send),
        6 => (0..5_usize).prop_map(Event::Arrive),
        4 => (0..4_usize).prop_map(Event::Acknowledge),
        1 => (0..=most).prop_map(Event::Lie),
    ]
}

/// A receiver on such a network.
struct Receiver {
    seen: Seen,
    only: bool,
    /// Each delta as bytes, and whether it is everything.
    sent: Vec<(Vec<u8>, bool)>,
    acknowledged: Vec<u64>,
    /// What was visible when a delta was taken.
    visible: HashMap<u64, Vec<Line>>,
}

impl Receiver {
    fn send(&mut self, everything: bool) {
        self.seen.look();
        let (feed, game) = (&self.seen.feed, &mut self.seen.game);
        let delta = match everything {
            true => feed.take_all(game),
            false => feed.take(game),
        };
        let visible = self.seen.expected(self.only);
        check_secrecy(&delta, &visible);
        self.visible.insert(delta.number(), visible);
        let bytes = postcard::to_stdvec(&delta).unwrap();
        self.sent.push((bytes, delta.is_everything()));
    }

    /// The delta `late` places before the last one arrives. Only one that is needed is applied.
    fn arrive(&mut self, late: usize, is_honest: bool) {
        let Some(at) = self.sent.len().checked_sub(late + 1) else {
            return;
        };
        let (bytes, is_everything) = &self.sent[at];
        let delta = postcard::from_bytes(bytes).unwrap();
        let Seen { mirror, other, .. } = &mut self.seen;
        let (number, before) = (at as u64 + 1, mirror.applied());
        let applied = mirror.apply(other, &delta);
        other.storage().check_invariants();
        match applied {
            Ok(()) => {
                assert!(number > before && mirror.applied() == number);
                self.acknowledged.push(number);
            }
            Err(error) => {
                let is_needed = number > before && (before > 0 || *is_everything);
                assert!(
                    !(is_needed && is_honest),
                    "{number} after {before}: {error}"
                );
            }
        }
        if let Some(visible) = self.visible.get(&self.seen.mirror.applied()) {
            assert_eq!(&self.seen.found(), visible);
        }
    }

    fn play(&mut self, event: &Event, is_honest: bool) {
        match *event {
            Event::Change(ref step) => _ = self.seen.play(step),
            Event::Send(everything) => self.send(everything),
            Event::Arrive(late) => self.arrive(late, is_honest),
            Event::Acknowledge(late) => {
                let number = self.acknowledged.iter().rev().nth(late);
                let number = number.copied().unwrap_or(0);
                self.seen.feed.acknowledge(&mut self.seen.game, number);
            }
            Event::Lie(number) => self.seen.feed.acknowledge(&mut self.seen.game, number),
        }
        self.seen.game.storage().check_invariants();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn acknowledged_deltas_may_be_lost_repeated_and_reordered(
        (lies, events) in any::<bool>().prop_flat_map(|lies| (Just(lies), vec(event(lies), 0..150))),
        [sees_frozen, only] in any::<[bool; 2]>(),
    ) {
        let mut seen = Seen::new(sees_frozen, only);
        seen.feed.acknowledge(&mut seen.game, 0);
        let mut receiver = Receiver {
            seen,
            only,
            sent: Vec::new(),
            acknowledged: Vec::new(),
            visible: HashMap::new(),
        };
        for event in &events {
            receiver.play(event, !lies);
        }
        receiver.send(lies);
        receiver.arrive(0, true);
    }
}
