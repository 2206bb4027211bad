//! The words of the field: what is written in the sources and documents is said in the terms that other
//! crates use. `phrases.txt` lists words and phrases that no one else would write, with what to write.

use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const LIST: &str = include_str!("phrases.txt");

/// How many may be left in the whole repository, say in a quotation.
const MOST: usize = 20;

const EXTENSIONS: [&str; 9] = [
    "rs", "md", "toml", "txt", "html", "js", "py", "stderr", "snap",
];

/// The words of a text in lower case, with the numbers of their lines.
fn words(text: &str) -> Vec<(usize, String)> {
    let numbered = text.lines().zip(1..);
    let of_line = |(line, number): (&str, usize)| {
        let words = line.split(|it: char| !it.is_alphabetic());
        let words = words.filter(|word| !word.is_empty());
        words
            .map(|word| (number, word.to_lowercase()))
            .collect::<Vec<_>>()
    };
    numbered.flat_map(of_line).collect()
}

/// The lines in which the words of a phrase follow each other.
fn find(phrase: &str, words: &[(usize, String)]) -> Vec<usize> {
    let phrase: Vec<_> = phrase.split(' ').collect();
    let places = words.windows(phrase.len());
    let found = places.filter(|place| {
        place
            .iter()
            .map(|(_, word)| word)
            .eq(phrase.iter().copied())
    });
    found.map(|place| place[0].0).collect()
}

/// Calls `each` with the path and the text of every source and document.
fn for_each_file(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                for_each_file(&path, each);
            }
        } else if let Some(extension) = path.extension()
            && EXTENSIONS.iter().any(|it| *it == extension)
            && name != "phrases.txt"
        {
            each(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn everything_is_said_in_the_words_of_the_field() {
    let phrases = LIST.lines().filter(|line| !line.starts_with('#'));
    let phrases: Vec<_> = phrases.filter_map(|line| line.split_once(" -> ")).collect();
    let (mut found, mut files) = (Vec::new(), 0);
    for_each_file(Path::new(ROOT), &mut |path, text| {
        files += 1;
        let (words, path) = (words(text), path.strip_prefix(ROOT).unwrap().display());
        for (phrase, remedy) in &phrases {
            for line in find(phrase, &words) {
                found.push(format!("{path}:{line}: \"{phrase}\", better: {remedy}"));
            }
        }
    });
    assert!(
        files > 1_000 && phrases.len() > 30,
        "{files} files, {} phrases",
        phrases.len()
    );
    let count = found.len();
    assert!(
        count < MOST,
        "{count} places to be reworded:\n{}",
        found.join("\n")
    );
}

#[test]
fn phrases_are_found_across_lines_and_in_names() {
    let text = words("It is refused: goes\n/// its own way\nfn is_refused_by()");
    assert_eq!(find("refused", &text), [1, 3]);
    assert_eq!(find("its own way", &text), [2]);
    assert_eq!(find("goes its own way", &text), [1]);
    assert_eq!(find("her own way", &text), []);
}
