//! Messages that are sent and read, compared with lists.

use std::hint::black_box;

use ecs::{Context as _, Inbox, Messages};

use crate::workload::{Workload, steady};

/// The context of the messages.
#[ecs::context]
pub(super) struct Post;

/// A message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    damage: u64,
}

/// An inbox, the buffer to read into, and the sum of the messages.
struct Reader {
    post: Post,
    inbox: Inbox<Post, Hit>,
    read: Messages<Hit>,
    sum: u64,
}

impl Reader {
    fn new() -> Self {
        let mut post = Post::new();
        let inbox = post.inbox();
        Self {
            post,
            inbox,
            read: Messages::new(),
            sum: 0,
        }
    }

    fn read(&mut self) {
        self.inbox.drain_into(&mut self.post, &mut self.read);
        self.sum += self.read.iter().map(|hit| hit.damage).sum::<u64>();
    }
}

fn check(sum: u64, items: usize, runs: u64) {
    assert_eq!(sum, runs * (0..items as u64).sum::<u64>());
}

fn hit(number: usize) -> Hit {
    let damage = number as u64;
    Hit { damage }
}

/// Each message is read before the next one is sent.
pub(super) fn one_by_one(items: usize) -> Box<dyn Workload> {
    let run = move |reader: &mut Reader| {
        for number in 0..items {
            reader.post.send(black_box(hit(number)));
            reader.read();
        }
    };
    steady(Reader::new(), run, move |reader, runs| {
        check(reader.sum, items, runs);
    })
}

/// All of them are sent, then all are read.
pub(super) fn all_at_once(items: usize) -> Box<dyn Workload> {
    let run = move |reader: &mut Reader| {
        for number in 0..items {
            reader.post.send(black_box(hit(number)));
        }
        reader.read();
    };
    steady(Reader::new(), run, move |reader, runs| {
        check(reader.sum, items, runs);
    })
}

/// A message of a type that is never sent.
struct Other;

/// The only inbox is for another type of message.
pub(super) fn unread(items: usize) -> Box<dyn Workload> {
    let mut post = Post::new();
    let other = post.inbox::<Other>();
    let run = move |(post, _): &mut (Post, Inbox<Post, Other>)| {
        for number in 0..items {
            post.send(black_box(hit(number)));
        }
    };
    steady((post, other), run, |(post, other), _| {
        post.send(Other);
        assert_eq!(other.drain(post).len(), 1);
    })
}

type List = (Vec<Hit>, u64);

pub(super) fn list_one_by_one(items: usize) -> Box<dyn Workload> {
    let run = move |(list, sum): &mut List| {
        for number in 0..items {
            black_box(&mut *list).push(black_box(hit(number)));
            *sum += black_box(&mut *list).pop().map_or(0, |hit| hit.damage);
        }
    };
    steady((Vec::new(), 0), run, move |(_, sum), runs| {
        check(*sum, items, runs);
    })
}

pub(super) fn list_all_at_once(items: usize) -> Box<dyn Workload> {
    let run = move |(list, sum): &mut List| {
        for number in 0..items {
            black_box(&mut *list).push(black_box(hit(number)));
        }
        *sum += list.drain(..).map(|hit| hit.damage).sum::<u64>();
    };
    steady((Vec::new(), 0), run, move |(_, sum), runs| {
        check(*sum, items, runs);
    })
}

pub(super) fn test_of_a_field(items: usize) -> Box<dyn Workload> {
    let run = move |list: &mut Option<Vec<Hit>>| {
        for number in 0..items {
            let hit = black_box(hit(number));
            if let Some(list) = black_box(&mut *list) {
                list.push(hit);
            }
        }
    };
    steady(None, run, |list, _| assert!(list.is_none()))
}
