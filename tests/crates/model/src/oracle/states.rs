//! Systems for the states of a context: on exit, on entry, while in a state, and on each transition.

use std::mem;

use super::{Oracle, Part, Reacts};
use crate::op::{Kind, Op, Switch};

/// A state that systems watch, and the state of the context when its exit and entry systems last
/// ran.
pub(super) struct Watched {
    state: u64,
    was_in: [bool; 2],
    is_active: bool,
}

impl Watched {
    pub(super) fn new(state: u8) -> Self {
        Self {
            state: state.into(),
            was_in: [false; 2],
            is_active: true,
        }
    }
}

/// The state when a transition system last ran.
#[derive(Default)]
pub(super) struct Transitions {
    to: Option<u64>,
    is_off: bool,
}

impl Oracle {
    /// The state of the context.
    pub(super) fn state_now(&self) -> Option<u64> {
        let mut all = self.entities.values();
        all.find_map(|has| has.get(&Kind::E)).copied()
    }

    /// Changes the state; no change if it is the current one.
    pub(super) fn set_state(&mut self, v: u8) {
        match self.state_now() == Some(v.into()) {
            true => self.know_owner(),
            false => self.run_unique(&Op::ReplaceUnique(v)),
        }
    }

    /// Calls the systems for a state, each if it is its turn.
    pub(super) fn execute_states(&mut self, at: (usize, usize), script: &[Op]) {
        for (nth, what) in ["exit", "enter", "in"].into_iter().enumerate() {
            if let Some(state) = self.state_notified(at, nth) {
                self.log.push(format!("system {}: {what} {state}", at.0));
                self.run_script(script, None);
            }
        }
    }

    /// The state, if this system is called in its turn.
    fn state_notified(&mut self, at: (usize, usize), nth: usize) -> Option<u64> {
        let now = self.state_now();
        let Reacts::State(watched) = &mut self.part(at)?.to else {
            return None;
        };
        let is_in = now == Some(watched.state);
        let is_notified = match watched.was_in.get_mut(nth) {
            Some(was_in) => {
                let was_in = mem::replace(was_in, is_in);
                watched.is_active && was_in != is_in && is_in == (nth == 1)
            }
            None => is_in,
        };
        is_notified.then_some(watched.state)
    }

    pub(super) fn execute_transition(&mut self, at: (usize, usize), script: &[Op]) {
        let now = self.state_now();
        let Some(Reacts::Transitions(seen)) = self.part(at).map(|part| &mut part.to) else {
            return;
        };
        let from = mem::replace(&mut seen.to, now);
        if from != now && !seen.is_off {
            self.log
                .push(format!("system {}: {from:?} to {now:?}", at.0));
            self.run_script(script, None);
        }
    }

    /// Every switch of the systems for states makes them read the current state.
    pub(super) fn switch_states(now: Option<u64>, part: &mut Part, switch: Switch) {
        let is_active = match switch {
            Switch::Activate => Some(true),
            Switch::Deactivate | Switch::Release => Some(false),
            Switch::Clear => None,
        };
        match &mut part.to {
            Reacts::State(watched) => {
                watched.was_in = [now == Some(watched.state); 2];
                watched.is_active = is_active.unwrap_or(watched.is_active);
            }
            Reacts::Transitions(seen) => {
                seen.to = now;
                seen.is_off = is_active.map_or(seen.is_off, |is_active| !is_active);
            }
            _ => {}
        }
    }
}
