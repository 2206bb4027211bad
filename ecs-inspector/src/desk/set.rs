//! The command `set`: replaces one part of a value and leaves the others unchanged.
//!
//! The value is written to a lossless tree, patched there, and read back. Fields that `serde` skips
//! would be lost, so the unpatched tree is read back first: if the result differs from the present
//! value, the command is rejected.

use std::any::Any;
use std::fmt;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use ecs::{ComponentIndex, Context, DynValue, Entity, EntityId, SharedContext};

use super::contexts::{Action, Kept, alive};
use super::edit::{AnyValue, check_floats, done, editable, put, read, rejected};
use super::show;
use super::tree::{NoTree, Tree};
use crate::desk::Json;
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::Set;
use crate::protocol::request::unreadable;

/// The maximum number of parts of a value: each is visited several times within one frame.
const MOST_PARTS: usize = 2048;
/// The maximum length of its `Debug` output in bytes.
const MOST_PRINTED: usize = 32 << 10;

pub(crate) struct SetField<'a>(pub(crate) &'a Set);

impl Action for SetField<'_> {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let id = alive(context, &self.0.entity)?;
        let component = kept.names.find(&self.0.component)?;
        editable(context, component)?;
        let value = match self.0.path.is_empty() {
            true => read(context, component, &self.0.component, &self.0.value)?,
            false => patched(context, id, component, self.0)?,
        };
        put(context, id, component, value, true)?;
        done()
    }
}

/// Returns the present value with one part replaced.
fn patched<C: Context + SharedContext>(
    context: &C,
    id: EntityId<C>,
    component: ComponentIndex<C>,
    set: &Set,
) -> Result<AnyValue, Failure> {
    let (name, path, components) = (&*set.component, &*set.path, context.components());
    let entity = Entity::find(context, id).ok_or_else(|| rejected("the entity has ended"))?;
    let present = entity.dynamic().try_get(component).map_err(rejected)?;
    let present = components.value(component, present);
    let present = present.ok_or_else(|| rejected("the value is of another type"))?;
    let mut tree = tree(&present, name)?;
    tree.at(path)
        .map_err(|message| Code::BadRequest.because(format!("`{name}`: {message}")))?;
    check_kept(context, component, present, &tree, name)?;
    tree.put(path, &set.value).map_err(rejected)?;
    let value = components.read(component, &tree);
    let value = value.map_err(|error| {
        let message = unreadable(error).message;
        Code::BadRequest.because(format!("`{name}`: `{path}` cannot be set: {message}"))
    })?;
    check_floats(context, component, &*value, (name, path), &set.value)?;
    Ok(value)
}

fn tree<C: Context + SharedContext>(value: &DynValue<'_, C>, name: &str) -> Result<Tree, Failure> {
    Tree::of(value, MOST_PARTS).map_err(|none| match none {
        NoTree::TooLarge => too_large(name),
        NoTree::Failed(error) => rejected(format!("`{name}` cannot be written: {error}")),
    })
}

fn too_large(name: &str) -> Failure {
    Code::TooLarge.because(format!(
        "`{name}` is too large here (more than {MOST_PARTS} parts, or {MOST_PRINTED} bytes of `Debug`): \
         setting one part would hold up the game, so change it from a system of the program"
    ))
}

/// Rejects values that change when they are written and read back.
fn check_kept<C: Context + SharedContext>(
    context: &C,
    component: ComponentIndex<C>,
    present: DynValue<'_, C>,
    written: &Tree,
    name: &str,
) -> Result<(), Failure> {
    let components = context.components();
    let back = components.read(component, written).map_err(|error| {
        let why = unreadable(error).message;
        rejected(format!(
            "`{name}` cannot be read back as it is written ({why}): write the whole value with `replace`"
        ))
    })?;
    let back = components.value(component, &*back as &dyn Any);
    let back = back.ok_or_else(|| rejected("the value is of another type"))?;
    let is_same = tree(&back, name)?.fingerprint() == written.fingerprint()
        && printed(&back, name)? == printed(&present, name)?;
    match is_same {
        true => Ok(()),
        false => Err(rejected(format!(
            "`{name}` changes when it is written and read back, for example because serde skips a \
             field, so setting one field would change others: write the whole value with `replace`"
        ))),
    }
}

/// Hashes the words of the `Debug` output, ignoring their order: hash sets and maps have none.
fn printed<C: Context + SharedContext>(
    value: &DynValue<'_, C>,
    name: &str,
) -> Result<u64, Failure> {
    let mut words = Words {
        sum: 0,
        word: Vec::new(),
        left: MOST_PRINTED,
    };
    match show::print(value, &mut words) {
        true => Ok(words.sum()),
        false => Err(too_large(name)),
    }
}

struct Words {
    sum: u64,
    word: Vec<u8>,
    left: usize,
}

impl Words {
    fn sum(&mut self) -> u64 {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&self.word);
        self.sum = self.sum.wrapping_add(hash);
        self.word.clear();
        self.sum
    }
}

impl fmt::Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len()).ok_or(fmt::Error)?;
        for byte in text.bytes() {
            match b",:{}[]() ".contains(&byte) {
                true => _ = self.sum(),
                false => self.word.push(byte),
            }
        }
        Ok(())
    }
}
