//! Numbers about the library that may fall but not rise: `ratchet.txt` lists them. Raise a number in the
//! commit that needs it, and say why there; when one has fallen, `ECS_RATCHET=lower` writes the new number.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::layers::{LAYERS, ROOT, files};

/// How many lines of a folder may go before the list must say so.
const SLACK: usize = 50;

/// The longest function and file, in lines, that are not counted as long.
const LONG: (usize, usize) = (40, 450);

type Numbers = BTreeMap<String, usize>;

/// A file of the library, without its tests.
struct Source {
    /// Its path below `ecs/src`, with `/`.
    path: String,
    lines: Vec<String>,
}

impl Source {
    /// All files of the library that are no tests.
    fn all() -> Vec<Self> {
        let folder = Path::new(ROOT).join("ecs/src");
        let files = files(&folder).into_iter().filter_map(|(path, text)| {
            let path = path.strip_prefix(&folder).unwrap().display().to_string();
            let path = path.replace('\\', "/");
            let is_code = path.ends_with(".rs") && !path.ends_with("tests.rs");
            is_code.then(|| Self::new(path, &text))
        });
        files.collect()
    }

    fn new(path: String, text: &str) -> Self {
        let mut lines = Vec::new();
        let mut all = text.lines().peekable();
        while let Some(line) = all.next() {
            let opens = all.peek().is_some_and(|next| next.starts_with("mod "));
            if line == "#[cfg(test)]" && opens {
                let opening = all.next().unwrap();
                if opening.ends_with('{') {
                    all.by_ref().find(|line| *line == "}");
                }
            } else {
                lines.push(line.to_owned());
            }
        }
        Self { path, lines }
    }

    fn code(&self) -> impl Iterator<Item = &str> {
        let code = self.lines.iter().map(|line| line.trim());
        code.filter(|line| !line.is_empty() && !line.starts_with("//"))
    }

    /// The folder with a number of its own that it is in.
    fn folder(&self) -> &'static str {
        let layers = LAYERS.iter().rev();
        let mut of_file = layers.filter(|layer| Path::new(&self.path).starts_with(layer));
        of_file.next().unwrap_or(&"root")
    }

    /// The types that have methods here, each with the number of its methods.
    fn methods(&self) -> BTreeMap<String, usize> {
        let (mut methods, mut of) = (BTreeMap::new(), None);
        for line in &self.lines {
            if line.starts_with("impl") {
                of = subject(line);
            } else if line == "}" {
                of = None;
            } else if let Some(of) = &of
                && line.strip_prefix("    ").is_some_and(is_function)
            {
                *methods.entry(String::clone(of)).or_default() += 1;
            }
        }
        methods
    }

    /// The lengths of its functions, in lines.
    fn functions(&self) -> Vec<usize> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let (mut lengths, mut open): (_, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        for (number, line) in self.lines.iter().enumerate() {
            if is_function(line.trim_start()) && !line.ends_with([';', '}']) {
                open.push((indent(line), number));
            } else if line.trim_start().starts_with(')') && line.ends_with(';') {
                open.pop_if(|(depth, _)| *depth == indent(line)); // a declaration
            } else if line.trim() == "}"
                && let Some((_, start)) = open.pop_if(|(depth, _)| *depth == indent(line))
            {
                lengths.push(number - start);
            }
        }
        lengths
    }
}

/// The type of `impl<..> Type<..> {`, if it is no implementation of a trait.
fn subject(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|it| {
            depth += i32::from(it == '<') - i32::from(it == '>');
            depth == 0
        });
        rest = &rest[end? + 1..];
    }
    let name = rest.trim_start().split([' ', '<']).next()?;
    let is_of_trait = rest.split(" where ").next()?.contains(" for ");
    (!is_of_trait).then(|| name.to_owned())
}

/// Whether the line begins a function.
fn is_function(line: &str) -> bool {
    let mut words = line.split(' ').skip_while(|word| {
        let modifier = ["const", "async", "unsafe"].contains(word);
        modifier || word.starts_with("pub")
    });
    words.next() == Some("fn")
}

/// The numbers of the list that are exact; lines of code have some slack.
fn is_exact(name: &str) -> bool {
    !name.starts_with("lines of code")
}

/// Everything that is counted.
fn counted() -> Numbers {
    let sources = Source::all();
    let mut numbers = Numbers::new();
    let mut add = |name: &str, count: usize| *numbers.entry(name.to_owned()).or_default() += count;
    for source in &sources {
        let lines = source.code().count();
        add(&format!("lines of code in {}", source.folder()), lines);
        add("lines of code", lines);
        let long = source.functions().into_iter().filter(|it| *it > LONG.0);
        add("functions of more than 40 lines", long.count());
        let is_long = source.lines.len() > LONG.1;
        add("files of more than 450 lines", usize::from(is_long));
        let fields = source.code().filter(|line| is_open_field(line));
        add("fields that other files can read", fields.count());
        let is_of_history = source.path.contains("history");
        let names = source.code().any(names_history);
        add(
            "files outside of the history that name it",
            usize::from(names && !is_of_history),
        );
    }
    for (name, count) in largest_type(&sources) {
        add(&name, count);
    }
    add("public names", public_names(&sources));
    add("ways to learn of a change", ways_to_learn());
    numbers
}

/// Whether the line declares a field that is not private to its file.
fn is_open_field(line: &str) -> bool {
    let Some(rest) = line
        .strip_prefix("pub(super) ")
        .or(line.strip_prefix("pub(crate) "))
    else {
        return false;
    };
    let name = rest.split(':').next().unwrap_or_default();
    line.ends_with(',') && name.chars().all(|it| it.is_alphanumeric() || it == '_')
}

fn names_history(line: &str) -> bool {
    let line = line.to_lowercase();
    line.contains("history") || line.contains("recording")
}

/// The number of methods of the type that has most of them, and of the files that they are in.
///
/// Types of the public interface are as large as that interface; they are counted by `public_names`.
fn largest_type(sources: &[Source]) -> [(String, usize); 2] {
    let mut types: BTreeMap<String, (usize, BTreeSet<&str>)> = BTreeMap::new();
    let inside = sources.iter().filter(|source| {
        let folder = source.folder();
        folder != "api" && folder != "systems"
    });
    for source in inside {
        for (name, count) in source.methods() {
            let (methods, files) = types.entry(name).or_default();
            *methods += count;
            files.insert(&source.path);
        }
    }
    let (methods, files) = types.values().max_by_key(|(count, _)| *count).unwrap();
    [
        ("methods of the largest type".to_owned(), *methods),
        ("files of the largest type".to_owned(), files.len()),
    ]
}

/// The number of names that the library exports, without those for generated code and without modules.
fn public_names(sources: &[Source]) -> usize {
    let root = sources.iter().find(|source| source.path == "lib.rs");
    let text: Vec<_> = root.unwrap().code().collect();
    let text = text.join(" ");
    let (mut names, mut rest) = (BTreeSet::new(), text.as_str());
    while let Some(at) = rest.find("pub use ") {
        let hidden = rest[..at].contains("mod __private");
        let end = at + rest[at..].find(';').unwrap();
        let list = rest[at..end].rsplit("::").next().unwrap();
        let list = rest[at..end].split_once('{').map_or(list, |(_, list)| list);
        let of_use = list.split([',', ' ', '{', '}']).filter(|name| {
            let is_path = name.contains("::");
            !is_path && !name.is_empty() && *name != "as" && *name != "_"
        });
        if hidden {
            break;
        }
        names.extend(of_use);
        rest = &rest[end..];
    }
    names.len()
}

/// The rows of the table in the guide, without its headings.
fn ways_to_learn() -> usize {
    let page = Path::new(ROOT).join("ecs/src/guide/reacting.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter(|line| {
        let is_heading = line.starts_with("| **") || line.starts_with("| ---");
        line.starts_with("| ") && !is_heading
    });
    rows.count() - 1
}

fn read(list: &str) -> Numbers {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let numbers = lines.filter_map(|line| {
        let (name, number) = line.split_once(": ")?;
        Some((name.to_owned(), number.parse().unwrap()))
    });
    numbers.collect()
}

/// What is wrong with each number, if anything is.
fn complaints(allowed: &Numbers, counted: &Numbers) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, count) in counted {
        match allowed.get(name) {
            None => complaints.push(format!("{name}: {count} is not in the list")),
            Some(most) if count > most => complaints.push(format!(
                "{name}: {count}, at most {most}: make it smaller, or raise the number and say why"
            )),
            Some(most) if count + if is_exact(name) { 0 } else { SLACK } < *most => {
                complaints.push(format!(
                    "{name}: {count} instead of {most}: lower the number"
                ));
            }
            Some(_) => {}
        }
    }
    let gone = allowed.keys().filter(|name| !counted.contains_key(*name));
    complaints.extend(gone.map(|name| format!("{name}: nothing has this name any more")));
    complaints
}

#[test]
fn no_number_rises() {
    let path = Path::new(ROOT).join("tests/sources/ratchet.txt");
    let (list, counted) = (fs::read_to_string(&path).unwrap(), counted());
    let mut allowed = read(&list);
    if std::env::var("ECS_RATCHET").is_ok_and(|it| it == "lower") {
        let heading = list.lines().filter(|line| line.starts_with('#'));
        let mut lowered: String = heading.map(|line| format!("{line}\n")).collect();
        for (name, count) in &counted {
            let least = allowed.get(name).map_or(*count, |most| *most.min(count));
            lowered += &format!("{name}: {least}\n");
        }
        allowed = read(&lowered);
        fs::write(&path, lowered).unwrap();
    }
    let complaints = complaints(&allowed, &counted);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_number_that_rises_falls_or_goes_is_reported() {
    let numbers = |list: &[(&str, usize)]| -> Numbers {
        list.iter()
            .map(|(name, it)| ((*name).to_owned(), *it))
            .collect()
    };
    let allowed = numbers(&[("files", 3), ("gone", 1), ("lines of code", 100)]);
    let same = numbers(&[("files", 3), ("gone", 1), ("lines of code", 100 - SLACK)]);
    assert_eq!(complaints(&allowed, &same), [""; 0]);
    let other = numbers(&[("files", 4), ("lines of code", 99 - SLACK), ("new", 1)]);
    let found = complaints(&allowed, &other).join("\n");
    for part in [
        "files: 4, at most 3",
        "49 instead of 100",
        "new: 1 is not",
        "gone: nothing",
    ] {
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn sources_are_read_as_they_are_meant() {
    let text = "impl<T: Into<u8>> Slots<T> {\n    // No code.\n    pub(crate) const fn len() {\n    }\n}\n\
        impl Clone for Slots {\n    fn clone() {\n    }\n}\n#[cfg(test)]\nmod tests {\n    fn test() {}\n}\n";
    let source = Source::new("state/slots.rs".to_owned(), text);
    assert_eq!(source.code().count(), 8);
    assert_eq!(source.methods(), BTreeMap::from([("Slots".to_owned(), 1)]));
    assert_eq!(source.functions(), [1, 1]);
    let declared = "trait A {\n    fn a(\n    );\n    fn b() {}\n    fn c() {\n    }\n}\n";
    let source = Source::new("state/slots.rs".to_owned(), declared);
    assert_eq!(source.functions(), [1]);
    assert_eq!(source.folder(), "state");
    assert!(is_open_field("pub(super) slots: Slots,") && !is_open_field("slots: Slots,"));
    assert!(!is_open_field("pub(super) fn slots(&self, at: usize,"));
}
