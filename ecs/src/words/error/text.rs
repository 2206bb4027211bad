//! Error messages: the operation, the entity and its context, the reason, and the remedy.

use core::fmt::{Display, Formatter, Result};

use super::{Detail, DuplicateKey, Error, ErrorKind, Operation};
use crate::words::component::ComponentNames;
use crate::words::entity_id::RawEntityId;
use crate::words::label::write_name;
use crate::words::limits::MOST_ENTITIES;
use crate::words::printed::from_fn;

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.write_attempt(f)?;
        match self.detail() {
            Some(detail) => self.write_detail(f, detail),
            None => self.write_reason(f),
        }
    }
}

impl Error {
    /// Writes "cannot add component `Position` to entity 12v3 of context `Game`: ".
    fn write_attempt(&self, f: &mut Formatter<'_>) -> Result {
        let preposition = self.operation.preposition();
        write!(f, "cannot {} ", self.operation.verb())?;
        match (self.kind, self.component()) {
            (ErrorKind::UnequalColumns, _) => f.write_str("entities of ")?,
            (ErrorKind::TooManyEntities, _) => f.write_str("an entity of ")?,
            (ErrorKind::UnknownState, _) => f.write_str("a step of ")?,
            (ErrorKind::TargetInUse, _) => {}
            (ErrorKind::UniqueNotSet, Some(names)) => {
                if self.operation == Operation::Destroy {
                    f.write_str("the entity of ")?;
                }
                write!(f, "unique component `{}` of ", names.component)?;
            }
            (_, Some(names)) => write!(f, "component `{}` {preposition} ", names.component)?,
            (_, None) => {}
        }
        match self.entity {
            Some(entity) => write!(f, "entity {} of ", self.name_of(entity))?,
            None => match self.kind {
                ErrorKind::UniqueAlreadySet | ErrorKind::DuplicateKey => {
                    f.write_str("a new entity of ")?;
                }
                _ => {}
            },
        }
        write!(f, "context `{}`: ", self.context())
    }

    /// Writes `12v3 "Hero"`.
    fn name_of(&self, entity: RawEntityId) -> impl Display {
        from_fn(move |f| write_name(f, entity, self.label_of(entity)))
    }

    /// Writes "it already has one; check `has_position` first or use `replace_position`".
    fn write_reason(&self, f: &mut Formatter<'_>) -> Result {
        let name = self.component().map_or("", |names| names.accessor);
        match self.kind {
            ErrorKind::AlreadyHasComponent => write!(
                f,
                "it already has one; check `has_{name}` first or use `replace_{name}`"
            ),
            ErrorKind::DoesNotHaveComponent => {
                write!(f, "it has none; check `has_{name}` first")?;
                write_remedy(f, self.operation, name)
            }
            ErrorKind::UniqueNotSet => {
                write!(f, "no entity has it; check `has_{name}` first")?;
                match self.operation {
                    Operation::Update | Operation::Access => write!(f, " or use `set_{name}`"),
                    operation => write_remedy(f, operation, name),
                }
            }
            ErrorKind::TooManyEntities => write!(
                f,
                "there would be more than {MOST_ENTITIES} slots, the most that a context can have; destroy \
                 some entities first, so that their slots are used again"
            ),
            ErrorKind::NotClone => write!(
                f,
                "it is not `Clone`; derive `Clone` for it, or exclude it with \
                 `CloneOptions::all().without::<{}>()`",
                self.component().map_or("", |names| names.component)
            ),
            ErrorKind::NotAnEntry => write!(
                f,
                "it is declared with `many`, so an entity has it in entries; use `add_{name}` of the owner, or create an \
                 entity with it and with `EntryOf<{}>` the owner",
                self.component().map_or("", |names| names.component)
            ),
            kind => f.write_str(reason_without_names(kind)),
        }
    }

    /// Writes the reason of an error with a detail.
    fn write_detail(&self, f: &mut Formatter<'_>, detail: &Detail) -> Result {
        let (component, name) = self
            .component()
            .map_or(("", ""), |names| (names.component, names.accessor));
        match detail {
            Detail::Owner(owner) => write!(
                f,
                "it is unique, and entity {} has it; on the context, check `has_{name}` \
                 first or use `set_{name}`",
                self.name_of(*owner)
            ),
            Detail::Target(target) => write_target(f, self, *target),
            Detail::Source(source) => write!(
                f,
                "entity {} refers to it by component `{component}`, which rejects that its \
                 target is destroyed; destroy both at once by `many(&[..]).destroy()`, or call \
                 `remove_{name}` on that entity first",
                self.name_of(*source)
            ),
            Detail::Key(owner, key) => write_key(f, &self.name_of(*owner), key),
            Detail::Lengths(first, [first_len, len]) => write!(
                f,
                "there are {first_len} values of `{}`, but {len} of `{component}`; give each \
                 list as many values",
                first.component
            ),
            Detail::Field(field) => write_field(f, component, field),
            Detail::Given(given) => {
                write_given(f, *given)?;
                write!(f, "; give a boxed `{component}`")
            }
        }
    }
}

/// Writes which field has no checksum, and what to do.
fn write_field(f: &mut Formatter<'_>, component: &str, field: &str) -> Result {
    match field {
        "" => write!(f, "`{component}` has neither `Hash` nor `ecs::Checksum`")?,
        _ => write!(
            f,
            "the type of its field `{field}` has neither `Hash` nor `ecs::Checksum`"
        )?,
    }
    write!(
        f,
        "; derive `ecs::Checksum` for it, or implement it for `{component}`, empty to exclude it from checksums"
    )
}

/// The reason of an error that names no component.
fn reason_without_names(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotAlive => {
            "it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        }
        ErrorKind::BeingDestroyed => {
            "it is being destroyed already; leave it to the destroy that is under way"
        }
        ErrorKind::RepeatedEntity => {
            "it is given twice, and would be borrowed exclusively twice; give different entities"
        }
        ErrorKind::DescendantsNotCopied => {
            "a tree is copied to new entities alone, along a relation that is neither unique nor has a \
             primary index; leave out its descendants, and its entries by `without` of `CloneOptions`"
        }
        ErrorKind::OnlyOnce => {
            "it is unique or has a primary index, so the copy of the tree cannot have it again; leave \
             it out by `without` of `CloneOptions`"
        }
        ErrorKind::DoesNotMatch => {
            "the query does not visit it; check that it has all components asked for, or ask \
             for an `Option` of those that it may lack"
        }
        ErrorKind::UnknownState => {
            "the stack does not know its state; call `clear` of the stack after a load, a reset, or a \
             rewind to before an entity got a new id by undo or redo"
        }
        kind => unreachable!("an error of kind {kind:?} has a detail"),
    }
}

/// Writes " or use `get_position`".
fn write_remedy(f: &mut Formatter<'_>, operation: Operation, name: &str) -> Result {
    match operation {
        Operation::Read => write!(f, " or use `get_{name}`"),
        Operation::Update | Operation::Access => write!(f, " or use `replace_{name}`"),
        Operation::Remove => write!(f, " or use `try_remove_{name}`"),
        Operation::Destroy => write!(f, " or use `try_destroy_{name}_entity`"),
        _ => Ok(()),
    }
}

/// Writes "the value given is a `Velocity`".
fn write_given(f: &mut Formatter<'_>, given: Option<&ComponentNames>) -> Result {
    match given {
        Some(given) => write!(f, "the value given is a `{}`", given.component),
        None => f.write_str("the value given is of a type that is not a component of the context"),
    }
}

/// Writes "its target, entity 3v1, is not alive; …".
fn write_target(f: &mut Formatter<'_>, error: &Error, target: RawEntityId) -> Result {
    if error.kind == ErrorKind::TargetNotAlive {
        return write!(
            f,
            "its target, entity {target}, is not alive; check `contains` first"
        );
    }
    let name = error.component().map_or("", |names| names.accessor);
    match error.kind {
        ErrorKind::AlreadyHasComponent => {
            return write!(
                f,
                "it has one with entity {target} already; check `has_{name}` first or use `replace_{name}`"
            );
        }
        ErrorKind::DoesNotHaveComponent => {
            write!(
                f,
                "it has none with entity {target}; check `has_{name}` first"
            )?;
            return write_remedy(f, error.operation, name);
        }
        _ => {}
    }
    if error.entity == Some(target) {
        return f.write_str("an entity cannot be its own target; give it another one, or none");
    }
    write!(
        f,
        "its target, entity {}, refers to it already, and the relation is `acyclic`; give one of them another target",
        error.name_of(target)
    )
}

/// Writes "entity 3v1 has the `value` 7 already; …".
fn write_key(f: &mut Formatter<'_>, owner: &dyn Display, key: &DuplicateKey) -> Result {
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

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const POSITION: &ComponentNames = &ComponentNames {
        context: "Game",
        component: "Position",
        accessor: "position",
    };

    fn entity() -> RawEntityId {
        crate::EntityId::<()>::from_bits(3 << 32 | 12)
            .unwrap()
            .raw()
    }

    #[test]
    fn an_error_fits_into_five_words() {
        assert!(size_of::<Error>() <= 40);
    }

    #[test]
    fn messages_name_entity_component_context_and_remedy() {
        let already = Error::already_has(entity(), POSITION);
        assert_eq!(
            already.to_string(),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it already has one; check `has_position` first or use `replace_position`"
        );
        let none = |operation| Error::does_not_have(entity(), POSITION, operation).to_string();
        assert_eq!(
            none(Operation::Remove),
            "cannot remove component `Position` from entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `try_remove_position`"
        );
        assert_eq!(
            none(Operation::Read),
            "cannot read component `Position` of entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `get_position`"
        );
        assert_eq!(
            none(Operation::Update),
            "cannot update component `Position` of entity 12v3 of context `Game`: \
             it has none; check `has_position` first or use `replace_position`"
        );
    }

    #[test]
    fn messages_of_copies_and_of_values_say_what_to_do() {
        let entity = entity();
        let not_clone = Error::not_clone(entity, POSITION);
        assert_eq!(
            not_clone.to_string(),
            "cannot copy component `Position` of entity 12v3 of context `Game`: it is not `Clone`; \
             derive `Clone` for it, or exclude it with `CloneOptions::all().without::<Position>()`"
        );
        let wrong = |given| Error::wrong_type(entity, POSITION, given, Operation::Add).to_string();
        assert_eq!(
            wrong(Some(POSITION)),
            "cannot add component `Position` to entity 12v3 of context `Game`: the value given is \
             a `Position`; give a boxed `Position`"
        );
        assert_eq!(
            wrong(None),
            "cannot add component `Position` to entity 12v3 of context `Game`: the value given is \
             of a type that is not a component of the context; give a boxed `Position`"
        );
    }

    #[test]
    fn messages_of_dead_entities_say_how_to_ask() {
        let dead = Error::not_alive(entity(), "Game", Operation::Access);
        assert_eq!(
            dead.to_string(),
            "cannot access entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        let dead = Error::not_alive_for(entity(), POSITION, Operation::Add);
        assert_eq!(
            dead.to_string(),
            "cannot add component `Position` to entity 12v3 of context `Game`: \
             it is not alive; check `contains` first or use `get_entity` or `get_entity_mut`"
        );
        let twice = Error::being_destroyed(entity(), "Game");
        assert_eq!(
            twice.to_string(),
            "cannot destroy entity 12v3 of context `Game`: \
             it is being destroyed already; leave it to the destroy that is under way"
        );
    }
}
