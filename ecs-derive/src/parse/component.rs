//! Items with `#[derive(Component)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Fields, Generics, Ident, LitStr, Path, Token,
    Visibility, parse_quote_spanned, parse_str,
};

use crate::error::Errors;
use crate::reach;

use super::attr::{self, Given, Required, Step, TypeAttrs};
use super::field::{self, Field};
use super::hint::{self, FieldHint};
use super::index::{self, IndexedField, StructureIndex, StructureKind};
use super::relation::{self, Relation};
use super::variant::{self, Variant};
use super::{library, name};

/// An item with `#[derive(Component)]`.
pub(crate) struct Component {
    pub(crate) ident: Ident,
    /// The type, with its parameters or their substitutes.
    pub(crate) ty: TokenStream,
    /// The type in expressions.
    pub(crate) constructor: TokenStream,
    /// The type in messages and docs.
    pub(crate) text: String,
    /// The prefix of the trait names of an extension.
    pub(crate) stem: Ident,
    /// Whether it is an instance of a generic item.
    pub(crate) is_instance: bool,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    pub(crate) attrs: TypeAttrs,
    /// The path of the library.
    pub(crate) krate: Path,
    pub(crate) contexts: Vec<Context>,
    /// The base of accessor names, without `r#`.
    pub(crate) base: String,
    /// The span of the name.
    pub(crate) name_span: Span,
    pub(crate) shape: Shape,
    /// Whether serde converts it into another type to save it.
    pub(crate) is_converted: bool,
    /// All fields, including those that accessors do not take separately.
    pub(crate) data: Data,
    /// The parts of values, in order.
    pub(crate) variants: Vec<Variant>,
    pub(crate) indexes: Vec<IndexedField>,
    /// The indexes that are structures; they come after the indexed fields.
    pub(crate) structures: Vec<StructureIndex>,
    /// Display hints of fields for tools.
    pub(crate) hints: Vec<FieldHint>,
    /// The `delta` of each field.
    pub(crate) steps: Vec<Option<Given<Option<Step>>>>,
    /// The required components.
    pub(crate) required: Vec<Required>,
    /// Whether the type is declared elsewhere.
    pub(crate) is_foreign: bool,
    /// The relation fields. More than one is a mistake.
    pub(crate) relations: Vec<Relation>,
    pub(crate) union_token: Option<Token![union]>,
}

/// The fields with indexes, relations or display hints.
#[derive(Default)]
struct Marked {
    indexes: Vec<IndexedField>,
    structures: Vec<StructureIndex>,
    relations: Vec<Relation>,
    hints: Vec<FieldHint>,
    steps: Vec<Option<Given<Option<Step>>>>,
}

impl Marked {
    /// Of an item whose fields have no attributes.
    fn of_grid(input: &DeriveInput, attrs: &TypeAttrs) -> Self {
        Self {
            structures: index::structures(input, &Fields::Unit, &[], attrs.grid.as_ref()),
            ..Self::default()
        }
    }
}

/// The arguments of accessors.
pub(crate) enum Shape {
    /// None: there are no fields.
    Flag,
    /// The whole value: an enum, or a struct with `by_value`.
    Whole,
    /// The fields in braces.
    Named(Vec<Field>),
    /// The fields in parentheses.
    Tuple(Vec<Field>),
}

/// A context of a component.
pub(crate) struct Context {
    pub(crate) path: Path,
}

impl Component {
    pub(crate) fn read(input: DeriveInput, errors: &mut Errors) -> Self {
        let mut attrs = TypeAttrs::read(&input.attrs, errors);
        let (shape, marked) = Shape::read(&input, &attrs, errors);
        let Marked {
            indexes,
            structures,
            relations,
            hints,
            steps,
        } = marked;
        let name = attrs.name.as_ref().map(|name| &name.value);
        let ident = &input.ident;
        let (_, generics, _) = input.generics.split_for_impl();
        Self {
            ty: quote!(#ident #generics),
            constructor: quote!(#ident),
            text: ident.unraw().to_string(),
            stem: ident.clone(),
            is_instance: false,
            is_foreign: false,
            name_span: name.map_or(ident.span(), LitStr::span),
            krate: library::path(attrs.krate.take()),
            required: required(attrs.requires.take(), &input.ident, errors),
            contexts: contexts(attrs.contexts.take(), &input.ident),
            base: name::base(&input.ident, name, errors),
            variants: variant::all(&input),
            is_converted: variant::is_converted(&input.attrs),
            shape,
            indexes,
            structures,
            relations,
            hints,
            steps,
            union_token: union_token(&input.data),
            data: input.data,
            ident: input.ident,
            visibility: input.vis,
            generics: input.generics,
            attrs,
        }
    }

    /// The fields that accessors take separately.
    pub(crate) fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Named(fields) | Shape::Tuple(fields) => fields,
            Shape::Flag | Shape::Whole => &[],
        }
    }

    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.shape, Shape::Flag)
    }

    pub(crate) fn is_pooled(&self) -> bool {
        self.attrs.pooled.is_some() && !self.is_flag()
    }

    /// Whether methods named after it are generated.
    pub(crate) fn has_accessors(&self) -> bool {
        self.attrs.no_accessors.is_none()
    }

    /// The beginning of the accessor of a flag.
    pub(crate) fn flag_prefix(&self) -> String {
        let given = self.attrs.flag_prefix.as_ref();
        let given = given.map(|given| given.value.value());
        let given = given.filter(|given| name::is_name(given));
        given.unwrap_or_else(|| "is".to_owned())
    }

    pub(crate) fn is_unique(&self) -> bool {
        self.attrs.unique.is_some()
    }

    /// The word that lets an entity have several, if it is given.
    pub(crate) fn given_many(&self) -> Option<&Ident> {
        let of_type = self.attrs.many.as_ref();
        let of_relation = self.relations.first().and_then(|it| it.attrs.many.as_ref());
        of_type.or(of_relation).map(|given| &given.key)
    }

    /// Whether deltas divide its values.
    pub(crate) fn is_divided(&self) -> bool {
        let is_asked_for = self.attrs.delta.is_some() || self.steps.iter().any(Option::is_some);
        is_asked_for && !self.is_flag()
    }

    /// The step of a field: its own, or that of the component.
    pub(crate) fn step(&self, nth: usize) -> Option<&Step> {
        let own = self.steps.get(nth).and_then(Option::as_ref);
        let given = own.or(self.attrs.delta.as_ref())?;
        given.value.as_ref()
    }

    /// Returns whether an entity can have it only with others: required ones, or its owner.
    pub(crate) fn requires(&self) -> bool {
        self.is_many() || !self.required.is_empty()
    }

    /// Whether an entity has several, each of which is an entry.
    pub(crate) fn is_many(&self) -> bool {
        self.given_many().is_some() && !self.is_flag() && self.contexts.len() == 1
    }

    /// Whether an entity has several, one for each target.
    pub(crate) fn is_link(&self) -> bool {
        self.relation().is_some_and(|it| it.attrs.many.is_some())
    }

    /// The relation field, if the component has a single context.
    pub(crate) fn relation(&self) -> Option<&Relation> {
        let first = self.relations.first();
        first.filter(|_| self.contexts.len() == 1)
    }

    /// Whether an index depends on fields, so that untracked writes are not allowed.
    pub(crate) fn is_indexed(&self) -> bool {
        !self.indexes.is_empty() || !self.structures.is_empty() || self.relation().is_some()
    }

    /// Whether values are validated before they are stored, and can be rejected.
    pub(crate) fn is_checked(&self) -> bool {
        self.relation().is_some() || self.indexes.iter().any(|field| field.primary)
    }

    /// Whether its values are states of a context.
    pub(crate) fn is_state(&self) -> bool {
        self.is_unique() && !self.is_flag() && self.attrs.state.is_some()
    }

    /// Whether the accessors are trait methods.
    pub(crate) fn is_extension(&self) -> bool {
        self.attrs.extension.is_some()
    }

    /// The visibility of methods that take the fields: that of the least visible one.
    pub(crate) fn fields_visibility(&self) -> Visibility {
        let all = self.fields().iter().map(|field| &field.visibility);
        all.fold(self.visibility.clone(), |least, field| {
            reach::least(&least, field)
        })
    }

    /// The name of an accessor, raw if it is a keyword.
    pub(crate) fn accessor(&self, before: &str, after: &str) -> Ident {
        let name = format!("{before}{}{after}", self.base);
        let mut ident = match parse_str(&name) {
            // `gen` is a keyword since edition 2024, unknown to the parser.
            Ok(ident) if name != "gen" => ident,
            _ => format_ident!("r#{name}"),
        };
        ident.set_span(Span::call_site().located_at(self.name_span));
        ident
    }

    /// The name of a field's lookup method: that of the component, followed by that of the field if
    /// several are indexed.
    pub(crate) fn lookup(&self, field: &IndexedField) -> Ident {
        match self.indexes.len() {
            1 => self.accessor(field.prefix(), ""),
            _ => self.accessor(field.prefix(), &format!("_{}", field.name)),
        }
    }

    /// The name of the method that returns a structure: that of the component, followed by that of the field if there
    /// are several.
    pub(crate) fn structure(&self, structure: &StructureIndex) -> Ident {
        match &structure.kind {
            StructureKind::Ordered { name, .. } if self.structures.len() > 1 => {
                self.accessor("entities_by_", &format!("_{name}"))
            }
            _ => self.accessor("entities_by_", ""),
        }
    }

    /// The lookup method with the name of the component only, which the first of several fields
    /// with the same kind of index has in addition.
    pub(crate) fn first_lookup(&self, field: &IndexedField) -> Option<Ident> {
        let mut alike = self.indexes.iter().filter(|it| it.primary == field.primary);
        let is_first = alike.next().is_some_and(|first| first.name == field.name);
        (is_first && self.indexes.len() > 1).then(|| self.accessor(field.prefix(), ""))
    }

    /// The visibility of a lookup: the lesser of field and type.
    pub(crate) fn lookup_visibility(&self, field: &Visibility) -> Visibility {
        reach::least(&self.visibility, field)
    }
}

impl Context {
    /// The last segment of the path.
    pub(crate) fn name(&self) -> String {
        let last = self.path.segments.last();
        last.map(|s| s.ident.unraw().to_string())
            .unwrap_or_default()
    }

    /// The span of the name.
    pub(crate) fn span(&self) -> Span {
        let last = self.path.segments.last();
        last.map_or_else(Span::call_site, |s| s.ident.span())
    }

    /// The type of the shared handle, without its lifetime.
    pub(crate) fn entity(&self) -> Path {
        self.sibling("Entity")
    }

    /// The type of the exclusive handle, without its lifetime.
    pub(crate) fn entity_mut(&self) -> Path {
        self.sibling("EntityMut")
    }

    fn sibling(&self, suffix: &str) -> Path {
        let mut path = self.path.clone();
        if let Some(last) = path.segments.last_mut() {
            last.ident = format_ident!("{}{suffix}", last.ident);
        }
        path
    }
}

impl Shape {
    /// The shape, and the fields with further attributes.
    fn read(input: &DeriveInput, attrs: &TypeAttrs, errors: &mut Errors) -> (Self, Marked) {
        match &input.data {
            Data::Struct(data) => {
                let mut read = field::all(&data.fields, &input.ident, errors);
                let marked = Marked {
                    hints: hint::of(&data.fields, &read, errors),
                    indexes: index::of(&data.fields, &read),
                    structures: index::structures(input, &data.fields, &read, attrs.grid.as_ref()),
                    relations: relation::of(&data.fields, &mut read),
                    steps: read.iter_mut().map(|it| it.attrs.delta.take()).collect(),
                };
                (Self::of_struct(&data.fields, read, attrs, errors), marked)
            }
            Data::Enum(data) => (Self::of_enum(data, errors), Marked::of_grid(input, attrs)),
            Data::Union(_) => (Self::Whole, Marked::default()),
        }
    }

    fn of_struct(
        fields: &Fields,
        read: Vec<Field>,
        attrs: &TypeAttrs,
        errors: &mut Errors,
    ) -> Self {
        match fields {
            _ if read.is_empty() => Self::Flag,
            _ if attrs.by_value.is_some() => {
                reject_into(&read, errors);
                Self::Whole
            }
            Fields::Named(_) => Self::Named(read),
            _ => Self::Tuple(read),
        }
    }

    fn of_enum(data: &DataEnum, errors: &mut Errors) -> Self {
        for attr in inner_attrs(data).filter(attr::is_component) {
            let message = "accessors take an enum as a whole: `#[component(..)]` belongs on the \
                           enum itself, not inside it";
            errors.at(attr, message);
        }
        Self::Whole
    }
}

/// The attributes of an enum's variants and of their fields.
fn inner_attrs(data: &DataEnum) -> impl Iterator<Item = &Attribute> {
    let fields = data.variants.iter().flat_map(|variant| &variant.fields);
    let of_variants = data.variants.iter().flat_map(|variant| &variant.attrs);
    of_variants.chain(fields.flat_map(|field| &field.attrs))
}

fn reject_into(fields: &[Field], errors: &mut Errors) {
    for given in fields.iter().filter_map(|field| field.attrs.into.as_ref()) {
        let message = "`into` has no effect in a `by_value` component, whose accessors take no \
                       fields: remove one of the two";
        errors.at(&given.key, message);
    }
}

fn contexts(given: Option<Given<Vec<Path>>>, ident: &Ident) -> Vec<Context> {
    let given = given.map(|given| given.value);
    let named = given.filter(|paths| !paths.is_empty());
    let paths = named.unwrap_or_else(|| vec![default_context(ident)]);
    paths.into_iter().map(|path| Context { path }).collect()
}

/// The required components, except the component itself.
fn required(
    given: Option<Given<Vec<Required>>>,
    ident: &Ident,
    errors: &mut Errors,
) -> Vec<Required> {
    let mut all = given.map(|given| given.value).unwrap_or_default();
    all.retain(|required| {
        let is_itself = *ident == required.ty.to_token_stream().to_string();
        if is_itself {
            errors.at(
                &required.ty,
                "a component does not require itself: remove it",
            );
        }
        !is_itself
    });
    all
}

/// `crate::Game`, with the span of the type's name, where the compiler reports it if it does not
/// exist.
fn default_context(ident: &Ident) -> Path {
    parse_quote_spanned!(Span::call_site().located_at(ident.span())=> crate::Game)
}

fn union_token(data: &Data) -> Option<Token![union]> {
    match data {
        Data::Union(data) => Some(data.union_token),
        _ => None,
    }
}
