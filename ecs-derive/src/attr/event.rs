//! `event(any | self, set | removed, priority = n)`, or, for several events at once,
//! `event(any(set, removed, priority = n), self(set))`.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Error, Ident, LitInt, Result, Token, parenthesized, token};

use crate::error::Errors;

use super::entries::{end_of_item, list};

const USAGE: &str = "write `event(any, set)`: `any` entity or the entity it`self`, `set` or \
                     `removed`, and behind these, if need be, `priority = n`";

const USAGE_OF_SEVERAL: &str = "write `event(any(set, removed), self(set))`: in the brackets of \
                                `any` and of `self` stand `set`, `removed` or both, and, if need \
                                be, `priority = n`";

/// Whose events are told.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scope {
    Any,
    Own,
}

/// Which of them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum EventKind {
    Set,
    Removed,
}

/// An event that a component is declared with.
pub(crate) struct Event {
    pub(crate) scope: Scope,
    pub(crate) kind: EventKind,
    pub(crate) priority: i32,
}

/// Reads what follows the word `event`.
pub(super) fn read(
    events: &mut Vec<Event>,
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<()> {
    if !input.peek(token::Paren) {
        return Err(Error::new(key.span(), USAGE));
    }
    let content;
    parenthesized!(content in input);
    if content.peek(Ident::peek_any) && content.peek2(token::Paren) {
        list(&content, errors, |input, errors| {
            several(events, input, errors).and_then(|()| end_of_item(input))
        });
        return Ok(());
    }
    let mut draft = Draft::default();
    list(&content, errors, |input, _| {
        let read = draft.item(input).and_then(|()| end_of_item(input));
        draft.is_wrong |= read.is_err();
        read
    });
    match draft.finish(key)? {
        Some(event) => add(events, event, key.span()),
        None => Ok(()),
    }
}

/// Reads `any(set, removed, priority = n)`: the events that one scope is given.
fn several(events: &mut Vec<Event>, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
    let scope: Ident = input.call(Ident::parse_any)?;
    if !(scope == "any" || scope == "self") || !input.peek(token::Paren) {
        return Err(Error::new(scope.span(), USAGE_OF_SEVERAL));
    }
    let content;
    parenthesized!(content in input);
    let (mut drafts, mut all) = (Vec::new(), Draft::default());
    list(&content, errors, |input, _| {
        let mut draft = Draft::default();
        let target = if input
            .fork()
            .parse::<Ident>()
            .is_ok_and(|word| word == "priority")
        {
            &mut all
        } else {
            one_of_two(&mut draft.scope, scope_of(&scope), &scope)?;
            drafts.push(draft);
            drafts.last_mut().expect("just pushed")
        };
        let read = target.item(input).and_then(|()| end_of_item(input));
        target.is_wrong |= read.is_err();
        read
    });
    if drafts.is_empty() {
        return Err(Error::new(scope.span(), USAGE_OF_SEVERAL));
    }
    for mut draft in drafts {
        draft.priority = all.priority;
        let span = draft.kind.map_or(scope.span(), |(_, span)| span);
        if let Some(event) = draft.finish(&scope)? {
            add(events, event, span)?;
        }
    }
    Ok(())
}

fn scope_of(word: &Ident) -> Scope {
    match word == "any" {
        true => Scope::Any,
        false => Scope::Own,
    }
}

fn add(events: &mut Vec<Event>, event: Event, span: Span) -> Result<()> {
    let same = |known: &Event| (known.scope, known.kind) == (event.scope, event.kind);
    if events.iter().any(same) {
        let message = "this event is given twice: remove one of them";
        return Err(Error::new(span, message));
    }
    events.push(event);
    Ok(())
}

/// An event as far as it has been read.
#[derive(Default)]
struct Draft {
    scope: Option<(Scope, Span)>,
    kind: Option<(EventKind, Span)>,
    priority: Option<i32>,
    /// Whether a mistake has been noted.
    is_wrong: bool,
}

impl Draft {
    fn item(&mut self, input: ParseStream<'_>) -> Result<()> {
        let word = input
            .call(Ident::parse_any)
            .map_err(|error| Error::new(error.span(), USAGE))?;
        match word.to_string().as_str() {
            "any" => one_of_two(&mut self.scope, Scope::Any, &word),
            "self" => one_of_two(&mut self.scope, Scope::Own, &word),
            "set" => one_of_two(&mut self.kind, EventKind::Set, &word),
            "removed" => one_of_two(&mut self.kind, EventKind::Removed, &word),
            "priority" if self.priority.is_some() => {
                let message = "`priority` is given twice: remove one of them";
                Err(Error::new(word.span(), message))
            }
            "priority" => {
                self.priority = Some(priority(&word, input)?);
                Ok(())
            }
            _ => Err(Error::new(word.span(), USAGE)),
        }
    }

    /// The event, unless a mistake has been noted.
    fn finish(self, key: &Ident) -> Result<Option<Event>> {
        if self.is_wrong {
            return Ok(None);
        }
        let missing = |span, what| Err(Error::new(span, format!("{what}; {USAGE}")));
        match (self.scope, self.kind) {
            (None, None) => Err(Error::new(key.span(), USAGE)),
            (Some((_, span)), None) => {
                missing(span, "this does not say what happens, `set` or `removed`")
            }
            (None, Some((_, span))) => missing(
                span,
                "this does not say to whom, to `any` entity or the entity it`self`",
            ),
            (Some((scope, _)), Some((kind, _))) => Ok(Some(Event {
                scope,
                kind,
                priority: self.priority.unwrap_or(0),
            })),
        }
    }
}

/// Notes a word that excludes another one.
fn one_of_two<T: PartialEq>(slot: &mut Option<(T, Span)>, value: T, word: &Ident) -> Result<()> {
    match slot {
        None => {
            *slot = Some((value, word.span()));
            Ok(())
        }
        Some((known, _)) if *known == value => {
            let message = format!("`{word}` is given twice: remove one of them");
            Err(Error::new(word.span(), message))
        }
        Some(_) => {
            let message = "these are two events: write an `event(..)` for each";
            Err(Error::new(word.span(), message))
        }
    }
}

fn priority(word: &Ident, input: ParseStream<'_>) -> Result<i32> {
    let usage = "write `priority = n` with a whole number, such as `priority = -1`; lower ones \
                 come first";
    if !input.peek(Token![=]) {
        return Err(Error::new(word.span(), usage));
    }
    input.parse::<Token![=]>()?;
    let minus: Option<Token![-]> = input.parse()?;
    let number: LitInt = input
        .parse()
        .map_err(|error| Error::new(error.span(), usage))?;
    let sign = minus.map_or("", |_| "-");
    match format!("{sign}{}", number.base10_digits()).parse() {
        Ok(priority) if number.suffix().is_empty() => Ok(priority),
        Ok(_) => Err(Error::new(number.span(), usage)),
        Err(_) => Err(Error::new(
            number.span(),
            "this priority is out of range: it is an `i32`",
        )),
    }
}
