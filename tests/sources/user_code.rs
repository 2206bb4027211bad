//! User code that gets the context exclusively can replace it. `user_code.txt` lists everything in
//! `ecs/src` that takes or holds such code, each with the case of `tests/failures/replaced/calls.rs`
//! that replaces the context there, or with the reason why there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ecs/src");
const LIST: &str = include_str!("user_code.txt");
const CASES: &str = include_str!("../failures/replaced/calls.rs");

/// The items that take or hold user code, with their files.
type Found = BTreeSet<String>;

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token? {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

/// Whether these are the parameters of code that gets a context, a world or a handle exclusively.
fn is_exclusive(parameters: &TokenStream) -> bool {
    let text = parameters.to_string().replace(' ', "");
    let mut parameters = text.split(',');
    let contexts = ["&mutC", "&mutW", "&mutSelf", "&mutCore<C>"];
    text.contains("EntityMut<") || parameters.any(|parameter| contexts.contains(&parameter))
}

/// The type that an `impl` is for.
fn implementing(tokens: &[TokenTree]) -> String {
    let (mut depth, mut name) = (0, String::new());
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
            TokenTree::Ident(ident) if depth == 0 && ident == "where" => break,
            TokenTree::Ident(ident) if depth == 0 => name = ident.to_string(),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            _ => {}
        }
    }
    name
}

/// Finds the types of such code in the tokens of `item`.
fn find(tokens: TokenStream, item: &str, each: &mut dyn FnMut(&str)) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut current = item.to_owned();
    let mut starts = true; // an item
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) => {
                let (word, next) = (word.to_string(), tokens.get(at + 1));
                match (word.as_str(), next) {
                    ("impl", _) if starts => current = implementing(&tokens[at + 1..]),
                    ("Fn" | "FnMut" | "FnOnce" | "fn", Some(TokenTree::Group(parameters)))
                        if is_exclusive(&parameters.stream()) =>
                    {
                        each(&current);
                    }
                    ("fn" | "type" | "struct" | "enum" | "trait", next) => {
                        current = ident(next).unwrap_or(current);
                    }
                    _ => {}
                }
                starts = word == "unsafe";
            }
            TokenTree::Group(group) => {
                find(group.stream(), &current, each);
                let ends = group.delimiter() == Delimiter::Brace;
                starts = ends || group.delimiter() == Delimiter::Bracket; // an attribute
                if ends {
                    current = item.to_owned();
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                (current, starts) = (item.to_owned(), true);
            }
            _ => starts = false,
        }
    }
}

fn find_in(folder: &Path, found: &mut Found) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(SOURCE).unwrap().display().to_string();
            let file = file.replace('\\', "/");
            let tokens = fs::read_to_string(&path).unwrap().parse().unwrap();
            find(tokens, "", &mut |item| {
                found.insert(format!("{file} {item}"));
            });
        }
    }
}

/// The items of a text.
fn items(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    find(text.parse().unwrap(), "", &mut |item| {
        items.push(item.to_owned())
    });
    items
}

#[test]
fn user_code_is_found_wherever_it_is_taken_or_held() {
    let text = "
        impl<C> Buffer<C> {
            fn run(&mut self, act: impl FnOnce(&mut C)) { act }
            fn apply<F>(&self, each: F) where F: FnMut(C::EntityMut<'_>, u8) {}
            fn read(&self, each: impl Fn(&C)) -> impl FnMut(&mut u8) {}
        }
        type Action<W> = Box<dyn FnOnce(&mut W) + Send>;
        #[derive(Clone)] struct Held<C> { of: fn(u8, &mut C) -> u8 }
        impl<F, W> System<W> for Each<F> where F: FnMut(&mut W) { fn execute(&mut self, w: &mut W) {} }
    ";
    assert_eq!(items(text), ["run", "apply", "Action", "Held", "Each"]);
}

#[test]
fn everything_that_takes_user_code_with_the_context_is_listed() {
    let mut found = Found::new();
    find_in(Path::new(SOURCE), &mut found);
    let lines = LIST
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut listed = BTreeMap::new();
    for line in lines {
        let (item, how) = line.split_once(": ").expect(line);
        assert!(
            listed.insert(item.to_owned(), how).is_none(),
            "{item} is listed twice"
        );
        if let Some(case) = how.strip_prefix("case ") {
            assert!(
                CASES.contains(&format!("(\"{case}\"")),
                "{item}: `replaced/calls.rs` has no case {case:?}"
            );
        }
    }
    let missing: Vec<_> = found
        .iter()
        .filter(|item| !listed.contains_key(*item))
        .collect();
    assert!(
        missing.is_empty(),
        "these take or hold user code with the context: call it through `state/user_code.rs`, add a \
         case to `tests/failures/replaced/calls.rs`, and list them in `user_code.txt`: {missing:#?}"
    );
    let gone: Vec<_> = listed
        .keys()
        .filter(|item| !found.contains(*item))
        .collect();
    assert!(gone.is_empty(), "listed, but gone: {gone:#?}");
}
