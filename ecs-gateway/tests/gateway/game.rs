//! A game for tests: bodies that walk in a field, and some that walk by themselves.

#![allow(unreachable_pub, reason = "a context shows its components")]

use ecs::prelude::*;
use ecs::{Feed, Grid, IndexHandle};
use ecs_gateway::Hooks;
use ecs_rooms::{Game, Opening};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far players see.
pub(crate) const SIGHT: i32 = 100;
/// How many walk by themselves.
pub(crate) const WALKERS: u64 = 20;

#[ecs::context]
pub struct Field;

#[derive(Component, Clone, Copy, Debug, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

#[derive(Component, Clone, Debug, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Body {
    #[component(primary_index)]
    pub player: u64,
    pub name: String,
    /// The sum of what was put in.
    pub sum: u64,
    /// How many inputs were played.
    pub inputs: u64,
    pub is_there: bool,
}

/// What only the player sees.
#[derive(Component, Clone, Debug, Hash, PartialEq, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Purse(pub u32);

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Field)]
pub struct Walker(pub i32);

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Field, unique)]
pub struct Map(pub String);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Input {
    Enter { name: String },
    Walk { x: i32, y: i32 },
    Add(u64),
    Panic,
}

impl Field {
    fn body_of(&mut self, player: u64) -> EntityId<Field> {
        if let Some(body) = self.entity_with_body(&player) {
            return body.id();
        }
        let body = Body {
            player,
            name: String::new(),
            sum: 0,
            inputs: 0,
            is_there: true,
        };
        let position = Position { x: 0, y: 0 };
        self.create_with((body, position, Purse(7))).id()
    }
}

impl Game for Field {
    type Input = Input;
    type View = (Position, Body, Purse, Map);

    fn begin(&mut self, opening: &Opening) {
        self.set_map(opening.options::<String>().unwrap_or_default());
        for walker in 0..WALKERS as i32 {
            let position = Position {
                x: walker * 10 - 100,
                y: 50,
            };
            self.create_with((position, Walker(1)));
        }
    }

    fn systems(&mut self) -> Systems<Self> {
        Systems::new().add(|game: &mut Field| {
            game.query_mut::<(&mut Position, &Walker)>()
                .for_each(|(position, walker)| position.y = (position.y + walker.0) % 90);
        })
    }

    fn presence(&mut self, player: u64, is_there: bool) {
        let id = self.body_of(player);
        self.entity_mut(id)
            .update_body(|body| body.is_there = is_there);
    }

    fn describe(&self) -> String {
        self.map().0.clone()
    }

    fn input(&mut self, player: u64, input: Input) {
        let id = self.body_of(player);
        let mut body = self.entity_mut(id);
        body.update_body(|body| body.inputs += 1);
        match input {
            Input::Enter { name } => body.update_body(|body| body.name = name),
            Input::Walk { x, y } => _ = body.replace_position(x, y),
            Input::Add(number) => body.update_body(|body| body.sum += number),
            Input::Panic => panic!("as the input says"),
        }
    }
}

/// Players see what is near, and their own purses.
pub(crate) struct Rules;

impl Hooks for Rules {
    type Game = Field;
    type Index = IndexHandle<Field, Grid<Field, 2>>;

    fn index(&self, game: &mut Field) -> Self::Index {
        let place = |it: FieldEntity<'_>| [it.position().x as f32, it.position().y as f32];
        game.index_with(Field::all_of::<Position>(), place, Grid::new(50.0))
    }

    fn opening(&self, options: &Value) -> Result<Opening, String> {
        match options["map"].as_str() {
            Some("moon") => Err("there is no such map".to_owned()),
            map => Ok(Opening::new(7).with(&map.unwrap_or("meadow"))),
        }
    }

    fn show(&self, game: &Field, grid: &Self::Index, player: Option<u64>, feed: &mut Feed<Field>) {
        let body = player.and_then(|player| game.entity_with_body(&player));
        feed.set_visible::<Purse>(body.map(|body| body.id()));
        if let Some(at) = body.and_then(|body| body.get_position()) {
            let near = grid
                .get(game)
                .within([at.x as f32, at.y as f32], SIGHT as f32);
            feed.set_visible::<Position>(near.map(|(id, _)| id));
        } else {
            feed.set_visible::<Position>([]);
        }
    }
}
