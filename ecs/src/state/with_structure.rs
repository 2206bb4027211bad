//! Passing the structure of an index to code that changes the context. Meanwhile, changed entities stay dirty.

use super::core::HasCore;
use super::reindex::{flush_batch, settle};
use super::user_code::Session;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::{Index, Indexes, Kept, KeyIndex};

/// A structure that was taken out of its index, until it is dropped.
struct Taken<'a, C: HasCore, I: Index<C>> {
    session: Session<'a, C>,
    number: IndexNumber,
    structure: Option<I>,
}

impl<C: HasCore, I: Index<C>> Taken<'_, C, I> {
    /// Puts it back, if its index is still there. Runs no user code unless it is not.
    fn put_back(&mut self) {
        let structure = self.structure.take();
        let core = self.session.core_mut();
        let index = core.and_then(|core| index_of::<C, I>(&mut core.subs.indexes, self.number));
        if let Some((index, structure)) = index.zip(structure) {
            index.structure_mut().put_back(structure);
        }
    }
}

impl<C: HasCore, I: Index<C>> Drop for Taken<'_, C, I> {
    fn drop(&mut self) {
        self.put_back();
    }
}

fn index_of<C: HasCore, I: Index<C>>(
    indexes: &mut Indexes,
    number: IndexNumber,
) -> Option<&mut KeyIndex<C, Kept<C, I>>> {
    indexes.get_mut(number)
}

/// Calls `body` with the context and the structure of an index; `None` if the structure is not current. The index gets
/// the changes when `body` has returned.
pub(crate) fn with_structure<C: HasCore, I: Index<C>, R>(
    context: &mut C,
    number: IndexNumber,
    body: impl FnOnce(&mut C, &I) -> R,
) -> Option<R> {
    let index = index_of::<C, I>(&mut context.core_mut().subs.indexes, number)?;
    index.current()?;
    let structure = index.structure_mut().take()?;
    let mut taken = Taken {
        session: Session::new(context),
        number,
        structure: Some(structure),
    };
    let Taken {
        session, structure, ..
    } = &mut taken;
    let result =
        session.call(|context| body(context, structure.as_ref().expect("it is taken here")));
    taken.put_back();
    let context = taken.session.context();
    if let Some(index) = index_of::<C, I>(&mut context.core_mut().subs.indexes, number) {
        index.gather_dirty();
        flush_batch(context, number);
        settle(context, number);
    }
    Some(result)
}
