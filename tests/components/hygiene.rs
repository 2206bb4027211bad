//! The macros in surroundings that would break careless expansions (F41).

mod constants;
mod parameters;
mod renamed;

/// Shadows names of the prelude and of crates; has no prelude; enables every lint.
#[no_implicit_prelude]
#[deny(
    warnings,
    clippy::all,
    clippy::pedantic,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications
)]
#[forbid(unsafe_code)]
#[allow(dead_code, missing_docs)]
mod shadowed {
    mod alloc {}
    mod core {}
    mod ecs {}
    mod kinds;
    mod std {}

    use ::ecs::Context as _;

    pub(crate) struct Box;
    pub(crate) struct Clone;
    pub(crate) struct Default;
    pub(crate) struct FnMut;
    pub(crate) struct FnOnce;
    pub(crate) struct Into;
    pub(crate) struct None;
    pub(crate) struct Ok;
    pub(crate) struct Option;
    pub(crate) struct Result;
    pub(crate) struct Some;
    pub(crate) struct String;
    pub(crate) struct Vec;
    pub(crate) trait Debug {}
    pub(crate) trait From {}
    pub(crate) trait PartialEq {}
    pub(crate) trait Send {}
    pub(crate) trait Sync {}
    #[allow(non_camel_case_types)]
    pub(crate) struct bool;
    #[allow(non_camel_case_types)]
    pub(crate) struct i32;
    #[allow(non_camel_case_types)]
    pub(crate) struct str;
    #[allow(non_camel_case_types)]
    pub(crate) struct usize;

    #[::ecs::context]
    pub(crate) struct World;

    #[derive(::ecs::Component, ::core::fmt::Debug, ::core::clone::Clone)]
    #[component(context = World)]
    pub(crate) struct Named {
        #[component(into)]
        pub(crate) text: ::std::string::String,
        pub(crate) none: None,
    }

    impl ::core::fmt::Debug for None {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("None")
        }
    }

    impl ::core::clone::Clone for None {
        fn clone(&self) -> Self {
            Self
        }
    }

    #[derive(::ecs::Component, ::core::default::Default)]
    #[component(context = World, pooled)]
    pub(crate) struct Bag(pub(crate) ::std::vec::Vec<u8>);

    #[derive(::ecs::Component)]
    #[component(context = World)]
    #[component(event(any, set), event(self, removed, priority = 1))]
    pub(crate) enum Kind {
        One,
    }

    #[derive(::ecs::Component)]
    #[component(context = World)]
    pub(crate) struct Flag;

    #[derive(::ecs::Component)]
    #[component(context = World, extension)]
    pub(crate) struct Outside(pub(crate) u8);

    #[derive(::ecs::Component)]
    #[component(context = World, unique, cleanup(remove))]
    pub(crate) struct Only(#[component(into)] pub(crate) ::std::string::String);

    #[derive(::ecs::Component)]
    #[component(context = World, unique, cleanup(destroy))]
    pub(crate) struct Switch;

    #[derive(::ecs::Component)]
    #[component(context = World, unique, extension)]
    pub(crate) struct OnlyOutside(pub(crate) u8);

    #[derive(::ecs::Component)]
    #[component(context = World, requires(Flag, Bag, Kind = Kind::One))]
    pub(crate) struct Whole;

    #[test]
    fn required_components_work_without_prelude_among_other_names() {
        let mut world = World::new();
        let entity = world.create_with(Whole);
        ::std::assert!(entity.is_flag() && entity.has_bag() && entity.has_kind());
    }

    #[test]
    fn uniques_work_without_prelude_among_other_names() {
        let mut world = World::new();
        world.set_only("x").add_bag(::std::vec![1]);
        world.set_only_outside(3);
        world.set_switch(true);
        ::ecs::CleanupSystems::new(&mut world).run(&mut world);
        ::std::assert!(!world.has_only() && !world.is_switch());
        ::std::assert_eq!((world.only_outside().0, world.len()), (3, 2));
    }

    /// GEN-001, GEC-001.
    #[test]
    fn works_without_prelude_among_other_names() {
        let mut world = World::new();
        let mut entity = world.create_entity();
        entity
            .add_named("x", None)
            .add_kind(Kind::One)
            .set_flag(true)
            .add_bag_with(|b| b.0.push(1));
        entity.add_outside(3);
        ::std::assert!(entity.is_flag() && entity.outside().0 == 3);
        ::std::assert_eq!(entity.bag().0.len() + entity.named().text.len(), 2);
    }
}

/// Fields named like the arguments and locals of the accessors.
mod names_of_arguments {
    use ecs::prelude::*;

    #[ecs::context]
    struct World;

    #[derive(Component)]
    #[component(context = World)]
    struct Everything {
        value: u8,
        value0: u8,
        change: u8,
        fill: u8,
        on: u8,
        this: u8,
        r#type: u8,
        r#fn: u8,
    }

    #[derive(Component)]
    #[component(context = World, unique)]
    struct Alone {
        value: u8,
        change: u8,
        on: u8,
    }

    #[test]
    fn fields_of_uniques_can_be_named_like_arguments() {
        let mut world = World::new();
        world.set_alone(1, 2, 3);
        let alone = world.alone();
        assert_eq!((alone.value, alone.change, alone.on), (1, 2, 3));
    }

    #[test]
    fn fields_can_be_named_like_arguments() {
        let mut world = World::new();
        let mut entity = world.create_entity();
        entity.add_everything(1, 2, 3, 4, 5, 6, 7, 8);
        let e = entity.everything();
        let values = [
            e.value, e.value0, e.change, e.fill, e.on, e.this, e.r#type, e.r#fn,
        ];
        assert_eq!(values, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}

/// Keywords, raw identifiers and letters beyond ASCII.
mod odd_names {
    use ecs::prelude::*;

    #[ecs::context]
    struct r#World;

    #[derive(Component)]
    #[component(context = World)]
    struct Type(u8);

    #[derive(Component)]
    #[component(context = World)]
    struct Gen(u8);

    #[derive(Component)]
    #[component(context = World)]
    struct r#Match;

    #[derive(Component)]
    #[component(context = World, name = "r#loop")]
    struct Round(u8);

    #[derive(Component)]
    #[component(context = World)]
    struct Größe {
        höhe: u8,
    }

    #[derive(Component)]
    #[component(context = World)]
    struct 名前(u8);

    #[derive(Component)]
    #[component(context = World)]
    struct HTTPServer2(u8);

    #[allow(non_camel_case_types)]
    #[derive(Component)]
    #[component(context = World)]
    struct lower_case(u8);

    #[test]
    fn keywords_and_other_alphabets_make_accessors() {
        let mut world = World::new();
        let mut entity = world.create_entity();
        entity
            .add_type(1)
            .add_match()
            .add_größe(2)
            .add_名前(3)
            .add_http_server2(4);
        entity.add_lower_case(5).add_loop(6).add_gen(7);
        assert!(entity.is_match() && entity.has_loop() && entity.r#gen().0 == 7);
        assert_eq!(
            (entity.r#type().0, entity.größe().höhe, entity.名前().0),
            (1, 2, 3)
        );
        assert_eq!(
            (
                entity.r#loop().0,
                entity.lower_case().0,
                entity.http_server2().0
            ),
            (6, 5, 4)
        );
        assert_eq!(
            entity
                .try_add_loop(1)
                .unwrap_err()
                .component()
                .unwrap()
                .accessor,
            "loop"
        );
    }
}

/// Items made by other macros.
mod made_by_macros {
    use ecs::prelude::*;

    macro_rules! context {
        ($name:ident) => {
            #[ecs::context]
            pub(crate) struct $name;
        };
    }

    macro_rules! component {
        ($context:path, $visibility:vis $name:ident { $field:ident: $ty:ty }) => {
            #[derive(Component)]
            #[component(context = $context)]
            $visibility struct $name {
                $field: $ty,
                fixed: u8,
            }
        };
        ($context:ident, $name:ident($ty:ty) as $text:literal) => {
            #[derive(Component)]
            #[component(context($context), name = $text)]
            struct $name($ty, u8);
        };
    }

    context!(World);
    component!(self::World, pub(crate) Listed { value: Vec<u8> });
    component!(World, Paired(&'static str) as "pair");

    #[test]
    fn tokens_from_macro_rules_work() {
        let mut world = World::new();
        let mut entity = world.create_entity();
        entity.add_listed(vec![1], 2).add_pair("x", 3);
        assert_eq!((entity.listed().value.len(), entity.listed().fixed), (1, 2));
        assert_eq!((entity.pair().0, entity.pair().1), ("x", 3));
    }
}

/// User attributes on and in the items.
#[deny(warnings)]
mod attributes {
    use ecs::prelude::*;

    #[ecs::context]
    #[cfg(test)]
    #[doc = "Where everything is."]
    pub(super) struct World;

    #[ecs::context]
    #[cfg(not(test))]
    pub(super) struct Absent;

    #[ecs::context]
    #[cfg_attr(test, cfg(not(test)))]
    pub(super) struct Outside;

    #[ecs::context]
    #[cfg_attr(not(test), cfg(test))]
    #[cfg_attr(test, doc = "Here in tests.")]
    pub(super) struct Present;

    /// Conflicts with nothing: the context of this name is compiled out.
    pub(super) struct OutsideEntity;

    #[test]
    fn an_attribute_behind_a_condition_decides_whether_there_is_a_context() {
        let OutsideEntity = OutsideEntity;
        assert!(Present::new().create_entity().is_alive());
    }

    #[deprecated]
    #[derive(Component)]
    #[component(context = World)]
    pub(super) struct Old {
        #[deprecated]
        pub(super) field: u8,
        #[cfg(not(test))]
        pub(super) absent: Nothing,
        #[cfg(test)]
        pub(super) present: u8,
    }

    #[allow(deprecated)]
    impl Old {
        fn total(&self) -> u8 {
            self.field + self.present
        }
    }

    #[test]
    fn configured_and_deprecated_items_work() {
        let mut world = World::new();
        assert_eq!(world.create_entity().add_old(1, 2).old().total(), 3);
    }
}

/// Keys and components named like the parameters of methods.
mod called_like_parameters {
    use ecs::prelude::*;

    /// Has the name of a generic parameter.
    #[ecs::context]
    pub(crate) struct Q;

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub(crate) struct T(pub(crate) u8);

    #[derive(Clone, Component)]
    #[component(context = self::Q)]
    pub(crate) struct B(#[component(primary_index)] pub(crate) T);

    pub(crate) mod inner {
        use super::T;

        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub(crate) struct Q(pub(crate) u8);

        #[derive(ecs::Component)]
        #[component(context = super::Q)]
        pub(crate) struct Q0(
            #[component(index)] pub(crate) Q,
            #[component(index(each))] pub(crate) Vec<T>,
        );
    }

    #[test]
    fn keys_can_be_named_like_parameters() {
        let mut world = Q::new();
        let id = world.create_with(B(T(1))).id();
        world.entity_mut(id).add(inner::Q0(inner::Q(2), vec![T(3)]));
        assert_eq!(world.entity_with_b(&T(1)).unwrap().id(), id);
        assert_eq!(world.entities_with_q0_value0(&inner::Q(2)).ids(), [id]);
        assert_eq!(world.entities_with_q0_value1(&T(3)).ids(), [id]);
    }
}

/// Items that are private to a function.
#[test]
fn contexts_and_components_can_be_local() {
    use ecs::prelude::*;

    #[ecs::context]
    struct World;

    #[derive(Component)]
    #[component(context = World)]
    struct Local(u8);

    let mut world = World::new();
    assert_eq!(world.create_entity().add_local(3).local().0, 3);
}
