//! The instances of a generic component. Each becomes a separate component, with types substituted
//! for the parameters.

use heck::ToUpperCamelCase as _;
use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{
    Data, DeriveInput, Error, Field, GenericArgument, GenericParam, Path, PathArguments, Type,
    parse2,
};

use crate::error::Errors;

use super::attr::Instance;
use super::component::Component;

/// The components of an item: itself, or its instances.
pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Vec<Component> {
    let item = Component::read(input.clone(), errors);
    let Some(given) = &item.attrs.instances else {
        return vec![item];
    };
    if input.generics.params.is_empty() {
        let message = "`instances` is for generic components: remove it";
        errors.at(&given.key, message);
        return vec![item];
    }
    if let Some(name) = &item.attrs.name {
        let message = "`name` has no effect here: write the name of each instance after its `as`";
        errors.at(&name.key, message);
    }
    let shorthands = shorthands(&input);
    for parameter in &shorthands {
        let message = format!(
            "write `<{parameter} as Trait>::` instead of `{parameter}::`: the trait cannot be \
             determined once a type is substituted"
        );
        errors.at(parameter, message);
    }
    if !shorthands.is_empty() {
        return vec![item];
    }
    let mut components = Vec::new();
    for instance in &given.value {
        match Substitution::of(&input, &instance.ty) {
            Ok(substitution) => components.push(substitution.component(&input, instance)),
            Err(error) => errors.push(error),
        }
    }
    match components.is_empty() {
        true => vec![item],
        false => components,
    }
}

/// The substitution of an item's parameters.
struct Substitution<'i> {
    path: &'i Path,
    /// The parameters, and `Self`, each with its substitute.
    arguments: Vec<(Parameter, TokenStream)>,
}

struct Parameter {
    /// The name, without the apostrophe of a lifetime.
    name: Ident,
    is_lifetime: bool,
}

impl<'i> Substitution<'i> {
    /// The substitution for a type, if that is an instance of the item.
    fn of(input: &DeriveInput, ty: &'i Type) -> Result<Self, Error> {
        let name = &input.ident;
        let other = || {
            let message = format!("this is not `{name}`: write `{name}<..> as a_name`");
            Error::new_spanned(ty, message)
        };
        let Type::Path(path) = ty else {
            return Err(other());
        };
        let last = path.path.segments.last().filter(|last| last.ident == *name);
        let arguments: Vec<_> = match &last.ok_or_else(other)?.arguments {
            PathArguments::AngleBracketed(list) => list.args.iter().map(argument).collect(),
            _ => Vec::new(),
        };
        let parameters = input.generics.params.iter().map(parameter);
        if arguments.len() != parameters.len() {
            let message = format!(
                "`{name}` has {} parameters: write a type or a value for each",
                parameters.len()
            );
            return Err(Error::new_spanned(ty, message));
        }
        let itself = Parameter {
            name: Ident::new("Self", name.span()),
            is_lifetime: false,
        };
        let itself = (itself, quote!(#ty));
        let arguments = parameters.zip(arguments).chain([itself]).collect();
        let path = &path.path;
        Ok(Self { path, arguments })
    }

    /// The instance as a component.
    fn component(&self, input: &DeriveInput, instance: &Instance) -> Component {
        let mut input = input.clone();
        input.generics = Default::default();
        for field in fields_mut(&mut input.data) {
            self.put_into(&mut field.ty);
        }
        // The mistakes of the item have been reported.
        let mut component = Component::read(input, &mut Errors::default());
        for required in &mut component.required {
            self.put_into(&mut required.ty);
            required.value = required.value.take().map(|value| self.apply(value));
        }
        let name = instance.name.unraw().to_string();
        component.stem = Ident::new(&name.to_upper_camel_case(), instance.name.span());
        component.base = name;
        component.name_span = instance.name.span();
        component.text = self.path.to_token_stream().to_string().replace(' ', "");
        component.ty = self.path.to_token_stream();
        component.constructor = constructor(self.path);
        component.is_instance = true;
        component
    }

    fn put_into(&self, ty: &mut Type) {
        if let Ok(substituted) = parse2(self.apply(ty.to_token_stream())) {
            *ty = substituted;
        }
    }

    /// Substitutes parameters, except after `::` or `.`.
    fn apply(&self, tokens: TokenStream) -> TokenStream {
        let mut out = Vec::<TokenTree>::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) => match self.argument(&word, &mut out) {
                    Some(argument) if tokens.peek().is_some_and(is_colon_of_path) => {
                        out.extend(quote!(<#argument>));
                    }
                    Some(argument) => out.extend(argument.clone()),
                    None => out.push(word.into()),
                },
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.apply(group.stream()));
                    inner.set_span(group.span());
                    out.push(inner.into());
                }
                other => out.push(other),
            }
        }
        out.into_iter().collect()
    }

    /// The substitute for a word after these tokens. Removes the apostrophe of a lifetime.
    fn argument(&self, word: &Ident, before: &mut Vec<TokenTree>) -> Option<&TokenStream> {
        let sign = sign(before);
        let is_member = sign.ends_with('.') && !sign.ends_with("..");
        if is_member || sign.ends_with("::") {
            return None;
        }
        let is_lifetime = sign.ends_with('\'');
        let is_it =
            |parameter: &Parameter| parameter.is_lifetime == is_lifetime && parameter.name == *word;
        let mut arguments = self.arguments.iter();
        let (_, argument) = arguments.find(|(parameter, _)| is_it(parameter))?;
        if is_lifetime {
            before.pop();
        }
        Some(argument)
    }
}

fn fields_mut(data: &mut Data) -> Vec<&mut Field> {
    match data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => {
            let variants = data.variants.iter_mut();
            variants.flat_map(|it| &mut it.fields).collect()
        }
        Data::Union(_) => Vec::new(),
    }
}

/// The punctuation at the end of the tokens, such as `::` or `'`, or an empty string.
fn sign(tokens: &[TokenTree]) -> String {
    let mut sign = String::new();
    for token in tokens.iter().rev() {
        match token {
            TokenTree::Punct(it) if sign.is_empty() || it.spacing() == Spacing::Joint => {
                sign.insert(0, it.as_char());
            }
            _ => break,
        }
    }
    sign
}

/// Parameters in field types whose associated types are named without a trait.
fn shorthands(input: &DeriveInput) -> Vec<Ident> {
    let parameters = input.generics.params.iter().map(parameter);
    let types = parameters.filter(|parameter| !parameter.is_lifetime);
    let names: Vec<_> = types.map(|parameter| parameter.name).collect();
    let mut found = Vec::new();
    for field in fields_mut(&mut input.data.clone()) {
        find_shorthands(field.ty.to_token_stream(), &names, &mut found);
    }
    found
}

fn find_shorthands(tokens: TokenStream, parameters: &[Ident], found: &mut Vec<Ident>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if tokens.peek().is_some_and(is_colon_of_path) => {
                found.extend(parameters.contains(&word).then_some(word));
            }
            TokenTree::Group(group) => find_shorthands(group.stream(), parameters, found),
            _ => {}
        }
    }
}

/// Whether this is the first of two colons.
fn is_colon_of_path(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(colon)
        if colon.as_char() == ':' && colon.spacing() == Spacing::Joint)
}

fn parameter(parameter: &GenericParam) -> Parameter {
    let name = match parameter {
        GenericParam::Lifetime(it) => &it.lifetime.ident,
        GenericParam::Type(it) => &it.ident,
        GenericParam::Const(it) => &it.ident,
    };
    Parameter {
        name: name.clone(),
        is_lifetime: matches!(parameter, GenericParam::Lifetime(_)),
    }
}

/// An argument, in parentheses if it has several bounds.
fn argument(argument: &GenericArgument) -> TokenStream {
    match argument {
        GenericArgument::Type(Type::TraitObject(object)) => quote!((#object)),
        _ => argument.to_token_stream(),
    }
}

/// The path in expressions.
fn constructor(path: &Path) -> TokenStream {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut()
        && let PathArguments::AngleBracketed(list) = &mut last.arguments
    {
        list.colon2_token = Some(Default::default());
    }
    path.to_token_stream()
}
