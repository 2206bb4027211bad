//! Tests of error messages: expands the programs in `tests/ui/fail` without compiling them, and
//! compares the messages with the recorded ones.

use std::fs;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Item, Meta};

use crate::spine;

/// The first line of each message in an expansion.
fn messages(expansion: TokenStream, into: &mut Vec<String>) {
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
        Item::Mod(item) => Some(&mut item.attrs),
        Item::Impl(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// The expansions of all macros on an item.
fn expansions(mut item: Item) -> Vec<TokenStream> {
    if let Item::Macro(item) = &item
        && item
            .mac
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "foreign")
    {
        return vec![spine::foreign(item.mac.tokens.clone())];
    }
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
        ("Checksum", spine::checksum),
        ("Contexts", spine::contexts),
        ("QueryData", spine::query_data),
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
fn ui_programs_are_rejected_with_their_messages() {
    let Some(repository) = crate::repository() else {
        return;
    };
    let folder = repository.join("tests/ui/fail");
    let (mut programs, mut all) = (0, 0);
    for entry in fs::read_dir(folder).expect("the programs") {
        let path = entry.expect("a program").path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a program");
        let expected = fs::read_to_string(path.with_extension("stderr")).expect("its messages");
        let mut found = Vec::new();
        for item in syn::parse_file(&text).expect("a program").items {
            expansions(item)
                .into_iter()
                .for_each(|it| messages(it, &mut found));
        }
        let reported = expected
            .lines()
            .filter_map(|line| line.strip_prefix("error: "));
        let reported = reported.filter(|it| !is_of_rustc(it)).map(str::to_owned);
        let mut reported: Vec<_> = reported.collect();
        found.sort();
        reported.sort();
        assert_eq!(found, reported, "{}", path.display());
        (programs, all) = (programs + 1, all + found.len());
    }
    assert!(
        programs > 60 && all > 150,
        "{all} messages in {programs} programs"
    );
}

/// Whether a message is the compiler's own, about tokens that the macros pass on.
fn is_of_rustc(message: &str) -> bool {
    ["aborting due to", "cannot find", "lifetime may not live"]
        .iter()
        .any(|beginning| message.starts_with(beginning))
}

/// The messages for a component.
fn reports_of(component: TokenStream) -> Vec<String> {
    let mut reported = Vec::new();
    messages(spine::component(component), &mut reported);
    reported
}

#[test]
fn leftover_tokens_in_brackets_are_rejected() {
    let reported = reports_of(quote! {
        #[component(requires([u8; 3 4]))]
        struct Grid(u8);
    });
    assert_eq!(reported.len(), 1);
    assert!(reported[0].starts_with("unexpected token"), "{reported:?}");
}

#[test]
fn other_attributes_in_an_enum_are_ignored() {
    let reported = reports_of(quote! {
        enum Team { #[default] Red, Blue(#[serde(skip)] u8) }
    });
    assert_eq!(reported, [""; 0]);
}

#[test]
fn an_event_without_a_keyword_reports_the_usage() {
    let reported = reports_of(quote! {
        #[component(event(3(set)))]
        struct Score(u8);
    });
    assert_eq!(reported.len(), 1);
    assert!(
        reported[0].starts_with("write `event(any, set)`"),
        "{reported:?}"
    );
}

#[test]
fn a_value_without_an_equals_sign_is_rejected() {
    let reported = reports_of(quote! {
        #[component(requires(Health(3), Speed { value: 3 }))]
        struct Player(u8);
    });
    let expected = [
        "write the value after `=`: `Health = Health(..)`",
        "write the value after `=`: `Speed = Speed(..)`",
    ];
    assert_eq!(reported, expected);
}

#[test]
fn names_contain_identifier_characters_only() {
    let reported = reports_of(quote! {
        #[component(name = "m\u{b2}")]
        struct Area(u32);
    });
    let expected = "this cannot be part of a method's name: write a name such as `\"pos\"`";
    assert_eq!(reported, [expected]);
}

#[test]
fn a_relation_name_that_collides_with_an_accessor_is_rejected() {
    let reported = reports_of(quote! {
        #[derive(Clone)]
        struct ChildOf(#[component(relation(reverse = child_of))] EntityId<Game>);
    });
    let expected = "the method `child_of` would collide with another one of that name: write \
                    another name in `reverse = ..`";
    assert_eq!(reported, [expected]);
}

#[test]
fn a_lifetime_does_not_match_a_module_of_the_same_name() {
    let reported = reports_of(quote! {
        #[component(instances(View<'static> as view))]
        struct View<'world>(&'world world::Map);
    });
    assert_eq!(reported, [""; 0]);
}
