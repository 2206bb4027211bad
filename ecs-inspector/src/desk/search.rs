//! Searching through entities, a little in each frame: for a text, or for the roots of a relation.
//!
//! A pass goes through all entities that match, and then the next one begins. What the last whole
//! pass has found is what counts; until there is one, what the first has found so far.
//!
//! Between two frames entities may come and go, so that a pass may miss one or find it twice, until the
//! next one.

use std::time::{Duration, Instant};

use ecs::{ComponentIndex, Context, Entity, EntityId, Matcher};

use super::names::Names;
use super::show::{self, Limit};
use crate::protocol::answers::Shown;
use crate::protocol::failure::Failure;
use crate::protocol::params::List;

/// How long a search may take in one frame.
const BUDGET: Duration = Duration::from_micros(80);
/// After how many entities the clock is looked at.
const STRIDE: usize = 8;

/// What is searched for.
pub(crate) struct Wanted {
    /// In lower case.
    text: String,
    roots: Option<ComponentIndex>,
}

impl Wanted {
    /// What a list asks for, if it is anything.
    pub(crate) fn new<C: Context>(list: &List, names: &Names) -> Result<Option<Self>, Failure> {
        let roots = list
            .roots
            .as_ref()
            .map(|name| names.find::<C>(name))
            .transpose()?;
        let text = list.text.to_lowercase();
        Ok((!text.is_empty() || roots.is_some()).then_some(Self { text, roots }))
    }

    fn is<C: Context>(&self, context: &C, names: &Names, id: EntityId<C>) -> bool {
        let Some(entity) = Entity::find(context, id) else {
            return false;
        };
        self.is_root(entity) && (self.text.is_empty() || self.is_in(context, names, entity))
    }

    fn is_root<C: Context>(&self, entity: Entity<'_, C>) -> bool {
        let Some(component) = self.roots else {
            return true;
        };
        let mut relations = entity.dynamic().relations();
        let relation = relations.find(|relation| relation.component() == component);
        relation.is_some_and(|it| it.target().is_none() && !it.sources().is_empty())
    }

    fn is_in<C: Context>(&self, context: &C, names: &Names, entity: Entity<'_, C>) -> bool {
        if entity.id().to_string().contains(&self.text) {
            return true;
        }
        entity.component_indices().into_iter().any(|component| {
            let shown = show::component(context, entity.dynamic(), component, Limit::WHOLE);
            self.is_in_text(names.of(component)) || shown.is_some_and(|shown| self.is_shown(&shown))
        })
    }

    fn is_shown(&self, shown: &Shown) -> bool {
        self.is_in_text(match shown {
            Shown::Json(json) => json.get(),
            Shown::Text(text) => text,
        })
    }

    fn is_in_text(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.text)
    }
}

/// How far a search has come.
#[derive(Default)]
pub(crate) struct Search {
    /// How many entities this pass has looked at.
    passed: usize,
    /// What this pass has found, as the bits of ids.
    finding: Vec<u64>,
    /// What the last pass has found.
    found: Option<Vec<u64>>,
}

impl Search {
    /// What counts, and whether it is of a whole pass.
    pub(crate) fn found(&self) -> (&[u64], bool) {
        match &self.found {
            Some(found) => (found, true),
            None => (&self.finding, false),
        }
    }

    /// Goes on for a while.
    pub(crate) fn go_on<C: Context>(
        &mut self,
        context: &C,
        names: &Names,
        matcher: &Matcher<C>,
        wanted: &Wanted,
    ) {
        let end = Instant::now() + BUDGET;
        let mut ids = matcher.ids(context).skip(self.passed);
        loop {
            for _ in 0..STRIDE {
                let Some(id) = ids.next() else {
                    self.passed = 0;
                    self.found = Some(std::mem::take(&mut self.finding));
                    return;
                };
                self.passed += 1;
                if wanted.is(context, names, id) {
                    self.finding.push(id.to_bits());
                }
            }
            if Instant::now() >= end {
                return;
            }
        }
    }
}
