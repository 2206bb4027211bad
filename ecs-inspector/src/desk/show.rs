//! Values as JSON where `serde` knows them, else as what `Debug` says.

use std::any::Any;
use std::fmt::{self, Write as _};
use std::io;

use ecs::{ComponentIndex, Context, DynEntity, DynValue};
use serde_json::value::RawValue;

use crate::protocol::answers::Shown;

/// How long values may be.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    json: usize,
    text: usize,
}

impl Limit {
    /// Of an entity that is looked at by itself.
    pub(crate) const WHOLE: Self = Self {
        json: 64 << 10,
        text: 4096,
    };
    /// Of a list.
    pub(crate) const SHORT: Self = Self {
        json: 256,
        text: 256,
    };
}

/// A component of an entity.
pub(crate) fn component<C: Context>(
    context: &C,
    entity: DynEntity<'_, C>,
    component: ComponentIndex,
    limit: Limit,
) -> Option<Shown> {
    value(context, component, entity.get(component)?, limit)
}

/// A value of a component.
pub(crate) fn value<C: Context>(
    context: &C,
    component: ComponentIndex,
    value: &dyn Any,
    limit: Limit,
) -> Option<Shown> {
    let components = context.components();
    let value = components.value(component, value)?;
    let json = components
        .can_be_written(component)
        .then(|| json(value, limit.json));
    Some(match json.flatten() {
        Some(json) => Shown::Json(json),
        None => Shown::Text(text(value, limit.text)),
    })
}

/// Appends a value, as JSON or as what `Debug` says, to be searched.
pub(crate) fn write<C: Context>(
    context: &C,
    component: ComponentIndex,
    value: &dyn Any,
    text: &mut Vec<u8>,
) {
    let components = context.components();
    let Some(value) = components.value(component, value) else {
        return;
    };
    let start = text.len();
    let is_json = components.can_be_written(component);
    if !is_json || serde_json::to_writer(&mut *text, &value).is_err() {
        text.truncate(start);
        _ = io::Write::write_fmt(text, format_args!("{value:?}")); // there is always place
    }
}

fn json<C: Context>(value: DynValue<'_, C>, most: usize) -> Option<Box<RawValue>> {
    let mut bytes = Bounded(Vec::new(), most);
    serde_json::to_writer(&mut bytes, &value).ok()?;
    let text = String::from_utf8(bytes.0).ok()?;
    RawValue::from_string(text).ok()
}

fn text<C: Context>(value: DynValue<'_, C>, most: usize) -> String {
    let mut text = Cut(String::new(), most);
    if write!(text, "{value:?}").is_err() {
        text.0.push('…');
    }
    text.0
}

/// Bytes up to a number.
struct Bounded(Vec<u8>, usize);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > self.1 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Letters up to a number.
struct Cut(String, usize);

impl fmt::Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            self.1 = self.1.checked_sub(1).ok_or(fmt::Error)?;
            self.0.push(letter);
        }
        Ok(())
    }
}
