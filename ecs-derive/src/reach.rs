//! Compares visibilities, to find the least visible field of a struct.
//!
//! A visibility names an ancestor of the current module, and these form a chain. Its place in the
//! chain is counted from the module (`pub(super)`) or from the crate's root (`pub(in crate::a)`);
//! counts of different kinds cannot be compared.

use syn::{Path, Visibility};

/// The lesser of two visibilities, the first if they are equal; private if they cannot be compared.
pub(crate) fn least(a: &Visibility, b: &Visibility) -> Visibility {
    let lesser = match (Reach::of(a), Reach::of(b)) {
        (_, Reach::Everywhere) => a,
        (Reach::Everywhere, _) => b,
        (Reach::Outward(x), Reach::Outward(y)) => pick(x <= y, a, b),
        (Reach::Inward(x), Reach::Inward(y)) => pick(x >= y, a, b),
        (Reach::Outward(0), _) | (_, Reach::Inward(0)) => a,
        (_, Reach::Outward(0)) | (Reach::Inward(0), _) => b,
        _ => &Visibility::Inherited,
    };
    lesser.clone()
}

fn pick<'v>(first: bool, a: &'v Visibility, b: &'v Visibility) -> &'v Visibility {
    if first { a } else { b }
}

enum Reach {
    Everywhere,
    /// This many modules below the crate's root.
    Inward(usize),
    /// This many modules above the item's module.
    Outward(usize),
}

impl Reach {
    fn of(visibility: &Visibility) -> Self {
        match visibility {
            Visibility::Public(_) => Self::Everywhere,
            Visibility::Restricted(restricted) => Self::of_path(&restricted.path),
            Visibility::Inherited => Self::Outward(0),
        }
    }

    fn of_path(path: &Path) -> Self {
        let count = |word: &str| path.segments.iter().filter(|s| s.ident == word).count();
        let (up, root) = (count("super"), count("crate"));
        let down = path.segments.len() - up - root - count("self");
        match root {
            0 => Self::Outward(up.saturating_sub(down)),
            _ => Self::Inward(down),
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_str;

    use super::*;

    fn least_of(a: &str, b: &str) -> String {
        let parse = |text| parse_str(text).unwrap();
        let forth = least(&parse(a), &parse(b)).to_token_stream().to_string();
        let back = least(&parse(b), &parse(a)).to_token_stream().to_string();
        assert_eq!(forth, back);
        forth
    }

    #[test]
    fn the_lesser_visibility_is_found_in_either_order() {
        for (a, b, expected) in [
            ("pub", "", ""),
            ("pub", "pub", "pub"),
            ("pub", "pub(crate)", "pub (crate)"),
            ("pub(crate)", "pub(super)", "pub (super)"),
            ("pub(crate)", "", ""),
            ("pub(super)", "pub(in super::super)", "pub (super)"),
            ("pub(self)", "pub(super)", "pub (self)"),
            ("pub(in self::super)", "", ""),
            (
                "pub(in super::super)",
                "pub(in super::super::a)",
                "pub (in super :: super :: a)",
            ),
            ("pub(in crate::a)", "pub(crate)", "pub (in crate :: a)"),
            (
                "pub(in crate::a)",
                "pub(in crate::a::b)",
                "pub (in crate :: a :: b)",
            ),
        ] {
            assert_eq!(least_of(a, b), expected, "{a} and {b}");
        }
    }

    #[test]
    fn the_first_of_two_equal_visibilities_is_returned() {
        let least = |a, b| least(&parse_str(a).unwrap(), &parse_str(b).unwrap());
        for (a, b, expected) in [
            ("pub(self)", "", "pub (self)"),
            ("", "pub(self)", ""),
            ("pub(crate)", "pub(in crate)", "pub (crate)"),
            ("pub(in crate)", "pub(crate)", "pub (in crate)"),
        ] {
            assert_eq!(least(a, b).to_token_stream().to_string(), expected);
        }
    }

    #[test]
    fn incomparable_visibilities_are_private() {
        assert_eq!(least_of("pub(super)", "pub(in crate::a::b)"), "");
    }
}
