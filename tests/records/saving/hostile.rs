//! Saves that somebody has broken: an error or a game, never a panic, never half of it, never more
//! memory than the bytes account for.

use super::formats::Errors;
use super::*;

/// Numbers in an order of their own.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// A save with some bytes flipped, cut out, doubled or put in.
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

/// Has something loaded and merged, and finds both games whole.
fn check<E>(
    load: impl Fn() -> Result<Game, E>,
    merge: impl Fn(&mut Game) -> Result<Vec<Id>, E>,
) -> bool {
    let loaded = load();
    if let Ok(game) = &loaded {
        let again = from_bytes(&bytes(game)).unwrap();
        assert_eq!(picture(&again).len(), picture(game).len());
        let alive = game
            .query::<&ChildOf>()
            .iter()
            .all(|child| game.contains(child.parent));
        assert!(alive, "a parent is dead");
    }
    let mut game = Game::new();
    game.create_with((Frozen, Seat { number: 7 }));
    let before = json(&game);
    match merge(&mut game) {
        Ok(ids) => assert_eq!(game.len(), 1 + ids.len()),
        Err(_) => assert_eq!(json(&game), before),
    }
    loaded.is_ok()
}

#[test]
fn broken_bytes_are_refused() {
    let valid = Errors::save(&world()).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut loaded = 0;
    for _ in 0..6_000 {
        let bytes = broken(&valid, &mut random);
        let is_ok = check(|| Errors::load(&bytes), |game| Errors::merge(game, &bytes));
        loaded += usize::from(is_ok);
    }
    assert!((10..6_000).contains(&loaded), "{loaded}"); // some are values that may be
}

#[test]
fn broken_json_is_refused() {
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
fn broken_ron_is_refused() {
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

/// A save in bytes: slots, free slots, no rows, and what comes then.
fn save(slots: &[u8], free: &[u8], rest: &[u8]) -> Vec<u8> {
    let lists = [slots, free, &[]].map(|list| [&[list.len() as u8], list].concat());
    [b"ecs\x01\x04Game".as_slice(), &lists.concat(), rest].concat()
}

/// One column, of the component of the first entity, and no orders.
fn column(name: &[u8], values: &[u8]) -> Vec<u8> {
    let len = (values.len() as u64).to_le_bytes();
    [&[1, name.len() as u8], name, &[0, 1], &len, values, &[0]].concat()
}

#[test]
fn counts_that_the_bytes_do_not_account_for_are_refused() {
    let ends = |bytes: &[u8]| {
        let text = Errors::load(bytes).unwrap_err();
        assert!(text.contains("ends too early"), "{text}");
    };
    let most = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
    ends(&[b"ecs\x01\x04Game".as_slice(), most].concat());
    ends(&[b"ecs\x01\x04Game\x00".as_slice(), most].concat());
    ends(&save(&[2], &[], most));
    ends(&save(&[2], &[], b"\x01\x09Everyone"));
    // So many values of a list, of which there is none.
    let mind = column(b"Mind", most);
    let text = Errors::load(&save(&[2], &[], &mind)).unwrap_err();
    assert!(
        text.contains("component `Mind` of entity 0v1 cannot be read"),
        "{text}"
    );
}

#[test]
fn slots_in_bytes_that_do_not_fit_together_are_refused() {
    let refused = |slots: &[u8], free: &[u8], expected: &str| {
        let text = Errors::load(&save(slots, free, b"\x00\x00")).unwrap_err();
        assert!(text.contains(expected), "{text}");
    };
    refused(&[0], &[], "slot 0 cannot have generation 0");
    refused(&[5], &[], "slot 0 is free and not listed as such");
    refused(&[5], &[0, 0], "slot 0 is free twice");
    refused(&[2], &[0], "slot 0 is listed as free and is not");
    refused(&[2], &[9], "slot 9 is listed as free and is not");
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
fn values_are_not_nested_without_end() {
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
fn a_list_of_units_does_not_go_on_for_ever() {
    let units = |count: &[u8]| Errors::load(&save(&[2], &[], &column(b"Units", count)));
    assert!(units(&[100]).is_ok());
    assert!(
        units(b"\xff\xff\xff\xff\xff\xff\xff\x7f")
            .unwrap_err()
            .contains("take no bytes")
    );
}
