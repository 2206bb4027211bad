//! Saves, histories and feeds. Bytes and checksums are printed, so they must be equal everywhere.

use ecs::prelude::*;
use ecs::{Delta, Mirror};
use serde::{Deserialize, Serialize};

use crate::Host;

/// Declared here, because its components must be saved.
#[ecs::context]
pub struct Game;

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Position {
    pub x: f32,
    pub y: f64,
}

/// Numbers whose width depends on the machine.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Inventory {
    pub balance: isize,
    pub items: Vec<usize>,
    pub prices: [u16; 3],
}

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Name(#[component(primary_index)] pub String);

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Follows(#[component(relation(reverse = followers))] pub EntityId<Game>);

#[derive(Component, Clone, Debug)]
#[component(context = Game)]
pub struct Asleep;

#[derive(Component, Clone, Debug, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub struct Turn(pub u64);

pub(crate) fn run(host: Host) {
    println!("\n# Saving");
    let mut game = saved(filled());
    println!("\n# History");
    recorded(&mut game);
    println!("\n# Feeds");
    mirrored(&mut game, host);
}

fn filled() -> Game {
    let mut game = Game::new();
    game.set_turn(0);
    let leader = game
        .create_with((Position { x: 0.1, y: -0.0 }, Name("Ada, «first»".into())))
        .id();
    for number in 0..3 {
        let mut follower = game.create_with((Follows(leader), Name(format!("follower {number}"))));
        follower.add_inventory(-1 - number, vec![number as usize; 2], [1, 256, u16::MAX]);
    }
    game.create_entity().add_asleep();
    game
}

fn step(game: &mut Game) {
    game.update_turn(|turn| turn.0 += 1);
    let turn = game.turn().0;
    game.query_mut::<&mut Inventory>().for_each(|inventory| {
        inventory.balance *= 3;
        inventory.items.push(turn as usize);
    });
    game.query_mut::<&mut Position>()
        .for_each(|position| position.x += 1.0 / (1.0 + turn as f32));
    if turn == 2 {
        let last = game.entity_with_name("follower 2").unwrap().id();
        game.destroy(last);
        game.create_with((
            Position {
                x: f32::NAN,
                y: 1e300,
            },
            Asleep,
        ));
    }
}

fn print_all(game: &Game) {
    for entity in game.entities() {
        println!("{entity:?}");
    }
}

/// Saves and loads the game in two formats, and returns the loaded one.
fn saved(game: Game) -> Game {
    let text = serde_json::to_string(&game.save()).unwrap();
    println!("{text}");
    let game = Game::load(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    let bytes = postcard::to_stdvec(&game.save()).unwrap();
    println!("{bytes:02x?}");
    let game = Game::load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    println!(
        "saved again: {}",
        text == serde_json::to_string(&game.save()).unwrap()
    );
    print_all(&game);
    game
}

fn recorded(game: &mut Game) {
    let history = game.record();
    let mut systems = Systems::new().add(step);
    let mut marks = Vec::new();
    for _ in 0..4 {
        marks.push(history.mark(game));
        println!("{:016x}", history.checksum(game));
        systems.execute(game);
    }
    let end = history.checksum(game);
    println!(
        "{end:016x} at the end; {} changes since the first turn",
        history.changes(game).count()
    );
    history.rewind(game, marks[1]);
    println!("{:016x} after a rewind", history.checksum(game));
    for _ in 1..4 {
        systems.execute(game);
    }
    println!(
        "the same when played again: {}",
        history.checksum(game) == end
    );
    print_all(game);
}

fn mirrored(game: &mut Game, host: Host) {
    let run = (host.random)();
    let feed = game
        .feed::<(Position, Inventory, Name, Follows)>()
        .of_run(run);
    let (mut client, mut mirror) = (Game::new(), Mirror::new());
    for gone in ["follower 0", "follower 1"] {
        let bytes = postcard::to_stdvec(&feed.take(game)).unwrap();
        let delta: Delta<Game> = postcard::from_bytes(&bytes).unwrap();
        let vanished: Vec<_> = delta.vanished().collect();
        println!("appeared: {:?}, vanished: {vanished:?}", delta.appeared());
        mirror.apply(&mut client, &delta).unwrap();
        let gone = game.entity_with_name(gone).unwrap().id();
        game.destroy(gone);
        step(game);
    }
    print_all(&client);
    let leader = client.entity_with_name("Ada, «first»").unwrap();
    println!("followers: {:?}", leader.followers());
    let other = game.feed::<Position>().of_run(run ^ 1).take(game);
    println!(
        "a delta of another run: {:?}",
        mirror.apply(&mut client, &other)
    );
}
