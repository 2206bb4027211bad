//! The unique components of a context, including states, each with its value and its entity.

use ecs::{ComponentIndex, Context, Entity, Matcher, SharedContext};

use super::contexts::{Action, Kept};
use super::list::label;
use super::show::{self, Budget, Limit};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{Unique, Uniques};
use crate::protocol::failure::Failure;

/// Answers `uniques`.
pub(crate) struct AnswerUniques;

impl Action for AnswerUniques {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let (context, mut budget) = (&*context, Budget::new());
        let infos = context.components().iter();
        let indices = infos
            .filter(|info| info.is_unique() && !info.is_hidden())
            .map(|info| info.index());
        let uniques =
            indices.map(|index| unique(context, index, kept.names.of(index), &mut budget));
        to_json(&Uniques {
            uniques: uniques.collect(),
        })
    }
}

fn unique<'n, C: Context + SharedContext>(
    context: &C,
    index: ComponentIndex<C>,
    name: &'n str,
    budget: &mut Budget,
) -> Unique<'n> {
    let owner = Matcher::default()
        .with_disabled()
        .all_of_indices([index])
        .ids(context)
        .next();
    let entity = owner.and_then(|owner| Entity::find(context, owner));
    let value = entity
        .and_then(|entity| show::component(context, entity.dynamic(), index, Limit::WHOLE, budget));
    Unique {
        name,
        entity: owner.map(|owner| owner.to_string()),
        label: owner.and_then(|owner| label(context, owner)),
        value,
    }
}
