//! Searching through entities, a little in each frame: for a text, or for the roots of a relation.
//!
//! A pass goes through all entities that match, and then the next one begins. What the last whole
//! pass has found is what counts; until there is one, what the first has found so far.
//!
//! Between two frames entities may come and go, so that a pass may miss one or find it twice, until the
//! next one.

use std::io::Write as _;
use std::time::{Duration, Instant};

use ecs::{ComponentIndex, ComponentInfo, ComponentSet, Context, Entity, EntityId, Matcher};

use super::names::Names;
use super::show;
use crate::protocol::failure::Failure;
use crate::protocol::params::List;

/// How long a search may take in one frame while somebody waits for its first pass.
const FIRST: Duration = Duration::from_micros(1000);
/// How long it may take later, to find out what has changed.
const LATER: Duration = Duration::from_micros(80);
/// After how many entities the clock is looked at.
const STRIDE: usize = 8;

/// What is searched for.
pub(crate) struct Wanted {
    /// In lower case.
    text: String,
    roots: Option<ComponentIndex>,
    /// The components whose names have the text.
    named: ComponentSet,
}

impl Wanted {
    /// What a list asks for, if it is anything.
    pub(crate) fn new<C: Context>(
        context: &C,
        list: &List,
        names: &Names,
    ) -> Result<Option<Self>, Failure> {
        let roots = list
            .roots
            .as_ref()
            .map(|name| names.find::<C>(name))
            .transpose()?;
        let text = list.text.to_lowercase();
        if text.is_empty() && roots.is_none() {
            return Ok(None);
        }
        let components = context.components().iter().map(ComponentInfo::index);
        let is_named =
            |component: &ComponentIndex| names.of(*component).to_lowercase().contains(&text);
        let named = components.filter(is_named).collect();
        Ok(Some(Self { text, roots, named }))
    }

    /// Whether an entity is wanted; `text` is memory to write it to.
    fn is<C: Context>(&self, context: &C, id: EntityId<C>, text: &mut Vec<u8>) -> bool {
        let Some(entity) = Entity::find(context, id) else {
            return false;
        };
        self.is_root(entity) && (self.text.is_empty() || self.is_in(context, entity, text))
    }

    fn is_root<C: Context>(&self, entity: Entity<'_, C>) -> bool {
        let Some(component) = self.roots else {
            return true;
        };
        let mut relations = entity.dynamic().relations();
        let relation = relations.find(|relation| relation.component() == component);
        relation.is_some_and(|it| it.target().is_none() && !it.sources().is_empty())
    }

    fn is_in<C: Context>(&self, context: &C, entity: Entity<'_, C>, text: &mut Vec<u8>) -> bool {
        text.clear();
        _ = write!(text, "{}", entity.id()); // there is always place
        for (info, value) in entity.dynamic().iter() {
            if self.named.contains(info.index()) {
                return true;
            }
            text.push(0); // so that nothing is found across two of them
            show::write(context, info.index(), value, text);
        }
        self.is_in_text(text)
    }

    fn is_in_text(&self, text: &mut [u8]) -> bool {
        if text.is_ascii() {
            text.make_ascii_lowercase();
            return str::from_utf8(text).is_ok_and(|text| text.contains(&self.text));
        }
        String::from_utf8_lossy(text)
            .to_lowercase()
            .contains(&self.text)
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
    pub(crate) fn go_on<C: Context>(&mut self, context: &C, matcher: &Matcher<C>, wanted: &Wanted) {
        let budget = match self.found {
            None => FIRST,
            Some(_) => LATER,
        };
        let (end, mut text) = (Instant::now() + budget, Vec::new());
        let mut ids = matcher.ids(context).skip(self.passed);
        loop {
            for _ in 0..STRIDE {
                let Some(id) = ids.next() else {
                    self.passed = 0;
                    self.found = Some(std::mem::take(&mut self.finding));
                    return;
                };
                self.passed += 1;
                if wanted.is(context, id, &mut text) {
                    self.finding.push(id.to_bits());
                }
            }
            if Instant::now() >= end {
                return;
            }
        }
    }
}
