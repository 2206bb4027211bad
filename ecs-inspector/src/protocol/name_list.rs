//! Lists of names in parameters.
//!
//! A text separates names by commas. The name of a generic type has commas of its own, inside of
//! brackets: `Health,Pair<Hp, Mana>` are two names.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Names, as a list or separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameList(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for NameList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = match Value::deserialize(deserializer)? {
            Value::Array(texts) => texts,
            text => vec![text],
        };
        let texts = texts.iter().map(Value::as_str);
        let texts: Option<Vec<_>> = texts.collect();
        let texts = texts.ok_or_else(|| {
            let message = "expected names: a list of texts, or a text with commas";
            serde::de::Error::custom(message)
        })?;
        Ok(Self(texts.into_iter().flat_map(names).collect()))
    }
}

/// The names in a text.
fn names(text: &str) -> Vec<String> {
    let (mut names, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut before = '\0';
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            // A character, as in `Key<'<'>`.
            '\'' if letters
                .clone()
                .nth(1)
                .is_some_and(|(_, letter)| letter == '\'') =>
            {
                letters.nth(1);
            }
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {} // an arrow: `fn(u8) -> u8`
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                names.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = letter;
    }
    names.push(&text[start..]);
    let names = names.into_iter().map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect()
}

/// Whether two names are the same, regardless of spaces: the name of a type has none, its path has
/// one after each comma.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|name| name.chars().filter(|letter| !letter.is_whitespace()));
    a.eq(b)
}
