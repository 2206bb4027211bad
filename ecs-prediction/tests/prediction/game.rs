//! The game: bodies that walk and shoot. What a player does depends on that player's inputs alone, unless another one
//! pushes.

use ecs::prelude::*;
use ecs_prediction::Interpolate;
use serde::{Deserialize, Serialize};

/// A game of its own, because its components are sent.
#[ecs::context]
pub(crate) struct Arena;

#[derive(Component, Clone, Debug, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Player(#[component(primary_index)] pub u32);

#[derive(Component, Clone, Copy, Debug, Default, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Position {
    pub x: i32,
    pub y: i32,
}

/// Moves with each input of its owner, until nothing is left.
#[derive(Component, Clone, Debug, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Bullet {
    pub owner: EntityId<Arena>,
    pub left: u32,
}

/// Of the client alone.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Arena)]
pub(crate) struct Sprite(pub u32);

impl Interpolate for Position {
    fn shifted(&self, from: &Self, to: &Self, fraction: f32) -> Self {
        let by = |from: i32, to: i32| ((to - from) as f32 * fraction).round() as i32;
        let (x, y) = (self.x + by(from.x, to.x), self.y + by(from.y, to.y));
        Self { x, y }
    }

    fn distance(&self, other: &Self) -> f32 {
        ((self.x - other.x).abs() + (self.y - other.y).abs()) as f32
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Input {
    pub dx: i32,
    pub dy: i32,
    pub shoots: bool,
}

impl Input {
    pub(crate) fn walk(dx: i32) -> Self {
        let (dy, shoots) = (0, false);
        Self { dx, dy, shoots }
    }
}

/// The body of a player.
pub(crate) fn body(game: &Arena, player: u32) -> Option<EntityId<Arena>> {
    Some(game.entity_with_player(&player)?.id())
}

/// Moves an entity that has a position.
pub(crate) fn shift(game: &mut Arena, id: EntityId<Arena>, dx: i32, dy: i32) {
    let mut entity = game.entity_mut(id);
    if entity.has_position() {
        entity.update_position(|it| {
            it.x += dx;
            it.y += dy;
        });
    }
}

/// Plays one input of a player: on the server, and on the client in prediction.
pub(crate) fn step(game: &mut Arena, player: u32, input: &Input) {
    let Some(body) = body(game, player) else {
        return;
    };
    let mine = game.query::<(EntityId<Arena>, &Bullet)>().iter();
    let mine: Vec<_> = mine.filter(|(_, it)| it.owner == body).collect();
    let mine: Vec<_> = mine.into_iter().map(|(id, it)| (id, it.left)).collect();
    for (id, left) in mine {
        match left {
            0 => game.destroy(id),
            _ => {
                game.entity_mut(id).update_bullet(|it| it.left -= 1);
                shift(game, id, 5, 0);
            }
        }
    }
    if input.dx != 0 || input.dy != 0 {
        shift(game, body, input.dx.clamp(-1, 1), input.dy.clamp(-1, 1));
    }
    if input.shoots {
        let at = game.entity(body).get_position().copied();
        let at = at.unwrap_or_default();
        let (owner, left) = (body, 6);
        game.create_with((at, Bullet { owner, left }));
    }
}

/// What is in the game, without ids, in an order that does not depend on them.
pub(crate) type Content = (Option<u32>, Option<(i32, i32)>, Option<(u32, u32)>);

pub(crate) fn contents(game: &Arena) -> Vec<Content> {
    let player = |id| Some(game.get_entity(id)?.get_player()?.0);
    let number = |id| player(id).unwrap_or(0);
    let mut contents: Vec<Content> = game
        .entities()
        .map(|it| {
            let at = it.get_position().map(|at| (at.x, at.y));
            let bullet = it.get_bullet();
            let bullet = bullet.map(|bullet| (number(bullet.owner), bullet.left));
            (it.get_player().map(|it| it.0), at, bullet)
        })
        .collect();
    contents.sort();
    contents
}

/// The checksum of a game with the same contents, whose ids do not depend on the past.
pub(crate) fn checksum(game: &Arena) -> u64 {
    let mut same = Arena::new();
    for (player, at, bullet) in contents(game) {
        let mut entity = same.create_entity();
        let id = entity.id();
        if let Some(player) = player {
            entity.add(Player(player));
        }
        if let Some((x, y)) = at {
            entity.add(Position { x, y });
        }
        if let Some((owner, left)) = bullet {
            // Bodies are last; the number stands for the owner.
            let left = owner * 1_000 + left;
            entity.add(Bullet { owner: id, left });
        }
    }
    same.checksum()
}
