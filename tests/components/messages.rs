//! Messages: receivers, order, and when they are dropped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use ecs::Messages;
use ecs::prelude::*;

use support::game::{Game, Health};
use support::panic_of;

/// A message that counts its living instances.
#[derive(Debug)]
struct Shot(Arc<AtomicUsize>);

impl Shot {
    fn new(alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Relaxed);
        Self(alive.clone())
    }
}

impl Drop for Shot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

fn read(inbox: &Inbox<Game, u32>, game: &mut Game) -> Vec<u32> {
    inbox.drain(game).iter().copied().collect()
}

#[test]
fn each_inbox_receives_later_messages_once() {
    let mut game = Game::new();
    game.send(0_u32);
    let first = game.inbox::<u32>();
    game.send(1_u32);
    game.send("of another type");
    let second = game.inbox::<u32>();
    game.send(2_u32);
    assert_eq!((first.len(&game), second.len(&game)), (2, 1));
    assert_eq!(read(&first, &mut game), [1, 2]);
    game.send(3_u32);
    assert_eq!(read(&first, &mut game), [3]);
    assert_eq!(read(&second, &mut game), [2, 3]);
    assert!(first.is_empty(&game) && second.is_empty(&game));
    assert!(read(&first, &mut game).is_empty());
}

#[test]
fn inboxes_agree_when_read_in_any_order() {
    let mut game = Game::new();
    let mut inboxes: Vec<(Inbox<Game, u32>, Vec<u32>, u32)> = Vec::new();
    let mut random = 7_u32;
    for number in 0..5_000 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let choice = random >> 16;
        match choice % 10 {
            0 if inboxes.len() < 5 => inboxes.push((game.inbox(), Vec::new(), number)),
            1 if choice % 70 == 1 => drop(inboxes.pop()),
            2 | 3 if !inboxes.is_empty() => {
                let at = choice as usize / 10 % inboxes.len();
                let (inbox, received, _) = &mut inboxes[at];
                received.extend(inbox.drain(&mut game).iter());
            }
            _ => {}
        }
        game.send(number);
    }
    assert!(inboxes.len() > 2);
    for (inbox, mut received, since) in inboxes {
        received.extend(inbox.drain(&mut game).iter());
        assert!(received.into_iter().eq(since..5_000));
    }
}

#[test]
fn a_message_is_dropped_when_the_last_inbox_has_read_it() {
    let (mut game, alive) = (Game::new(), Arc::<AtomicUsize>::default());
    let count = || alive.load(Relaxed);
    game.send(Shot::new(&alive));
    assert_eq!(count(), 0);
    let (first, second) = (game.inbox::<Shot>(), game.inbox::<Shot>());
    (0..10).for_each(|_| game.send(Shot::new(&alive)));
    drop(first.drain(&mut game));
    assert_eq!(count(), 10);
    let read = second.drain(&mut game);
    assert_eq!((read.len(), count()), (10, 10));
    drop(read);
    assert_eq!(count(), 0);
    game.send(Shot::new(&alive));
    second.clear(&mut game);
    drop(first);
    game.storage_mut().shrink_to_fit();
    assert_eq!(count(), 0);
    game.send(Shot::new(&alive));
    game.reset();
    assert!(second.is_empty(&game));
    assert_eq!(count(), 0);
    game.send(Shot::new(&alive));
    drop(game);
    assert_eq!(count(), 0);
}

#[test]
fn a_message_is_dropped_when_the_remaining_inboxes_have_read_it() {
    let (mut game, alive) = (Game::new(), Arc::<AtomicUsize>::default());
    let (first, second) = (game.inbox::<Shot>(), game.inbox::<Shot>());
    game.send(Shot::new(&alive)); // the list has spare capacity
    drop(second);
    game.send(Shot::new(&alive));
    let read = first.drain(&mut game);
    assert_eq!((read.len(), alive.load(Relaxed)), (2, 2));
    drop(read);
    assert_eq!(alive.load(Relaxed), 0);
}

#[test]
fn a_dropped_inbox_collects_no_more_than_the_memory_it_has() {
    let (mut game, alive) = (Game::new(), Arc::<AtomicUsize>::default());
    drop(game.inbox::<Shot>());
    for _ in 0..10_000 {
        game.send(Shot::new(&alive));
    }
    assert!(alive.load(Relaxed) <= 4);
    let kept = game.inbox::<Shot>();
    (0..100).for_each(|_| game.send(Shot::new(&alive)));
    drop(kept);
    (0..10_000).for_each(|_| game.send(Shot::new(&alive)));
    assert!(alive.load(Relaxed) <= 128);
}

#[test]
fn memory_is_reused() {
    let mut game = Game::new();
    let inbox = game.inbox::<u32>();
    let mut messages = Messages::new();
    for round in 0..3 {
        (0..100).for_each(|number| game.send(round * 100 + number));
        inbox.drain_into(&mut game, &mut messages);
        assert!(messages.iter().copied().eq(round * 100..round * 100 + 100));
        assert!((&messages).into_iter().eq(messages.iter()));
    }
    assert_eq!(format!("{:?}", inbox), "Inbox(0, 0)");
    let before = game.storage().memory().collectors;
    (0..1_000_u32).for_each(|number| game.send(number));
    assert!(game.storage().memory().collectors >= before + 3_000);
}

#[test]
fn messages_that_others_read_too_are_cloned_by_value() {
    let mut game = Game::new();
    let [one, other] = [game.inbox::<String>(), game.inbox::<String>()];
    let send = |game: &mut Game, range: std::ops::Range<u32>| {
        range.for_each(|number| game.send(number.to_string()));
    };
    send(&mut game, 0..3);
    assert!(one.drain(&mut game).into_iter().eq(["0", "1", "2"]));
    send(&mut game, 3..5);
    assert!(one.drain(&mut game).into_iter().eq(["3", "4"]));
    let all = other.drain(&mut game);
    assert!(all.into_iter().eq(["0", "1", "2", "3", "4"]));
    drop(other);
    send(&mut game, 5..7);
    assert!(one.drain(&mut game).into_iter().eq(["5", "6"]));
}

type Log = Arc<Mutex<Vec<String>>>;

fn log(log: &Log, what: &'static str) -> impl FnMut(&mut Game, &u32) + Send + Sync + 'static {
    let log = log.clone();
    move |game, number| {
        log.lock().unwrap().push(format!("{what} {number}"));
        if *number > 0 {
            game.send(number - 1);
        }
    }
}

#[test]
fn observers_are_called_first_in_first_out_when_inboxes_have_received() {
    let (mut game, lines) = (Game::new(), Log::default());
    let inbox = game.inbox::<u32>();
    let first = game.on_message(log(&lines, "a"));
    game.on_message(log(&lines, "b"));
    game.send(1_u32);
    let expected = ["a 1", "b 1", "a 0", "b 0", "a 0", "b 0"];
    assert_eq!(std::mem::take(&mut *lines.lock().unwrap()), expected);
    assert_eq!(read(&inbox, &mut game), [1, 0, 0]);
    assert!(game.unsubscribe(first));
    game.send(0_u32);
    assert_eq!(std::mem::take(&mut *lines.lock().unwrap()), ["b 0"]);
    game.observers().clear();
    game.send(0_u32);
    assert!(lines.lock().unwrap().is_empty());
    assert_eq!(read(&inbox, &mut game), [0, 0]);
}

#[test]
fn messages_sent_before_the_observer_come_first() {
    let mut game = Game::new();
    let inbox = game.inbox::<u32>();
    game.send(1_u32);
    let observer = game.on_message(|_, _: &u32| {});
    game.send(2_u32);
    game.unsubscribe(observer);
    game.send(3_u32);
    assert_eq!(read(&inbox, &mut game), [1, 2, 3]);
}

#[test]
fn messages_and_changes_wait_in_one_queue() {
    let (mut game, lines) = (Game::new(), Log::default());
    let group = game.group(Game::all_of::<Health>());
    let (to_group, to_message) = (lines.clone(), lines.clone());
    group.on_entered(
        &mut game,
        move |game: &mut Game, change: &Change<'_, Game>| {
            let health = game.entity(change.entity()).health().0;
            to_group.lock().unwrap().push(format!("entered {health}"));
            game.send(health);
            if health < 2 {
                game.create_with(Health(health + 1));
            }
        },
    );
    game.on_message(move |_, number: &u32| {
        to_message.lock().unwrap().push(format!("message {number}"));
    });
    game.create_with(Health(1));
    let expected = ["entered 1", "message 1", "entered 2", "message 2"];
    assert_eq!(*lines.lock().unwrap(), expected);
}

#[test]
fn a_panic_in_an_observer_leaves_the_message_in_the_inboxes() {
    let mut game = Game::new();
    let inbox = game.inbox::<u32>();
    game.on_message(|_, number: &u32| assert!(*number < 5, "on purpose"));
    let sent = catch_unwind(AssertUnwindSafe(|| game.send(7_u32)));
    assert!(sent.is_err());
    game.send(1_u32);
    assert_eq!(read(&inbox, &mut game), [7, 1]);
}

#[test]
fn misuse_is_rejected() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let inbox = game.inbox::<u32>();
    let text = panic_of(|| drop(inbox.drain(&mut other)));
    assert!(
        text.contains("this inbox belongs to another `Game`"),
        "{text}"
    );
    game.on_message(|game, number: &u64| game.send(*number));
    game.observers().set_notification_limit(50);
    let text = panic_of(|| game.send(1_u64));
    assert!(
        text.contains("50 notifications at a message that was sent"),
        "{text}"
    );
    game.observers().clear();
    game.on_message(|game, _: &u64| *game = Game::new());
    let text = panic_of(|| game.send(1_u64));
    assert!(text.contains("was replaced or moved away"), "{text}");
}

#[test]
fn systems_receive_each_message_once_in_any_order() {
    let mut game = Game::new();
    let received = Arc::new(Mutex::new([Vec::new(), Vec::new()]));
    let reader = |at: usize| {
        let received = received.clone();
        move |_: &mut Game, number: &u32| received.lock().unwrap()[at].push(*number)
    };
    let mut systems = Systems::new()
        .on_message(game.inbox(), reader(0))
        .for_each_changed(&mut game, Game::all_of::<Health>().entered(), |game, id| {
            let health = game.entity(id).health().0;
            game.send(health);
        })
        .on_message(game.inbox(), reader(1));
    for round in 0..3 {
        game.create_with(Health(round));
        systems.execute(&mut game);
    }
    assert_eq!(*received.lock().unwrap(), [vec![0, 1], vec![0, 1, 2]]);
    systems.execute(&mut game);
    assert_eq!(received.lock().unwrap()[0], [0, 1, 2]);
    game.send(9_u32);
    systems.clear(&mut game);
    systems.deactivate(&mut game);
    game.send(10_u32);
    systems.activate(&mut game);
    game.send(11_u32);
    systems.execute(&mut game);
    let expected = vec![0, 1, 2, 11];
    assert_eq!(*received.lock().unwrap(), [expected.clone(), expected]);
}

#[test]
fn drained_messages_are_counted_and_dropped_when_they_are_cleared() {
    let alive = Arc::new(AtomicUsize::new(0));
    let mut game = Game::new();
    let inbox = game.inbox::<Shot>();
    game.send(Shot::new(&alive));
    game.send(Shot::new(&alive));
    let mut messages = Messages::new();
    assert!(messages.is_empty());
    inbox.drain_into(&mut game, &mut messages);
    assert!(!messages.is_empty() && messages.len() == 2);
    messages.clear();
    assert!(messages.is_empty() && messages.iter().next().is_none());
    assert_eq!(alive.load(Relaxed), 0);
}

#[test]
fn a_dropped_inbox_keeps_no_message_that_others_see() {
    let alive = Arc::new(AtomicUsize::new(0));
    let mut game = Game::new();
    drop(game.inbox::<Shot>());
    game.on_message(|_, _: &Shot| ());
    for _ in 0..100 {
        game.send(Shot::new(&alive));
    }
    assert_eq!(alive.load(Relaxed), 0);
}

#[test]
fn a_dropped_inbox_keeps_no_message_that_another_one_has_read() {
    let alive = Arc::new(AtomicUsize::new(0));
    let mut game = Game::new();
    let (dropped, read) = (game.inbox::<Shot>(), game.inbox::<Shot>());
    drop(dropped);
    for _ in 0..100 {
        game.send(Shot::new(&alive));
        assert_eq!(read.drain(&mut game).len(), 1);
    }
    assert_eq!(alive.load(Relaxed), 0);
}

/// A message of one of many types.
#[derive(Debug, PartialEq)]
struct Numbered<const N: usize>(u32);

#[test]
fn messages_of_many_types_arrive_only_at_readers_of_their_type() {
    fn inbox<const N: usize>(game: &mut Game) -> impl Fn(&mut Game) + use<N> {
        let inbox = game.inbox::<Numbered<N>>();
        move |game| {
            game.send(Numbered::<N>(1));
            game.send(Numbered::<N>(2));
            let read = inbox.drain(game);
            assert!(read.iter().eq(&[Numbered(1), Numbered(2)]));
        }
    }
    let mut game = Game::new();
    macro_rules! inboxes {
        ($($n:literal)*) => {[$(Box::new(inbox::<$n>(&mut game)) as Box<dyn Fn(&mut Game)>),*]};
    }
    let check = inboxes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    for _ in 0..3 {
        check.iter().for_each(|check| check(&mut game));
    }
}

#[test]
fn observers_are_notified_between_messages_that_have_none() {
    let mut game = Game::new();
    let inbox = game.inbox::<u32>();
    let heard = Arc::new(Mutex::new(Vec::new()));
    game.send(1_u32);
    for round in [2_u32, 5] {
        let log = heard.clone();
        let observer = game.on_message(move |_, number: &u32| log.lock().unwrap().push(*number));
        game.send(round);
        game.unsubscribe(observer);
        game.send(round + 1);
        game.send(round + 2);
    }
    assert_eq!(*heard.lock().unwrap(), [2, 5]);
    assert_eq!(read(&inbox, &mut game), [1, 2, 3, 4, 5, 6, 7]);
}
