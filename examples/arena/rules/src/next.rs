//! What version 2 of the rules brings, to try an upgrade under load: a pilot who has hit three others in a round is healed.
//! It has a component that saves of version 1 do not have, and changes what is played.
//!
//! The feature `next` compiles it in, so that one source is both releases.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pilots::FULL;
use crate::{Arena, ArenaEntity, ArenaEntityMut, Pilot};

/// How many kills a pilot had when this last healed it.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Streak(u16);

pub(crate) fn heal(game: &mut Arena) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    let pilots = game.group(Arena::all_of::<Pilot>());
    move |game| {
        for id in pilots.ids(game) {
            let mut pilot = game.entity_mut(id);
            let kills = pilot.pilot().kills;
            match pilot.get_streak().copied() {
                None => _ = pilot.add_streak(kills), // it is new, or comes from version 1
                Some(Streak(healed)) if kills < healed => _ = pilot.replace_streak(kills), // a new round
                Some(Streak(healed)) if kills >= healed + 3 && pilot.has_health() => {
                    pilot.replace_streak(kills).replace_health(FULL);
                }
                _ => {}
            }
        }
    }
}
