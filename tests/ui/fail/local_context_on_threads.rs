//! What would take values of a local context to another thread.

use std::rc::Rc;
use std::thread;

use ecs::prelude::*;

#[ecs::context(local)]
struct Canvas;

#[derive(Component, Clone)]
#[component(context = Canvas)]
struct Sprite(Rc<u8>);

#[derive(Component)]
#[component(context = Canvas)]
struct Place(u32);

#[ecs::context]
struct Game;

#[derive(Contexts)]
struct World {
    canvas: Canvas,
    game: Game,
}

fn sent(canvas: Canvas) {
    thread::spawn(move || canvas.len());
}

fn shared(canvas: &Canvas) {
    thread::scope(|scope| {
        scope.spawn(|| canvas.len());
    });
}

fn looped(canvas: &mut Canvas) {
    canvas.query::<&Place>().par_for_each(|_| {});
    canvas.query_mut::<&mut Place>().par_for_each(|place| place.0 += 1);
    let _ = Systems::<Canvas>::new().par_for_each::<Canvas, &mut Place>(|place| place.0 += 1);
    let _ = Systems::<World>::new().side_by_side(Systems::<Canvas>::new(), Systems::<Game>::new());
}

fn held(canvas: &mut Canvas) {
    let snapshot = canvas.snapshot();
    thread::spawn(move || drop(snapshot));
}

fn reported(canvas: &mut Canvas) {
    let sprites = canvas.group(Canvas::all_of::<Sprite>());
    sprites.on_left(canvas, |_, change| {
        thread::scope(|scope| {
            scope.spawn(|| change.previous::<Sprite>().is_some());
        });
    });
}

fn untyped(mut entity: CanvasEntityMut<'_>) {
    let index = entity.context_mut().components().index_of::<Sprite>();
    let _ = entity.dynamic().try_take(index);
}

fn main() {}
