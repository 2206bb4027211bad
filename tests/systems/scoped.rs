//! Values that an engine passes in for one frame.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ecs::Scoped;
use ecs::prelude::*;

use super::world::{Game, Health};
use support::panic_of;

struct World {
    game: Game,
    canvas: Scoped<Vec<u32>>,
}

impl World {
    fn new() -> (Self, Systems<Self>) {
        let world = Self {
            game: Game::new(),
            canvas: Scoped::new(),
        };
        let draw = |world: &mut Self| {
            let healths = world.game.query::<&Health>();
            world
                .canvas
                .with(|canvas| canvas.extend(healths.iter().map(|health| health.0)));
        };
        (world, Systems::new().add(draw))
    }
}

#[test]
fn a_world_without_lifetimes_can_use_values_of_a_frame() {
    let (mut world, mut systems) = World::new();
    let canvas = world.canvas.clone();
    for frame in 1..4 {
        world.game.create_with(Health(frame));
        let mut pixels = vec![0];
        canvas.set(&mut pixels, || systems.execute(&mut world));
        assert_eq!(pixels, (0..=frame).collect::<Vec<_>>());
    }
}

#[test]
fn after_the_frame_the_value_is_gone_even_after_a_panic() {
    let (mut world, mut systems) = World::new();
    let nothing =
        "no value is set; call systems that use it inside of `Scoped::set(&mut value, || ..)`";
    assert_eq!(panic_of(|| systems.execute(&mut world)), nothing);
    let canvas = world.canvas.clone();
    let mut pixels = Vec::new();
    let text = panic_of(|| canvas.set(&mut pixels, || canvas.with(|_| panic!("{}", "in a frame"))));
    assert_eq!(text, "in a frame");
    drop(pixels);
    assert_eq!(panic_of(|| canvas.with(|_| ())), nothing);
    let mut pixels = Vec::new();
    canvas.set(&mut pixels, || systems.execute(&mut world));
}

#[test]
fn there_is_one_value_and_one_use_of_it_at_a_time() {
    let scoped = Scoped::new();
    let (mut first, mut second) = (1, 2);
    scoped.set(&mut first, || {
        let text = panic_of(|| scoped.set(&mut second, || ()));
        assert!(text.starts_with("a value is set already"), "{text}");
        scoped.with(|value| {
            *value += 10;
            let text = panic_of(|| scoped.with(|_| ()));
            assert!(text.starts_with("the scoped value is in use"), "{text}");
            let text = panic_of(|| scoped.clone().set(&mut second, || ()));
            assert!(text.starts_with("a value is set already"), "{text}");
            *value += 100;
        });
    });
    assert_eq!((first, second), (111, 2));
}

#[test]
fn the_end_of_a_frame_waits_for_a_thread_that_uses_the_value() {
    static IN_USE: AtomicBool = AtomicBool::new(false);
    let scoped = Scoped::<Vec<u32>>::new();
    let other = scoped.clone();
    let mut value = vec![1];
    let thread = scoped.set(&mut value, || {
        let thread = thread::spawn(move || {
            other.with(|value| {
                IN_USE.store(true, Ordering::Release);
                thread::sleep(Duration::from_millis(30));
                value.push(2);
            });
        });
        while !IN_USE.load(Ordering::Acquire) {
            thread::yield_now();
        }
        thread
    });
    assert_eq!(value, [1, 2]);
    thread.join().unwrap();
}

#[test]
fn values_that_are_not_send_or_not_sized_can_be_passed() {
    let (window, pixels) = (Scoped::<Rc<u32>>::new(), Scoped::<[u8]>::new());
    window.set(&mut Rc::new(3), || {
        assert_eq!(window.with(|window| **window), 3)
    });
    pixels.set(&mut [1, 2], || {
        assert_eq!(pixels.with(|pixels| pixels.len()), 2)
    });
    assert_eq!(format!("{window:?}"), "Scoped { .. }");
}
