//! What is said of components that are not `Clone`, to whoever copies values.

use core::fmt;

/// Names the components, and how they are left out by the builder of `what`.
pub(super) fn not_clone(
    f: &mut fmt::Formatter<'_>,
    components: &[&'static str],
    what: &str,
) -> fmt::Result {
    let (noun, verb, them) = match components.len() > 1 {
        true => ("components", "are", "them"),
        false => ("component", "is", "it"),
    };
    write!(f, "{noun} ")?;
    for (place, component) in components.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        write!(f, "{comma}`{component}`")?;
    }
    let first = components.first().unwrap_or(&"_");
    write!(
        f,
        " {verb} not `Clone`; derive `Clone` for {them}, or leave {them} out: \
         `{what}::builder().leave_out::<{first}>()`"
    )
}
