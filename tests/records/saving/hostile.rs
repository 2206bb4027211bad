//! F43: corrupt saves: an error or a game, never a panic, never half of a game, never more memory
//! than the bytes account for.

use super::formats::Errors;
use super::*;

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// A save with some bytes flipped, removed, doubled or inserted.
fn broken(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        match random.below(6) {
            _ if bytes.is_empty() => bytes.push(1),
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'9', b'"', b'{'][random.below(8)],
            3 => _ = bytes.remove(at),
            4 => bytes.insert(at, random.below(256) as u8),
            _ => {
                let end = (at + random.below(20)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

/// The saved content of a game, independent of the order of maps; `None` if a changed byte has made
/// a number that JSON lacks.
fn content(game: &Game) -> Option<serde_json::Value> {
    game.storage().check_invariants();
    serde_json::to_value(game.save()).ok()
}

/// Loads and merges, and checks that both games are valid; returns whether the load succeeded.
fn check<E>(
    load: impl Fn() -> Result<Game, E>,
    merge: impl Fn(&mut Game) -> Result<Vec<Id>, E>,
) -> bool {
    let loaded = load();
    if let Ok(game) = &loaded {
        let again = from_bytes(&bytes(game)).unwrap();
        assert_eq!(content(&again), content(game));
        assert_eq!(picture(&again).len(), picture(game).len());
        let alive = game
            .query::<&ChildOf>()
            .iter()
            .all(|child| game.contains(child.parent));
        assert!(alive, "a parent is dead");
    }
    check_merge(merge);
    loaded.is_ok()
}

/// Merges, and checks that the result is complete or has left no trace.
fn check_merge<E>(merge: impl FnOnce(&mut Game) -> Result<Vec<Id>, E>) {
    let mut game = Game::new();
    let here = game.create_with((Frozen, Seat { number: 7 })).id();
    let frozen = game.collector(Game::all_of::<Frozen>().entered());
    let before = (picture(&game), json(&game));
    match merge(&mut game) {
        Ok(ids) => {
            game.storage().check_invariants();
            assert_eq!(game.len(), 1 + ids.len());
            assert!(ids.iter().all(|id| game.contains(*id)));
            assert!(picture(&game).contains(&before.0[0]), "who was there");
        }
        Err(_) => {
            assert_eq!((picture(&game), json(&game)), before);
            content(&game);
            assert!(frozen.is_empty(&game), "a collector was notified");
            // No entity was created and removed again.
            assert_eq!(game.create_entity().id().index(), here.index() + 1);
        }
    }
}

#[test]
fn broken_bytes_are_rejected() {
    let valid = Errors::save(&world()).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut loaded = 0;
    for _ in 0..6_000 {
        let bytes = broken(&valid, &mut random);
        let is_ok = check(|| Errors::load(&bytes), |game| Errors::merge(game, &bytes));
        loaded += usize::from(is_ok);
    }
    assert!((10..6_000).contains(&loaded), "{loaded}"); // some changes give valid values
}

#[test]
fn broken_json_is_rejected() {
    let valid = json(&world());
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..1_500 {
        let text = broken(valid.as_bytes(), &mut random);
        check(
            || Game::load(&mut serde_json::Deserializer::from_slice(&text)),
            |game| game.merge(&mut serde_json::Deserializer::from_slice(&text)),
        );
    }
}

#[test]
fn broken_ron_is_rejected() {
    let valid = ron::to_string(&world().save()).unwrap();
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    for _ in 0..700 {
        let text = broken(valid.as_bytes(), &mut random);
        let text = String::from_utf8_lossy(&text);
        check(
            || Game::load(&mut ron::Deserializer::from_str(&text).map_err(|it| it.code)?),
            |game| game.merge(&mut ron::Deserializer::from_str(&text).map_err(|it| it.code)?),
        );
    }
}

/// F43: a save cut off at any position.
#[test]
fn a_save_that_is_cut_off_is_rejected_wherever_it_ends() {
    let (text, plain, columns) = (
        json(&world()),
        bytes(&world()),
        Errors::save(&world()).unwrap(),
    );
    for end in 0..text.len() {
        let part = &text.as_bytes()[..end];
        let load = || Game::load(&mut serde_json::Deserializer::from_slice(part));
        let merge = |game: &mut Game| game.merge(&mut serde_json::Deserializer::from_slice(part));
        assert!(!check(load, merge), "{end} of {} bytes", text.len());
    }
    for end in 0..plain.len() {
        let part = &plain[..end];
        let merge = |game: &mut Game| game.merge(&mut postcard::Deserializer::from_bytes(part));
        let merge = |game: &mut Game| merge(game).map_err(|error| error.to_string());
        assert!(
            !check(|| from_bytes(part), merge),
            "{end} of {} bytes",
            plain.len()
        );
    }
    for end in 0..columns.len() {
        let part = &columns[..end];
        let is_ok = check(|| Errors::load(part), |game| Errors::merge(game, part));
        assert!(!is_ok, "{end} of {} bytes", columns.len());
    }
}

/// F43: a save that lists the sources of a dead entity whose slot has a new one.
#[test]
fn an_order_of_sources_of_a_dead_entity_is_ignored() {
    let text = json(&world()).replace(r#"{"ChildOf":{"0v1":"#, r#"{"ChildOf":{"0v3":"#);
    let is_ok = check(|| from_json(&text), |game| merge_json(game, &text));
    assert!(is_ok && text != json(&world()));
    let game = from_json(&text).unwrap();
    let root = game.entities().next().unwrap();
    assert_eq!(root.children().len(), 2);
    let parent = root.id();
    let children = game.query::<(Id, &ChildOf)>();
    let children: Vec<Id> = children.iter().map(|(id, _)| id).collect();
    assert!(
        children
            .iter()
            .all(|id| game.entity(*id).child_of() == &ChildOf { parent })
    );
    assert_eq!(root.children(), children);
}

/// The bytes with each of them replaced in turn.
fn with_each_byte_changed(bytes: &[u8], others: &[fn(u8) -> u8]) -> Vec<Vec<u8>> {
    let changed = |at: usize, other: &fn(u8) -> u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = other(bytes[at]);
        bytes
    };
    let places = 0..bytes.len();
    places
        .flat_map(|at| others.iter().map(move |other| changed(at, other)))
        .collect()
}

/// F43: a save with any single byte changed.
#[test]
fn a_save_with_any_byte_changed_is_rejected_or_valid() {
    let others: [fn(u8) -> u8; 4] = [
        |byte| byte ^ 1,
        |byte| byte ^ 0x80,
        |byte| byte.wrapping_add(5),
        |_| 0xff,
    ];
    let mut loaded = [0; 2];
    for bytes in with_each_byte_changed(&bytes(&world()), &others) {
        let merge = |game: &mut Game| {
            let merged = game.merge(&mut postcard::Deserializer::from_bytes(&bytes));
            merged.map_err(|error| error.to_string())
        };
        loaded[0] += usize::from(check(|| from_bytes(&bytes), merge));
    }
    let others: [fn(u8) -> u8; 2] = [|byte| byte ^ 1, |_| b'9'];
    for text in with_each_byte_changed(json(&world()).as_bytes(), &others) {
        let load = || Game::load(&mut serde_json::Deserializer::from_slice(&text));
        let merge = |game: &mut Game| game.merge(&mut serde_json::Deserializer::from_slice(&text));
        loaded[1] += usize::from(check(load, merge));
    }
    assert!(loaded.iter().all(|count| *count > 50), "{loaded:?}"); // valid values
}

/// F43: a corrupt part.
#[test]
fn a_part_with_any_byte_changed_is_rejected_or_valid() {
    let from = world();
    let ids: Vec<_> = from.entities().map(|entity| entity.id()).collect();
    let save = from.save().only(&ids[3..5]);
    let texts = serde_json::to_vec(&save).unwrap();
    let bytes = postcard::to_stdvec(&save).unwrap();
    let here = Game::new().create_entity().id(); // the id of the existing entity
    let loader = || ecs::Loader::new().map_absent(move |_| EntityId::from_bits(here.to_bits()));
    let mut merged = [0; 2];
    let others: [fn(u8) -> u8; 3] = [|byte| byte ^ 1, |byte| byte ^ 0x80, |_| 0xff];
    for bytes in with_each_byte_changed(&bytes, &others) {
        let from = || postcard::Deserializer::from_bytes(&bytes);
        check_merge(|game| {
            let ids = loader().merge(game, &mut from());
            merged[0] += usize::from(ids.is_ok());
            ids
        });
    }
    for text in with_each_byte_changed(&texts, &others) {
        let from = || serde_json::Deserializer::from_slice(&text);
        check_merge(|game| {
            let ids = loader().merge(game, &mut from());
            merged[1] += usize::from(ids.is_ok());
            ids
        });
    }
    assert!(merged.iter().all(|count| *count > 20), "{merged:?}"); // valid values
}

/// A save in bytes: slots, free slots, no rows, and the rest.
fn save(slots: &[u8], free: &[u8], rest: &[u8]) -> Vec<u8> {
    let lists = [slots, free, &[], &[]].map(|list| [&[list.len() as u8], list].concat());
    [b"ecs\x01\x04Game".as_slice(), &lists.concat(), rest].concat()
}

/// One column, of the component of the first entity, and no orders.
fn column(name: &[u8], values: &[u8]) -> Vec<u8> {
    let len = (values.len() as u64).to_le_bytes();
    [&[1, name.len() as u8], name, &[0, 1], &len, values, &[0]].concat()
}

#[test]
fn counts_that_the_bytes_do_not_account_for_are_rejected() {
    let ends = |bytes: &[u8]| {
        let text = Errors::load(bytes).unwrap_err();
        assert!(text.contains("ends too early"), "{text}");
    };
    let most: &[u8] = match usize::BITS {
        64 => b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        _ => b"\xff\xff\xff\xff\x0f",
    };
    ends(&[b"ecs\x01\x04Game".as_slice(), most].concat());
    ends(&[b"ecs\x01\x04Game\x00".as_slice(), most].concat());
    ends(&save(&[2], &[], most));
    ends(&save(&[2], &[], b"\x01\x09Everyone"));
    // Announces this many values of a list, but has none.
    let mind = column(b"Mind", most);
    let text = Errors::load(&save(&[2], &[], &mind)).unwrap_err();
    assert!(
        text.contains("component `Mind` of entity 0v1 cannot be read"),
        "{text}"
    );
}

#[test]
fn bytes_that_nothing_accounts_for_are_rejected() {
    let name = [4, b'n', b'a', b'm', b'e'];
    let whole = save(&[2], &[], &column(b"Name", &name));
    assert_eq!(Errors::load(&whole).unwrap().len(), 1);
    let text = Errors::load(&[whole.as_slice(), &[0]].concat()).unwrap_err();
    assert!(text.contains("1 bytes are left over"), "{text}");
    let column = column(b"Name", &[name.as_slice(), &[0, 0]].concat());
    let text = Errors::load(&save(&[2], &[], &column)).unwrap_err();
    let expected = "component `Name` cannot be read: 2 bytes are left over";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn owners_that_are_not_entities_are_rejected() {
    let rejected = |owners: &[u8]| {
        let column = [&b"\x01\x06Frozen"[..], owners, &[0; 9]].concat();
        Errors::load(&save(&[2, 2], &[], &column)).map(|game| game.len())
    };
    let none = |owners: &[u8]| {
        let text = rejected(owners).unwrap_err();
        assert!(
            text.contains("an owner is not one of the entities"),
            "{text}"
        );
    };
    none(&[0, 0b100]);
    none(&[1, 1, 2]);
    none(&[1, 2, 1, 0]);
    assert_eq!(rejected(&[0, 0b10]), Ok(2));
    assert_eq!(rejected(&[1, 1, 1]), Ok(2));
    assert_eq!(rejected(&[1, 2, 0, 0]), Ok(2));
}

#[test]
fn slots_in_bytes_that_do_not_fit_together_are_rejected() {
    let rejected = |slots: &[u8], free: &[u8], expected: &str| {
        let text = Errors::load(&save(slots, free, b"\x00\x00")).unwrap_err();
        assert!(text.contains(expected), "{text}");
    };
    rejected(&[0], &[], "slot 0 cannot have generation 0");
    rejected(&[5], &[], "slot 0 is free and not listed as such");
    rejected(&[5], &[0, 0], "slot 0 is free twice");
    rejected(&[2], &[0], "slot 0 is listed as free and is not");
    rejected(&[2], &[9], "slot 9 is listed as free and is not");
    let progress = [&[1, 2][..], &[0, 0, 3, 0, 0, 9], &[0, 0]].concat();
    let text = Errors::load(&[&b"ecs\x01\x04Game"[..], &progress].concat()).unwrap_err();
    assert!(
        text.contains("progress of moving entities together is invalid"),
        "{text}"
    );
    assert_eq!(
        Errors::load(&save(&[2, 5, 1], &[1], b"\x00\x00"))
            .unwrap()
            .len(),
        1
    );
}

/// Contains itself.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Onion(Option<Box<Onion>>);

#[test]
fn nesting_of_values_is_limited() {
    let onion = |depth: usize| {
        let values = [vec![1; depth], vec![0]].concat();
        Errors::load(&save(&[2], &[], &column(b"Onion", &values)))
    };
    assert!(onion(30).is_ok());
    assert!(
        onion(10_000)
            .unwrap_err()
            .contains("nested more than 128 deep")
    );
}

/// Takes no bytes.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Units(Vec<()>);

#[test]
fn a_list_of_units_is_finite() {
    let units = |count: &[u8]| Errors::load(&save(&[2], &[], &column(b"Units", count)));
    assert!(units(&[100]).is_ok());
    assert!(
        units(b"\xff\xff\xff\xff\x0f")
            .unwrap_err()
            .contains("take no bytes")
    );
}
