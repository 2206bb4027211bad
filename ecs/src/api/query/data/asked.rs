//! What a query asks for, as far as it is known while a program is compiled.
//!
//! A component that is asked for twice, once of it exclusively, is rejected by the compiler if the
//! derive has noted where the component is declared; those that are written by hand are found when
//! the query is made ([`conflict`](super::conflict)).

use crate::words::component::Component;
use crate::words::origin::Declaration;

/// What a term of a query asks for.
#[doc(hidden)]
pub enum Asked {
    /// No component.
    Nothing,
    /// A component, and whether it is asked for exclusively.
    Component(Declaration, bool),
    /// All that its terms ask for.
    All(&'static [&'static Asked]),
}

impl Asked {
    /// A component.
    pub(super) const fn component<C, T: Component<C>>(exclusive: bool) -> Self {
        Self::Component(T::DECLARATION, exclusive)
    }

    /// Whether a component is known to be asked for twice, once of it exclusively.
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

    /// Whether both ask for one component, and one of them exclusively.
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
