//! The query `value`: a window of a part of a value that is too large to be shown at once.
//!
//! The program's own `Serialize` iterates over everything before the window, so the number of
//! skipped elements is limited.

mod find;

use std::cell::{Cell, RefCell};
use std::fmt;

use ecs::{ComponentIndex, Context, DynValue, Entity, SharedContext};
use serde::Serialize as _;
use serde_json::Error;

use self::find::Finder;
use super::contexts::{Action, Kept, alive};
use super::show::{self, Limit};
use super::tree::{keys, unescaped};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{Item, PartOfValue, Shown};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::Part;

/// The maximum number of skipped elements; `LETTERS` characters of a text count as one.
const MOST_PASSED: usize = 20_000;
const LETTERS: usize = 8;
/// The maximum number of elements or letters that are shown.
const MOST_ITEMS: usize = 200;
const MOST_LETTERS: usize = 4096;

/// Answers `value`.
pub(crate) struct AnswerPart<'a>(pub(crate) &'a Part);

impl Action for AnswerPart<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let part = self.0;
        let id = alive(context, &part.entity)?;
        let component = kept.names.find(&part.component)?;
        let entity = Entity::find(&*context, id).map(Entity::dynamic);
        let value = entity.and_then(|entity| entity.get(component));
        let value = value.and_then(|value| context.components().value(component, value));
        let value = value.ok_or_else(|| {
            let name = &part.component;
            Code::BadRequest.because(format!("entity {id} has no component `{name}`"))
        })?;
        let shown = shown(&*context, component, value, part)?;
        to_json(&PartOfValue {
            entity: id.to_string(),
            component: kept.names.of(component),
            path: &part.path,
            kind: shown.kind,
            count: shown.count,
            from: part.from,
            items: shown.items,
        })
    }
}

fn shown<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    value: DynValue<'_, C>,
    part: &Part,
) -> Result<PartWindow, Failure> {
    let path = keys(&part.path).map_err(|message| Code::BadRequest.because(message))?;
    let path: Vec<_> = path.map(unescaped).collect();
    if context.components().can_be_written(component) {
        return found(value, &path, part);
    }
    match path.is_empty() {
        true => printed(value, part),
        false => Err(nothing_at(part)),
    }
}

fn found<C: Context + SharedContext>(
    value: DynValue<'_, C>,
    path: &[String],
    part: &Part,
) -> Result<PartWindow, Failure> {
    let found = Found::new(part);
    let written = value.serialize(Finder::new(path, &found));
    match written {
        _ if found.left.get().is_none() => Err(too_far()),
        Err(error) if !found.is_over.get() => Err(Code::Rejected.because(error)),
        _ => found.window.take().ok_or_else(|| nothing_at(part)),
    }
}

fn nothing_at(part: &Part) -> Failure {
    let (name, path) = (&part.component, &part.path);
    Code::BadRequest.because(format!("`{name}`: there is nothing at `{path}`"))
}

fn too_far() -> Failure {
    Code::TooLarge.because(format!(
        "this is more than {MOST_PASSED} elements (or {} characters) into the value, and skipping \
         them would hold up the game",
        MOST_PASSED * LETTERS
    ))
}

/// A window of a part.
struct PartWindow {
    kind: &'static str,
    /// The number of elements, if the value announces it.
    count: Option<usize>,
    items: Vec<Item>,
}

/// The requested window, and what was found.
struct Found {
    from: usize,
    count: usize,
    /// The number of elements that may be skipped; `None` once the limit is exceeded.
    left: Cell<Option<usize>>,
    /// Whether the user's `Serialize` was stopped by an error.
    is_over: Cell<bool>,
    window: RefCell<Option<PartWindow>>,
}

impl Found {
    fn new(part: &Part) -> Self {
        Self {
            from: part.from,
            count: part.count,
            left: Cell::new(Some(MOST_PASSED)),
            is_over: Cell::new(false),
            window: RefCell::new(None),
        }
    }

    /// Counts skipped elements.
    fn pass(&self, elements: usize) -> Result<(), Error> {
        let left = self.left.get().and_then(|left| left.checked_sub(elements));
        self.left.set(left);
        left.map(drop).ok_or_else(|| self.end())
    }

    /// Returns the error that stops the user's `Serialize`.
    fn end(&self) -> Error {
        self.is_over.set(true);
        serde::ser::Error::custom("that is all")
    }

    fn begin(&self, kind: &'static str, count: Option<usize>) {
        *self.window.borrow_mut() = Some(PartWindow {
            kind,
            count,
            items: Vec::new(),
        });
    }

    fn add(&self, key: Option<String>, value: Shown) {
        if let Some(window) = &mut *self.window.borrow_mut() {
            window.items.push(Item { key, value });
        }
    }

    /// Adds a window of a text.
    fn add_text(&self, text: &str) -> Result<(), Error> {
        self.pass(self.from.min(text.len()) / LETTERS)?;
        let mut letters = text.chars();
        if self.from > 0 {
            _ = letters.nth(self.from - 1);
        }
        let shown = letters.by_ref().take(self.count.min(MOST_LETTERS));
        let text = shown.collect();
        let cut = letters.next().is_some();
        self.begin("text", None);
        self.add(None, Shown::Text { text, cut });
        Ok(())
    }
}

/// Returns a window of the `Debug` output.
fn printed<C: Context + SharedContext>(
    value: DynValue<'_, C>,
    part: &Part,
) -> Result<PartWindow, Failure> {
    if part.from > MOST_PASSED * LETTERS {
        return Err(too_far());
    }
    let mut letters = Letters {
        from: part.from,
        most: part.count.min(MOST_LETTERS),
        text: String::new(),
    };
    let is_whole = show::print(&value, &mut letters);
    let text = letters.text;
    let value = Shown::Text {
        text,
        cut: !is_whole,
    };
    Ok(PartWindow {
        kind: "text",
        count: None,
        items: vec![Item { key: None, value }],
    })
}

/// A window of letters.
struct Letters {
    from: usize,
    most: usize,
    text: String,
}

impl fmt::Write for Letters {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.from > 0 {
                self.from -= 1;
            } else {
                self.most = self.most.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(letter);
            }
        }
        Ok(())
    }
}

/// The size limit of each element in a window.
const EACH: Limit = Limit::SHORT;
