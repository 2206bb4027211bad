//! Creating entities: one, or many, from bundles or from columns.

mod columns;
mod many;
mod one;
mod rows;

pub(crate) use self::columns::{columns, try_columns};
pub(crate) use self::many::{many, try_many};
pub(crate) use self::one::{by, try_by, try_with, with};
