use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[ecs::context]
pub struct Input;

struct Move;

impl System<Game> for Move {}

struct Draw;

impl ReactiveSystem<Game> for Draw {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<()>().entered()
    }

    fn react(&mut self, _: &mut Game, _: &[EntityId<Game>]) {}
}

#[derive(Contexts)]
struct World {
    input: Input,
}

fn main() {
    let mut input = Input::new();
    let mut game = Game::new();
    let _ = Systems::<Input>::new().add(Move);
    let _ = Systems::<Game>::new().add(Draw);
    let _ = Systems::new().add_reactive(&mut input, Draw);
    let _ = Systems::new().add_reactive(&mut game, Move);
    let mut world = World { input };
    let trigger = Game::all_of::<()>().entered();
    let _ = Systems::new().for_each_changed(&mut world, trigger, |_, _| ());
}

struct Both;

impl ReactiveSystem<World> for Both {
    type Context = (Input, Game);

    fn trigger(&self) -> (Trigger<Input>, Trigger<Game>) {
        (Input::all_of::<()>().entered(), Game::all_of::<()>().entered())
    }

    fn react(&mut self, _: &mut World, _: (&[EntityId<Input>], &[EntityId<Game>])) {}
}
