//! The game: sprites, some of which move.

use bytemuck::{Pod, Zeroable};
use ecs::prelude::*;

use crate::gpu_column::Column;

#[ecs::context]
pub struct Game;

/// From -1 to 1, as in the window.
#[derive(Component, Clone, Copy)]
#[component(context = Game)]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

#[derive(Component, Clone, Copy)]
#[component(context = Game)]
pub struct Velocity {
    pub x: f32,
    pub y: f32,
}

/// Red, green, blue, opacity.
#[derive(Component, Clone, Copy)]
#[component(context = Game)]
pub struct Color(pub [u8; 4]);

/// What the graphics card knows of an entity.
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Sprite {
    pub at: [f32; 2],
    pub color: [u8; 4],
}

pub fn sprites(game: &mut Game) -> ecs::IndexHandle<Game, Column<Sprite>> {
    let sprite = |entity: GameEntity<'_>| Sprite {
        at: [entity.position().x, entity.position().y],
        color: entity.color().0,
    };
    game.index_with(Game::all_of::<(Position, Color)>(), sprite, Column::new())
}

/// Creates sprites in a square. One of a hundred moves.
pub fn begin(game: &mut Game, count: u32) {
    let side = f64::from(count).sqrt().ceil() as u32;
    let place = |n: u32| Position {
        x: (n % side) as f32 / side as f32 * 2.0 - 1.0,
        y: (n / side) as f32 / side as f32 * 2.0 - 1.0,
    };
    let still = count - count / 100;
    game.create_many((0..still).map(|n| (place(n), Color([40, 60, (n % 200) as u8, 255]))));
    game.create_many((still..count).map(|n| {
        let velocity = Velocity {
            x: (n % 61) as f32 / 3000.0 - 0.01,
            y: (n % 67) as f32 / 3000.0 - 0.011,
        };
        (place(n * 97 % count), velocity, Color([255, 170, 0, 255]))
    }));
}

pub fn drift(game: &mut Game) {
    game.query_mut::<(&mut Position, &mut Velocity)>()
        .for_each(|(at, velocity)| {
            at.x += velocity.x;
            at.y += velocity.y;
            turn(at.x, &mut velocity.x);
            turn(at.y, &mut velocity.y);
        });
}

fn turn(at: f32, velocity: &mut f32) {
    if at.abs() > 1.0 {
        *velocity = velocity.abs() * -at.signum();
    }
}
