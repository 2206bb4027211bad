//! A game on a microcontroller: a Cortex-M4 without an operating system. `cargo run` starts it in QEMU.
//!
//! Two things are up to such a program. It chooses how atomics of 64 bits work, by a feature of
//! `portable-atomic` in `Cargo.toml`. And it runs the constructors that number components, because no C
//! runtime does; `memory.x` lists them.

#![no_std]
#![no_main]

use cortex_m_semihosting::{debug, hprintln};
use ecs::prelude::*;
use embedded_alloc::LlffHeap;
use {cortex_m as _, panic_semihosting as _, portable_atomic as _};

#[ecs::context]
pub struct Game;

#[derive(Component, Debug)]
#[component(context = Game)]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

#[derive(Component)]
#[component(context = Game)]
pub struct Velocity {
    pub dx: f32,
    pub dy: f32,
}

#[derive(Component)]
#[component(context = Game, disables)]
pub struct Asleep;

fn move_all(game: &mut Game) {
    let movers = game.query_mut::<(&mut Position, &Velocity)>();
    movers.for_each(|(position, velocity)| {
        position.x += velocity.dx;
        position.y += velocity.dy;
    });
}

fn play() {
    let mut game = Game::new();
    let names = game.components().iter().map(|component| component.name());
    names.for_each(|name| hprintln!("component {}", name));

    let awake = game.group(Game::all_of::<Position>());
    let moved = Game::all_of::<Position>().entered_or_updated();
    let mut systems = Systems::new().add(move_all);
    systems = systems.for_each_changed(&mut game, moved, |game, id| {
        hprintln!("{} is at {:?}", id, game.entity(id).position());
    });

    let mut hero = game.create_entity();
    let hero = hero.add_position(0.0, 0.0).add_velocity(1.0, 0.5).id();
    systems.execute(&mut game);
    game.entity_mut(hero).add_asleep();
    systems.execute(&mut game);
    hprintln!("awake: {}", awake.len(&game));
}

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

#[cortex_m_rt::entry]
fn main() -> ! {
    // SAFETY: called once, before anything is allocated.
    unsafe {
        embedded_alloc::init!(HEAP, 1 << 20);
    }
    run_constructors();
    play();
    debug::exit(debug::EXIT_SUCCESS);
    unreachable!("the program has ended")
}

/// Runs the constructors of the program, as a C runtime does before `main`.
fn run_constructors() {
    type Constructor = unsafe extern "C" fn();
    unsafe extern "C" {
        static __init_array_start: Constructor;
        static __init_array_end: Constructor;
    }
    let (mut next, end) = (&raw const __init_array_start, &raw const __init_array_end);
    while next < end {
        // SAFETY: `memory.x` puts the two symbols around an array of constructors, which are called
        // here alone.
        unsafe {
            (*next)();
            next = next.add(1);
        }
    }
}
