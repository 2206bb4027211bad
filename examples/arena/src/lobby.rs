//! What the gateway asks of the game: how rooms are opened, and what each player sees.

use arena_rules::{Aim, Arena, Blast, Gun, Health, Item, Options, Position, Shot};
use ecs::{Context, Feed, Grid, IndexHandle};
use ecs_gateway::Hooks;
use ecs_rooms::Opening;
use serde_json::Value;

/// What a page shows at most from its middle: half of the diagonal of 1,280 × 800 points, and a tile.
const SIGHT: f32 = (755.0 + 64.0) * 8.0;

pub(crate) struct Lobby;

impl Hooks for Lobby {
    type Game = Arena;
    type Index = IndexHandle<Arena, Grid<Arena, 2>>;

    fn index(&self, game: &mut Arena) -> Self::Index {
        let place = |it: arena_rules::ArenaEntity<'_>| it.position().to_f32();
        game.index_with(Arena::all_of::<Position>(), place, Grid::new(SIGHT / 2.0))
    }

    fn opening(&self, options: &Value) -> Result<Opening, String> {
        let number = |name: &str, most: u64| options[name].as_u64().map(|it| it.min(most));
        let usual = Options::default();
        let options = Options {
            bots: number("bots", 39).map_or(usual.bots, |it| it as u8),
            walls: number("walls", 60).map_or(usual.walls, |it| it as u8),
            seconds: number("seconds", 3_600).map_or(usual.seconds, |it| it.max(5) as u16),
        };
        Ok(Opening::new(crate::secret::random()).with(&options))
    }

    /// Players see what is near; without a body, everything. Names and scores are always visible, ammunition never but to
    /// its owner.
    fn show(&self, game: &Arena, grid: &Self::Index, player: Option<u64>, feed: &mut Feed<Arena>) {
        let pilot = player.and_then(|player| game.pilot_of(player));
        feed.set_visible::<Gun>(pilot);
        let at = pilot.and_then(|pilot| game.entity(pilot).get::<Position>());
        let grid = grid.get(game);
        type Seen = (Position, Aim, Health, Shot, Item, Blast);
        match at {
            Some(at) => feed.set_visible::<Seen>(grid.within(at.to_f32(), SIGHT).map(|(id, _)| id)),
            None => feed.set_visible::<Seen>(grid.iter().map(|(id, _)| id)),
        }
    }
}
