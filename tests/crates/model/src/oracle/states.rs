//! Systems for the states of a context: on exit, on entry, while in a state.

use std::mem;

use super::{Oracle, Reacting};
use crate::op::{Kind, Op, Switch};

/// A state, and the state of the context when its exit and entry systems last ran.
pub(super) struct Watched {
    state: u64,
    was_in: [bool; 2],
    is_active: bool,
}

impl Oracle {
    fn is_in(&self, state: u64) -> bool {
        let mut all = self.entities.values();
        all.any(|has| has.get(&Kind::E) == Some(&state))
    }

    /// Changes the state; no change if it is the current one.
    pub(super) fn set_state(&mut self, v: u8) {
        match self.is_in(v.into()) {
            true => self.know_owner(),
            false => self.run_unique(&Op::ReplaceUnique(v)),
        }
    }

    pub(super) fn make_states(&mut self, state: u8, script: &[Op]) {
        let watched = Watched {
            state: state.into(),
            was_in: [false; 2],
            is_active: true,
        };
        self.systems.push(Some(Reacting {
            waiting: Vec::new(),
            watched: Some(watched),
            script: script.to_vec(),
            is_running: false,
        }));
    }

    /// Runs the systems if they are for a state.
    pub(super) fn execute_states(&mut self, number: usize, script: &[Op]) {
        for (nth, what) in ["exit", "enter", "in"].into_iter().enumerate() {
            if let Some(state) = self.state_notified(number, nth) {
                self.log.push(format!("system {number}: {what} {state}"));
                self.run_script(script, None);
            }
        }
    }

    /// The state, if this system is called in its turn.
    fn state_notified(&mut self, number: usize, nth: usize) -> Option<u64> {
        let state = self.systems[number].as_ref()?.watched.as_ref()?.state;
        let is_in = self.is_in(state);
        let watched = self.systems[number].as_mut()?.watched.as_mut()?;
        let is_notified = match watched.was_in.get_mut(nth) {
            Some(was_in) => {
                let was_in = mem::replace(was_in, is_in);
                watched.is_active && was_in != is_in && is_in == (nth == 1)
            }
            None => is_in,
        };
        is_notified.then_some(state)
    }

    /// Every switch of the systems for a state makes them read the current state.
    pub(super) fn switch_states(&mut self, number: usize, switch: Switch) {
        let systems = self.systems[number].as_ref();
        let Some(state) = systems.and_then(|it| Some(it.watched.as_ref()?.state)) else {
            return;
        };
        let is_in = self.is_in(state);
        let systems = self.systems[number].as_mut();
        if let Some(watched) = systems.and_then(|it| it.watched.as_mut()) {
            watched.was_in = [is_in; 2];
            match switch {
                Switch::Activate => watched.is_active = true,
                Switch::Deactivate | Switch::Release => watched.is_active = false,
                Switch::Clear => {}
            }
        }
    }
}
