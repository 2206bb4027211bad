//! The files of `ecs/src/words/component` that several threads use.

#[path = "../../../ecs/src/words/component/index.rs"]
mod index;
#[path = "../../../ecs/src/words/component/index_cell.rs"]
mod index_cell;

pub(crate) use self::index::RawComponentIndex;
pub(crate) use self::index_cell::IndexCell;
