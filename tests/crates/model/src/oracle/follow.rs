//! Who follows in other ways: inboxes, lists of removed values, indexes, feeds.

use ecs::GroupEvent;

use super::{Does, Notice, Oracle, Subject, name};
use crate::op::{Kind, Op, Sets};

/// The group of those who have `A`.
const HAS_A: Sets = Sets {
    all: 1,
    any: 0,
    none: 0,
};

/// Takes away the one of a list with this number.
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
    /// Runs what concerns those who follow; returns whether it was that.
    pub(super) fn run_following(&mut self, op: &Op) -> bool {
        match *op {
            Op::DropCollector(n) => _ = take(&mut self.collectors, n),
            Op::MakeInbox => self.inboxes.push(Some(Vec::new())),
            Op::Send(message) => self.send(message),
            Op::DrainInbox(n) => {
                let read = get(&mut self.inboxes, n).map(std::mem::take);
                self.answer(format!("{read:?}"));
            }
            Op::DropInbox(n) => _ = take(&mut self.inboxes, n),
            Op::MakeRemoved => self.make_removed(),
            Op::DrainRemoved(n) => {
                let values = get(&mut self.removed, n).map(std::mem::take);
                let values = values.into_iter().flatten();
                let values: Vec<_> = values.map(|(id, a)| format!("{} {a}", name(id))).collect();
                self.answer(values.join(", "));
            }
            Op::DropRemoved(n) => _ = take(&mut self.removed, n),
            Op::MakeIndex => {
                self.followed = true;
                self.group(HAS_A);
            }
            Op::MakeFeed => {
                self.followed = true;
                use Kind::*;
                for kind in [A, C, D, F, G, I, L] {
                    self.group(Sets {
                        all: 1 << kind as u16,
                        any: 0,
                        none: 0,
                    });
                }
            }
            Op::DropIndex(_) | Op::TakeFeed(_) | Op::DropFeed(_) => {}
            _ => return false,
        }
        true
    }

    fn make_removed(&mut self) {
        let group = self.group(HAS_A);
        let list = self.removed.len();
        self.removed.push(None);
        self.observe(Subject::Group(group, GroupEvent::Left), Does::Gather(list));
        self.removed[list] = Some(Vec::new());
    }

    /// Notes a value that an entity has lost.
    pub(super) fn note_removed(&mut self, list: usize, notice: Notice) {
        if let (Some(list), Some(id), Some(value)) =
            (&mut self.removed[list], notice.id, notice.previous)
        {
            list.push((id, value));
        }
    }

    /// Ends all observers but those that gather.
    pub(super) fn clear_observers(&mut self) {
        for observer in &mut self.observers {
            observer.live = matches!(observer.does, Does::Gather(_));
        }
    }
}
