//! Random games: what is saved and loaded goes on as if nothing had been.

use proptest::prelude::*;

use super::*;

/// Something that happens to a game.
#[derive(Clone, Debug)]
enum Step {
    Create(u8),
    Destroy(usize),
    Freeze(usize),
    Move(usize, f32),
    Adopt(usize, usize),
    Defragment,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any::<u8>().prop_map(Step::Create),
        2 => any::<usize>().prop_map(Step::Destroy),
        2 => any::<usize>().prop_map(Step::Freeze),
        2 => (any::<usize>(), -9.0_f32..9.0).prop_map(|(at, x)| Step::Move(at, x)),
        3 => (any::<usize>(), any::<usize>()).prop_map(|(at, to)| Step::Adopt(at, to)),
        1 => Just(Step::Defragment),
    ]
}

fn act(game: &mut Game, step: &Step) {
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    let id = |at: usize| ids.get(at.checked_rem(ids.len())?).copied();
    match *step {
        Step::Create(0..40) => _ = game.create_entity(),
        Step::Create(40..150) => _ = game.create_with((Name("n".into()), Frozen)),
        Step::Create(tag) => _ = game.create_with(Tag((tag % 3).to_string())),
        Step::Destroy(at) => _ = id(at).map(|id| game.destroy(id)),
        Step::Freeze(at) => {
            if let Some(id) = id(at) {
                let frozen = game.entity(id).is_frozen();
                game.entity_mut(id).set_frozen(!frozen);
            }
        }
        Step::Move(at, x) => _ = id(at).map(|id| _ = game.entity_mut(id).replace_position(x, 0.0)),
        Step::Adopt(at, to) => {
            if let (Some(id), Some(parent)) = (id(at), id(to)) {
                _ = game
                    .entity_mut(id)
                    .try_replace(ChildOf { parent })
                    .map(drop);
            }
        }
        Step::Defragment => game.defragment(),
    }
}

/// Everything that can be seen, in its order.
fn all(game: &Game) -> (String, Vec<Id>, Vec<Vec<Id>>) {
    let rows = game.query::<Id>().iter().collect();
    let children = game.entities().map(|entity| entity.children().to_vec());
    (json(game), rows, children.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_loaded_game_goes_on_as_the_saved_one(
        before in prop::collection::vec(step(), 0..80),
        after in prop::collection::vec(step().prop_filter(
            "moves kinds of entities in the order in which a game has met them",
            |step| !matches!(step, Step::Defragment),
        ), 0..40),
    ) {
        let mut game = Game::new();
        before.iter().for_each(|step| act(&mut game, step));
        let mut from_text = from_json(&json(&game)).unwrap();
        let mut from_data = from_bytes(&bytes(&game)).unwrap();
        for step in [None].into_iter().chain(after.iter().map(Some)) {
            for game in [&mut game, &mut from_text, &mut from_data] {
                step.inspect(|step| act(game, step));
            }
            prop_assert_eq!(all(&from_text), all(&game));
            prop_assert_eq!(all(&from_data), all(&game));
        }
    }

    #[test]
    fn a_merge_adds_a_copy(
        here in prop::collection::vec(step(), 0..40),
        there in prop::collection::vec(step(), 0..40),
    ) {
        let (mut game, mut from) = (Game::new(), Game::new());
        here.iter().for_each(|step| act(&mut game, step));
        there.iter().for_each(|step| act(&mut from, step));
        let before = picture(&game);
        let mut twin = from_json(&json(&game)).unwrap();
        let ids = merge_json(&mut game, &json(&from)).unwrap();
        let merged = super::formats::Errors::save(&from).unwrap();
        let others = super::formats::Errors::merge(&mut twin, &merged).unwrap();
        prop_assert_eq!((ids.len(), others.len()), (from.len(), from.len()));
        prop_assert_eq!(game.len(), before.len() + from.len());
        for (game, ids) in [(&game, &ids), (&twin, &others)] {
            let map: HashMap<_, _> = from.entities().map(|e| e.id()).zip(ids.iter().copied()).collect();
            for entity in from.entities() {
                let copy = game.entity(map[&entity.id()]);
                prop_assert_eq!(entity.get_position(), copy.get_position());
                prop_assert_eq!(entity.is_frozen(), copy.is_frozen());
                let children: Vec<_> = entity.children().iter().map(|id| map[id]).collect();
                prop_assert_eq!(copy.children(), children);
            }
        }
    }
}
