//! Components written by hand, without a link-time registration: they are numbered on first use,
//! after contexts and marks were created. Each is used by one test only.

/// Makes a `Clone` type a component of a context, with further attributes.
macro_rules! by_hand {
    ($name:ident of $context:ident $(, $also:item)*) => {
        impl ecs::Components<$context> for $name {
            fn visit(each: &mut dyn FnMut(ecs::ComponentIndex<$context>)) {
                each(ecs::__private::index_of::<$context, Self>());
            }
        }

        impl ecs::Component<$context> for $name {
            const NAMES: &'static ecs::ComponentNames = &ecs::ComponentNames {
                context: stringify!($context),
                component: stringify!($name),
                accessor: "late",
            };
            const CLONE: Option<fn(&Self) -> Self> = Some(Self::clone);
            $($also)*

            fn cell() -> &'static ecs::__private::IndexCell<$context, Self> {
                static CELL: ecs::__private::IndexCell<$context, $name> =
                    ecs::__private::IndexCell::new();
                &CELL
            }
        }
    };
}

/// Makes a `Clone` type that holds one `u8` a component of a context with an index of that.
macro_rules! indexed_by_hand {
    ($name:ident of $context:ident $(, $also:item)*) => {
        by_hand!(
            $name of $context,
            const INDEXES: &'static [ecs::__private::FieldIndex<Self>] =
                &[ecs::__private::field_index::<$context, Self, 0>()];
            $(, $also)*
        );

        impl ecs::__private::Indexed<0> for $name {
            type Key = u8;
            const PRIMARY: bool = false;
            const NAME: &'static str = "value";
            const LOOKUP: &'static str = "entities_with_late";
            const DEBUG: Option<fn(&u8, &mut core::fmt::Formatter<'_>) -> core::fmt::Result> = None;

            fn keys(&self, each: &mut dyn FnMut(&u8)) {
                each(&self.0);
            }
        }
    };
}
