//! What the page draws.

use arena_rules::{
    Aim, Arena, Blast, Gun, Health, Item, Kill, Pilot, Position, Shot, TICKS, Weapon,
};
use ecs::prelude::*;
use serde_json::{Value, json};

use crate::play::{Play, World};

fn number(weapon: Weapon) -> f64 {
    match weapon {
        Weapon::Blaster => 1.0,
        Weapon::Scatter => 2.0,
        Weapon::Rocket => 3.0,
    }
}

/// A place in points.
fn points(at: Position) -> [f64; 2] {
    [at.x, at.y].map(|it| f64::from(it) / 8.0)
}

impl Play {
    /// Writes seven numbers for the eye and for each thing: its kind, its place in points, and four more.
    ///
    /// ```text
    /// 0 eye    whether it is that of a player who is alive
    /// 1 body   aim (2), health, player
    /// 2 shot   way in a tick (2), weapon, player
    /// 3 item   kind
    /// 4 blast  weapon, id
    /// ```
    pub(crate) fn draw(&mut self, scene: &mut Vec<f64>) {
        let me = self.me;
        let World {
            game,
            predicted,
            others,
            shown,
            fraction,
            eye,
            ..
        } = &mut self.world;
        let own = game.pilot_of(me);
        let places = predicted.view::<Position>(game, *fraction);
        let at = own.and_then(|own| places.get(own));
        *eye = at.unwrap_or(*eye);
        let mut put = |kind: f64, at: Position, more: [f64; 4]| {
            let [x, y] = points(at);
            scene.extend([kind, x, y].into_iter().chain(more));
        };
        put(
            0.0,
            *eye,
            [f64::from(u8::from(at.is_some())), 0.0, 0.0, 0.0],
        );
        let is_own = |shot: &Shot| shot.owner == me;
        for (id, at) in others.iter(*shown) {
            let thing = game.get_entity(id).filter(|_| Some(id) != own);
            let thing = thing.filter(|it| !it.get_shot().is_some_and(is_own));
            if let Some(more) = thing.and_then(look) {
                put(more.0, at, more.1);
            }
        }
        let shots = game.query::<(EntityId<Arena>, &Shot)>();
        let shots = shots.iter().filter(|(_, shot)| is_own(shot));
        for id in shots.map(|(id, _)| id).chain(own) {
            if let (Some(at), Some(more)) = (places.get(id), look(game.entity(id))) {
                put(more.0, at, more.1);
            }
        }
    }

    /// Everything that is text, or changes rarely.
    pub(crate) fn report(&self) -> Value {
        let game = &self.world.game;
        let pilots = game.query::<&Pilot>();
        let pilots: Vec<_> = pilots.iter().map(|it| json!(it)).collect();
        let kills: Vec<_> = game.query::<&Kill>().iter().map(|it| json!(it)).collect();
        let own = game.pilot_of(self.me).map(|it| game.entity(it));
        let (health, gun) = own.map_or((None, None), |it| (it.get::<Health>(), it.get::<Gun>()));
        let walls = game.get_walls().map(|it| {
            let tiles = it
                .rows
                .iter()
                .flat_map(|row| (0..it.columns).map(move |at| row >> at & 1));
            let tiles: String = tiles.map(|it| if it == 1 { '#' } else { '.' }).collect();
            json!({ "columns": it.columns, "tiles": tiles })
        });
        let round = game.get_round().map(|it| {
            let left = it.ends.saturating_sub(self.world.tick) / TICKS;
            json!({ "number": it.number, "left": left, "winner": it.winner })
        });
        json!({
            "me": self.me, "token": self.token(), "room": self.room, "trouble": self.trouble,
            "tick": self.world.tick, "pilots": pilots, "kills": kills, "health": health, "gun": gun,
            "walls": walls, "round": round, "pending": self.world.predicted.pending().len(),
            "corrections": self.world.corrections,
        })
    }
}

/// The kind of a thing, and its four numbers.
fn look(it: arena_rules::ArenaEntity<'_>) -> Option<(f64, [f64; 4])> {
    if let (Some(pilot), Some(health)) = (it.get_pilot(), it.get_health()) {
        let Aim(x, y) = it.get_aim().copied().unwrap_or(Aim(1, 0));
        let numbers = [x.into(), y.into(), health.0.into(), pilot.player as f64];
        return Some((1.0, numbers));
    }
    if let Some(&Shot {
        owner,
        weapon,
        dx,
        dy,
    }) = it.get_shot()
    {
        let numbers = [dx.into(), dy.into(), number(weapon), owner as f64];
        return Some((2.0, numbers));
    }
    if let Some(item) = it.get_item() {
        let kind = match item {
            Item::Health => 0.0,
            Item::Scatter => 2.0,
            Item::Rocket => 3.0,
        };
        return Some((3.0, [kind, 0.0, 0.0, 0.0]));
    }
    let Blast(weapon) = *it.get_blast()?;
    Some((4.0, [number(weapon), it.id().to_bits() as f64, 0.0, 0.0]))
}
