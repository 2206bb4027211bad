//! Lists of systems with two stages, in which plug-ins add systems: reactive ones, and those for
//! states.

use std::mem;

use ecs::GroupEvent;

use super::states::Watching;
use super::{Gatherer, Id, Oracle, name};
use crate::op::{Events, Kind, Op, Plug, Sets, Switch};

/// A list of systems.
#[derive(Default)]
pub(super) struct Reacting {
    /// The systems in the order in which they were added.
    parts: Vec<Part>,
    is_running: bool,
    /// Whether the systems of both stages, and of each of them, have taken over what those before
    /// them had seen.
    are_attached: [bool; 3],
}

/// A system of a list.
pub(super) struct Part {
    /// Whether it is in the second stage.
    is_late: bool,
    pub(super) to: Reacts,
    script: Vec<Op>,
}

/// What a system reacts to.
pub(super) enum Reacts {
    /// To each changed entity, by a program.
    Changed(Gatherer),
    /// To all changed entities, by a query.
    Queried(Gatherer),
    States(Watching),
}

impl Reacting {
    /// The number of its systems.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The places of the systems of each stage.
    fn stages(&self) -> [Vec<usize>; 2] {
        let places = 0..self.parts.len();
        let (late, early) = places.partition(|at| self.parts[*at].is_late);
        [early, late]
    }

    /// Its systems for states.
    fn watching(&mut self) -> impl Iterator<Item = &mut Watching> {
        let parts = self.parts.iter_mut();
        parts.filter_map(|part| match &mut part.to {
            Reacts::States(watching) => Some(watching),
            _ => None,
        })
    }

    /// The entities that its systems have collected.
    pub(super) fn gatherers(&mut self) -> impl Iterator<Item = &mut Gatherer> {
        let parts = self.parts.iter_mut();
        parts.filter_map(|part| match &mut part.to {
            Reacts::Changed(gatherer) | Reacts::Queried(gatherer) => Some(gatherer),
            _ => None,
        })
    }
}

impl Oracle {
    /// Runs an operation on systems; returns `false` for other operations.
    pub(super) fn run_systems(&mut self, op: &Op) -> bool {
        match op {
            Op::MakeSystems(parts, script) => {
                let number = self.systems.len();
                self.systems.push(None);
                let first = self.gatherer(parts);
                let second = Reacts::Queried(self.gatherer(parts));
                let part = |to, script| Part {
                    is_late: false,
                    to,
                    script,
                };
                let parts = vec![
                    part(Reacts::Changed(first), script.clone()),
                    part(second, Vec::new()),
                ];
                self.systems[number] = Some(Reacting {
                    parts,
                    ..Reacting::default()
                });
            }
            Op::MakeStates(state, script) => self.make(&Plug::State(*state), script),
            Op::MakeTransitions(script) => self.make(&Plug::Transitions, script),
            Op::PlugIn(n, is_late, plug, script) => {
                if let Some((at, _)) = self.idle_systems(*n) {
                    self.plug_in(at, *is_late, plug, script);
                }
            }
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

    /// Creates a list with one system.
    fn make(&mut self, plug: &Plug, script: &[Op]) {
        self.systems.push(Some(Reacting::default()));
        self.plug_in(self.systems.len() - 1, false, plug, script);
    }

    /// Adds a system to a stage. Observers of its groups cannot use the list meanwhile.
    fn plug_in(&mut self, at: usize, is_late: bool, plug: &Plug, script: &[Op]) {
        self.set_running(at, true);
        let to = match plug {
            Plug::Changed(parts) => Reacts::Changed(self.gatherer(parts)),
            Plug::State(state) => Reacts::States(Watching::new(Some(*state))),
            Plug::Transitions => Reacts::States(Watching::new(None)),
        };
        self.set_running(at, false);
        if let Some(list) = &mut self.systems[at] {
            list.parts.push(Part {
                is_late,
                to,
                script: script.to_vec(),
            });
            list.are_attached[1 + usize::from(is_late)] = false;
        }
    }

    /// Sets whether a list is in use, so that it can neither be executed nor switched.
    fn set_running(&mut self, at: usize, is_running: bool) {
        if let Some(list) = &mut self.systems[at] {
            list.is_running = is_running;
        }
    }

    /// The list with this number, unless it is running.
    fn idle_systems(&mut self, n: u8) -> Option<(usize, &mut Reacting)> {
        let at = usize::from(n).checked_rem(self.systems.len())?;
        let systems = self.systems[at].as_mut()?;
        (!systems.is_running).then_some((at, systems))
    }

    /// A system: the number of its list, and its position.
    pub(super) fn part(&mut self, (number, at): (usize, usize)) -> Option<&mut Part> {
        self.systems[number].as_mut()?.parts.get_mut(at)
    }

    /// Runs the systems of the first stage, then those of the second one.
    fn execute(&mut self, n: u8) {
        let Some((number, systems)) = self.idle_systems(n) else {
            return;
        };
        systems.is_running = true;
        let stages = systems.stages();
        self.attach_once(number, 0, stages.concat());
        let mut asked = Vec::new();
        for (nth, stage) in stages.into_iter().enumerate() {
            self.attach_once(number, 1 + nth, stage.clone());
            for at in stage {
                self.execute_part((number, at), &mut asked);
            }
        }
        asked.sort_unstable();
        let order = self.in_order(asked.iter().map(|(id, _)| *id).collect());
        asked.sort_by_key(|(id, _)| order.iter().position(|it| it == id));
        let lines = asked.iter().map(|(id, a)| format!("{} {a}", name(*id)));
        self.answer(lines.collect::<Vec<_>>().join(", "));
        self.set_running(number, false);
    }

    /// Attaches a list or a stage, if it was not executed with all its systems before.
    fn attach_once(&mut self, number: usize, what: usize, parts: Vec<usize>) {
        let list = self.systems[number].as_mut();
        let is_attached = list.map(|list| mem::replace(&mut list.are_attached[what], true));
        if is_attached == Some(false) {
            self.attach(number, parts);
        }
    }

    fn execute_part(&mut self, at: (usize, usize), asked: &mut Vec<(Id, u64)>) {
        let Some(Part { to, script, .. }) = self.part(at) else {
            return;
        };
        let script = script.clone();
        match to {
            Reacts::States(_) => self.execute_states(at, &script),
            Reacts::Queried(_) => {
                let ids = self.waiting(at);
                asked.extend(
                    ids.into_iter()
                        .filter_map(|id| Some((id, self.value(id, Kind::A)?))),
                );
            }
            Reacts::Changed(_) => {
                for id in self.waiting(at) {
                    if self.entities.contains_key(&id) {
                        let (present, id_name) = (self.present(id), name(id));
                        self.log
                            .push(format!("system {}: {id_name}; now {present}", at.0));
                        self.run_script(&script, Some(id));
                    }
                }
            }
        }
    }

    /// Takes the entities collected for a system, if its trigger still matches them.
    fn waiting(&mut self, at: (usize, usize)) -> Vec<Id> {
        let Some(Reacts::Changed(gatherer) | Reacts::Queried(gatherer)) =
            self.part(at).map(|part| &mut part.to)
        else {
            return Vec::new();
        };
        let (mut ids, parts) = (mem::take(&mut gatherer.ids), gatherer.parts.clone());
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
        for gatherer in systems.gatherers() {
            match switch {
                Switch::Activate => gatherer.active = true,
                Switch::Deactivate | Switch::Release => gatherer.active = false,
                Switch::Clear => {}
            }
            if !matches!(switch, Switch::Activate) {
                gatherer.ids.clear();
            }
        }
        let parts = systems.stages().concat();
        self.switch_states(at, parts, switch);
        if let Switch::Release = switch {
            self.systems[at] = None;
            self.abandon(at);
        }
    }

    /// Makes all systems react only to later changes.
    pub(super) fn restart_systems(&mut self) {
        for systems in self.systems.iter_mut().flatten() {
            systems.is_running = false;
            for gatherer in systems.gatherers() {
                gatherer.active = true;
                gatherer.ids.clear();
            }
            systems.watching().for_each(Watching::turn_on);
        }
    }

    /// Logs some entities and their `A`.
    pub(super) fn answer_with_a(&mut self, ids: &[Id]) {
        let line = |id: &Id| Some(format!("{} {}", name(*id), self.value(*id, Kind::A)?));
        let lines: Vec<_> = ids.iter().filter_map(line).collect();
        self.answer(lines.join(", "));
    }
}
