//! Proposes the known word nearest to an unknown one.

/// Names from other libraries, with ours.
const SYNONYMS: &[(&str, &str)] = &[
    ("disable", "disables"),
    ("disabled", "disables"),
    ("key", "index"),
    ("listen", "event"),
    ("no_save", "transient"),
    ("observe", "event"),
    ("parent", "relation"),
    ("pool", "pooled"),
    ("primary", "primary_index"),
    ("primary_key", "primary_index"),
    ("rename", "name"),
    ("singleton", "unique"),
    ("skip", "transient"),
    ("target", "relation"),
    ("unique_index", "primary_index"),
    ("whole", "by_value"),
    ("with", "requires"),
    ("world", "context"),
];

/// The nearest word, if any is near: a synonym, a common prefix, or different in at most a third of
/// its letters.
pub(super) fn nearest<'w>(given: &str, words: &[&'w str]) -> Option<&'w str> {
    let meant = SYNONYMS.iter().find(|(word, _)| *word == given);
    let meant = meant.and_then(|(_, meant)| words.iter().find(|word| *word == meant));
    meant
        .copied()
        .or_else(|| {
            let begins = |word: &&&str| word.starts_with(given) || given.starts_with(**word);
            let begun = words.iter().filter(|_| given.len() > 2).find(begins);
            begun.copied()
        })
        .or_else(|| {
            let distances = words.iter().map(|word| (distance(given, word), *word));
            let near = distances.filter(|(distance, word)| distance * 3 <= word.len().max(3));
            near.min().map(|(_, word)| word)
        })
}

/// The number of insertions, deletions and substitutions between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (n, letter) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = n + 1;
        for (at, other) in b.iter().enumerate() {
            let substituted = before + usize::from(letter != *other);
            before = row[at + 1];
            row[at + 1] = substituted.min(before + 1).min(row[at] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: &[&str] = &["context", "event", "index", "name", "requires", "unique"];

    #[test]
    fn the_nearest_word_is_found_if_it_is_near() {
        for (given, expected) in [
            ("uniqe", Some("unique")),
            ("contexts", Some("context")),
            ("require", Some("requires")),
            ("indexed", Some("index")),
            ("singleton", Some("unique")),
            ("nam", Some("name")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, WORDS), expected, "{given}");
        }
    }

    #[test]
    fn synonyms_of_unavailable_words_are_not_proposed() {
        assert_eq!(nearest("primary", WORDS), None);
    }
}
