//! The contents of contexts, their counts, and their memory.

use ecs::stats::Buffered;
use ecs::{ComponentInfo, Context, Group, SharedContext};

use super::contexts::{Action, EachAction, Kept};
use super::names::Names;
use crate::desk::{Json, to_json};
use crate::protocol::answers::{
    Component, ComponentBytes, ContextInfo, Count, Counts, FieldHint, GroupName, Hint, Memory,
    OtherBytes, Scattered,
};
use crate::protocol::failure::Failure;

/// The contents of each context, for `world`.
#[derive(Default)]
pub(crate) struct Infos {
    pub(crate) shown: Vec<ContextInfo>,
    pub(crate) local: Vec<&'static str>,
}

impl EachAction for Infos {
    fn run<C: Context + SharedContext>(&mut self, context: &mut C, kept: &mut Kept<C>) {
        let context = &*context;
        let groups = Group::all(context).into_iter().enumerate();
        let components = context.components().iter();
        let components = components.filter(|info| !info.is_term());
        self.shown.push(ContextInfo {
            name: C::NAME,
            components: components
                .map(|info| component(context, info, &kept.names))
                .collect(),
            groups: groups
                .map(|(id, group)| GroupName {
                    id,
                    name: format!("{:?}", group.matcher(context)),
                })
                .collect(),
            templates: kept
                .templates
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
        });
    }

    fn omit(&mut self, name: &'static str) {
        self.local.push(name);
    }
}

fn component<C: Context + SharedContext>(
    context: &C,
    info: &ComponentInfo<C>,
    names: &Names<C>,
) -> Component {
    Component {
        name: names.of(info.index()).to_owned(),
        accessor: info.accessor(),
        type_name: info.type_name(),
        size: info.size(),
        flag: info.is_flag(),
        unique: info.is_unique(),
        state: info.is_state(),
        label: info.is_label(),
        clone: info.is_clone(),
        editable: context.components().can_be_written(info.index()),
        relation: info.is_relation(),
        hidden: info.is_hidden(),
        hints: info.hints().iter().filter_map(hint).collect(),
    }
}

fn hint(hinted: &ecs::FieldHint) -> Option<FieldHint> {
    let hint = match hinted.hint {
        ecs::Hint::Hidden => Hint::Hidden,
        ecs::Hint::Range { from, to } => Hint::Range { from, to },
        ecs::Hint::Color => Hint::Color,
        _ => return None,
    };
    let path = hinted.path;
    Some(FieldHint { path, hint })
}

/// Answers `counts`.
pub(crate) struct AnswerCounts;

impl Action for AnswerCounts {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, _: &mut Kept<C>) -> Self::Output {
        let context = &*context;
        let groups = Group::all(context).into_iter().enumerate();
        let storage = || context.storage();
        to_json(&Counts {
            entities: context.len(),
            groups: groups
                .map(|(id, group)| Count {
                    id,
                    name: format!("{:?}", group.matcher(context)),
                    count: group.len(context),
                })
                .collect(),
            collectors: counts(storage().collectors()),
            inboxes: counts(storage().inboxes()),
            indexes: counts(storage().indexes()),
        })
    }
}

fn counts(collected: Vec<Buffered>) -> Vec<Count> {
    let counts = collected.into_iter().map(|collected| Count {
        id: collected.number,
        name: collected.name,
        count: collected.count,
    });
    counts.collect()
}

/// Answers `memory`.
pub(crate) struct AnswerMemory;

impl Action for AnswerMemory {
    type Output = Result<Json, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let memory = context.storage().memory();
        let infos = context.components();
        let components = memory.components().iter().zip(infos.iter());
        let components = components.map(|(bytes, info)| ComponentBytes {
            name: kept.names.of(info.index()),
            values: bytes.values,
            size: info.size(),
            blocks: bytes.blocks,
            used: bytes.used(),
            held: bytes.bytes,
        });
        to_json(&Memory {
            components: components.collect(),
            other: OtherBytes {
                entities: memory.entities,
                groups: memory.groups,
                signatures: memory.graph,
                collectors: memory.collectors,
                indexes: memory.indexes,
                history: memory.history,
                observers: memory.observers,
                other: memory.other,
            },
            total: memory.total(),
            fragmentation: scattered(&*context),
        })
    }
}

fn scattered<C: Context + SharedContext>(context: &C) -> Scattered {
    let fragmentation = context.storage().fragmentation();
    Scattered {
        entities: fragmentation.entities,
        scattered: fragmentation.scattered,
        blocks: fragmentation.blocks,
        blocks_needed: fragmentation.blocks_needed,
        breaks: fragmentation.breaks,
        ratio: fragmentation.ratio(),
    }
}
