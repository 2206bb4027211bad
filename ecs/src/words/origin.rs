//! Which crate something is in, known while it is compiled.
//!
//! The derive asks whether a context is in the crate of the component, because only a type's own
//! crate can give it inherent methods.

/// A crate: its name, and that of the program, because a program can be called what its library is
/// called.
#[doc(hidden)]
pub struct Origin {
    name: &'static [u8],
    program: &'static [u8],
}

impl Origin {
    /// What has been written by hand, and does not say where it is.
    pub const UNKNOWN: Self = Self::new("", None);

    /// The crate of `module_path!()`, and what Cargo calls the program that is compiled.
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

    /// Whether this is known to be another crate.
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

// Which declaration a component comes from, known while a program is compiled.
//
// Types cannot be compared then, but the places where they are declared can. So a query that could
// not run is rejected by the compiler (`QueryData`).

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

/// Whether two texts are the same, byte by byte.
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
    fn a_crate_is_told_from_others_by_its_name_and_its_program() {
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
