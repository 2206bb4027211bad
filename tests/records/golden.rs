//! Files of every format, kept in `golden/`: what they say is still read, and still written. After a
//! deliberate change of a format, `ECS_GOLDEN=write` writes them again; keep the old ones to be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ecs::prelude::*;
use ecs::{Delta, Mirror};
use serde::de::value::{BytesDeserializer, Error};
use serde::{Deserialize, Serialize};

/// Never gets another component, because the files say what its components look like.
#[ecs::context]
struct Golden;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden, version = 2, from(1 = u32))]
struct Name(String);

impl From<u32> for Name {
    fn from(number: u32) -> Self {
        Self(number.to_string())
    }
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Golden)]
struct Frozen;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden, unique)]
struct Score(u64);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden)]
struct ChildOf {
    #[component(relation(reverse = children, acyclic, ordered))]
    parent: Id,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden)]
struct Follows {
    #[component(relation(ordered, on_target_destroyed = keep))]
    leader: Id,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ecs::MapIds)]
enum Order {
    Wait,
    Attack(Id),
    Escort { who: Id, until: Option<Id> },
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Golden)]
struct Mind {
    orders: Vec<Order>,
    opinions: BTreeMap<Id, i8>,
}

#[derive(Component, Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[component(context = Golden, unique, state)]
enum Mode {
    Menu,
    Playing { level: u32 },
}

type Id = EntityId<Golden>;
type Sent = (Position, Name, Frozen, Score, ChildOf, Follows);

/// A game with free slots, moved rows, a state that was entered, and children in an order of their own.
fn world() -> (Golden, Id) {
    let mut game = Golden::new();
    game.set_mode(Mode::Playing { level: 2 });
    let mut systems = Systems::new().on_enter(Mode::Menu, |_: &mut Golden| {});
    systems.initialize(&mut game);
    systems.execute(&mut game);
    let ship = game.create_with((Position { x: 1.5, y: -0.0 }, Name("röot".into())));
    let ship = ship.id();
    let gone = game.create_with(Frozen).id();
    let child = || ChildOf { parent: ship };
    let mast = game.create_with((child(), Frozen)).id();
    let sail = game.create_with((child(), Name("sail".into()))).id();
    let other = game.create_with(Follows { leader: gone }).id();
    game.create_with((Position { x: 2.0, y: 3.0 }, Score(1 << 40)));
    game.destroy(gone);
    let orders = vec![
        Order::Wait,
        Order::Attack(other),
        Order::Escort {
            who: mast,
            until: Some(ship),
        },
    ];
    let opinions = BTreeMap::from([(mast, -3), (other, 4)]);
    game.entity_mut(sail).add_mind(orders, opinions);
    game.entity_mut(mast).remove_child_of();
    game.entity_mut(mast).add_child_of(ship);
    game.defragment();
    (game, ship)
}

/// A tank with two turrets: the second one is its first child, and follows it last.
fn tree() -> Template<Golden> {
    let mut game = Golden::new();
    let tank = game.create_with(Name("tank".into())).id();
    let turrets = game.create_many((0..2).map(|_| ChildOf { parent: tank }));
    game.entity_mut(turrets[1]).add_frozen();
    game.entity_mut(turrets[0]).remove_child_of();
    game.entity_mut(turrets[0]).add_child_of(tank);
    for turret in turrets {
        game.entity_mut(turret).add_follows(tank);
    }
    let with_turrets = CloneOptions::all().with_descendants::<ChildOf>();
    let tank = with_turrets.template(&game, tank).named("a tank");
    Template::new().with_child(|parent| ChildOf { parent }, tank)
}

/// Everything, then a delta with something of each kind.
fn deltas() -> [Delta<Golden>; 2] {
    let (mut game, ship) = world();
    let feed = game.feed::<Sent>();
    let first = feed.take(&mut game);
    let child = game.entity(ship).children()[0];
    game.entity_mut(child)
        .replace_name("topsail".into())
        .add_frozen();
    let last = game.create_with(ChildOf { parent: ship }).id();
    game.entity_mut(last).add_follows(child);
    let scored = game.query::<Id>().with::<Score>().iter().next();
    game.destroy(scored.unwrap());
    game.entity_mut(ship).remove_position();
    [first, feed.take(&mut game)]
}

/// The bytes of a delta. The number of its origin, which is another one in each process, becomes 7, and
/// a tag, which depends on it, 0.
fn raw(delta: &Delta<Golden>) -> Vec<u8> {
    let mut raw: Vec<u8> = serde_json::from_slice(&serde_json::to_vec(delta).unwrap()).unwrap();
    if !delta.is_everything() {
        raw[1..3].fill(0);
        return raw;
    }
    let start = 2 + "Golden".len();
    let digits = raw[start..].iter().position(|digit| *digit < 0x80);
    raw.splice(start..=start + digits.unwrap(), [7]);
    raw
}

fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap()
}

fn text(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap();
    text.push(b'\n');
    text
}

fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("records/golden");
    folder.join(name)
}

/// Returns what a file has, after comparing it with what is written today. Bytes are kept as digits.
fn golden(name: &str, written: &[u8]) -> Vec<u8> {
    let path = path(name);
    let text = match name.ends_with(".hex") {
        true => written.iter().map(|byte| format!("{byte:02x}")).collect(),
        false => String::from_utf8(written.to_vec()).unwrap(),
    };
    if std::env::var_os("ECS_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{name}");
    written.to_vec()
}

fn json(bytes: &[u8]) -> serde_json::Deserializer<serde_json::de::SliceRead<'_>> {
    serde_json::Deserializer::from_slice(bytes)
}

#[test]
fn saves() {
    let (game, _) = world();
    let expected = text(&game.save());
    let from_text = Golden::load(&mut json(&golden("save.json", &expected))).unwrap();
    let file = golden("save.hex", &bytes(&game.save()));
    let from = &mut postcard::Deserializer::from_bytes(&file);
    for loaded in [from_text, Golden::load(from).unwrap()] {
        loaded.storage().check_invariants();
        assert!(text(&loaded.save()) == expected);
        assert!(bytes(&loaded.save()) == file);
    }
    let file = golden("save.ron", ron::to_string(&game.save()).unwrap().as_bytes());
    let from = &mut ron::Deserializer::from_bytes(&file).unwrap();
    assert!(text(&Golden::load(from).unwrap().save()) == expected);
}

#[test]
fn parts() {
    let (game, ship) = world();
    let part = game.save().only([ship]).with_descendants::<ChildOf>();
    let files = [
        golden("part.json", &text(&part)),
        golden("part.hex", &bytes(&part)),
    ];
    let mut other = Golden::new();
    let here = other.create_entity().id();
    for (at, file) in files.into_iter().enumerate() {
        let mut loader = ecs::Loader::new().map_absent(move |_| Some(here));
        let ids = match at {
            0 => loader.merge(&mut other, &mut json(&file)).unwrap(),
            _ => {
                let from = &mut postcard::Deserializer::from_bytes(&file);
                loader.merge(&mut other, from).unwrap()
            }
        };
        let (mast, sail) = (ids[1], ids[2]);
        assert_eq!(other.entity(ids[0]).children(), [sail, mast]);
        let mind = other.entity(sail).mind();
        assert_eq!(mind.orders[1], Order::Attack(here));
        assert_eq!(mind.opinions, BTreeMap::from([(mast, -3), (here, 4)]));
    }
}

#[test]
fn templates_and_trees() {
    let orc = Template::new()
        .with(Name("orc".into()))
        .with(Frozen)
        .with(Position { x: 0.5, y: 7.0 });
    for (name, template) in [("template", orc), ("tree", tree())] {
        let file = golden(&format!("{name}.json"), &text(&template));
        let from_text: Template<Golden> = serde_json::from_slice(&file).unwrap();
        let file = golden(&format!("{name}.hex"), &bytes(&template));
        let from_bytes: Template<Golden> = postcard::from_bytes(&file).unwrap();
        for read in [from_text, from_bytes] {
            assert_eq!(format!("{read:?}"), format!("{template:?}"));
            assert!(bytes(&read) == file);
        }
    }
    let mut game = Golden::new();
    let file = fs::read(path("tree.json")).unwrap();
    let tree: Template<Golden> = serde_json::from_slice(&file).unwrap();
    let top = tree.create(&mut game).id();
    let tank = game.entity(top).children()[0];
    let is_frozen = |id: &Id| game.entity(*id).is_frozen();
    let turrets: Vec<_> = game.entity(tank).children().iter().map(is_frozen).collect();
    assert_eq!(turrets, [true, false]);
}

#[test]
fn deltas_of_a_feed() {
    let (mut other, mut mirror) = (Golden::new(), Mirror::new());
    for (delta, name) in deltas().iter().zip(["everything.hex", "delta.hex"]) {
        let file = golden(name, &raw(delta));
        let from: BytesDeserializer<'_, Error> = BytesDeserializer::new(&file);
        let mut delta = Delta::deserialize(from).unwrap();
        mirror.forge(&mut delta); // the tag depends on the number of the origin
        let read = mirror.read(&delta).unwrap();
        assert!(raw(&read) == file, "{name}");
        mirror.apply(&mut other, &delta).unwrap();
    }
    let ship = mirror.local(world().1).unwrap();
    let sources = other.entity(ship).children().to_vec();
    assert_eq!(other.entity(sources[0]).name().0, "topsail");
    assert!(other.entity(sources[2]).has_follows() && sources.len() == 3);
    assert!(!other.entity(ship).has_position());
    other.storage().check_invariants();
}

#[test]
fn a_binary_save_without_fields_is_read() {
    let (game, _) = world();
    let hex = fs::read_to_string(path("save.without_fields.hex")).unwrap();
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    let file: Vec<u8> = (0..hex.trim().len()).step_by(2).map(byte).collect();
    let loaded = Golden::load(&mut postcard::Deserializer::from_bytes(&file)).unwrap();
    assert!(text(&loaded.save()) == text(&game.save()));
}
