//! Snapshots of expansions.

use proc_macro2::TokenStream;
use quote::quote;

use crate::spine;

fn formatted(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens).expect("the expansion is a list of items");
    prettyplease::unparse(&file)
}

/// Compares an expansion with the snapshot of this name.
fn compare(name: &str, expansion: &str, item: &str) {
    if crate::repository().is_some() {
        insta::assert_snapshot!(name, expansion, item);
    }
}

/// A test that compares the expansion of a component.
macro_rules! component {
    ($(#[$attr:meta])* $name:ident: $($item:tt)*) => {
        $(#[$attr])*
        #[test]
        fn $name() {
            let expansion = formatted(spine::component(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

/// A test that compares the expansion of a context and its arguments.
macro_rules! context {
    ($name:ident($($args:tt)*): $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::context(quote!($($args)*), quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

context!(context(): /** Everything in play. */ pub struct Game;);

context!(context_in_a_renamed_crate(crate = "renamed::path"): pub(crate) struct Game;);

context!(context_behind_a_cfg(): #[cfg(feature = "game")] #[doc(hidden)] struct Game;);

context!(context_behind_a_cfg_attr(crate = "renamed"): #[doc = "Here."] #[cfg_attr(test, cfg(any()))] struct Game;);

context!(context_that_keeps_slots_free(minimum_free = 1024): pub struct Game;);

context!(context_with_mistakes(unknown, crate = 3): struct Game<T> { field: T });

component!(named_fields: pub struct Position { pub x: f32, pub y: f32 });

component!(flag_with_a_prefix: #[component(flag_prefix = "can", hidden)] pub struct Fly;);

component!(many: #[component(many, by_value)] pub struct Mesh { pub file: String });

component! {
    many_targets:
    #[component(extension)]
    pub struct Likes {
        #[component(relation(many, reverse = liked_by))]
        pub whom: EntityId<Game>,
        pub amount: u32,
    }
}

component!(no_accessors: #[component(no_accessors, pooled(keep = 64))] pub struct Velocity { pub by: f32 });

#[test]
fn foreign_types() {
    let item = quote!(pub Game: std::time::Duration as lifetime);
    let expansion = formatted(spine::foreign(item.clone()));
    compare("foreign_types", &expansion, &item.to_string());
}

component!(one_tuple_field: pub struct Health(pub u32););

component! { key_called_like_a_parameter:
    pub struct Marked(#[component(index)] (Q, Q0));
}

component!(two_tuple_fields: pub struct Range(pub u32, pub u32););

component!(flag: pub struct Frozen;);

component!(enumeration: pub enum Team { Red, Blue(u8) });

component! { by_value:
    #[component(by_value)]
    pub struct Matrix { cells: [f32; 9] }
}

component! { into:
    pub struct Name { #[component(into)] pub text: String, pub rank: u8 }
}

component! { label:
    #[component(label)]
    pub struct Name { pub text: String }
}

component! { hints:
    pub struct Lamp {
        #[component(range = -1..=2.5)]
        pub power: f32,
        #[component(color, into)]
        pub light: u32,
        #[component(hidden)]
        pub handle: u64,
    }
}

component! { index:
    pub struct Name(#[component(index)] pub(crate) String);
}

component! { indexes:
    #[component(context(crate::Game, input::Input), by_value)]
    pub struct Ticket {
        #[component(primary_index)]
        pub r#type: u32,
        #[component(index(each))]
        pub tags: Vec<String>,
    }
}

component! { index_of_an_extension:
    #[component(context = other::Game, extension)]
    pub struct Seat(#[component(primary_index)] pub u32);
}

component! { relation:
    pub struct ChildOf {
        #[component(relation(
            reverse = children,
            on_target_destroyed = destroy,
            acyclic,
            ordered,
        ))]
        pub parent: EntityId<Game>,
    }
}

component! { relation_beside_an_index:
    #[component(context = other::Game, extension)]
    pub struct Follows {
        #[component(index)]
        pub since: u32,
        #[component(relation)]
        pub leader: EntityId<other::Game>,
    }
}

component! { pooled:
    #[component(pooled)]
    pub struct Path(pub Vec<u32>);
}

component! { state:
    #[component(context = Game, unique, state)]
    pub enum Mode { Menu, Playing }
}

component! { instances:
    #[component(context = Game, unique, requires(Base<T>), instances(
        Stat<Health> as health_stat,
        Stat<Vec<u8>> as r#type,
    ))]
    pub struct Stat<T> { pub value: Vec<<T as Kind>::Unit>, #[component(index)] pub of: T }
}

component! { instances_of_an_extension:
    #[component(context = other::Game, extension, instances(Slot<1> as first_slot))]
    pub struct Slot<const N: u8>;
}

component! { requires:
    #[component(context(Game, Input), requires(Velocity, Health = Health::new(4), Speed = const { Speed::of::<u8, 3>(5) }))]
    pub struct Player(pub u8);
}

component! { name:
    #[component(name = "type")]
    pub struct Kind(pub u8);
}

component! { two_contexts:
    #[component(context(crate::Game, input::Input))]
    pub struct Owner(pub u8);
}

component! { events:
    #[component(context(Game, Input), event(any, set, priority = -1), event(self, removed))]
    pub struct Position { pub x: f32, pub y: f32 }
}

component! { events_of_an_extension:
    #[component(context = other::Game, extension, event(any, removed), event(self, set))]
    struct Frozen;
}

component! { events_of_a_generic_type:
    #[component(event(any, set))]
    pub struct Holder<T>(pub T);
}

component! { extension:
    #[component(context = other::Game, extension)]
    pub struct Owner(pub u8);
}

component! { unique:
    #[component(unique)]
    pub struct Score(pub u32);
}

component! { unique_flag:
    #[component(unique)]
    struct Paused;
}

component! { unique_index:
    #[component(unique)]
    struct Leader(#[component(index)] String);
}

component! { unique_extension:
    #[component(context(other::Game, other::Input), unique, extension)]
    pub struct Score(pub u32);
}

component! { cleanup:
    #[component(cleanup(destroy))]
    pub struct Dead;
}

component! { disables:
    #[component(disables)]
    pub struct Disabled;
}

component! { unique_name_that_collides:
    #[component(unique)]
    pub struct Group(pub u8);
}

component! { renamed_crate:
    #[component(crate = "::renamed::ecs")]
    pub struct Frozen;
}

#[test]
fn a_renamed_crate_is_used_under_its_new_name_only() {
    let crate_path = quote!(crate = "::renamed");
    let context = spine::context(
        crate_path.clone(),
        quote!(
            struct Game;
        ),
    );
    let component = spine::component(quote! {
        #[derive(Default)]
        #[component(pooled, #crate_path)]
        struct Health(#[component(into)] u32);
    });
    let extension = spine::component(quote! {
        #[component(extension, event(any, set), event(self, set, priority = 1), #crate_path)]
        enum Team { Red }
    });
    for expansion in [context, component, extension] {
        let text = formatted(expansion);
        assert!(text.contains("::renamed::") && !text.contains("ecs"));
    }
}

component! { private_field:
    pub struct Secret { pub shown: u8, pub(crate) known: u8, hidden: u8 }
}

component! { field_of_the_type_itself:
    struct Node { next: Option<Box<Self>> }
}

component! { raw_names:
    pub struct r#Match { pub r#type: u8 }
}

component! { mistakes_beside_a_sound_item:
    #[component(colour, name = "owner", name = "boss", pooled = true)]
    pub struct Owner(#[component(colour)] pub u8);
}

component! { a_name_that_collides:
    pub struct Id(pub u8);
}

component! { generic:
    pub struct Holder<'a, T: Clone>(pub &'a T);
}

component! { union_of_fields:
    pub union Bits { whole: u32, parts: [u8; 4] }
}

/// The expansion of a component, including error messages.
fn written(component: TokenStream) -> String {
    spine::component(component).to_string()
}

/// Whether a component with mistakes expands like another one without.
fn is_written_as(mistaken: TokenStream, sound: TokenStream) -> bool {
    let (mistaken, sound) = (written(mistaken), written(sound));
    mistaken.contains("compile_error") && mistaken.ends_with(&sound)
}

#[test]
fn attributes_without_effect_on_flags_are_ignored() {
    let mistaken = quote! {
        #[component(pooled, unique, state)]
        struct Paused;
    };
    let sound = quote! {
        #[component(unique)]
        struct Paused;
    };
    assert!(is_written_as(mistaken, sound));
}

#[test]
fn a_state_that_is_not_unique_is_expanded_without_the_trait() {
    let mistaken = quote! {
        #[component(state)]
        enum Mode { Menu, Playing }
    };
    let sound = quote! {
        enum Mode { Menu, Playing }
    };
    assert!(is_written_as(mistaken, sound));
}

#[test]
fn instances_are_expanded_next_to_a_mistake() {
    let mistaken = quote! {
        #[component(colour, instances(Stat<u8> as stat))]
        struct Stat<T>(T);
    };
    let sound = quote! {
        #[component(instances(Stat<u8> as stat))]
        struct Stat<T>(T);
    };
    assert!(is_written_as(mistaken, sound));
}

#[test]
fn the_events_of_one_scope_share_its_priority() {
    let at_once = quote! {
        #[component(event(any(set, removed, priority = 3), self(priority = -1, set)))]
        struct Score(u8);
    };
    let one_by_one = quote! {
        #[component(
            event(any, set, priority = 3),
            event(any, removed, priority = 3),
            event(self, set, priority = -1),
        )]
        struct Score(u8);
    };
    assert_eq!(written(at_once), written(one_by_one));
}

/// Checks that the expansion of a component contains these tokens.
#[track_caller]
fn has(component: TokenStream, tokens: TokenStream) {
    let (expansion, tokens) = (written(component), tokens.to_string());
    assert!(expansion.contains(&tokens), "{tokens} in {expansion}");
}

#[test]
fn a_required_value_ends_at_the_next_comma() {
    let component = quote! {
        #[component(requires(Speed = Speed::of::<u8, 3>(5), Health, Mana = Mana::of::<u8, 4>(6)))]
        struct Player(u8);
    };
    has(component.clone(), quote!(|| Speed::of::<u8, 3>(5)));
    has(component, quote!(|| Mana::of::<u8, 4>(6)));
}

#[test]
fn a_required_value_with_unknown_syntax_ends_at_the_comma() {
    let component = quote! {
        #[component(requires(Speed = speed.use, Health = health(3).use))]
        struct Player(u8);
    };
    has(component.clone(), quote!(require::<Speed>(|| speed.use);));
    has(component, quote!(require::<Health>(|| health(3).use);));
}

#[test]
fn instance_arguments_are_substituted_in_required_components() {
    let component = quote! {
        #[component(
            requires(Base<T> = Base::of([T::START, ::T::START], self.T), Count = T::count()),
            instances(Stat<Health> as health_stat),
        )]
        struct Stat<T>(T);
    };
    has(
        component.clone(),
        quote!(Base::of([<Health>::START, ::T::START], self.T)),
    );
    has(component, quote!(<Health>::count()));
}

#[test]
fn instance_arguments_are_substituted_in_ranges() {
    let component = quote! {
        #[component(requires(Grid = Grid::of(0..N, 0..=N)), instances(Slot<2> as slot))]
        struct Slot<const N: usize>;
    };
    has(component, quote!(Grid::of(0..2, 0..=2)));
}

#[test]
fn instance_arguments_are_substituted_after_argument_names() {
    let component = quote! {
        #[component(instances(Rule<Health> as health_rule))]
        struct Rule<T>(fn(of: T) -> bool);
    };
    has(component, quote!(fn(of: Health) -> bool));
}

#[test]
fn a_lifetime_and_a_type_of_the_same_name_are_distinguished() {
    let component = quote! {
        #[component(instances(View<'static, Health> as health_view))]
        struct View<'world, T>(&'world world::Map, for<'T> fn(&'T T));
    };
    has(component.clone(), quote!(&'static world::Map));
    has(component, quote!(for<'T> fn(&'T Health)));
}

/// A test that compares the expansion of a world.
macro_rules! contexts {
    ($name:ident: $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::contexts(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

contexts! { world:
    pub struct World {
        pub game: Game,
        pub input: input::Input,
        #[contexts(skip)]
        pub time: f32,
    }
}

contexts! { generic_world_in_parentheses:
    #[contexts(crate = "renamed")]
    struct World<'a, T: Clone>(Game, #[contexts(skip)] &'a T) where T: Send;
}

contexts! { world_with_mistakes:
    #[contexts(colour)]
    struct World { game: Game, replay: Game }
}

component! { ids_inside:
    pub struct Crew { pub captain: EntityId<Game>, pub sailors: Vec<EntityId<Game>>, pub pay: u32 }
}

component! { ids_inside_of_variants:
    pub enum Aim { None, Some(EntityId<Game>), Many { at: Targets, size: f32 }, Number(u8) }
}

component! { pooled_by_value:
    #[component(pooled, by_value)]
    pub struct Path { points: Vec<u32>, length: f32 }
}

/// A test that compares the expansion of a type with ids.
macro_rules! map_ids {
    ($name:ident: $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::map_ids(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

map_ids! { map_ids:
    pub struct Aim { at: EntityId<Game>, since: f32 }
}

map_ids! { map_ids_of_parameters:
    #[map_ids(crate = "renamed")]
    enum Order<'a, T: Clone, const N: usize> where T: Copy { Wait, Join([T; N], &'a str), Leave { whom: T } }
}

map_ids! { map_ids_with_mistakes:
    #[map_ids(colour)]
    union Either { a: u32, b: EntityId<Game> }
}

map_ids! { map_ids_of_nothing:
    enum Never {}
}

/// A test that compares the expansion of a type with a checksum.
macro_rules! checksum {
    ($name:ident: $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::checksum(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

checksum! { checksum:
    pub struct Aim { at: (f32, f32), #[checksum(skip)] length: f32 }
}

checksum! { checksum_of_parameters:
    #[checksum(crate = "renamed")]
    enum Order<T: Clone, const N: usize> where T: Copy { Wait, Join([T; N]), Leave { whom: T } }
}

checksum! { checksum_with_mistakes:
    #[checksum(colour)]
    union Either { a: u32, b: f32 }
}

checksum! { checksum_of_nothing:
    enum Never {}
}

/// A test that compares the expansion of a bundle.
macro_rules! bundle {
    ($name:ident: $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::bundle(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

bundle! { bundle:
    pub struct Hero { position: Position, pub health: Option<world::Health> }
}

bundle! { generic_bundle_in_parentheses:
    #[bundle(crate = "renamed")]
    struct Tagged<B: Clone>(Tag, B) where B: Send;
}

bundle! { bundle_of_many_fields:
    struct Many(A, B, C, D, E, F, G, H, I, J, K, L, M);
}

#[test]
fn a_bundle_of_twelve_fields_is_one_tuple() {
    let expansion = spine::bundle(quote! {
        struct Many(A, B, C, D, E, F, G, H, I, J, K, L);
    });
    let tuple = quote!((A, B, C, D, E, F, G, H, I, J, K, L,));
    assert!(expansion.to_string().contains(&tuple.to_string()));
}

bundle! { bundle_with_mistakes:
    #[bundle(colour)]
    enum Either { Here(Position), There }
}

/// A test that compares the expansion of query data.
macro_rules! query_data {
    ($name:ident: $($item:tt)*) => {
        #[test]
        fn $name() {
            let expansion = formatted(spine::query_data(quote!($($item)*)));
            compare(stringify!($name), &expansion, stringify!($($item)*));
        }
    };
}

query_data! { query_data:
    pub struct Mover<'a> {
        pub position: &'a mut Position,
        velocity: Option<&'a Velocity>,
        id: EntityId<Game>,
    }
}

query_data! { generic_query_data_in_parentheses:
    #[query_data(crate = "renamed")]
    struct Pair<'w, T: Component<Game>, const N: usize>(Mut<'w, T>, View<'w, Game, [T; N]>) where T: Send;
}

query_data! { query_data_of_many_fields:
    struct Many(A, B, C, D, E, F, G, H, I, J, K, L, M);
}

query_data! { query_data_with_mistakes:
    #[query_data(colour)]
    struct Pair<'a, 'b>(&'a Position, &'b Velocity);
}
