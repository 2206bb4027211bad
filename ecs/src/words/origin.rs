//! The crate that an item is in, known at compile time.
//!
//! The derive checks whether a context is in the component's crate, because only a type's own crate
//! can give it inherent methods.

/// A crate: its name, and that of the binary, because a binary can have the same name as its
/// library.
#[doc(hidden)]
pub struct Origin {
    name: &'static [u8],
    program: &'static [u8],
}

impl Origin {
    /// Of hand-written code without an origin.
    pub const UNKNOWN: Self = Self::new("", None);

    /// Creates the origin for `module_path!()` and Cargo's name of the binary being compiled.
    #[must_use]
    pub const fn new(module: &'static str, program: Option<&'static str>) -> Self {
        let module = module.as_bytes();
        let program = match program {
            Some(program) => program.as_bytes(),
            None => &[],
        };
        Self {
            name: module.split_at(end_of_first(module)).0,
            program,
        }
    }

    /// Returns whether this is known to be a different crate.
    #[must_use]
    pub const fn is_outside(&self, other: &Self) -> bool {
        let is_other = !same(self.name, other.name) || !same(self.program, other.program);
        is_other && !self.name.is_empty()
    }
}

const fn end_of_first(path: &[u8]) -> usize {
    let mut at = 0;
    while at < path.len() && path[at] != b':' {
        at += 1;
    }
    at
}

// The declaration of a component, known at compile time.
//
// Types cannot be compared at compile time, but the locations of their declarations can. So the
// compiler rejects queries that cannot run (`QueryData`).

/// The location where a component is declared, if recorded by a derive.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Declaration {
    module: &'static str,
    line: u32,
    column: u32,
    /// The base of its accessors. Distinguishes items that share a location: those written by one
    /// macro call, and instances of a generic item.
    accessor: &'static str,
}

impl Declaration {
    /// Of hand-written code without a declaration.
    pub const UNKNOWN: Self = Self::new("", (0, 0), "");

    /// Creates a declaration from a module, line and column.
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

    /// Returns whether both are known to be the same declaration.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        !self.module.is_empty()
            && self.line == other.line
            && self.column == other.column
            && same(self.accessor.as_bytes(), other.accessor.as_bytes())
            && same(self.module.as_bytes(), other.module.as_bytes())
    }
}

/// Compares two strings at compile time.
pub(crate) const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_differ_by_crate_and_program() {
        let world = Origin::new("world::deep", None);
        for (module, program, is_outside) in [
            ("world", None, false),
            ("world::other", None, false),
            ("worlds", None, true),
            ("wor", None, true),
            ("game::deep", None, true),
            ("world", Some("world"), true),
        ] {
            let other = Origin::new(module, program);
            assert_eq!(world.is_outside(&other), is_outside, "{module}");
            assert_eq!(other.is_outside(&world), is_outside, "{module}");
            assert!(!Origin::UNKNOWN.is_outside(&other));
        }
    }
}

#[cfg(test)]
mod declaration_tests {
    use super::*;

    #[test]
    fn declarations_differ_by_every_field() {
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
    fn unknown_declarations_are_never_equal() {
        assert!(!Declaration::UNKNOWN.is(&Declaration::UNKNOWN));
    }
}
