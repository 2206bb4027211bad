//! Plays a script: runs its operations in a new world, with observers that write events to the log.

use ecs::prelude::*;

use super::index::Index;
use super::kind::{Kind, Value};
use super::log::Log;
use super::script::{EntityChange, Events, Letters, Line, Op, Question};
use super::world::{self, World, WorldEntity, WorldEntityMut};

/// Plays a script and returns its log.
pub(crate) fn play(script: &[Line]) -> String {
    let mut player = Player::new();
    for line in script {
        player.line(line);
    }
    player.log.text()
}

struct Player {
    world: World,
    log: Log,
    // In order of creation, as operations number them.
    groups: Vec<Group<World>>,
    collectors: Vec<Collector<World>>,
    indexes: Vec<Index>,
}

/// The answer to an operation, if it is a question.
type Answer = Option<Vec<String>>;

/// Why an operation was rejected, in the words of the log.
struct Rejected(&'static str);

const NOT_ALIVE: Rejected = Rejected("not_alive");

impl From<Error> for Rejected {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::NotAlive => NOT_ALIVE,
            ErrorKind::AlreadyHasComponent => Self("already_has"),
            ErrorKind::DoesNotHaveComponent => Self("does_not_have"),
            // Scripts cannot cause any other error.
            _ => Self("unexpected"),
        }
    }
}

impl Player {
    fn new() -> Self {
        let (mut world, log) = (World::new(), Log::default());
        observe_entities(&mut world, &log);
        Self {
            world,
            log,
            groups: Vec::new(),
            collectors: Vec::new(),
            indexes: Vec::new(),
        }
    }

    /// Echoes a line, runs it (observers log the events), and writes the answer.
    fn line(&mut self, line: &Line) {
        self.log.line(format_args!("> {}", line.text));
        match self.run(&line.op) {
            Ok(None) => {}
            Ok(Some(words)) => {
                let words = words.iter().map(|word| format!(" {word}"));
                self.log
                    .line(format_args!("={}", words.collect::<String>()));
            }
            Err(Rejected(why)) => self.log.line(format_args!("error {why}")),
        }
    }

    fn run(&mut self, op: &Op) -> Result<Answer, Rejected> {
        match op {
            Op::Group(name, letters) => self.add_group(name, letters),
            Op::Collector(sources) => self.add_collector(sources),
            Op::Index(kind) => self.indexes.push(Index::new(&mut self.world, *kind)),
            Op::Create => {
                self.world.create_entity();
            }
            Op::Change(entity, change) => apply(self.entity_mut(*entity)?, *change)?,
            Op::Deactivate(collector) => self.collectors[*collector].deactivate(&mut self.world),
            Op::Activate(collector) => self.collectors[*collector].activate(&mut self.world),
            Op::Ask(question) => return self.answer(question).map(Some),
        }
        Ok(None)
    }

    fn add_group(&mut self, name: &str, letters: &Letters) {
        let group = self.world.group(world::matcher(letters));
        observe_group(&mut self.world, group, name, &self.log);
        self.groups.push(group);
    }

    fn add_collector(&mut self, sources: &[(usize, Events)]) {
        let triggers = sources.iter().map(|&(group, events)| {
            let matcher = self.groups[group].matcher(&self.world);
            match events {
                Events::Added => matcher.entered_or_updated(),
                Events::Removed => matcher.left_or_updated(),
                Events::AddedOrRemoved => matcher.any_change(),
            }
        });
        let trigger = triggers.reduce(Trigger::or);
        let trigger = trigger.expect("a collector has at least one group");
        self.collectors.push(self.world.collector(trigger));
    }

    fn entity_mut(&mut self, entity: usize) -> Result<WorldEntityMut<'_>, Rejected> {
        let id = self.log.entity(entity);
        self.world.get_entity_mut(id).ok_or(NOT_ALIVE)
    }

    fn answer(&mut self, question: &Question) -> Result<Vec<String>, Rejected> {
        Ok(match *question {
            Question::Drain(collector) => {
                let ids = self.collectors[collector].drain(&mut self.world);
                ids.into_iter().map(|id| self.name(id)).collect()
            }
            Question::List(group) => self.sorted(self.groups[group].ids(&self.world)),
            Question::Lookup(index, key) => {
                self.sorted(self.indexes[index].lookup(&self.world, key))
            }
            Question::Show(entity) => {
                let id = self.log.entity(entity);
                shown(self.world.get_entity(id).ok_or(NOT_ALIVE)?)
            }
            Question::Count => vec![self.world.len().to_string()],
        })
    }

    /// Returns the name of an entity, with a mark if it is destroyed.
    fn name(&self, id: EntityId<World>) -> String {
        let mark = if self.world.contains(id) { "" } else { "!" };
        format!("e{}{mark}", self.log.number(id))
    }

    /// Returns the names of entities, sorted by number.
    fn sorted(&self, mut ids: Vec<EntityId<World>>) -> Vec<String> {
        ids.sort_by_key(|&id| self.log.number(id));
        ids.into_iter().map(|id| self.name(id)).collect()
    }
}

fn apply(mut entity: WorldEntityMut<'_>, change: EntityChange) -> Result<(), Error> {
    match change {
        EntityChange::Add(value) => world::add(&mut entity, value)?,
        EntityChange::Replace(value) => world::replace(&mut entity, value),
        EntityChange::Touch(kind) => world::touch(&mut entity, kind)?,
        EntityChange::Remove(kind) => world::remove(&mut entity, kind)?,
        EntityChange::RemoveAll => {
            entity.remove_all();
        }
        EntityChange::Destroy => entity.try_destroy()?,
    }
    Ok(())
}

/// Returns the components of an entity in ascending order.
fn shown(entity: WorldEntity<'_>) -> Vec<String> {
    let values = Kind::ALL
        .into_iter()
        .filter_map(|kind| world::get(entity, kind));
    values.map(Value::shown).collect()
}

/// Numbers every new entity, and logs when entities are created and destroyed.
fn observe_entities(world: &mut World, log: &Log) {
    let created = log.clone();
    world.observers().on_created(move |_, id| {
        created.enter(id);
        created.line(format_args!("created e{}", created.number(id)));
    });
    let doomed = log.clone();
    world.observers().on_will_be_destroyed(move |_, id| {
        doomed.line(format_args!("will_be_destroyed e{}", doomed.number(id)));
    });
    let destroyed = log.clone();
    world.observers().on_destroyed(move |_, id| {
        destroyed.line(format_args!("destroyed e{}", destroyed.number(id)));
    });
}

/// Logs all events of a group.
fn observe_group(world: &mut World, group: Group<World>, name: &str, log: &Log) {
    let observer = || {
        let (name, log) = (name.to_owned(), log.clone());
        move |world: &mut World, change: &Change<'_, World>| {
            log.line(format_args!("{name} {}", notified(world, change, &log)));
        }
    };
    group.on_entered(world, observer());
    group.on_left(world, observer());
    group.on_updated(world, observer());
}

/// Formats an event of a group: `entered e0 A 5`, `updated e0 A 5 6`.
fn notified(world: &World, change: &Change<'_, World>, log: &Log) -> String {
    let id = change.entity();
    let event = match change.event() {
        GroupEvent::Entered => "entered",
        GroupEvent::Left => "left",
        GroupEvent::Updated => "updated",
    };
    let notified = format!("{event} e{}", log.number(id));
    // An entity that is created or destroyed without components has no changed component.
    let Some(kind) = world::changed_kind(change) else {
        return notified;
    };
    let previous = world::previous(change, kind);
    let present = world
        .get_entity(id)
        .and_then(|entity| world::get(entity, kind));
    let values = match change.event() {
        GroupEvent::Updated => vec![previous, present],
        // The removed value, or else the added one.
        _ => vec![previous.or(present)],
    };
    let values = values.into_iter().map(|value| match value {
        Some(value) => format!(" {}", value.content()),
        None => " ?".into(),
    });
    format!("{notified} {kind}{}", values.collect::<String>())
}
