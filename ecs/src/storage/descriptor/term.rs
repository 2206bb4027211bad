//! Flags of matchers' terms over relations: components without values that each context keeps up to
//! date itself, and that users do not see.

use super::ComponentDescriptor;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{Component, ComponentNames, Components, IndexCell};
use crate::words::entity_id::AnyContext;
#[cfg(feature = "serde")]
use crate::words::saving::Saving;
use crate::words::term::AnyTerm;

/// The value of each flag.
#[derive(Clone)]
pub(crate) struct TermFlag;

impl Components<AnyContext> for TermFlag {
    fn visit(_: &mut dyn FnMut(ComponentIndex<AnyContext>)) {}
}

impl Component<AnyContext> for TermFlag {
    const NAMES: &'static ComponentNames = &ComponentNames {
        context: "",
        component: "",
        accessor: "",
    };
    const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);
    #[cfg(feature = "serde")]
    const SAVING: Saving<Self> = Saving::TRANSIENT;

    /// All flags share the cell, and nothing reads it: they are found by their terms.
    fn cell() -> &'static IndexCell<AnyContext, Self> {
        static CELL: IndexCell<AnyContext, TermFlag> = IndexCell::new();
        &CELL
    }
}

impl ComponentDescriptor {
    /// Describes the flag of a term.
    pub(crate) fn of_term(names: &'static ComponentNames, term: &'static dyn AnyTerm) -> Self {
        Self {
            names,
            order_key: ChecksumHasher::of_name(names.component),
            term: Some(term),
            ..Self::new::<AnyContext, TermFlag>()
        }
    }
}
