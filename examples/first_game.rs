//! Apples fall from a tree, and a basket catches them. The guide builds this program step by step: see
//! `ecs::guide::first_game`.
//!
//! `cargo run --example first_game` prints what is in `first_game.out`.

use ecs::prelude::*;
use std::time::Duration;

const WIDTH: i32 = 9;
const HEIGHT: i32 = 5;
const STEP: Duration = Duration::from_millis(250);

#[ecs::context]
struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Position {
    x: i32,
    y: i32,
}

#[derive(Component)]
#[component(context = Game)]
struct Glyph(char);

#[derive(Component)]
#[component(context = Game)]
struct Apple; // no fields: a flag

fn fall(game: &mut Game) {
    for position in game.query_mut::<&mut Position>().with::<Apple>().iter_mut() {
        position.y += 1;
    }
}

#[derive(Component)]
#[component(context = Game, unique)]
struct Tree(Timer);

#[derive(Component)]
#[component(context = Game, unique)]
struct Score(i32);

fn drop_apples(game: &mut Game) {
    if game.update_tree(|tree| tree.0.tick(STEP).just_finished()) {
        let x = (game.score().0 + 1) * 5 % WIDTH; // another column after each catch
        game.create_with((Apple, Position { x, y: 0 }, Glyph('o')));
    }
}

#[derive(Component)]
#[component(context = Game, unique)]
struct Basket;

struct Steer(i32); // a message, which can be any type

fn steer(game: &mut Game, Steer(dx): &Steer) {
    if let Some(mut basket) = game.basket_entity_mut() {
        basket.update_position(|it| it.x = (it.x + dx).clamp(1, WIDTH - 2));
    }
}

#[derive(Component, Clone)]
#[component(context = Game)]
struct SideOf {
    #[component(relation(reverse = sides, on_target_destroyed = destroy))]
    basket: EntityId<Game>,
    dx: i32,
}

fn create_basket(game: &mut Game, x: i32) {
    let y = HEIGHT - 1;
    let bottom = (Basket, Position { x, y }, Glyph('_'));
    let basket = game.create_with(bottom).id();
    for (dx, glyph) in [(-1, '\\'), (1, '/')] {
        let position = Position { x: x + dx, y };
        game.create_with((SideOf { basket, dx }, position, Glyph(glyph)));
    }
}

fn move_sides(game: &mut Game, basket: EntityId<Game>) {
    let x = game.entity(basket).position().x;
    for side in game.entity(basket).sides().to_vec() {
        let mut side = game.entity_mut(side);
        let dx = side.side_of().dx;
        side.update_position(|position| position.x = x + dx);
    }
}

type Cells = EntityIndex<Game, (i32, i32)>;

fn index_basket(game: &mut Game) -> Cells {
    let parts = Game::all_of::<Position>().none_of::<Apple>();
    game.entity_index(parts, |part| (part.position().x, part.position().y))
}

fn catch(game: &mut Game, basket: &Cells, apple: EntityId<Game>) {
    let &Position { x, y } = game.entity(apple).position();
    if basket.contains(game, &(x, y)) {
        game.destroy(apple);
        game.update_score(|score| score.0 += 1);
    } else if y == HEIGHT {
        game.destroy(apple);
        game.destroy_basket_entity(); // game over
    }
}

fn picture(game: &Game) -> String {
    let mut rows = vec![['.'; WIDTH as usize]; HEIGHT as usize];
    for (position, glyph) in game.query::<(&Position, &Glyph)>() {
        rows[position.y as usize][position.x as usize] = glyph.0;
    }
    let lines = rows.iter().map(|row| String::from_iter(row) + "\n");
    lines.collect()
}

fn systems(game: &mut Game) -> Systems<Game> {
    let keys = game.inbox::<Steer>();
    let basket_moved = Game::all_of::<(Basket, Position)>().updated();
    let apple_fell = Game::all_of::<(Apple, Position)>().updated();
    let cells = index_basket(game);
    Systems::new()
        .on_message(keys, steer)
        .for_each_changed(game, basket_moved, move_sides)
        .add(fall)
        .for_each_changed(game, apple_fell, move |game, id| catch(game, &cells, id))
        .add(drop_apples)
}

fn main() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    let visible = game.collector(Game::all_of::<(Position, Glyph)>().any_change());
    game.set_score(0);
    game.set_tree(Timer::repeating(4 * STEP));
    create_basket(&mut game, 4);

    let mut clock = FixedSteps::new(STEP);
    for frame in 0..43 {
        if (20..23).contains(&frame) {
            game.send(Steer(-1)); // the player presses a key
        }
        clock.advance(Duration::from_millis(100)); // the time since the last frame
        while clock.take_step() {
            systems.execute(&mut game);
            systems.cleanup(&mut game);
        }
        if !visible.drain(&mut game).is_empty() {
            println!("{}{} caught\n", picture(&game), game.score().0);
        }
    }
    assert!(game.score().0 == 2 && game.basket_entity().is_none());
}
