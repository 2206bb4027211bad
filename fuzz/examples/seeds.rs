//! Writes the saves, deltas and programs that fuzzing starts from: `cargo run --example seeds`.

use std::error::Error;
use std::fs::write;

use ecs::prelude::*;
use ecs_fuzz::{ChildOf, Frozen, Game, Mind, Name, Position, Score, Seat, Tag};

fn main() -> Result<(), Box<dyn Error>> {
    let text = r#"{"format":1,"context":"Game","entities":{"0v1":{"Position":{"x":1.0,"y":2.0},
        "Name":"Ada","Frozen":{}},"1v3":{"ChildOf":{"parent":"0v1"},"Seat":3,"Tag":"red"},
        "3v1":{"Mind":{"targets":["0v1","1v3"],"home":null},"Score":5}},"free":["2v2"]}"#;
    let game = Game::load(&mut serde_json::Deserializer::from_str(text))?;
    for (name, game) in [("empty", Game::new()), ("small", game)] {
        let text = serde_json::to_string_pretty(&game.save())?;
        write(format!("seeds/load_text/{name}"), text)?;
        write(
            format!("seeds/load_bytes/{name}"),
            postcard::to_stdvec(&game.save())?,
        )?;
    }
    for seed in 1..=24 {
        write(format!("seeds/program/random_{seed:02}"), random(seed, 240))?;
    }
    write("seeds/apply/three", three_deltas()?)?;
    write("seeds/apply/moving", deltas_of_everything()?)?;
    Ok(())
}

/// Bytes that look random: any bytes are a program.
fn random(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| next()).collect()
}

fn three_deltas() -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut game, mut bytes) = (Game::new(), Vec::new());
    let feed = game.feed::<(Position, Tag, Frozen)>();
    for n in 0..3 {
        game.create_with((Position::default(), Tag(n.to_string()), Frozen));
        bytes.extend(postcard::to_stdvec(&feed.take(&mut game))?);
    }
    Ok(bytes)
}

/// Entities and components that come and go, with keys that change places.
fn deltas_of_everything() -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut game, mut bytes) = (Game::new(), Vec::new());
    let feed = game.feed::<(Position, Name, Frozen, Score, Seat, Tag, ChildOf, Mind)>();
    let parent = game
        .create_with((Seat(1), Score(3), Name("Ada".to_owned())))
        .id();
    let child = game
        .create_with((Seat(2), ChildOf { parent }, Tag("red".to_owned())))
        .id();
    bytes.extend(postcard::to_stdvec(&feed.take(&mut game))?);
    game.entity_mut(parent).remove::<Seat>().remove::<Score>();
    game.entity_mut(child).replace(Seat(1)).add(Score(4));
    game.entity_mut(parent).add(Seat(2)).add(Mind {
        targets: vec![child],
        home: Some(parent),
    });
    bytes.extend(postcard::to_stdvec(&feed.take(&mut game))?);
    game.destroy(parent);
    game.create_with((Position { x: 1.0, y: -0.0 }, Frozen));
    bytes.extend(postcard::to_stdvec(&feed.take(&mut game))?);
    bytes.extend(postcard::to_stdvec(&feed.take_all(&mut game))?);
    Ok(bytes)
}
