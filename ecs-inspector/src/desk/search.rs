//! Searching entities, a few in each frame: for a text, or for the roots of a relation.
//!
//! A pass visits all entities that match, and then the next one begins. The result is that of the last
//! complete pass; until there is one, the partial result of the first.
//!
//! Entities may be created and destroyed between two frames, so a pass may miss one or find it twice.
//! The next pass corrects that.
//!
//! Only the beginning of a large value is searched; the answer counts the entities concerned.

use std::io::Write as _;
use std::time::{Duration, Instant};

use ecs::{
    ComponentIndex, ComponentInfo, ComponentSet, Context, Entity, EntityId, Matcher, SharedContext,
};

use super::names::Names;
use super::show;
use crate::protocol::failure::Failure;
use crate::protocol::params::List;

/// How long a search may take in one frame while a client waits for its first pass.
const FIRST: Duration = Duration::from_micros(500);
/// How long it may take later, to find what has changed.
const LATER: Duration = Duration::from_micros(80);
/// The number of entities between two looks at the clock; `BYTES` bytes of values count as one.
const STRIDE: usize = 8;
const BYTES: usize = 512;
/// The number of bytes searched of a value, and of all values of an entity.
const MOST_OF_VALUE: usize = 4 << 10;
const MOST_OF_ENTITY: usize = 16 << 10;

/// The text read from an entity.
#[derive(Default)]
struct Read {
    text: Vec<u8>,
    /// Whether a value was cut off.
    is_cut: bool,
}

/// The conditions of a search.
pub(crate) struct SearchRequest<C> {
    /// The text in [lower case](lowered).
    text: String,
    roots: Option<ComponentIndex<C>>,
    /// The components whose names contain the text.
    named: ComponentSet<C>,
}

impl<C: Context + SharedContext> SearchRequest<C> {
    /// Returns the search of a list, if it has one.
    pub(crate) fn new(context: &C, list: &List, names: &Names<C>) -> Result<Option<Self>, Failure> {
        let roots = list
            .roots
            .as_ref()
            .map(|name| names.find(name))
            .transpose()?;
        let text = lowered(&list.text);
        if text.is_empty() && roots.is_none() {
            return Ok(None);
        }
        let components = context.components().iter().map(ComponentInfo::index);
        let is_named =
            |component: &ComponentIndex<C>| lowered(names.of(*component)).contains(&text);
        let named = components.filter(is_named).collect();
        Ok(Some(Self { text, roots, named }))
    }

    /// Whether an entity is a result.
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
        _ = write!(text, "{}", entity.id()); // never fails
        for (info, value) in entity.dynamic().iter() {
            if self.named.contains(info.index()) {
                return true;
            }
            let most = MOST_OF_VALUE.min(MOST_OF_ENTITY.saturating_sub(text.len()));
            text.push(0); // so that nothing is found across two values
            *is_cut |= !show::append(context, info.index(), value, text, most);
        }
        self.is_in_text(text)
    }

    /// Whether the request is in values as they are written, or in the texts that they contain.
    fn is_in_text(&self, text: &mut [u8]) -> bool {
        text.make_ascii_lowercase();
        let mut text = String::from_utf8_lossy(text);
        if !text.is_ascii() {
            text = lowered(&text).into();
        }
        text.contains(&self.text)
            || text.contains('\\') && lowered(&unescaped(&text)).contains(&self.text)
    }
}

/// Returns a text in lower case, letter by letter: `to_lowercase` treats a sigma at the end of a word
/// differently.
fn lowered(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Replaces the escapes of JSON and of `Debug` by the characters that they stand for.
fn unescaped(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, escape)) = rest.split_once('\\') {
        let (letter, behind) = escaped(escape).unwrap_or(('\\', escape));
        plain.push_str(before);
        plain.push(letter);
        rest = behind;
    }
    plain + rest
}

/// The character of an escape without its backslash, and the text after it.
fn escaped(escape: &str) -> Option<(char, &str)> {
    let (first, rest) = escape.split_at_checked(1)?;
    let letter = match first {
        "n" => '\n',
        "r" => '\r',
        "t" => '\t',
        "b" => '\u{8}',
        "f" => '\u{c}',
        "0" => '\0',
        "u" => return numbered(rest),
        "\"" | "'" | "\\" | "/" => first.chars().next()?,
        _ => return None,
    };
    Some((letter, rest))
}

/// The character of an escape with its number: `00e9` in JSON, `{e9}` in `Debug`.
fn numbered(escape: &str) -> Option<(char, &str)> {
    let (digits, rest) = match escape.strip_prefix('{') {
        Some(braced) => braced.split_once('}')?,
        None => escape.split_at_checked(4)?,
    };
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(number)?, rest))
}

/// The result of a pass.
#[derive(Default)]
pub(crate) struct SearchResult {
    /// The bits of the ids.
    pub(crate) ids: Vec<u64>,
    /// The number of entities with values of which only the beginning was read.
    pub(crate) cut: usize,
}

/// The progress of a search.
#[derive(Default)]
pub(crate) struct Search {
    /// The number of entities that this pass has visited.
    passed: usize,
    /// The partial result of this pass.
    finding: SearchResult,
    /// The result of the last complete pass.
    found: Option<SearchResult>,
}

impl Search {
    /// Returns the result, and whether it is of a complete pass.
    pub(crate) fn found(&self) -> (&SearchResult, bool) {
        match &self.found {
            Some(found) => (found, true),
            None => (&self.finding, false),
        }
    }

    /// Continues for a while.
    pub(crate) fn go_on<C: Context + SharedContext>(
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
