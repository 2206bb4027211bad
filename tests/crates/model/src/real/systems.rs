//! Reactive systems.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::Shared;
use super::names::present;
use super::observe::{react, trigger};
use crate::game::{A, E, Game, Id, Numbered};
use crate::op::{Events, Op, Sets, Switch};

/// A system that receives entities, and one that queries their `A`; or systems for a state.
pub(crate) struct Reacting {
    systems: Systems<Game>,
    /// The entities that the second was called for.
    asked: Arc<Mutex<Vec<(Id, u64)>>>,
}

impl Reacting {
    fn new(
        game: &mut Game,
        shared: &Shared,
        number: usize,
        parts: &[(Sets, Events)],
        script: &[Op],
    ) -> Self {
        let script = script.to_vec();
        let program = shared.downgrade(); // it owns the systems
        let asked = Arc::new(Mutex::new(Vec::new()));
        let asks = asked.clone();
        let systems = Systems::new()
            .for_each_changed(game, trigger(parts), move |game, id| {
                let notified = program();
                notified.note(format!("system {number}: {id}; now {}", present(game, id)));
                react(game, &notified, &script, Some(id));
            })
            .query_changed::<_, (Id, &A)>(game, trigger(parts), move |(id, a)| {
                let asked = asks.lock();
                asked.expect("no panic here").push((id, a.number()));
            });
        Self { systems, asked }
    }

    /// Systems for a state: on exit, on entry, while in it.
    fn of_state(shared: &Shared, number: usize, state: u8, script: &[Op]) -> Self {
        let step = |what: &'static str| {
            let (program, script) = (shared.downgrade(), script.to_vec());
            move |game: &mut Game| {
                let notified = program();
                notified.note(format!("system {number}: {what} {state}"));
                react(game, &notified, &script, None);
            }
        };
        let systems = Systems::new()
            .on_exit(E::new(state.into()), step("exit"))
            .on_enter(E::new(state.into()), step("enter"))
            .while_in(E::new(state.into()), step("in"));
        let asked = Arc::default();
        Self { systems, asked }
    }

    fn execute(&mut self, game: &mut Game, shared: &Shared) {
        self.systems.execute(game);
        let asked = std::mem::take(&mut *self.asked.lock().expect("no panic here"));
        shared.note_order(|| asked.iter().map(|(id, _)| *id).collect());
        let lines = asked.iter().map(|(id, a)| format!("{id} {a}"));
        shared.answer(lines.collect::<Vec<_>>().join(", "));
    }
}

pub(super) fn run_systems(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::MakeSystems(parts, script) => {
            let number = shared.hand().systems.len();
            shared.hand().systems.push(None);
            let made = Reacting::new(game, shared, number, parts, script);
            shared.hand().systems[number] = Some(made);
        }
        Op::MakeStates(state, script) => {
            let number = shared.hand().systems.len();
            let made = Reacting::of_state(shared, number, *state, script);
            shared.hand().systems.push(Some(made));
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
