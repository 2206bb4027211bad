//! How errors read: what was tried, on which entity of which context, why it was refused,
//! and what to do instead.

use core::fmt;

use super::{Error, Operation};
use crate::words::component::ComponentNames;
use crate::words::entity_id::RawEntityId;
use crate::words::field_index::DuplicateKey;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotAlive {
                operation,
                component,
                ..
            } => {
                tried(self, f, operation, component)?;
                f.write_str(
                    "it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`",
                )
            }
            Self::AlreadyHasComponent { component, .. } => {
                tried(self, f, Operation::Add, Some(component))?;
                let name = component.accessor;
                write!(
                    f,
                    "it already has one; check `has_{name}` first or use `replace_{name}`"
                )
            }
            Self::DoesNotHaveComponent {
                component,
                operation,
                ..
            } => {
                tried(self, f, operation, Some(component))?;
                let name = component.accessor;
                write!(f, "it has none; check `has_{name}` first")?;
                match operation {
                    Operation::Read => write!(f, " or use `get_{name}`"),
                    Operation::Update => write!(f, " or use `replace_{name}`"),
                    Operation::Remove => write!(f, " or use `try_remove_{name}`"),
                    _ => Ok(()),
                }
            }
            Self::UniqueAlreadySet {
                owner,
                entity,
                component,
            } => already_set(f, owner, entity, component),
            Self::UniqueNotSet {
                component,
                operation,
            } => not_set(f, component, operation),
            Self::DuplicateKey {
                owner,
                component,
                operation,
                ref key,
                ..
            } => {
                tried(self, f, operation, Some(component))?;
                taken(f, owner, key)
            }
            Self::UnequalColumns {
                first,
                first_len,
                component,
                len,
            } => write!(
                f,
                "cannot create entities of context `{}`: there are {first_len} values of `{}`, \
                 but {len} of `{}`; give each list as many values",
                first.context, first.component, component.component
            ),
            Self::BeingDestroyed { .. } => {
                tried(self, f, Operation::Destroy, None)?;
                f.write_str(
                    "it is being destroyed already; leave it to the destroy that is under way",
                )
            }
            Self::NotClone { component, .. } => {
                tried(self, f, Operation::Copy, Some(component))?;
                let name = component.component;
                write!(
                    f,
                    "it is not `Clone`; derive `Clone` for it, or leave it out with \
                     `Copying::all().without::<{name}>()`"
                )
            }
            Self::UnknownComponent {
                index, operation, ..
            } => {
                tried(self, f, operation, None)?;
                write!(
                    f,
                    "there is no component with index {index:?}; take indices from `components`, \
                     `component_index` or `component_indices`"
                )
            }
            Self::WrongType {
                component,
                given,
                operation,
                ..
            } => {
                tried(self, f, operation, Some(component))?;
                wrong_type(f, component, given)
            }
        }
    }
}

fn wrong_type(
    f: &mut fmt::Formatter<'_>,
    component: &ComponentNames,
    given: Option<&ComponentNames>,
) -> fmt::Result {
    match given {
        Some(given) => write!(f, "the value given is a `{}`", given.component)?,
        None => f.write_str("the value given is of a type that is no component of the context")?,
    }
    write!(f, "; give a boxed `{}`", component.component)
}

/// «cannot add component `Position` to entity 12v3 of context `Game`: »
fn tried(
    error: &Error,
    f: &mut fmt::Formatter<'_>,
    operation: Operation,
    component: Option<&ComponentNames>,
) -> fmt::Result {
    write!(f, "cannot {} ", operation.verb())?;
    let preposition = match operation {
        Operation::Add => "to",
        Operation::Remove => "from",
        _ => "of",
    };
    if let Some(component) = component {
        write!(f, "component `{}` {preposition} ", component.component)?;
    } else if matches!(error, Error::UnknownComponent { .. }) {
        write!(f, "a component {preposition} ")?;
    }
    if let Some(entity) = error.entity() {
        write!(f, "entity {entity} of ")?;
    }
    write!(f, "context `{}`: ", error.context())
}

/// «… : it is unique, and entity 3v1 has it; … »
fn already_set(
    f: &mut fmt::Formatter<'_>,
    owner: RawEntityId,
    entity: Option<RawEntityId>,
    component: &ComponentNames,
) -> fmt::Result {
    write!(f, "cannot add component `{}` to ", component.component)?;
    match entity {
        Some(entity) => write!(f, "entity {entity}")?,
        None => f.write_str("a new entity")?,
    }
    let (context, name) = (component.context, component.accessor);
    write!(
        f,
        " of context `{context}`: it is unique, and entity {owner} has it; on the context, check \
         `has_{name}` first or use `replace_{name}`"
    )
}

/// «cannot update unique component `Score` of context `Game`: no entity has it; … »
fn not_set(
    f: &mut fmt::Formatter<'_>,
    component: &ComponentNames,
    operation: Operation,
) -> fmt::Result {
    let name = component.accessor;
    write!(
        f,
        "cannot {} unique component `{}` of context `{}`: no entity has it; check `has_{name}` \
         first",
        operation.verb(),
        component.component,
        component.context,
    )?;
    match operation {
        Operation::Read => write!(f, " or use `get_{name}`"),
        Operation::Remove => write!(f, " or use `try_remove_{name}`"),
        _ => write!(f, " or use `replace_{name}`"),
    }
}

/// «entity 3v1 has the `value` 7 already; … »
fn taken(f: &mut fmt::Formatter<'_>, owner: RawEntityId, key: &DuplicateKey) -> fmt::Result {
    let (field, lookup) = (key.field, key.lookup);
    match &key.text {
        Some(text) => write!(f, "entity {owner} has the `{field}` {text} already")?,
        None => write!(f, "entity {owner} has the same `{field}` already")?,
    }
    write!(
        f,
        ", and a primary index allows one; check `{lookup}` first, or use `swap` to exchange two"
    )
}
