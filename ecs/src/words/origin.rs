//! Which crate something is in, known while it is compiled.
//!
//! The derive asks whether a context is in the crate of the component, because only a type's own
//! crate can give it inherent methods.

use crate::words::same_bytes::same;

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
