//! Default names of systems.

use alloc::format;
use alloc::string::String;

const CLOSURE: &str = "::{{closure}}";
const NAMED_CLOSURE: &str = "closure in ";

/// The name of a type without paths; for a closure, the function that contains it.
pub(super) fn of<T: ?Sized>() -> String {
    short(core::any::type_name::<T>())
}

/// The name of a value's type, for a closure.
pub(super) fn of_value<T>(_: &T) -> String {
    of::<T>()
}

/// Appends a number to the name of a closure if the list contains others with that name:
/// `closure in main`, `closure in main 2`.
pub(super) fn number_closure<'n>(
    name: &mut String,
    existing: impl DoubleEndedIterator<Item = &'n str>,
) {
    if !name.starts_with(NAMED_CLOSURE) {
        return; // a type or function that was added twice keeps its name
    }
    name.truncate(unnumbered(name).len()); // it may have been in another list
    let last = existing.rev().find_map(|other| number(other, name));
    if let Some(last) = last {
        name.push_str(&format!(" {}", u64::from(last) + 1));
    }
}

/// A name without its number.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => name,
    }
}

/// The number of a closure: 1 if `full` is `name` itself, or the number after it.
fn number(full: &str, name: &str) -> Option<u32> {
    match full.strip_prefix(name)? {
        "" => Some(1),
        rest => rest.strip_prefix(' ')?.parse().ok(),
    }
}

fn short(full: &str) -> String {
    match full.strip_suffix(CLOSURE) {
        Some(function) => format!("{NAMED_CLOSURE}{}", without_paths(outermost(function))),
        None => without_paths(full),
    }
}

/// The function that contains nested closures.
fn outermost(mut function: &str) -> &str {
    while let Some(outer) = function.strip_suffix(CLOSURE) {
        function = outer;
    }
    function
}

/// Keeps the last segment of each path in a type name.
fn without_paths(full: &str) -> String {
    let (mut short, mut start) = (String::new(), 0);
    for letter in full.chars() {
        short.push(letter);
        if short.ends_with("::") {
            short.truncate(start);
        } else if !(letter.is_alphanumeric() || "_:{}".contains(letter)) {
            start = short.len();
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn a_name_has_no_paths() {
        for (full, expected) in [
            ("game::movement::Move", "Move"),
            ("Move", "Move"),
            (
                "game::Stat<game::Health, alloc::vec::Vec<u8>>",
                "Stat<Health, Vec<u8>>",
            ),
            ("game::main::{{closure}}", "closure in main"),
            ("game::main::{{closure}}::{{closure}}", "closure in main"),
            ("game::regenerate<game::Health>", "regenerate<Health>"),
            ("&mut game::Move", "&mut Move"),
        ] {
            assert_eq!(short(full), expected);
        }
    }
}
