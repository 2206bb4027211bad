//! What threads can do at the same time: use components for the first time, read one context, push
//! to one queue, change separate contexts. `.ci/sanitize` runs it under ThreadSanitizer.
//!
//! It uses threads of the system. Those of the standard library are not compiled for
//! ThreadSanitizer, which would report false races between them.

#![expect(unsafe_code, reason = "starts and joins threads of the system")]

use std::ffi::c_void;
use std::ptr;

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Team(#[component(index)] u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Name(String);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Flag;

const THREADS: usize = 4;
const ENTITIES: u32 = 1_000;
const PUSHES: u32 = 1_000;

unsafe extern "C" {
    fn pthread_create(
        thread: *mut usize,
        attributes: *const c_void,
        start: extern "C" fn(*mut c_void) -> *mut c_void,
        argument: *mut c_void,
    ) -> i32;
    fn pthread_join(thread: usize, result: *mut *mut c_void) -> i32;
}

/// The function that one thread calls, its argument and its result.
struct Task<'a> {
    work: &'a (dyn Fn(usize) -> u64 + Sync),
    number: usize,
    found: u64,
}

extern "C" fn start(task: *mut c_void) -> *mut c_void {
    // SAFETY: `at_once_with` passes each thread its own task, and does not use the task until it has
    // joined the thread.
    let task = unsafe { &mut *task.cast::<Task<'_>>() };
    task.found = (task.work)(task.number);
    ptr::null_mut()
}

/// Calls `work` in several threads at once; returns their results.
fn at_once(work: &(dyn Fn(usize) -> u64 + Sync)) -> [u64; THREADS] {
    at_once_with(work, || ())
}

/// Like [`at_once`], and calls `meanwhile` in this thread.
fn at_once_with(work: &(dyn Fn(usize) -> u64 + Sync), meanwhile: impl FnOnce()) -> [u64; THREADS] {
    let task = |number| Task {
        work,
        number,
        found: 0,
    };
    let mut tasks: [_; THREADS] = std::array::from_fn(task);
    let threads = tasks.each_mut().map(|task| {
        let (mut thread, task) = (0, ptr::from_mut(task).cast());
        // SAFETY: the task is not moved or used before the thread is joined.
        let failed = unsafe { pthread_create(&mut thread, ptr::null(), start, task) };
        assert_eq!(failed, 0, "a thread starts");
        thread
    });
    meanwhile();
    for thread in threads {
        // SAFETY: each thread is joined once.
        assert_eq!(unsafe { pthread_join(thread, ptr::null_mut()) }, 0);
    }
    tasks.map(|task| task.found)
}

/// Creates a context per thread, with components that have not been used before.
fn first_use(number: usize) -> u64 {
    let mut game = Game::new();
    for n in 0..ENTITIES {
        let mut entity = game.create_with(Health(n));
        match (number + n as usize) % 3 {
            0 => _ = entity.add_name(format!("number {n}")),
            1 => _ = entity.add_flag(),
            _ => _ = entity.add_team(n),
        }
    }
    let named = game.query::<&Name>().iter().count();
    let flagged = game.query::<&Flag>().iter().count();
    (named + flagged + game.query::<&Team>().iter().count()) as u64
}

/// Reads a shared context in all possible ways.
fn read(game: &Game, healthy: Group<Game>, number: usize) -> u64 {
    let by_id = healthy
        .iter(game)
        .map(|entity| u64::from(entity.health().0));
    let by_query = game
        .query::<&Health>()
        .iter()
        .map(|health| u64::from(health.0))
        .sum::<u64>();
    assert_eq!(by_id.sum::<u64>(), by_query);
    let team = number as u32 % 3;
    let members = game.entities_with_team(&team);
    members
        .map(|entity| u64::from(entity.team().0 == team))
        .sum()
}

fn main() {
    let used = at_once(&first_use);
    assert_eq!(used, [u64::from(ENTITIES); THREADS]);

    let mut game = Game::new();
    game.create_many((0..ENTITIES).map(|n| (Health(n), Team(n % 3))));
    let healthy = game.group(Game::all_of::<Health>());
    let read = at_once(&|number| read(&game, healthy, number));
    assert_eq!(read[0] + read[1] + read[2], u64::from(ENTITIES));

    let mut deferred = Deferred::<Game>::new();
    let pushes: [_; THREADS] = std::array::from_fn(|_| deferred.clone());
    let push = |number: usize| {
        for n in 0..PUSHES {
            pushes[number].push(move |game: &mut Game| _ = game.create_with(Health(n)));
        }
        u64::from(PUSHES)
    };
    at_once_with(&push, || {
        (0..1_000).for_each(|_| deferred.execute(&mut game))
    });
    deferred.execute(&mut game);
    assert_eq!(game.len(), ENTITIES as usize + THREADS * PUSHES as usize);

    let forks: [_; THREADS] = std::array::from_fn(|_| game.fork());
    let forks = forks.map(std::sync::Mutex::new);
    let sizes = at_once(&|number| {
        let mut fork = forks[number].lock().expect("no panic");
        fork.create_many((0..number as u32).map(Health));
        fork.query_mut::<&mut Health>()
            .for_each(|health| health.0 += 1);
        fork.len() as u64
    });
    assert!(sizes.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    println!("{THREADS} threads agree");
}
