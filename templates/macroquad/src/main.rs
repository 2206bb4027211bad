//! The window: passes what the player does to the rules, and draws what they made of it.

use std::time::Duration;

use ecs::prelude::*;
use macroquad::prelude::{
    self as mq, BLACK, Color, KeyCode, MouseButton, ORANGE, SKYBLUE, WHITE, YELLOW,
};

use rules::{Crash, Game, HEIGHT, Meteor, Mode, Position, SHIP, Shot, Start, Steer, WIDTH};

mod rules;

/// What is only seen. It goes on when the game is over.
#[ecs::context]
struct View;

#[derive(Component)]
#[component(context = View)]
struct Spark {
    x: f32,
    y: f32,
    dx: f32,
    dy: f32,
    /// From 1 down to 0.
    heat: f32,
}

#[derive(Contexts)]
struct World {
    game: Game,
    view: View,
    #[contexts(skip)]
    clock: FixedSteps,
}

fn sparks(World { view, .. }: &mut World, crash: &Crash) {
    let random = |size: f32| mq::rand::gen_range(-size, size);
    let Position { x, y } = crash.at;
    view.create_many((0..2 * crash.radius as usize).map(|_| Spark {
        x: x + random(crash.radius / 2.0),
        y: y + random(crash.radius / 2.0),
        dx: random(90.0),
        dy: random(90.0),
        heat: 1.0,
    }));
}

fn cool_down(World { view, .. }: &mut World) {
    let seconds = mq::get_frame_time();
    view.query_mut::<&mut Spark>().for_each(|spark| {
        spark.x += spark.dx * seconds;
        spark.y += spark.dy * seconds;
        spark.heat -= 1.5 * seconds;
    });
}

fn control(World { game, .. }: &mut World) {
    if mq::is_mouse_button_pressed(MouseButton::Left) || mq::is_key_pressed(KeyCode::Space) {
        game.send(Start);
    }
    let Some(at) = game.ship_entity().map(|ship| ship.position().x) else {
        return;
    };
    if mq::is_key_down(KeyCode::Left) {
        game.send(Steer { x: at - 20.0 });
    } else if mq::is_key_down(KeyCode::Right) {
        game.send(Steer { x: at + 20.0 });
    } else if mq::mouse_delta_position() != mq::Vec2::ZERO {
        let (x, _, scale) = place();
        game.send(Steer {
            x: (mq::mouse_position().0 - x) / scale,
        });
    }
}

/// Returns where on the screen the game begins, and how many pixels a unit has.
fn place() -> (f32, f32, f32) {
    let scale = (mq::screen_width() / WIDTH).min(mq::screen_height() / HEIGHT);
    let left = (mq::screen_width() - WIDTH * scale) / 2.0;
    (left, (mq::screen_height() - HEIGHT * scale) / 2.0, scale)
}

fn draw(World { game, view, .. }: &mut World) {
    let (left, top, scale) = place();
    let circle = |x: f32, y: f32, radius: f32, color| {
        mq::draw_circle(left + x * scale, top + y * scale, radius * scale, color);
    };
    mq::clear_background(BLACK);
    mq::draw_rectangle(
        left,
        top,
        WIDTH * scale,
        HEIGHT * scale,
        Color::from_hex(0x10_14_28),
    );
    for star in 0..60 {
        let (x, y) = ((star * 97 % 320) as f32, (star * 57 % 240) as f32);
        mq::draw_rectangle(
            left + x * scale,
            top + y * scale,
            scale,
            scale,
            Color::from_hex(0x5A_64_8A),
        );
    }
    for (at, meteor) in &game.query::<(&Position, &Meteor)>() {
        circle(at.x, at.y, meteor.radius, Color::from_hex(0x8A_7B_6C));
        let dent = meteor.radius / 3.0;
        circle(at.x - dent, at.y - dent, dent, Color::from_hex(0x6B_5D_50));
    }
    for at in &game.query::<&Position>().with::<Shot>() {
        circle(at.x, at.y, 1.5, YELLOW);
    }
    if let Some(ship) = game.ship_entity() {
        let &Position { x, y } = ship.position();
        let corner = |dx: f32, dy: f32| {
            mq::vec2(
                left + (x + dx * SHIP) * scale,
                top + (y + dy * SHIP) * scale,
            )
        };
        mq::draw_triangle(
            corner(0.0, -1.3),
            corner(-1.0, 1.0),
            corner(1.0, 1.0),
            SKYBLUE,
        );
    }
    for spark in &view.query::<&Spark>() {
        circle(spark.x, spark.y, 2.0 * spark.heat, ORANGE);
    }
    let text = match game.mode() {
        Mode::Playing => format!("{}", game.score().0),
        Mode::Demo => "Click, or press the space bar".into(),
        Mode::Over => format!("{} meteors. Click to play again", game.score().0),
    };
    mq::draw_text(
        &text,
        left + 8.0 * scale,
        top + 16.0 * scale,
        14.0 * scale,
        WHITE,
    );
}

fn systems(world: &mut World) -> Systems<World> {
    let crashes = world.game.inbox::<Crash>();
    let mut step = rules::systems(&mut world.game);
    let rules = Systems::with_name("Rules")
        .add(move |world: &mut World| {
            step.execute(&mut world.game);
            step.cleanup(&mut world.game);
        })
        .repeat_while(|world: &mut World| world.clock.take_step());
    Systems::new()
        .add(control)
        .add(rules)
        .on_message(crashes, sparks)
        .add(cool_down)
        .add(Expire::destroy(|_: &World, spark: &Spark| {
            spark.heat <= 0.0
        }))
        .add(draw)
}

#[macroquad::main("Meteors")]
async fn main() {
    let mut world = World {
        game: Game::new(),
        view: View::new(),
        clock: FixedSteps::per_second(60),
    };
    let mut systems = systems(&mut world);
    while !mq::is_key_down(KeyCode::Escape) {
        world
            .clock
            .advance(Duration::from_secs_f32(mq::get_frame_time()));
        systems.execute(&mut world);
        systems.cleanup(&mut world);
        mq::next_frame().await;
    }
}
