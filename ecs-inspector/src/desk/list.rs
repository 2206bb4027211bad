//! A window of a list of entities: those of a matcher, found through the columns 64 at a time, or the
//! results of a search.

use ecs::{ComponentIndex, Context, Entity, EntityId, Group, Matcher, SharedContext};

use super::contexts::{Action, Kept};
use super::names::Names;
use super::search::{Search, SearchRequest};
use super::show::{self, Budget, Limit};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{Row, Rows, Values};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{List, MOST_ROWS};

/// Answers `entities`; `search` has the progress of its search.
pub(crate) struct AnswerList<'a> {
    pub(crate) list: &'a List,
    pub(crate) search: &'a mut Search,
}

impl Action for AnswerList<'_> {
    /// The answer, and whether it is complete.
    type Output = Result<(Json, bool), Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let (list, names) = (self.list, &kept.names);
        let matcher = matcher(context, list, names)?;
        let columns = names.find_all(&list.columns)?;
        let request = SearchRequest::new(&*context, list, names)?;
        let window = Window {
            from: list.from,
            count: list.count.min(MOST_ROWS),
        };
        let (total, cut, complete, ids) = match request {
            None => {
                let (total, ids) = window.of_matcher(context, &matcher);
                (total, 0, true, ids)
            }
            Some(request) => {
                self.search.go_on(context, &matcher, &request);
                let (found, complete) = self.search.found();
                let ids = window.of_found(&found.ids);
                (found.ids.len(), found.cut, complete, ids)
            }
        };
        let mut budget = Budget::new();
        let lines = ids
            .into_iter()
            .filter_map(|id| row(context, names, id, &columns, &mut budget));
        let rows = Rows {
            total,
            complete,
            from: list.from,
            cut,
            rows: lines.collect(),
        };
        Ok((to_json(&rows)?, complete))
    }
}

/// Returns the filters of a list as one matcher.
pub(crate) fn matcher<C: Context + SharedContext>(
    context: &C,
    list: &List,
    names: &Names<C>,
) -> Result<Matcher<C>, Failure> {
    let matcher = names.matcher([&list.all, &list.any, &list.none])?;
    let Some(number) = list.group else {
        return Ok(matcher);
    };
    let group = Group::all(context).into_iter().nth(number);
    let group =
        group.ok_or_else(|| Code::UnknownGroup.because(format!("there is no group {number}")))?;
    let of_group = group.matcher(context);
    let any = of_group.any().iter();
    let matcher = any.fold(matcher, |matcher, any| matcher.any_of_indices(any.iter()));
    let matcher = matcher.all_of_indices(of_group.all().iter());
    Ok(matcher.none_of_indices(of_group.none().iter()))
}

struct Window {
    from: usize,
    count: usize,
}

impl Window {
    /// Returns the number of matches, and the entities in the window.
    fn of_matcher<C: Context + SharedContext>(
        &self,
        context: &C,
        matcher: &Matcher<C>,
    ) -> (usize, Vec<EntityId<C>>) {
        let total = match *matcher == Matcher::default() {
            true => context.len(),
            false => matcher.ids(context).count(),
        };
        let ids = matcher.ids(context).skip(self.from).take(self.count);
        (total, ids.collect())
    }

    /// Returns the entities in the window of search results.
    fn of_found<C: Context + SharedContext>(&self, found: &[u64]) -> Vec<EntityId<C>> {
        let found = found.iter().skip(self.from).take(self.count);
        found
            .filter_map(|bits| EntityId::from_bits(*bits))
            .collect()
    }
}

/// Returns the label of an entity, if it has one.
pub(crate) fn label<C: Context + SharedContext>(context: &C, id: EntityId<C>) -> Option<String> {
    context.name_of(id).label().map(str::to_owned)
}

/// Returns the row of an entity, if it is alive.
pub(crate) fn row<'n, C: Context + SharedContext>(
    context: &C,
    names: &'n Names<C>,
    id: EntityId<C>,
    columns: &[ComponentIndex<C>],
    budget: &mut Budget,
) -> Option<Row<'n>> {
    let entity = Entity::find(context, id)?;
    let values = columns.iter().filter_map(|&column| {
        let value = show::component(context, entity.dynamic(), column, Limit::SHORT, budget)?;
        Some((names.of(column), value))
    });
    Some(Row {
        entity: id.to_string(),
        label: label(context, id),
        has: show::indices(context, entity)
            .into_iter()
            .map(ComponentIndex::get)
            .collect(),
        values: Values(values.collect()),
    })
}
