//! Balls in a real window. The main loop owns the window and its pixels, and passes them to the
//! systems for one frame at a time.
//!
//! ```text
//! cargo run --manifest-path examples/window/Cargo.toml
//! ```
//!
//! The mouse button adds a ball. Escape ends the program; `--frames 100` ends it after 100 frames.
//! `examples/window/test` runs it on a virtual screen and checks that the balls are drawn.

use std::time::{Duration, Instant};

use ecs::Scoped;
use ecs::prelude::*;
use minifb::{Key, MouseButton, MouseMode, Window, WindowOptions};

const WIDTH: usize = 320;
const HEIGHT: usize = 240;

#[ecs::context]
pub struct Game;

#[derive(Component)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component)]
struct Velocity {
    x: f32,
    y: f32,
}

#[derive(Component)]
struct Ball {
    radius: f32,
    color: u32,
}

/// Exists as long as the program, so it has no lifetime parameter. Values that it does not own are
/// passed for one frame.
#[derive(Contexts)]
struct World {
    game: Game,
    #[contexts(skip)]
    steps: FixedSteps,
    #[contexts(skip)]
    window: Scoped<Window>,
    #[contexts(skip)]
    pixels: Scoped<[u32]>,
}

fn add_balls(world: &mut World) {
    let clicked = world.window.with(|window| {
        let down = window.get_mouse_down(MouseButton::Left);
        window.get_mouse_pos(MouseMode::Discard).filter(|_| down)
    });
    if let Some((x, y)) = clicked {
        create_ball(&mut world.game, x, y, 0x66_CC_66);
    }
}

fn create_ball(game: &mut Game, x: f32, y: f32, color: u32) {
    let velocity = Velocity {
        x: 90.0 - y / 2.0,
        y: x / 2.0 - 60.0,
    };
    let radius = 12.0;
    game.create_with((Position { x, y }, velocity, Ball { radius, color }));
}

fn bounce(world: &mut World) {
    let dt = world.steps.timestep().as_secs_f32();
    let balls = world
        .game
        .query_mut::<(&mut Position, &mut Velocity, &Ball)>();
    balls.for_each(|(position, velocity, ball)| {
        position.x += velocity.x * dt;
        position.y += velocity.y * dt;
        turn(position.x, &mut velocity.x, ball.radius, WIDTH as f32);
        turn(position.y, &mut velocity.y, ball.radius, HEIGHT as f32);
    });
}

fn turn(at: f32, velocity: &mut f32, radius: f32, end: f32) {
    if at < radius {
        *velocity = velocity.abs();
    } else if at > end - radius {
        *velocity = -velocity.abs();
    }
}

fn draw(world: &mut World) {
    let balls = world.game.query::<(&Position, &Ball)>();
    world.pixels.with(|pixels| {
        pixels.fill(0x20_24_30);
        for (position, ball) in &balls {
            for (at, pixel) in pixels.iter_mut().enumerate() {
                let (x, y) = ((at % WIDTH) as f32, (at / WIDTH) as f32);
                if (x - position.x).hypot(y - position.y) < ball.radius {
                    *pixel = ball.color;
                }
            }
        }
    });
}

fn main() -> Result<(), minifb::Error> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--frames");
    let frames = arguments.nth(1).and_then(|frames| frames.parse().ok());
    let mut window = Window::new("Balls", WIDTH, HEIGHT, WindowOptions::default())?;
    window.set_target_fps(60);
    let mut pixels = vec![0; WIDTH * HEIGHT];

    let mut world = World {
        game: Game::new(),
        steps: FixedSteps::per_second(120),
        window: Scoped::new(),
        pixels: Scoped::new(),
    };
    create_ball(&mut world.game, 80.0, 60.0, 0xFF_AA_00);
    create_ball(&mut world.game, 200.0, 120.0, 0x33_99_FF);
    let physics = Systems::with_name("Physics")
        .add(bounce)
        .repeat_while(|world: &mut World| world.steps.take_step());
    let mut systems = Systems::new().add(add_balls).add(physics).add(draw);

    let (passed_window, passed_pixels) = (world.window.clone(), world.pixels.clone());
    let mut last = Instant::now();
    for _ in 0..frames.unwrap_or(u64::MAX) {
        if !window.is_open() || window.is_key_down(Key::Escape) {
            break;
        }
        let elapsed: Duration = last.elapsed();
        last += elapsed;
        world.steps.advance(elapsed);
        passed_window.set(&mut window, || {
            passed_pixels.set(&mut pixels, || {
                systems.execute(&mut world);
                systems.cleanup(&mut world);
            });
        });
        window.update_with_buffer(&pixels, WIDTH, HEIGHT)?;
    }
    Ok(())
}
