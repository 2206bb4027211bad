//! Systems for the states of a context: on exit, on entry, while in a state, and on each transition.
//!
//! What they have seen belongs to the context. A new system takes over from the first one that is gone
//! and waited for the same.

use std::mem;

use super::{Oracle, Reacting, Reacts};
use crate::op::{Kind, Op, Switch};

/// What a system waits for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Exit(u64),
    Enter(u64),
    Change,
}

impl Purpose {
    /// What it sees in a state of the context.
    fn sees(self, now: Option<u64>) -> Option<u64> {
        match self {
            Self::Exit(state) | Self::Enter(state) => now.filter(|now| *now == state),
            Self::Change => now,
        }
    }
}

/// A system: the numbers of its list and of the part of it, and its purpose.
type Reader = ((usize, usize), Purpose);

/// What a system has seen.
pub(super) struct Seen {
    purpose: Purpose,
    state: Option<u64>,
    /// The list and the part of the system, unless it is gone.
    owner: Option<(usize, usize)>,
}

impl Seen {
    /// What a system that is gone has seen.
    pub(super) fn free(purpose: Purpose, state: Option<u64>) -> Self {
        let owner = None;
        Self {
            purpose,
            state,
            owner,
        }
    }
}

/// Systems for one state, or for all.
#[derive(Clone, Copy)]
pub(super) struct Watching {
    state: Option<u64>,
    is_off: bool,
}

impl Watching {
    pub(super) fn new(state: Option<u8>) -> Self {
        let state = state.map(u64::from);
        Self {
            state,
            is_off: false,
        }
    }

    /// Makes transitions count.
    pub(super) fn turn_on(&mut self) {
        self.is_off = false;
    }

    /// What the systems wait for, in their order.
    fn purposes(self) -> Vec<Purpose> {
        match self.state {
            Some(state) => vec![Purpose::Exit(state), Purpose::Enter(state)],
            None => vec![Purpose::Change],
        }
    }
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

    /// The systems for states among some parts of a list, in order.
    fn readers(&mut self, list: usize, parts: Vec<usize>) -> Vec<Reader> {
        let mut readers = Vec::new();
        for at in parts.into_iter().map(|part| (list, part)) {
            if let Some(Reacts::States(watching)) = self.part(at).map(|part| &part.to) {
                let purposes = watching.purposes().into_iter();
                readers.extend(purposes.map(|purpose| (at, purpose)));
            }
        }
        readers
    }

    /// What a system has seen: its own, or that of the first one that is gone, or nothing.
    fn seen(&mut self, (owner, purpose): Reader) -> &mut Option<u64> {
        let is_of = |of| move |seen: &Seen| (seen.purpose, seen.owner) == (purpose, of);
        let mut all = self.entered.iter();
        let own = all.position(is_of(Some(owner)));
        let found = own.or_else(|| self.entered.iter().position(is_of(None)));
        let place = found.unwrap_or_else(|| {
            self.entered.push(Seen::free(purpose, None));
            self.entered.len() - 1
        });
        let seen = &mut self.entered[place];
        seen.owner = Some(owner);
        &mut seen.state
    }

    /// Makes a system see the current state. Returns what it has seen before, and what it sees now.
    fn look(&mut self, reader: Reader) -> [Option<u64>; 2] {
        let now = reader.1.sees(self.state_now());
        let before = mem::replace(self.seen(reader), now);
        [before, now]
    }

    /// Makes the systems of some parts of a list take over from those that are gone.
    pub(super) fn attach(&mut self, list: usize, parts: Vec<usize>) {
        for reader in self.readers(list, parts) {
            self.seen(reader);
        }
    }

    /// Makes those of a list that is dropped count as gone.
    pub(super) fn abandon(&mut self, list: usize) {
        for seen in &mut self.entered {
            seen.owner = seen.owner.filter(|(of, _)| *of != list);
        }
    }

    /// Makes the systems of a list own what was seen for their purposes. Returns whether that is possible:
    /// whether they are the only ones with these purposes, now and before.
    pub(super) fn own_all(&mut self, list: usize) -> bool {
        let parts = self.systems[list].as_ref().map_or(0, Reacting::len);
        self.readers(list, (0..parts).collect())
            .into_iter()
            .all(|(owner, purpose)| {
                let mut seen = self.entered.iter_mut().filter(|it| it.purpose == purpose);
                match (seen.next(), seen.next()) {
                    (Some(only), None) => only.owner.replace(owner).is_none(),
                    _ => false,
                }
            })
    }

    /// Calls the systems for states of a part, each if it is its turn.
    pub(super) fn execute_states(&mut self, at: (usize, usize), script: &[Op]) {
        let Some(watching) = self.watching(at) else {
            return;
        };
        for purpose in watching.purposes() {
            let [before, now] = self.look((at, purpose));
            let is_off = self.watching(at).is_none_or(|watching| watching.is_off);
            let called = match purpose {
                Purpose::Exit(state) => (before > now).then(|| format!("exit {state}")),
                Purpose::Enter(state) => (before < now).then(|| format!("enter {state}")),
                Purpose::Change => (before != now).then(|| format!("{before:?} to {now:?}")),
            };
            if let Some(called) = called.filter(|_| !is_off) {
                self.log.push(format!("system {}: {called}", at.0));
                self.run_script(script, None);
            }
        }
        if let Some(state) = watching.state
            && self.state_now() == Some(state)
        {
            self.log.push(format!("system {}: in {state}", at.0));
            self.run_script(script, None);
        }
    }

    fn watching(&mut self, at: (usize, usize)) -> Option<Watching> {
        match self.part(at)?.to {
            Reacts::States(watching) => Some(watching),
            _ => None,
        }
    }

    /// Every switch of the systems for states makes them see the current state.
    pub(super) fn switch_states(&mut self, list: usize, parts: Vec<usize>, switch: Switch) {
        for reader in self.readers(list, parts) {
            self.look(reader);
            if let Some(Reacts::States(watching)) = self.part(reader.0).map(|part| &mut part.to) {
                match switch {
                    Switch::Activate => watching.is_off = false,
                    Switch::Deactivate | Switch::Release => watching.is_off = true,
                    Switch::Clear => {}
                }
            }
        }
    }
}
