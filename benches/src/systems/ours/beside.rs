//! Some rows beside groups that do not change, for the growth table.

use ecs::{Context as _, Group, Matcher};

use super::{Calls, add_remove, churn, iter, reactive};
use crate::rows::Id;
use crate::types::*;
use crate::workload::Workload;

/// Returns the workload of one of the rows W2, W4, W6, W8 and W9, with `entities` entities, beside
/// `groups` groups that it does not change.
pub fn beside(row: Id, entities: usize, groups: usize) -> Option<Box<dyn Workload>> {
    let mut game = Game::new();
    for matcher in unchanging(groups) {
        game.group(matcher);
    }
    assert_eq!(Group::all(&game).len(), groups);
    Some(match row {
        Id::W2 => iter(game, entities, Calls::OneByOne),
        Id::W4 => add_remove(game, entities, Calls::OneByOne),
        Id::W6 => churn(game, entities, Calls::OneByOne),
        Id::W8 => reactive::reactive_replace(game, entities / 10, Calls::OneByOne),
        Id::W9 => reactive::group_events(game, entities, Calls::OneByOne),
        _ => return None,
    })
}

/// Returns `count` matchers that name a component which the rows add, remove or replace, and two
/// kinds that no entity has.
fn unchanging(count: usize) -> Vec<Matcher<Game>> {
    let first = [
        Game::all_of::<Position>(),
        Game::all_of::<Velocity>(),
        Game::all_of::<B>(),
        Game::all_of::<Flag>(),
    ];
    let mut all = Vec::new();
    macro_rules! narrow {
        ($from:expr => $($kind:ident)*) => {
            [$($from.clone().all_of::<$kind>()),*]
        };
    }
    macro_rules! with_two_kinds {
        ($($kind:ident)*) => {
            for matcher in &first {
                for one in narrow!(matcher => $($kind)*) {
                    all.extend(narrow!(one => $($kind)*));
                }
            }
        };
    }
    with_kinds!(with_two_kinds);
    let mut different: Vec<Matcher<Game>> = Vec::new();
    for matcher in all {
        let has_two_kinds = matcher.components().len() == 3;
        if different.len() < count && has_two_kinds && !different.contains(&matcher) {
            different.push(matcher);
        }
    }
    different
}
