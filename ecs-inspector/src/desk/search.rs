//! Searching through entities, a little in each frame: for a text, or for the roots of a relation.
//!
//! A pass goes through all entities that match, and then the next one begins. What the last whole
//! pass has found is what counts; until there is one, what the first has found so far.
//!
//! Between two frames entities may come and go, so that a pass may miss one or find it twice, until the
//! next one.
//!
//! Only the beginning of a large value is searched; the answer counts the entities concerned.

use std::io::Write as _;
use std::time::{Duration, Instant};

use ecs::{ComponentIndex, ComponentInfo, ComponentSet, Context, Entity, EntityId, Matcher};

use super::names::Names;
use super::show;
use crate::protocol::failure::Failure;
use crate::protocol::params::List;

/// How long a search may take in one frame while a client waits for its first pass.
const FIRST: Duration = Duration::from_micros(500);
/// How long it may take later, to find out what has changed.
const LATER: Duration = Duration::from_micros(80);
/// After how many entities the clock is read; `BYTES` bytes of values count as one.
const STRIDE: usize = 8;
const BYTES: usize = 512;
/// How many bytes of a value are searched, and of all values of an entity.
const MOST_OF_VALUE: usize = 4 << 10;
const MOST_OF_ENTITY: usize = 16 << 10;

/// What has been read of an entity.
#[derive(Default)]
struct Read {
    text: Vec<u8>,
    /// Whether a value was cut off.
    is_cut: bool,
}

/// What is searched for.
pub(crate) struct SearchRequest<C> {
    /// In lower case.
    text: String,
    roots: Option<ComponentIndex<C>>,
    /// The components whose names have the text.
    named: ComponentSet<C>,
}

impl<C: Context> SearchRequest<C> {
    /// What a list asks for, if it is anything.
    pub(crate) fn new(context: &C, list: &List, names: &Names<C>) -> Result<Option<Self>, Failure> {
        let roots = list
            .roots
            .as_ref()
            .map(|name| names.find(name))
            .transpose()?;
        let text = list.text.to_lowercase();
        if text.is_empty() && roots.is_none() {
            return Ok(None);
        }
        let components = context.components().iter().map(ComponentInfo::index);
        let is_named =
            |component: &ComponentIndex<C>| names.of(*component).to_lowercase().contains(&text);
        let named = components.filter(is_named).collect();
        Ok(Some(Self { text, roots, named }))
    }

    /// Whether an entity is wanted.
    fn is(&self, context: &C, id: EntityId<C>, read: &mut Read) -> bool {
        let Some(entity) = Entity::find(context, id) else {
            return false;
        };
        self.is_root(entity) && (self.text.is_empty() || self.is_in(context, entity, read))
    }

    fn is_root(&self, entity: Entity<'_, C>) -> bool {
        let Some(component) = self.roots else {
            return true;
        };
        let mut relations = entity.dynamic().relations();
        let relation = relations.find(|relation| relation.component() == component);
        relation.is_some_and(|it| it.target().is_none() && !it.sources().is_empty())
    }

    fn is_in(&self, context: &C, entity: Entity<'_, C>, Read { text, is_cut }: &mut Read) -> bool {
        _ = write!(text, "{}", entity.id()); // there is always place
        for (info, value) in entity.dynamic().iter() {
            if self.named.contains(info.index()) {
                return true;
            }
            let most = MOST_OF_VALUE.min(MOST_OF_ENTITY.saturating_sub(text.len()));
            text.push(0); // so that nothing is found across two of them
            *is_cut |= !show::append(context, info.index(), value, text, most);
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

/// What a pass has found.
#[derive(Default)]
pub(crate) struct SearchResult {
    /// As the bits of ids.
    pub(crate) ids: Vec<u64>,
    /// How many entities have values of which only the beginning has been read.
    pub(crate) cut: usize,
}

/// How far a search has come.
#[derive(Default)]
pub(crate) struct Search {
    /// How many entities this pass has looked at.
    passed: usize,
    /// What this pass has found.
    finding: SearchResult,
    /// What the last pass has found.
    found: Option<SearchResult>,
}

impl Search {
    /// What counts, and whether it is of a whole pass.
    pub(crate) fn found(&self) -> (&SearchResult, bool) {
        match &self.found {
            Some(found) => (found, true),
            None => (&self.finding, false),
        }
    }

    /// Goes on for a while.
    pub(crate) fn go_on<C: Context>(
        &mut self,
        context: &C,
        matcher: &Matcher<C>,
        request: &SearchRequest<C>,
    ) {
        let budget = match self.found {
            None => FIRST,
            Some(_) => LATER,
        };
        let (end, mut read, mut work) = (Instant::now() + budget, Read::default(), 0);
        let mut ids = matcher.ids(context).skip(self.passed);
        loop {
            let Some(id) = ids.next() else {
                self.passed = 0;
                self.found = Some(std::mem::take(&mut self.finding));
                return;
            };
            self.passed += 1;
            read.text.clear();
            read.is_cut = false;
            if request.is(context, id, &mut read) {
                self.finding.ids.push(id.to_bits());
            }
            self.finding.cut += usize::from(read.is_cut);
            work += 1 + read.text.len() / BYTES;
            if work >= STRIDE {
                work = 0;
                if Instant::now() >= end {
                    return;
                }
            }
        }
    }
}
