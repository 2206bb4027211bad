//! What was tried when an error came up.

/// What was tried when an [`Error`](crate::Error) came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Creating entities.
    Create,
    /// Reading a component.
    Read,
    /// Adding a component.
    Add,
    /// Replacing a component.
    Replace,
    /// Changing a component in place.
    Update,
    /// Removing a component.
    Remove,
    /// Taking a handle of an entity.
    Access,
    /// Destroying an entity.
    Destroy,
    /// Copying an entity or its components.
    Copy,
    /// Exchanging a component of two entities.
    Swap,
}

impl Operation {
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Add => "add",
            Self::Replace => "replace",
            Self::Update => "update",
            Self::Remove => "remove",
            Self::Access => "access",
            Self::Destroy => "destroy",
            Self::Copy => "copy",
            Self::Swap => "swap",
        }
    }

    /// How the entity follows the component, as in «to entity 12v3».
    pub(super) fn preposition(self) -> &'static str {
        match self {
            Self::Add => "to",
            Self::Remove => "from",
            _ => "of",
        }
    }
}
