//! Creating entities.

use ecs::prelude::*;

use super::Shared;
use super::names::{Dynamic, bundle, outcome_of, unless, unless_twice};
use super::trees::create_tree;
use crate::faults::user_code;
use crate::game::{Game, Id, N, Numbered};
use crate::op::{Kind, MANY, Op, Shape, Way};

/// An iterator whose size hint is wrong.
struct Promising<I>(I, u8);

impl<I: Iterator> Iterator for Promising<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        user_code();
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.1 {
            u8::MAX => (MANY, None),
            promised => (promised.into(), Some(promised.into())),
        }
    }
}

pub(super) fn run_creating(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::Create => {
            let id = game.create_entity().id();
            shared.hand().known.push(id);
        }
        Op::CreateWith(values) => create_one(game, shared, bundle(shared, values)),
        Op::CreateMany(bundles) => {
            let bundles = bundles.iter().map(|values| bundle(shared, values));
            let bundles: Vec<_> = bundles.collect();
            create_many(game, shared, bundles);
        }
        Op::CreateRun(shape, way, count, v) => {
            let run = Run(*way, usize::from(*count), *v);
            let ids = run.create(game, *shape);
            shared.hand().known.extend(ids);
        }
        Op::CreateTree(..) => create_tree(game, shared, op),
        Op::FromTemplate(n, count) => from_template(game, shared, *n, *count),
        _ => unreachable!("run by `run`"),
    }
}

fn create_one(game: &mut Game, shared: &Shared, bundle: Dynamic) {
    let create = || outcome_of(game.try_create_with(bundle).map(|it| it.id()));
    note(
        shared,
        unless_twice(shared, create).map(|id| id.map(|id| vec![id])),
    );
}

fn create_many(game: &mut Game, shared: &Shared, bundles: Vec<Dynamic>) {
    let bundles = Promising(bundles.into_iter(), 3);
    let create = || outcome_of(game.try_create_many(bundles));
    note(shared, unless_twice(shared, create));
}

fn note(shared: &Shared, created: Option<Result<Vec<Id>, String>>) {
    match created {
        Some(Ok(ids)) => shared.hand().known.extend(ids),
        Some(Err(text)) => shared.answer(text),
        None => {}
    }
}

/// The way, number and value of entities created together.
struct Run(Way, usize, u8);

macro_rules! create_as {
    ($run:expr, $game:expr, $($name:ident)+) => {{
        use crate::game::{$($name),+};
        let Run(way, count, v) = $run;
        let bundle = |nth| ($($name::new(Kind::$name.nth_value(v, nth).into()),)+);
        let bundles = (0..count).map(bundle);
        match way {
            Way::OneByOne => bundles.map(|bundle| $game.create_with(bundle).id()).collect(),
            Way::Bundles(promised) => $game.create_many(Promising(bundles, promised)),
            Way::Columns | Way::Slices => {
                let column = |kind: Kind| (0..count).map(move |nth| kind.nth_value(v, nth));
                $game.create_columns(($(
                    column(Kind::$name).map(|value| $name::new(value.into())).collect::<Vec<_>>(),
                )+))
            }
        }
    }};
}

impl Run {
    fn create(self, game: &mut Game, shape: Shape) -> Vec<Id> {
        match shape {
            Shape::JustN if matches!(self.0, Way::Slices) => self.create_copies(game),
            Shape::JustA => create_as!(self, game, A),
            Shape::JustL => create_as!(self, game, L),
            Shape::JustN => create_as!(self, game, N),
            Shape::AandB => create_as!(self, game, A B),
            Shape::AandL => create_as!(self, game, A L),
            Shape::CandD => create_as!(self, game, C D),
            Shape::FandM => create_as!(self, game, F M),
            Shape::AandCandDandN => create_as!(self, game, A C D N),
        }
    }

    fn create_copies(self, game: &mut Game) -> Vec<Id> {
        let Self(_, count, v) = self;
        let values: Vec<N> = (0..count).map(|nth| N(Kind::N.nth_value(v, nth))).collect();
        game.create_columns(&values[..])
    }
}

/// Creates each by itself, because a target of the template may have died meanwhile.
fn from_template(game: &mut Game, shared: &Shared, n: u8, count: u8) {
    let Some(template) = shared.template(n) else {
        return;
    };
    for _ in 0..count {
        let create = || template.create_many(game, 1);
        let created = unless(shared, "cannot add", create);
        note(shared, Some(created));
    }
}
