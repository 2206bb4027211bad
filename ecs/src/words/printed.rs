//! Text written by a closure: `core::fmt::from_fn`, which came with Rust 1.93, for older compilers.

use core::fmt::{Debug, Display, Formatter, Result};

/// Writes what a closure writes.
struct Printed<F>(F);

/// Returns a value whose `Debug` and `Display` output is written by a closure.
pub(crate) fn from_fn<F>(write: F) -> impl Debug + Display
where
    F: Fn(&mut Formatter<'_>) -> Result,
{
    Printed(write)
}

impl<F: Fn(&mut Formatter<'_>) -> Result> Debug for Printed<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (self.0)(f)
    }
}

impl<F: Fn(&mut Formatter<'_>) -> Result> Display for Printed<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (self.0)(f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn both_forms_are_written_by_the_closure() {
        let text = from_fn(|f| write!(f, "{:>1$}", 7, f.width().unwrap_or(0)));
        assert_eq!(format!("{text:?}|{text:3}"), "7|  7");
    }
}
