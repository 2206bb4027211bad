//! Default names of systems.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

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

/// The numbers of the closures in a list, by name without number, in the order of the list. So a closure
/// is numbered without a look at all others.
#[derive(Default)]
pub(super) struct ClosureNumbers(BTreeMap<String, Vec<u32>>);

impl ClosureNumbers {
    /// Those of the systems in a list.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut numbers = Self::default();
        names.for_each(|name| numbers.add(name));
        numbers
    }

    /// Appends a number to the name of a closure if the list contains others with that name:
    /// `closure in main`, `closure in main 2`.
    pub(super) fn number(&self, name: &mut String) {
        if !name.starts_with(NAMED_CLOSURE) {
            return; // a type or function that was added twice keeps its name
        }
        name.truncate(split(name).0.len()); // it may have been in another list
        let last = self.0.get(&**name).and_then(|numbers| numbers.last());
        if let Some(last) = last {
            name.push_str(&format!(" {}", u64::from(*last) + 1));
        }
    }

    /// Adds the name of the last system in the list.
    pub(super) fn add(&mut self, name: &str) {
        if name.starts_with(NAMED_CLOSURE) {
            let (name, number) = split(name);
            match self.0.get_mut(name) {
                Some(numbers) => numbers.push(number),
                None => _ = self.0.insert(name.to_string(), vec![number]),
            }
        }
    }

    /// Removes the name of the last system in the list.
    pub(super) fn remove_last(&mut self, name: &str) {
        if name.starts_with(NAMED_CLOSURE)
            && let Some(numbers) = self.0.get_mut(split(name).0)
        {
            numbers.pop();
        }
    }
}

/// The name of a closure and its number, 1 if it has none.
fn split(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once(' ');
    let numbered = numbered.and_then(|(name, number)| Some((name, number.parse().ok()?)));
    numbered.unwrap_or((name, 1))
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
