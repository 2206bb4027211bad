//! `event(any | self, set | removed, priority = n)`, or, for several events, `event(any(set,
//! removed, priority = n), self(set))`.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Error, Ident, LitInt, Result, Token, token};

use crate::error::Errors;

use super::entries::{end_of_item, list, repeated};
use super::values::parentheses;

const USAGE: &str = "write `event(any, set)`: `any` entity or the entity it`self`, `set` or \
                     `removed`, optionally followed by `priority = n`";

const USAGE_OF_SEVERAL: &str = "write `event(any(set, removed), self(set))`: `any(..)` and \
                                `self(..)` contain `set`, `removed` or both, and optionally \
                                `priority = n`";

const USAGE_OF_PRIORITY: &str = "write `priority = n` with a whole number, such as `priority = \
                                 -1`; lower ones come first";

/// The entities whose events are delivered.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scope {
    Any,
    Own,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum EventKind {
    Set,
    Removed,
}

/// An event declared by a component.
pub(crate) struct Event {
    pub(crate) scope: Scope,
    pub(crate) kind: EventKind,
    pub(crate) priority: i32,
}

/// Reads the part after the word `event`.
pub(super) fn read(
    events: &mut Vec<Event>,
    key: &Ident,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> Result<()> {
    let content = parentheses(key, input, USAGE)?;
    if content.peek(Ident::peek_any) && content.peek2(token::Paren) {
        list(&content, errors, |input, errors| {
            several(events, input, errors)
        });
        return Ok(());
    }
    let mut draft = Draft::default();
    list(&content, errors, |input, _| draft.read(input));
    draft.finish(key, key.span(), events)
}

/// Reads `any(set, removed, priority = n)`: the events of one scope.
fn several(events: &mut Vec<Event>, input: ParseStream<'_>, errors: &mut Errors) -> Result<()> {
    let word = input.call(Ident::parse_any)?;
    let usage = || Error::new(word.span(), USAGE_OF_SEVERAL);
    let scope = scope_of(&word).ok_or_else(usage)?;
    let content = parentheses(&word, input, USAGE_OF_SEVERAL)?;
    let drafts = drafts_of((scope, word.span()), &content, errors);
    if drafts.is_empty() {
        return Err(usage());
    }
    drafts.into_iter().try_for_each(|draft| {
        let span = draft.kind.map_or(word.span(), |(_, span)| span);
        draft.finish(&word, span, events)
    })
}

/// The events of one scope, with their common priority.
fn drafts_of(scope: (Scope, Span), input: ParseStream<'_>, errors: &mut Errors) -> Vec<Draft> {
    let (mut drafts, mut all) = (Vec::new(), Draft::default());
    list(input, errors, |input, _| {
        if is_priority(input) {
            return all.read(input);
        }
        let mut draft = Draft::of(scope);
        let read = draft.read(input);
        drafts.push(draft);
        read
    });
    for draft in &mut drafts {
        draft.priority = all.priority;
    }
    drafts
}

fn is_priority(input: ParseStream<'_>) -> bool {
    let next = input.fork().parse::<Ident>();
    next.is_ok_and(|word| word == "priority")
}

fn scope_of(word: &Ident) -> Option<Scope> {
    match word.to_string().as_str() {
        "any" => Some(Scope::Any),
        "self" => Some(Scope::Own),
        _ => None,
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

/// A partially read event.
#[derive(Default)]
struct Draft {
    scope: Option<(Scope, Span)>,
    kind: Option<(EventKind, Span)>,
    priority: Option<i32>,
    /// Whether a mistake was reported.
    is_wrong: bool,
}

impl Draft {
    fn of(scope: (Scope, Span)) -> Self {
        Self {
            scope: Some(scope),
            ..Self::default()
        }
    }

    /// Reads an item and checks its end.
    fn read(&mut self, input: ParseStream<'_>) -> Result<()> {
        let read = self.item(input).and_then(|()| end_of_item(input));
        self.is_wrong |= read.is_err();
        read
    }

    fn item(&mut self, input: ParseStream<'_>) -> Result<()> {
        let word = input.call(Ident::parse_any);
        let word = word.map_err(|error| Error::new(error.span(), USAGE))?;
        match word.to_string().as_str() {
            "any" => one_of_two(&mut self.scope, Scope::Any, &word),
            "self" => one_of_two(&mut self.scope, Scope::Own, &word),
            "set" => one_of_two(&mut self.kind, EventKind::Set, &word),
            "removed" => one_of_two(&mut self.kind, EventKind::Removed, &word),
            "priority" => self.prioritize(&word, input),
            _ => Err(Error::new(word.span(), USAGE)),
        }
    }

    fn prioritize(&mut self, word: &Ident, input: ParseStream<'_>) -> Result<()> {
        if self.priority.is_some() {
            return Err(repeated(word));
        }
        self.priority = Some(priority(word, input)?);
        Ok(())
    }

    /// Adds the event, unless a mistake was reported.
    fn finish(self, key: &Ident, span: Span, events: &mut Vec<Event>) -> Result<()> {
        if self.is_wrong {
            return Ok(());
        }
        let (scope, kind) = self.scope_and_kind(key)?;
        let priority = self.priority.unwrap_or(0);
        let event = Event {
            scope,
            kind,
            priority,
        };
        add(events, event, span)
    }

    fn scope_and_kind(&self, key: &Ident) -> Result<(Scope, EventKind)> {
        let missing = |span, what| Err(Error::new(span, format!("{what}; {USAGE}")));
        let no_kind = "the event is missing, `set` or `removed`";
        let no_scope = "the entity is missing, `any` or it`self`";
        match (self.scope, self.kind) {
            (Some((scope, _)), Some((kind, _))) => Ok((scope, kind)),
            (Some((_, span)), None) => missing(span, no_kind),
            (None, Some((_, span))) => missing(span, no_scope),
            (None, None) => Err(Error::new(key.span(), USAGE)),
        }
    }
}

/// Stores one of two exclusive words.
fn one_of_two<T: PartialEq>(slot: &mut Option<(T, Span)>, value: T, word: &Ident) -> Result<()> {
    let message = "these are two events: write an `event(..)` for each";
    match slot {
        Some((known, _)) if *known == value => return Err(repeated(word)),
        Some(_) => return Err(Error::new(word.span(), message)),
        None => *slot = Some((value, word.span())),
    }
    Ok(())
}

fn priority(word: &Ident, input: ParseStream<'_>) -> Result<i32> {
    let usage = |span| Error::new(span, USAGE_OF_PRIORITY);
    if !input.peek(Token![=]) {
        return Err(usage(word.span()));
    }
    input.parse::<Token![=]>()?;
    let minus: Option<Token![-]> = input.parse()?;
    let number: LitInt = input.parse().map_err(|error: Error| usage(error.span()))?;
    match number.suffix().is_empty() {
        true => in_range(minus.is_some(), &number),
        false => Err(usage(number.span())),
    }
}

fn in_range(is_negative: bool, number: &LitInt) -> Result<i32> {
    let message = "this priority is out of range: it is an `i32`";
    let sign = if is_negative { "-" } else { "" };
    let priority = format!("{sign}{}", number.base10_digits()).parse();
    priority.map_err(|_| Error::new(number.span(), message))
}
