//! Reactive systems.

use std::mem;

use ecs::GroupEvent;

use super::{Gatherer, Id, Oracle, Reacting, name};
use crate::op::{Events, Kind, Op, Sets, Switch};

impl Oracle {
    /// Runs an operation on systems; returns `false` for other operations.
    pub(super) fn run_systems(&mut self, op: &Op) -> bool {
        match op {
            Op::MakeSystems(parts, script) => self.make_systems(parts, script),
            Op::MakeStates(state, script) => self.make_states(*state, script),
            Op::Execute(n) => self.execute(*n),
            Op::SwitchSystems(n, switch) => self.switch_systems(*n, *switch),
            _ => return false,
        }
        true
    }

    /// A collector for these triggers.
    pub(super) fn gatherer(&mut self, parts: &[(Sets, Events)]) -> Gatherer {
        let parts = parts.iter();
        let parts = parts.map(|(sets, events)| (self.group(*sets), *events));
        Gatherer {
            parts: parts.collect(),
            active: true,
            ids: Vec::new(),
        }
    }

    fn make_systems(&mut self, parts: &[(Sets, Events)], script: &[Op]) {
        let number = self.systems.len();
        self.systems.push(None);
        let waiting = vec![self.gatherer(parts), self.gatherer(parts)];
        self.systems[number] = Some(Reacting {
            waiting,
            watched: None,
            script: script.to_vec(),
            is_running: false,
        });
    }

    /// The systems with this number, unless they are running.
    fn idle_systems(&mut self, n: u8) -> Option<(usize, &mut Reacting)> {
        let at = usize::from(n).checked_rem(self.systems.len())?;
        let systems = self.systems[at].as_mut()?;
        (!systems.is_running).then_some((at, systems))
    }

    fn execute(&mut self, n: u8) {
        let Some((number, systems)) = self.idle_systems(n) else {
            return;
        };
        systems.is_running = true;
        let script = systems.script.clone();
        for id in self.waiting(number, 0) {
            if self.entities.contains_key(&id) {
                let present = self.present(id);
                let id_name = name(id);
                self.log
                    .push(format!("system {number}: {id_name}; now {present}"));
                self.run_script(&script, Some(id));
            }
        }
        self.execute_states(number, &script);
        let mut asked = self.waiting(number, 1);
        asked.retain(|id| self.value(*id, Kind::A).is_some());
        asked.sort_unstable();
        let visited = self.in_order(asked);
        self.answer_with_a(&visited);
        if let Some(systems) = &mut self.systems[number] {
            systems.is_running = false;
        }
    }

    /// Takes the entities collected for one of the systems, if its trigger still matches them.
    fn waiting(&mut self, number: usize, nth: usize) -> Vec<Id> {
        let Some(systems) = &mut self.systems[number] else {
            return Vec::new();
        };
        let Some(Gatherer { parts, ids, .. }) = systems.waiting.get_mut(nth) else {
            return Vec::new();
        };
        let (mut ids, parts) = (mem::take(ids), parts.clone());
        ids.retain(|id| {
            let holds = |(group, events): &(usize, Events)| match self.groups[*group].1.contains(id)
            {
                true => {
                    events.contains(GroupEvent::Entered) || events.contains(GroupEvent::Updated)
                }
                false => events.contains(GroupEvent::Left),
            };
            self.entities.contains_key(id) && parts.iter().any(holds)
        });
        ids
    }

    fn switch_systems(&mut self, n: u8, switch: Switch) {
        let Some((at, systems)) = self.idle_systems(n) else {
            return;
        };
        for gatherer in &mut systems.waiting {
            match switch {
                Switch::Activate => gatherer.active = true,
                Switch::Deactivate | Switch::Release => gatherer.active = false,
                Switch::Clear => {}
            }
            if !matches!(switch, Switch::Activate) {
                gatherer.ids.clear();
            }
        }
        self.switch_states(at, switch);
        if let Switch::Release = switch {
            self.systems[at] = None;
        }
    }

    /// Makes all systems react only to later changes.
    pub(super) fn restart_systems(&mut self) {
        for systems in self.systems.iter_mut().flatten() {
            systems.is_running = false;
            for gatherer in &mut systems.waiting {
                gatherer.active = true;
                gatherer.ids.clear();
            }
        }
        for at in 0..self.systems.len() {
            self.switch_states(at, Switch::Activate);
        }
    }

    /// Logs some entities and their `A`.
    pub(super) fn answer_with_a(&mut self, ids: &[Id]) {
        let line = |id: &Id| Some(format!("{} {}", name(*id), self.value(*id, Kind::A)?));
        let lines: Vec<_> = ids.iter().filter_map(line).collect();
        self.answer(lines.join(", "));
    }
}
