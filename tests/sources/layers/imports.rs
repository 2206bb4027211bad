//! What each file of a crate imports from which other file, read from its tokens: grouped, nested,
//! renamed and re-exported imports are followed to the file that defines the name.
//!
//! ```text
//! use super::{Core, write::{add, take as grab}};     in state/bulk.rs
//!     state::Core          ─► state.rs says `pub use self::core::Core` ─► state/core.rs
//!     state::write::add    ─► state/write.rs
//! ```
//!
//! A method of the registries of a context can be called without an import, so a call of one counts as
//! an import from the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A path of names from the crate's root.
pub(super) type Names = Vec<String>;

/// The files of a crate by their module path, each with the modules that it imports from.
pub(super) struct Imports {
    files: BTreeMap<Names, File>,
}

#[derive(Default)]
struct File {
    /// Paths that the code names, from the root.
    named: Vec<Names>,
    /// What a name that is imported stands for.
    bound: BTreeMap<String, Names>,
    /// The methods of the registries of a context that it defines.
    methods: BTreeSet<String>,
    /// The methods that it calls on what may be these registries.
    called: BTreeSet<String>,
}

/// The types that are the registries of a context.
const REGISTRIES: [&str; 3] = ["Core", "Subscribers", "World"];

impl Imports {
    /// Reads all files below a folder, which has a `lib.rs`.
    pub(super) fn read(source: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![source.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let module = module_of(path.strip_prefix(source).unwrap());
                    let file = File::read(&module, &fs::read_to_string(&path).unwrap());
                    files.insert(module, file);
                }
            }
        }
        Self { files }
    }

    /// Every file with those whose names it uses.
    pub(super) fn edges(&self) -> BTreeMap<&Names, BTreeSet<&Names>> {
        let edges = |(module, file): (_, &File)| {
            let targets = file.named.iter().filter_map(|path| self.defining(path, 0));
            let methods = file.called.iter().filter_map(|name| self.having(name));
            let targets = targets.chain(methods);
            (module, targets.filter(|target| *target != module).collect())
        };
        self.files.iter().map(edges).collect()
    }

    /// The file that defines a method of the registries, if it is one file.
    fn having(&self, method: &str) -> Option<&Names> {
        let mut having = self
            .files
            .iter()
            .filter(|(_, file)| file.methods.contains(method));
        let (module, _) = having.next()?;
        having.next().is_none().then_some(module)
    }

    /// The file in which the thing is defined that a path names.
    fn defining(&self, path: &[String], depth: usize) -> Option<&Names> {
        let len = (0..=path.len())
            .rev()
            .find(|len| self.files.contains_key(&path[..*len]))?;
        let (module, file) = self.files.get_key_value(&path[..len])?;
        let bound = path.get(len).and_then(|name| file.bound.get(name));
        match bound.filter(|_| depth < 8) {
            Some(bound) => {
                let path: Vec<_> = bound.iter().chain(&path[len + 1..]).cloned().collect();
                self.defining(&path, depth + 1).or(Some(module))
            }
            None => Some(module),
        }
    }
}

fn module_of(inside: &Path) -> Names {
    let names = inside.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "lib").collect()
}

impl File {
    fn read(module: &[String], text: &str) -> Self {
        let mut file = Self::default();
        file.scan_module(module, TokenStream::from_str(text).unwrap());
        file
    }

    /// Notes what a module names.
    fn scan_module(&mut self, module: &[String], body: TokenStream) {
        let tokens: Vec<_> = body.into_iter().collect();
        self.scan(module, &declared(&tokens), &tokens);
    }

    /// Notes what tokens of a module name whose `children` have files of their own.
    fn scan(&mut self, module: &[String], children: &[String], tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            if let Some(name) = called_at(module, &tokens[..at], &tokens[at..]) {
                self.called.insert(name);
            }
            self.methods.extend(methods_at(&tokens[at..]));
            at += match &tokens[at..] {
                rest if is_test_module(rest) => 5,
                [TokenTree::Ident(name), TokenTree::Punct(_), ..] if writes_code(name) => 3,
                [
                    TokenTree::Ident(word),
                    TokenTree::Ident(name),
                    TokenTree::Group(body),
                    ..,
                ] if *word == "mod" => {
                    let inner = [module, &[name.to_string()]].concat();
                    self.scan_module(&inner, body.stream());
                    3
                }
                [TokenTree::Ident(word), rest @ ..] if *word == "use" => {
                    let tree = until_semicolon(rest);
                    self.bind(module, &[], tree);
                    1 + tree.len()
                }
                [TokenTree::Group(group), ..] => {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    self.scan(module, children, &inner);
                    1
                }
                [TokenTree::Ident(_), ..] if starts_path(&tokens[..at]) => {
                    let path = path_at(&tokens[at..]);
                    self.note(module, children, &path);
                    path.len() * 3 - 2
                }
                _ => 1,
            };
        }
    }

    /// Notes a path that code names, if it starts at a module.
    fn note(&mut self, module: &[String], children: &[String], path: &[String]) {
        let is_child = path.len() > 1 && children.contains(&path[0]);
        if is_child || path.first().is_some_and(|first| is_anchor(first)) && path.len() > 1 {
            self.named.push(from_root(module, path));
        }
    }

    /// Takes the tree of a `use` apart.
    fn bind(&mut self, module: &[String], prefix: &[String], tree: &[TokenTree]) {
        let mut path = prefix.to_vec();
        let mut name = None;
        for token in tree {
            match token {
                TokenTree::Ident(word) if *word == "as" => name = Some(String::new()),
                TokenTree::Ident(word) if name.is_some() => name = Some(word.to_string()),
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => return self.bind_all(module, &path, group.stream()),
                _ => {}
            }
        }
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        self.bind_name(module, &path, name);
    }

    /// Takes the branches of a grouped `use` apart.
    fn bind_all(&mut self, module: &[String], prefix: &[String], branches: TokenStream) {
        let branches: Vec<_> = branches.into_iter().collect();
        for branch in branches.split(|token| is_mark(token, ',')) {
            if !branch.is_empty() {
                self.bind(module, prefix, branch);
            }
        }
    }

    fn bind_name(&mut self, module: &[String], path: &[String], name: Option<String>) {
        if path.first().is_some_and(|first| is_anchor(first)) {
            let path = from_root(module, path);
            self.named.push(path.clone());
            if let Some(name) = name.or_else(|| path.last().cloned()) {
                self.bound.insert(name, path);
            }
        }
    }
}

/// The methods of an `impl` of the registries that begins here.
fn methods_at(tokens: &[TokenTree]) -> Vec<String> {
    let is_impl = matches!(tokens.first(), Some(TokenTree::Ident(word)) if *word == "impl");
    let body = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    });
    let (true, Some(body)) = (is_impl, body) else {
        return Vec::new();
    };
    let names: Vec<_> = tokens[..body].iter().map(ToString::to_string).collect();
    let is_trait = names.iter().any(|name| name == "for");
    let TokenTree::Group(group) = &tokens[body] else {
        return Vec::new();
    };
    if is_trait || !names.iter().any(|name| REGISTRIES.contains(&&**name)) {
        return Vec::new();
    }
    let inside: Vec<_> = group.stream().into_iter().collect();
    let name = |pair: &[TokenTree]| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(name)] if *word == "fn" => Some(name.to_string()),
        _ => None,
    };
    inside.windows(2).filter_map(name).collect()
}

/// The method that is called here on what may be the registries: `core.name(`, `core_mut().name(`, or
/// `self.name(` in a file of their layer.
fn called_at(module: &[String], before: &[TokenTree], rest: &[TokenTree]) -> Option<String> {
    let [TokenTree::Ident(name), next, ..] = rest else {
        return None;
    };
    if !is_mark(next, ':') && !matches!(next, TokenTree::Group(_)) {
        return None; // a field
    }
    let (dot, before) = before.split_last()?;
    if !is_mark(dot, '.') {
        return None;
    }
    let receiver = match before {
        [.., TokenTree::Ident(word), TokenTree::Group(arguments)]
            if arguments.stream().is_empty() =>
        {
            word
        }
        [.., TokenTree::Ident(word)] => word,
        _ => return None,
    };
    let is_state = module.first().is_some_and(|layer| layer == "state");
    let is_such = *receiver == "core" || *receiver == "core_mut" || is_state && *receiver == "self";
    is_such.then(|| name.to_string())
}

/// The names of modules that have files of their own, declared among these tokens.
fn declared(tokens: &[TokenTree]) -> Vec<String> {
    let declaration = |tokens: &[TokenTree]| match tokens {
        [
            TokenTree::Ident(word),
            TokenTree::Ident(name),
            TokenTree::Punct(_),
        ] if *word == "mod" => Some(name.to_string()),
        _ => None,
    };
    tokens.windows(3).filter_map(declaration).collect()
}

/// Whether a module of unit tests begins here: `#[cfg(test)] mod name { .. }`.
fn is_test_module(tokens: &[TokenTree]) -> bool {
    match tokens {
        [
            TokenTree::Punct(_),
            TokenTree::Group(attribute),
            TokenTree::Ident(word),
            ..,
        ] => *word == "mod" && attribute.to_string().replace(' ', "") == "[cfg(test)]",
        _ => false,
    }
}

/// Whether a macro of this name is handed code that is written out elsewhere.
fn writes_code(name: &Ident) -> bool {
    [
        "quote",
        "quote_spanned",
        "parse_quote",
        "parse_quote_spanned",
    ]
    .iter()
    .any(|writer| name == writer)
}

fn until_semicolon(tokens: &[TokenTree]) -> &[TokenTree] {
    let end = tokens.iter().position(|token| is_mark(token, ';'));
    &tokens[..end.unwrap_or(tokens.len())]
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == mark)
}

/// Whether a name after these tokens starts a path: it does unless it is a field, a method, or a
/// later part of a path.
fn starts_path(before: &[TokenTree]) -> bool {
    match before {
        [.., first, second] if is_mark(second, ':') => !is_mark(first, ':'),
        [.., last] => !is_mark(last, '.') || is_range(before),
        [] => true,
    }
}

fn is_range(before: &[TokenTree]) -> bool {
    before.len() > 1 && is_mark(&before[before.len() - 2], '.')
}

/// The names of a path `a::b::c` whose first name is the first token.
fn path_at(tokens: &[TokenTree]) -> Names {
    let mut names = Names::new();
    for part in tokens.chunks(3) {
        let TokenTree::Ident(name) = &part[0] else {
            break;
        };
        names.push(name.to_string());
        if part.len() < 3 || !part[1..].iter().all(|token| is_mark(token, ':')) {
            break;
        }
    }
    names
}

fn is_anchor(name: &str) -> bool {
    matches!(name, "crate" | "self" | "super")
}

/// A path that starts in a module, from the root.
fn from_root(module: &[String], path: &[String]) -> Names {
    let mut names = module.to_vec();
    for name in path {
        match name.as_str() {
            "crate" => names.clear(),
            "self" => {}
            "super" => drop(names.pop()),
            _ => names.push(name.clone()),
        }
    }
    names
}
