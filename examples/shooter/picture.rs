//! Draws the game as SVG.

use std::fmt::Write as _;

use ecs::prelude::*;

use crate::building::Wall;
use crate::combat::{Bullet, Health, Player, Weapon};
use crate::movement::{HEIGHT, Position, WIDTH};
use crate::waves::Zombie;
use crate::world::{Game, World};

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    systems.stage("View").push(draw);
}

fn draw(world: &mut World) {
    let game = &world.game;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#202430\"/>\n"
    );
    circles(
        &mut svg,
        &game.query::<&Position>().with::<Wall>(),
        3.0,
        "#8899aa",
    );
    circles(
        &mut svg,
        &game.query::<&Position>().with::<Zombie>(),
        2.0,
        "#66cc66",
    );
    circles(
        &mut svg,
        &game.query::<&Position>().with::<Player>(),
        2.5,
        "#ffaa00",
    );
    circles(
        &mut svg,
        &game.query::<&Position>().with::<Weapon>(),
        1.0,
        "#ffe0a0",
    );
    circles(
        &mut svg,
        &game.query::<&Position>().with::<Bullet>(),
        0.6,
        "#ffffff",
    );
    let score = game.get_score().map_or(0, |score| score.0);
    let health = game
        .player_entity()
        .and_then(|player| player.get::<Health>());
    let health = "♥".repeat(health.map_or(0, |health| health.0 as usize));
    let _ = writeln!(
        svg,
        "<text x=\"3\" y=\"7\" font-size=\"5\" font-family=\"sans-serif\" fill=\"#ffffff\">{score} points \
         {health}</text>\n</svg>"
    );
    world.picture = svg;
}

fn circles(svg: &mut String, places: &ecs::Query<'_, Game, &Position>, radius: f32, color: &str) {
    for Position { x, y } in places {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{color}\"/>"
        );
    }
}
