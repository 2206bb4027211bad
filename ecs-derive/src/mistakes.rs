//! What is said of mistakes: that of `tests/ui/fail`, whose programs are expanded here without being
//! compiled. So each message is compared at once, and nothing is refused that is not to be.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

use crate::spine;

/// The first lines of the messages in an expansion.
fn messages(expansion: TokenStream, into: &mut BTreeSet<String>) {
    let mut after_name = false;
    for token in expansion {
        match token {
            TokenTree::Ident(ident) => after_name = ident == "compile_error",
            TokenTree::Punct(_) => {}
            TokenTree::Group(group) if after_name => {
                let text: syn::LitStr = syn::parse2(group.stream()).expect("a message");
                into.extend(text.value().lines().next().map(str::to_owned));
                after_name = false;
            }
            TokenTree::Group(group) => messages(group.stream(), into),
            TokenTree::Literal(_) => after_name = false,
        }
    }
}

/// The derives of an item.
fn derives(attrs: &[Attribute]) -> String {
    let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    derives
        .map(|attr| attr.meta.to_token_stream().to_string())
        .collect()
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        Item::Union(item) => Some(&mut item.attrs),
        Item::Fn(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// What the macros make of an item.
fn expansions(mut item: Item) -> Vec<TokenStream> {
    let Some(attrs) = attributes(&mut item) else {
        return Vec::new();
    };
    let derives = derives(attrs);
    attrs.retain(|attr| !attr.path().is_ident("derive"));
    let is_context = |attr: &Attribute| {
        attr.path()
            .segments
            .last()
            .is_some_and(|last| last.ident == "context")
    };
    let context = attrs
        .iter()
        .position(is_context)
        .map(|at| attrs.remove(at).meta);
    let context = context.map(|meta| match meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    });
    let tokens = item.to_token_stream();
    let mut expansions: Vec<_> = [
        (
            "Component",
            spine::component as fn(TokenStream) -> TokenStream,
        ),
        ("Bundle", spine::bundle),
        ("Contexts", spine::contexts),
    ]
    .into_iter()
    .filter(|(name, _)| {
        derives
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == *name)
    })
    .map(|(_, expand)| expand(tokens.clone()))
    .collect();
    expansions.extend(context.map(|args| spine::context(args, tokens)));
    expansions
}

#[test]
fn programs_that_must_not_compile_are_refused_with_their_messages_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/fail");
    let (mut programs, mut all) = (0, 0);
    for entry in fs::read_dir(folder).expect("the programs") {
        let path = entry.expect("a program").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a program");
        let expected = fs::read_to_string(path.with_extension("stderr")).expect("its messages");
        let mut found = BTreeSet::new();
        for item in syn::parse_file(&text).expect("a program").items {
            expansions(item)
                .into_iter()
                .for_each(|it| messages(it, &mut found));
        }
        let told = expected
            .lines()
            .filter_map(|line| line.strip_prefix("error: "));
        let told: BTreeSet<_> = told.map(str::to_owned).collect();
        let (programs_name, missing) = (path.display(), found.difference(&told));
        assert_eq!(
            missing.collect::<Vec<_>>(),
            [] as [&String; 0],
            "{programs_name}"
        );
        (programs, all) = (programs + 1, all + found.len());
        if !found.is_empty() {
            let missing: Vec<_> = told
                .difference(&found)
                .filter(|it| !is_of_rustc(it))
                .collect();
            assert_eq!(missing, [] as [&String; 0], "{programs_name}");
        }
    }
    assert!(
        programs > 60 && all > 150,
        "{all} messages in {programs} programs"
    );
}

/// Whether it is the compiler that says so, of the tokens that the macros have taken as they are.
fn is_of_rustc(message: &str) -> bool {
    message.contains("aborting due to") || message.starts_with("cannot find")
}
