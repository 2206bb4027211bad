//! Required components in bulk changes.

use super::*;

#[test]
fn bulk_add_adds_missing_required_components() {
    let mut game = Game::new();
    let healthy = game.create_many((0..3).map(|n| Health(n + 1)));
    let bare = game.create_many([Visible; 2]);
    let ids: Vec<_> = bare.iter().chain(&healthy).copied().collect();
    let players = game.group(Game::all_of::<(Player, Health, Velocity)>());
    game.many(&ids).add_with(|id| Player(id.index() as u8));
    let found = ids.iter().map(|&id| player(&game, id));
    let found: Vec<_> = found.map(|(player, _, health)| (player, health)).collect();
    assert_eq!(found, [(3, 100), (4, 100), (0, 1), (1, 2), (2, 3)]);
    assert_eq!(players.len(&game), 5);
}

#[test]
fn many_that_cannot_all_take_part_change_nothing() {
    let mut game = Game::new();
    let ids = game.create_many([Visible; 3]);
    game.entity_mut(ids[2]).add_player(1);
    let rejected = game.many(&ids).try_add_with(|_| Player(2)).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::AlreadyHasComponent);
    assert!(!game.entity(ids[0]).has_player() && !game.entity(ids[0]).has_health());
}

#[test]
fn created_in_recycled_slots_and_in_new_rows_they_are_the_same() {
    let mut game = Game::new();
    let old = game.create_many([Visible; 10]);
    game.many(&old).destroy();
    let ids = game.create_many((0..200).map(|n| (Player(n as u8), Visible)));
    let columns = vec![Player(3); 200];
    let more = game.create_columns(columns);
    let with_all = game.group(Game::all_of::<(Player, Health, Velocity)>());
    assert_eq!(with_all.len(&game), 400);
    assert!(
        ids.iter()
            .chain(&more)
            .all(|&id| player(&game, id).2 == 100)
    );
}

#[derive(Component, Default)]
#[component(context = Input, extension, requires(
    Need1, Need2, Need3, Need4, Need5, Need6, Need7, Need8, Need9, Need10, Need11, Need12,
))]
struct Needy;

macro_rules! required {
    ($($name:ident)*) => { $(
        #[derive(Component, Default)]
        #[component(context = Input, extension)]
        struct $name(u8);
    )* };
}

required!(Need1 Need2 Need3 Need4 Need5 Need6 Need7 Need8 Need9 Need10 Need11 Need12);

#[test]
fn there_may_be_more_than_a_word_has_bits() {
    let mut input = Input::new();
    let all = Input::all_of::<(
        Needy,
        (Need1, Need2, Need3, Need4),
        (Need5, Need6, Need7, Need8),
        (Need9, Need10, Need11, Need12),
    )>();
    let group = input.group(all);
    let id = input.create_with(Needy).id();
    input.create_entity().add(Needy);
    assert_eq!((group.len(&input), group.contains(&input, id)), (2, true));
}
