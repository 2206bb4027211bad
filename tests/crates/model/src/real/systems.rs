//! Reactive systems.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::Shared;
use super::names::present;
use super::observe::{react, trigger};
use crate::game::{A, E, Game, Id, Numbered};
use crate::op::{Events, Op, Plug, Sets, Switch};

/// A list of systems with two stages.
pub(crate) struct Reacting {
    systems: Systems<Game>,
    /// The entities that a query was called for.
    asked: Arc<Mutex<Vec<(Id, u64)>>>,
    /// How many systems were added.
    pub(crate) plugged: usize,
}

/// The stages of a list.
const STAGES: [&str; 2] = ["First", "Second"];

impl Reacting {
    fn new() -> Self {
        let [first, second] = STAGES.map(Systems::with_name);
        Self {
            systems: Systems::new().add(first).add(second),
            asked: Arc::default(),
            plugged: 0,
        }
    }

    /// Adds a system to a stage.
    fn plug_in(
        &mut self,
        game: &mut Game,
        shared: &Shared,
        at: (usize, usize),
        plug: &Plug,
        script: &[Op],
    ) {
        let plugged = match plug {
            Plug::Changed(parts) => changed(game, shared, at.0, parts, script),
            Plug::State(state) => of_state(shared, at.0, (*state).into(), script),
            Plug::Transitions => transitions(shared, at.0, script),
        };
        self.systems.stage(STAGES[at.1]).append(plugged);
        self.plugged += 1;
    }

    /// Adds a system that queries the `A` of changed entities.
    fn ask(&mut self, game: &mut Game, parts: &[(Sets, Events)]) {
        let asks = self.asked.clone();
        let system =
            Systems::new().query_changed::<_, (Id, &A)>(game, trigger(parts), move |(id, a)| {
                let asked = asks.lock();
                asked.expect("no panic here").push((id, a.number()));
            });
        self.systems.stage(STAGES[0]).append(system);
        self.plugged += 1;
    }

    fn execute(&mut self, game: &mut Game, shared: &Shared) {
        self.systems.execute(game);
        let asked = std::mem::take(&mut *self.asked.lock().expect("no panic here"));
        shared.note_order(|| asked.iter().map(|(id, _)| *id).collect());
        let lines = asked.iter().map(|(id, a)| format!("{id} {a}"));
        shared.answer(lines.collect::<Vec<_>>().join(", "));
    }
}

/// A system that receives changed entities.
fn changed(
    game: &mut Game,
    shared: &Shared,
    number: usize,
    parts: &[(Sets, Events)],
    script: &[Op],
) -> Systems<Game> {
    let script = script.to_vec();
    let program = shared.downgrade(); // it owns the systems
    Systems::new().for_each_changed(game, trigger(parts), move |game, id| {
        let notified = program();
        notified.note(format!("system {number}: {id}; now {}", present(game, id)));
        react(game, &notified, &script, Some(id));
    })
}

/// Systems for a state: on exit, on entry, while in it.
fn of_state(shared: &Shared, number: usize, state: u64, script: &[Op]) -> Systems<Game> {
    let step = |what: &'static str| {
        let (program, script) = (shared.downgrade(), script.to_vec());
        move |game: &mut Game| {
            let notified = program();
            notified.note(format!("system {number}: {what} {state}"));
            react(game, &notified, &script, None);
        }
    };
    Systems::new()
        .on_exit(E::new(state), step("exit"))
        .on_enter(E::new(state), step("enter"))
        .while_in(E::new(state), step("in"))
}

/// A system for the transitions between states.
fn transitions(shared: &Shared, number: usize, script: &[Op]) -> Systems<Game> {
    let (program, script) = (shared.downgrade(), script.to_vec());
    Systems::new().on_transition(move |game: &mut Game, from: Option<&E>, to: Option<&E>| {
        let [from, to] = [from, to].map(|state| state.map(E::number));
        let notified = program();
        notified.note(format!("system {number}: {from:?} to {to:?}"));
        react(game, &notified, &script, None);
    })
}

/// Adds a list with one system.
fn make(game: &mut Game, shared: &Shared, plug: &Plug, script: &[Op]) {
    let number = shared.hand().systems.len();
    let mut list = Reacting::new();
    list.plug_in(game, shared, (number, 0), plug, script);
    shared.hand().systems.push(Some(list));
}

pub(super) fn run_systems(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::MakeSystems(parts, script) => {
            let number = shared.hand().systems.len();
            shared.hand().systems.push(None);
            let mut list = Reacting::new();
            let plug = Plug::Changed(parts.clone());
            list.plug_in(game, shared, (number, 0), &plug, script);
            list.ask(game, parts);
            shared.hand().systems[number] = Some(list);
        }
        Op::MakeStates(state, script) => make(game, shared, &Plug::State(*state), script),
        Op::MakeTransitions(script) => make(game, shared, &Plug::Transitions, script),
        Op::PlugIn(n, is_late, plug, script) => {
            let number = usize::from(*n).checked_rem(shared.hand().systems.len());
            with_systems(shared, *n, |list| {
                let at = (number.unwrap_or_default(), usize::from(*is_late));
                list.plug_in(game, shared, at, plug, script);
                true
            });
        }
        Op::Execute(n) => {
            with_systems(shared, *n, |systems| {
                systems.execute(game, shared);
                true
            });
        }
        Op::SwitchSystems(n, switch) => {
            with_systems(shared, *n, |reacting| {
                switch_systems(&mut reacting.systems, game, *switch);
                !matches!(switch, Switch::Release)
            });
        }
        _ => unreachable!("run by `run`"),
    }
}

fn switch_systems(systems: &mut Systems<Game>, game: &mut Game, switch: Switch) {
    match switch {
        Switch::Activate => systems.activate(game),
        Switch::Deactivate => systems.deactivate(game),
        Switch::Clear => systems.clear(game),
        Switch::Release => systems.release(game),
    }
}

/// Takes systems out of the list while they run; `act` returns whether to keep them.
fn with_systems(shared: &Shared, n: u8, act: impl FnOnce(&mut Reacting) -> bool) {
    let place = usize::from(n).checked_rem(shared.hand().systems.len());
    let taken = place.and_then(|at| shared.hand().systems[at].take());
    if let (Some(at), Some(mut systems)) = (place, taken)
        && act(&mut systems)
    {
        shared.hand().systems[at] = Some(systems);
    }
}

/// Makes all systems react only to later changes.
pub(super) fn restart(game: &mut Game, shared: &Shared) {
    let count = shared.hand().systems.len();
    for n in 0..count {
        for switch in [Switch::Activate, Switch::Clear] {
            run_systems(game, shared, &Op::SwitchSystems(n as u8, switch));
        }
    }
}
