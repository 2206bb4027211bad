//! Writes the saves that fuzzing starts from: `cargo run --example seeds`.

use std::error::Error;
use std::fs::write;

use ecs::prelude::*;
use ecs_fuzz::{Frozen, Game, Position, Tag};

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
    let (mut game, mut bytes) = (Game::new(), Vec::new());
    let feed = game.feed::<(Position, Tag, Frozen)>();
    for n in 0..3 {
        game.create_with((Position::default(), Tag(n.to_string()), Frozen));
        bytes.extend(postcard::to_stdvec(&feed.take(&mut game))?);
    }
    write("seeds/apply/three", bytes)?;
    Ok(())
}
