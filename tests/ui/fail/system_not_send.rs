//! Systems with values that are not `Send`.

use std::rc::Rc;

use ecs::prelude::*;

#[ecs::context]
struct Game;

struct Show(Rc<u8>);

impl System<Game> for Show {
    fn execute(&mut self, _: &mut Game) {}
}

struct Follow(Rc<u16>);

impl ReactiveSystem<Game> for Follow {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Matcher::default().entered()
    }

    fn react(&mut self, _: &mut Game, _: &[EntityId<Game>]) {}
}

fn a_closure(log: Rc<u32>) {
    let _ = Systems::new().add(move |_: &mut Game| drop(log.clone()));
}

fn a_closure_for_each(game: &mut Game, log: Rc<u64>) {
    let _ = Systems::new().for_each_in(game, Matcher::default(), move |_, _| drop(log.clone()));
}

fn a_condition(log: Rc<i8>) {
    let _ = Systems::new().add_if(move |_: &Game| *log > 3, |_: &mut Game| ());
}

fn main() {}
