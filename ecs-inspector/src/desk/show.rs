//! Values as JSON if they are `Serialize`, else as `Debug` output, up to a size limit.
//!
//! Both are user code. `Serialize` stops at the first error of the writer. `Debug` does not:
//! `DebugList` still iterates over all remaining elements. So `Debug` is stopped by unwinding if
//! panics unwind.

use std::any::Any;
use std::fmt::{self, Debug, Write as _};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use ecs::{ComponentIndex, Context, DynEntity, Entity, SharedContext};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::protocol::answers::Shown;

/// Limits the size of values in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    json: usize,
    text: usize,
}

impl Limit {
    /// The limits for a single entity.
    pub(crate) const WHOLE: Self = Self {
        json: 16 << 10,
        text: 4096,
    };
    /// The limits for a point in a picture.
    pub(crate) const POINT: Self = Self {
        json: 1024,
        text: 64,
    };
    /// The limits for a list.
    pub(crate) const SHORT: Self = Self {
        json: 256,
        text: 256,
    };

    fn within(self, budget: &Budget) -> Self {
        Self {
            json: self.json.min(budget.0),
            text: self.text.min(budget.0),
        }
    }
}

/// The bytes left for the values of an answer.
pub(crate) struct Budget(usize);

impl Budget {
    pub(crate) const fn new() -> Self {
        Self(64 << 10)
    }
}

/// Returns the components of an entity that are not hidden.
pub(crate) fn indices<C: Context + SharedContext>(
    context: &C,
    entity: Entity<'_, C>,
) -> Vec<ComponentIndex<C>> {
    let infos = context.components();
    let mut all = entity.component_indices();
    all.retain(|component| !infos[component.get()].is_hidden());
    all
}

/// Returns a component of an entity, within the budget of the answer.
pub(crate) fn component<C: Context + SharedContext>(
    context: &C,
    entity: DynEntity<'_, C>,
    component: ComponentIndex<C>,
    limit: Limit,
    budget: &mut Budget,
) -> Option<Shown> {
    let limit = limit.within(budget);
    let shown = value(context, component, entity.get(component)?, limit)?;
    budget.0 = budget.0.saturating_sub(shown.len());
    Some(shown)
}

/// Returns a value of a component.
pub(crate) fn value<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    value: &dyn Any,
    limit: Limit,
) -> Option<Shown> {
    let components = context.components();
    let value = components.value(component, value)?;
    let json = components
        .can_be_written(component)
        .then(|| json(&value, limit));
    Some(json.flatten().unwrap_or_else(|| text(&value, limit)))
}

/// Returns a value as JSON, truncated if it is too long; `None` if it cannot be written.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T, limit: Limit) -> Option<Shown> {
    let mut bytes = Vec::new();
    let mut bounded = Bounded::new(&mut bytes, limit.json);
    match serde_json::to_writer(&mut bounded, value) {
        Ok(()) => {
            let text = String::from_utf8(bytes).ok()?;
            let json = RawValue::from_string(text).ok()?;
            Some(Shown::Json { json })
        }
        Err(_) if bounded.is_full => Some(beginning(bytes, limit.text)),
        Err(_) => None,
    }
}

fn text(value: &dyn Debug, limit: Limit) -> Shown {
    let mut bytes = Vec::new();
    let is_whole = print(value, &mut Bounded::new(&mut bytes, limit.text));
    match String::from_utf8(bytes) {
        Ok(text) if is_whole => Shown::Text { text, cut: false },
        Ok(text) => beginning(text.into_bytes(), limit.text),
        Err(error) => beginning(error.into_bytes(), limit.text),
    }
}

/// Returns the first bytes as text.
fn beginning(mut bytes: Vec<u8>, most: usize) -> Shown {
    bytes.truncate(most);
    let valid = match str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    };
    Shown::Text {
        text: format!("{valid}…"),
        cut: true,
    }
}

/// Appends at most `most` bytes of a value, as JSON or `Debug` output, for a search; returns whether
/// this is the whole value.
pub(crate) fn append<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    value: &dyn Any,
    text: &mut Vec<u8>,
    most: usize,
) -> bool {
    let components = context.components();
    let Some(value) = components.value(component, value) else {
        return true;
    };
    let start = text.len();
    if components.can_be_written(component) {
        let mut bounded = Bounded::new(text, most);
        let is_whole = serde_json::to_writer(&mut bounded, &value).is_ok();
        if is_whole || bounded.is_full {
            return is_whole;
        }
    }
    text.truncate(start);
    print(&value, &mut Bounded::new(text, most))
}

/// Writes `Debug` output until the writer returns an error; returns whether it was complete.
pub(crate) fn print(value: &dyn Debug, to: &mut dyn fmt::Write) -> bool {
    let mut ending = Ending {
        to,
        is_locked: false,
    };
    match catch_unwind(AssertUnwindSafe(|| write!(ending, "{value:?}"))) {
        Ok(written) => written.is_ok(),
        Err(payload) if payload.is::<Enough>() => false,
        Err(payload) => resume_unwind(payload),
    }
}

/// Stops `Debug` when the writer returns an error.
struct Ending<'w> {
    to: &'w mut dyn fmt::Write,
    /// Whether a `Mutex` may be locked: unwinding would poison it.
    is_locked: bool,
}

/// The payload of this unwinding.
struct Enough;

impl fmt::Write for Ending<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_locked |= text == "Mutex"; // as its `Debug` begins
        let written = self.to.write_str(text);
        if written.is_err() && cfg!(panic = "unwind") && !self.is_locked {
            resume_unwind(Box::new(Enough)); // prints nothing
        }
        written
    }
}

/// A writer that accepts a limited number of bytes.
struct Bounded<'b> {
    bytes: &'b mut Vec<u8>,
    most: usize,
    /// Whether bytes were cut off.
    is_full: bool,
}

impl<'b> Bounded<'b> {
    fn new(bytes: &'b mut Vec<u8>, more: usize) -> Self {
        let most = bytes.len() + more;
        Self {
            bytes,
            most,
            is_full: false,
        }
    }

    /// Appends as many bytes as fit; returns whether all did.
    fn append(&mut self, bytes: &[u8]) -> bool {
        let fitting = bytes.len().min(self.most - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..fitting]);
        self.is_full |= fitting < bytes.len();
        !self.is_full
    }
}

impl io::Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.append(bytes) {
            true => Ok(bytes.len()),
            false => Err(io::ErrorKind::FileTooLarge.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Write for Bounded<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.append(text.as_bytes()).then_some(()).ok_or(fmt::Error)
    }
}
