//! A program made of plug-ins, which share stages and are otherwise independent.
//!
//! ```text
//! cargo run --example plugins
//! ```
//!
//! ```text
//! stages      Steps: Spawn ─► Rules   (fifty times a second)    View   (once a frame)
//! movement                    walk
//! waves               Waves
//! fire                        ignite, burn, go out, die
//! view                                                          draw, between the steps
//! ```
//!
//! The duration of frames varies; that of the steps between them does not. The output is in
//! `plugins.out` in this folder.

mod fire;
mod movement;
mod view;
mod waves;
mod world;

use std::time::Duration;

use ecs::prelude::*;

use self::world::{World, stages};

fn program(world: &mut World) -> Systems<World> {
    let mut systems = stages();
    movement::plug_in(&mut systems);
    waves::plug_in(&mut systems);
    fire::plug_in(&mut systems, world);
    view::plug_in(&mut systems);
    systems
}

fn main() {
    let mut world = World::new();
    let mut systems = program(&mut world);
    systems.initialize(&mut world);
    for frame in 0..24 {
        let elapsed = Duration::from_millis(if frame % 5 == 4 { 250 } else { 90 });
        world.steps.advance(elapsed);
        systems.execute(&mut world);
        systems.cleanup(&mut world);
        println!("{}", world.screen);
    }
    systems.tear_down(&mut world);
    println!(
        "{} steps, {:?} dropped",
        world.steps.taken(),
        world.steps.dropped()
    );
    println!("{}", systems.report());
}
