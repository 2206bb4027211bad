//! Items of a loop that reports must not outlive the query, which reports when it is dropped; nor can
//! the context be used before that.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Health(u32);

type Healths<'a> = ecs::QueryMut<'a, Game, &'a mut Health>;

fn items_used_after_the_statement(game: &mut Game) {
    let mut items: Vec<_> = game.query_mut::<&mut Health>().iter_mut().collect();
    items[0].0 += 1;
}

fn item_kept_after_the_loop(game: &mut Game) {
    let mut kept = None;
    for health in game.query_mut::<&mut Health>().iter_mut() {
        kept = Some(health);
    }
    kept.unwrap().0 += 1;
}

fn query_dropped_before_an_item(mut query: Healths<'_>) {
    let item = query.iter_mut().next();
    drop(query);
    item.unwrap().0 += 1;
}

fn query_swapped_beside_an_item(query: &mut Healths<'_>, other: &mut Healths<'_>) {
    let item = query.iter_mut().next();
    std::mem::swap(query, other);
    item.unwrap().0 += 1;
}

fn query_used_by_value_beside_an_item(mut query: Healths<'_>) {
    let item = query.iter_mut().next();
    query.for_each(|health| health.0 += 1);
    item.unwrap().0 += 1;
}

fn two_iterators_at_once(mut query: Healths<'_>) {
    let (first, second) = (query.iter_mut(), query.iter_mut());
    first.zip(second).for_each(|(a, b)| a.0 += b.0);
}

fn iterator_returned(game: &mut Game) -> impl Iterator<Item = &mut Health> {
    game.query_mut::<&mut Health>().iter_mut()
}

fn context_used_in_the_loop(game: &mut Game) {
    for health in game.query_mut::<&mut Health>().iter_mut() {
        health.0 += game.len() as u32;
    }
}

fn context_used_before_the_query_reports(game: &mut Game) {
    let mut query = game.query_mut::<&mut Health>();
    query.iter_mut().for_each(|health| health.0 += 1);
    game.create_entity();
}

fn item_sent_to_a_thread(game: &mut Game) {
    for health in game.query_mut::<&mut Health>().iter_mut() {
        std::thread::spawn(|| health.0 += 1);
    }
}

fn main() {}
