//! Every public method of contexts, handles and systems is called by the random programs of the
//! model, or stands in `outside_model.txt` below the reason.
//!
//! Methods are identified by name alone, as tokens: comments, texts and unit tests do not count.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::layers::files;

/// Where methods are that programs can call. What lies below are names, numbers and errors.
const LAYERS: [&str; 5] = ["matching", "reactions", "records", "api", "systems"];

/// The language of random programs, and the properties that run them.
const PROGRAMS: [&str; 2] = ["tests/crates/model/src", "tests/records"];

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const OUTSIDE: &str = include_str!("outside_model.txt");

type Names = BTreeSet<String>;

fn tokens(text: &str) -> Vec<TokenTree> {
    let tokens = TokenStream::from_str(text).expect("a source file");
    tokens.into_iter().collect()
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// The tokens of a group in braces.
fn braced(token: &TokenTree) -> Option<Vec<TokenTree>> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Adds the names of the public functions, and of those of public traits, that documentation shows.
fn add_public(tokens: &[TokenTree], is_trait: bool, names: &mut Names) {
    let (mut is_public, mut is_shown, mut keyword) = (is_trait, true, String::new());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                is_shown &= !matches!(
                    group.to_string().as_str(),
                    "[doc (hidden)]" | "[cfg (test)]"
                );
            }
            TokenTree::Ident(ident) if ident == "pub" => {
                is_public = !matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
            }
            TokenTree::Ident(ident) if ident == "fn" && is_public && is_shown => {
                names.extend(tokens.get(at + 1).map(ToString::to_string));
            }
            TokenTree::Ident(ident) if keyword.is_empty() => {
                let keywords = ["fn", "impl", "trait", "mod"];
                keyword.extend(keywords.into_iter().find(|keyword| ident == keyword));
            }
            _ => {}
        }
        let body = braced(token);
        if let Some(body) = body.as_ref().filter(|_| is_shown) {
            match keyword.as_str() {
                "impl" => add_public(body, false, names),
                "trait" if is_public => add_public(body, true, names),
                _ => {}
            }
        }
        if body.is_some() || is_punct(token, ';') {
            (is_public, is_shown) = (is_trait, true);
            keyword.clear();
        }
    }
}

/// Adds the names behind a point or two colons.
fn add_called(tokens: &[TokenTree], names: &mut Names) {
    for pair in tokens.windows(2) {
        if (is_punct(&pair[0], '.') || is_punct(&pair[0], ':'))
            && let TokenTree::Ident(name) = &pair[1]
        {
            names.insert(name.to_string());
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            add_called(&group.stream().into_iter().collect::<Vec<_>>(), names);
        }
    }
}

fn public() -> Names {
    let mut names = Names::new();
    for layer in LAYERS {
        for (path, text) in files(&Path::new(ROOT).join("ecs/src").join(layer)) {
            if path.extension().is_some_and(|extension| extension == "rs") {
                add_public(&tokens(&text), false, &mut names);
            }
        }
    }
    names
}

fn called() -> Names {
    let mut names = Names::new();
    for folder in PROGRAMS {
        for (path, text) in files(&Path::new(ROOT).join(folder)) {
            let inside = path.strip_prefix(ROOT).unwrap_or(&path);
            if inside.to_string_lossy().contains("model") {
                add_called(&tokens(&text), &mut names);
            }
        }
    }
    names
}

/// The names that are not called, each once, below a reason.
fn outside() -> Names {
    let mut names = Names::new();
    let mut has_reason = false;
    for line in OUTSIDE.lines() {
        match line.strip_prefix("# ") {
            Some(reason) => has_reason = !reason.is_empty(),
            None => {
                for name in line.split_whitespace() {
                    assert!(has_reason, "`{name}` stands below no reason");
                    assert!(names.insert(name.to_owned()), "`{name}` appears twice");
                }
            }
        }
    }
    names
}

#[test]
fn every_public_method_is_called_by_random_programs_or_has_a_reason() {
    let (public, called, outside) = (public(), called(), outside());
    let neither: Vec<_> = public
        .iter()
        .filter(|name| !called.contains(*name) && !outside.contains(*name))
        .collect();
    let needless: Vec<_> = outside
        .iter()
        .filter(|name| !public.contains(*name) || called.contains(*name))
        .collect();
    assert!(
        neither.is_empty() && needless.is_empty(),
        "neither called nor listed: {neither:?}\nlisted without need: {needless:?}"
    );
    assert!(
        public.len() > 250,
        "only {} methods are found",
        public.len()
    );
}

#[test]
fn methods_are_found_where_they_are_public_and_where_they_are_called() {
    let mut names = Names::new();
    let source =
        "impl A { pub fn a() {} pub(crate) fn b() {} fn c() {} #[doc(hidden)] pub fn d() {} }
        pub trait B { fn e(); #[doc(hidden)] fn f(); } trait C { fn g(); } pub fn h() { fn i() {} }
        #[cfg(test)] mod tests { impl A { pub fn j() {} } }";
    add_public(&tokens(source), false, &mut names);
    assert!(names.iter().eq(["a", "e", "h"]), "{names:?}");

    let mut names = Names::new();
    let source = "x.a(); X::b(); // .c()\n \"x.d()\"; with!(T => y.e::<T>()); f();";
    add_called(&tokens(source), &mut names);
    assert!(names.iter().eq(["a", "b", "e"]), "{names:?}");
}
