//! The components a query accesses, if they are known at compile time.
//!
//! A component that is accessed twice, at least once exclusively, is a compile error if the derive
//! recorded where the component is declared; for components implemented by hand the conflict is
//! found when the query is created ([`conflict`](super::conflict)).

use crate::words::component::Component;
use crate::words::origin::Declaration;

/// The components that a term accesses.
#[doc(hidden)]
pub enum Asked {
    /// No component.
    Nothing,
    /// A component, and whether it is accessed exclusively.
    Component(Declaration, bool),
    /// Everything its terms access.
    All(&'static [&'static Asked]),
}

impl Asked {
    /// A component.
    pub(super) const fn component<C, T: Component<C>>(exclusive: bool) -> Self {
        Self::Component(T::DECLARATION, exclusive)
    }

    /// Whether a component is known to be accessed twice, at least once exclusively.
    pub(crate) const fn has_conflict(&self) -> bool {
        let Self::All(terms) = self else {
            return false;
        };
        let mut at = 0;
        while at < terms.len() {
            if terms[at].has_conflict() || any_excludes(terms.split_at(at).0, terms[at]) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether both access the same component, at least one of them exclusively.
    const fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All(terms), other) | (other, Self::All(terms)) => any_excludes(terms, other),
            (Self::Component(a, a_alone), Self::Component(b, b_alone)) => {
                (*a_alone || *b_alone) && a.is(b)
            }
            _ => false,
        }
    }
}

const fn any_excludes(terms: &[&Asked], other: &Asked) -> bool {
    let mut at = 0;
    while at < terms.len() {
        if terms[at].excludes(other) {
            return true;
        }
        at += 1;
    }
    false
}
