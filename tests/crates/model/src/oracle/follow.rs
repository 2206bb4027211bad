//! Other subscribers: inboxes, lists of removed values, indexes, feeds.

use ecs::GroupEvent;

use super::{Does, Lost, Notice, Oracle, Subject, name};
use crate::op::{Keyed, Kind, Op, Sets, Switch};

/// The group of entities with all of these.
fn all_of(kinds: &[Kind]) -> Sets {
    Sets {
        all: set(kinds),
        any: 0,
        none: 0,
    }
}

fn set(kinds: &[Kind]) -> u16 {
    kinds.iter().fold(0, |set, kind| set | 1 << *kind as u16)
}

/// The group of an index.
fn sets_of(keyed: Keyed) -> Sets {
    use Kind::*;
    let empty = all_of(&[]);
    match keyed {
        Keyed::ByA | Keyed::InOrder => all_of(&[A]),
        Keyed::ByBoth => Sets {
            none: set(&[D]),
            ..all_of(&[A, N])
        },
        Keyed::ByEach => Sets {
            any: set(&[A, C, N]),
            ..empty
        },
    }
}

/// Takes the element of a list with this number.
fn take<T>(list: &mut [Option<T>], n: u8) -> Option<T> {
    usize::from(n)
        .checked_rem(list.len())
        .and_then(|at| list[at].take())
}

fn get<T>(list: &mut [Option<T>], n: u8) -> Option<&mut T> {
    usize::from(n)
        .checked_rem(list.len())
        .and_then(|at| list[at].as_mut())
}

impl Oracle {
    /// Runs an operation on subscribers; returns `false` for other operations.
    pub(super) fn run_following(&mut self, op: &Op) -> bool {
        match *op {
            Op::DropCollector(n) => _ = take(&mut self.collectors, n),
            Op::MakeInbox => self.inboxes.push(Some(Vec::new())),
            Op::Send(message) => self.send(message),
            Op::DrainInbox(n) => {
                let read = get(&mut self.inboxes, n).map(std::mem::take);
                self.answer(format!("{read:?}"));
            }
            Op::ClearInbox(n) => _ = get(&mut self.inboxes, n).map(Vec::clear),
            Op::DropInbox(n) => _ = take(&mut self.inboxes, n),
            Op::MakeRemoved => self.make_removed(),
            Op::DrainRemoved(n) => {
                let lost = get(&mut self.removed, n);
                let values = lost.map(|lost| std::mem::take(&mut lost.values));
                let values = values.into_iter().flatten();
                let values: Vec<_> = values.map(|(id, a)| format!("{} {a}", name(id))).collect();
                self.answer(values.join(", "));
            }
            Op::SwitchRemoved(n, switch) => self.switch_removed(n, switch),
            Op::DropRemoved(n) => _ = take(&mut self.removed, n),
            Op::MakeIndex(keyed) => {
                self.followed = true;
                self.group(sets_of(keyed));
            }
            Op::MakeFeed(_) => {
                self.followed = true;
                use Kind::*;
                for kind in [A, C, D, F, G, H, I, J, L, M, N, O, P] {
                    self.group(all_of(&[kind]));
                }
            }
            Op::SwitchIndex(..) | Op::DropIndex(_) | Op::TakeFeed(..) | Op::DropFeed(_) => {}
            _ => return false,
        }
        true
    }

    fn make_removed(&mut self) {
        let group = self.group(all_of(&[Kind::A]));
        let list = self.removed.len();
        self.removed.push(None);
        self.observe(Subject::Group(group, GroupEvent::Left), Does::Collect(list));
        self.removed[list] = Some(Lost {
            active: true,
            values: Vec::new(),
        });
    }

    fn switch_removed(&mut self, n: u8, switch: Switch) {
        if let Switch::Release = switch {
            take(&mut self.removed, n);
        } else if let Some(lost) = get(&mut self.removed, n) {
            match switch {
                Switch::Activate => lost.active = true,
                Switch::Deactivate => *lost = Lost::default(),
                _ => lost.values.clear(),
            }
        }
    }

    /// Records a removed value.
    pub(super) fn note_removed(&mut self, list: usize, notice: Notice) {
        if let (Some(list), Some(id), Some(value)) =
            (&mut self.removed[list], notice.id, notice.previous)
            && list.active
        {
            list.values.push((id, value));
        }
    }

    /// Removes all observers, but no lists of removed values and no listeners to events.
    pub(super) fn clear_observers(&mut self) {
        for observer in &mut self.observers {
            let is_listener = matches!(observer.subject, Subject::Event(..));
            observer.live &= is_listener;
            observer.live |= matches!(observer.does, Does::Collect(_));
        }
    }
}
