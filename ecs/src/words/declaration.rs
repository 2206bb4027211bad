//! Which declaration a component comes from, known while a program is compiled.
//!
//! Types cannot be compared then, but the places where they are declared can. So a query that could
//! not run is refused by the compiler ([`QueryData`](crate::QueryData)).

use crate::words::same_bytes::same;

/// Where a component is declared, if a derive has noted it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Declaration {
    module: &'static str,
    line: u32,
    column: u32,
    /// The base of its accessors. What one macro writes is all at the place where it is called, and
    /// so are the instances of a generic item: these differ in it.
    accessor: &'static str,
}

impl Declaration {
    /// What has been written by hand, and does not say where it is.
    pub const UNKNOWN: Self = Self::new("", (0, 0), "");

    /// The declaration at a line and column of a module.
    #[must_use]
    pub const fn new(
        module: &'static str,
        (line, column): (u32, u32),
        accessor: &'static str,
    ) -> Self {
        Self {
            module,
            line,
            column,
            accessor,
        }
    }

    /// Whether both are known to be one.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        !self.module.is_empty()
            && self.line == other.line
            && self.column == other.column
            && same(self.accessor.as_bytes(), other.accessor.as_bytes())
            && same(self.module.as_bytes(), other.module.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_declaration_counts() {
        let this = Declaration::new("game::a", (3, 10), "pos");
        for (module, place, accessor, is_this) in [
            ("game::a", (3, 10), "pos", true),
            ("game::b", (3, 10), "pos", false),
            ("game", (3, 10), "pos", false),
            ("game::a", (4, 10), "pos", false),
            ("game::a", (3, 11), "pos", false),
            ("game::a", (3, 10), "position", false),
        ] {
            let other = Declaration::new(module, place, accessor);
            assert_eq!(this.is(&other), is_this, "{module} {place:?} {accessor}");
        }
    }

    #[test]
    fn what_is_not_known_is_nothing_else() {
        assert!(!Declaration::UNKNOWN.is(&Declaration::UNKNOWN));
    }
}
