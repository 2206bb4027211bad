//! Entities as points of a picture. A few are read in each frame.
//!
//! A pass reads the points of all entities that match, or of every nth one if there are too many. Then
//! the answer is sent, and the next pass begins. Values too large for a point are skipped.

use std::time::{Duration, Instant};

use ecs::{ComponentIndex, Context, Entity, EntityId, Matcher, SharedContext};
use serde_json::Value;

use super::contexts::{Action, Kept};
use super::list::matcher;
use super::names::Names;
use super::show::{self, Limit};
use crate::desk::{Json, to_json};
use crate::protocol::answers::{Points, Shown};
use crate::protocol::failure::{Code, Failure};
use crate::protocol::params::{AskPoints, MOST_POINTS};

/// The time for reading in one frame. Builds without optimization take ten times as long for a point.
const BUDGET: Duration = Duration::from_micros(if cfg!(debug_assertions) { 1_500 } else { 150 });
/// The number of entities between two looks at the clock.
const STRIDE: usize = 8;
/// The maximum length of a text that specifies a color.
const LONGEST: usize = 40;

/// An entity, its position, and the value that determines its color.
type Point = (String, f32, f32, Value);

/// The progress of reading.
#[derive(Default)]
pub(crate) struct Scan {
    /// The number of entities visited so far.
    passed: usize,
    /// One of this many entities is read.
    step: usize,
    total: usize,
    points: Vec<Point>,
}

/// Answers `points` when a pass is complete.
pub(crate) struct AnswerPoints<'a> {
    pub(crate) asked: &'a AskPoints,
    pub(crate) scan: &'a mut Scan,
}

impl Action for AnswerPoints<'_> {
    type Output = Result<Option<Json>, Failure>;

    fn run<C: Context + SharedContext>(self, context: &mut C, kept: &mut Kept<C>) -> Self::Output {
        let (context, asked, scan) = (&*context, self.asked, self.scan);
        let [x, y] = [&asked.x, &asked.y].map(|place| PointPart::find(&kept.names, place));
        let color = asked.color.as_deref();
        let color = color
            .map(|color| PointPart::find(&kept.names, color))
            .transpose()?;
        let request = PointRequest {
            x: x?,
            y: y?,
            color,
        };
        let matcher = matcher(context, &asked.filter(), &kept.names)?;
        let matcher = matcher.all_of_indices([request.x.component, request.y.component]);
        if !scan.go_on(
            context,
            &matcher,
            &request,
            asked.count.clamp(1, MOST_POINTS),
        ) {
            return Ok(None);
        }
        let Scan { total, points, .. } = std::mem::take(scan);
        to_json(&Points { total, points }).map(Some)
    }
}

/// A part of a component.
struct PointPart<'a, C> {
    component: ComponentIndex<C>,
    /// A JSON pointer.
    path: &'a str,
}

impl<'a, C: Context + SharedContext> PointPart<'a, C> {
    /// Parses a part such as `Position/x`.
    fn find(names: &Names<C>, text: &'a str) -> Result<Self, Failure> {
        if text.is_empty() {
            let message = "`x` and `y` are components with fields, as in `Position/x`";
            return Err(Code::BadRequest.because(message));
        }
        let (name, path) = text.split_at(text.find('/').unwrap_or(text.len()));
        let component = names.find(name)?;
        Ok(Self { component, path })
    }

    /// Returns this part of an entity's component, if it has one.
    fn read(&self, context: &C, entity: Entity<'_, C>) -> Option<Value> {
        let value = entity.dynamic().get(self.component)?;
        match show::value(context, self.component, value, Limit::POINT)? {
            Shown::Json { json } => {
                let whole: Value = serde_json::from_str(json.get()).ok()?;
                whole.pointer(self.path).cloned()
            }
            Shown::Text { text, .. } => Some(Value::String(text)),
        }
    }
}

/// The parts of components that make a point.
struct PointRequest<'a, C> {
    x: PointPart<'a, C>,
    y: PointPart<'a, C>,
    color: Option<PointPart<'a, C>>,
}

impl<C: Context + SharedContext> PointRequest<'_, C> {
    fn point(&self, context: &C, id: EntityId<C>) -> Option<Point> {
        let entity = Entity::find(context, id)?;
        let number = |place: &PointPart<'_, C>| place.read(context, entity)?.as_f64();
        let (x, y) = (number(&self.x)?, number(&self.y)?);
        let color = self.color.as_ref();
        let color = color.and_then(|color| color.read(context, entity));
        let color = color.map_or(Value::Null, shortened);
        Some((id.to_string(), x as f32, y as f32, color))
    }
}

/// Shortens a value for a color: a variant to its name, a long text to its beginning.
fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.chars().take(LONGEST).collect()),
        Value::Object(fields) if fields.len() == 1 => fields
            .into_iter()
            .next()
            .map_or(Value::Null, |(key, _)| Value::String(key)),
        value => value,
    }
}

impl Scan {
    /// Reads for a while; returns whether the pass is complete.
    fn go_on<C: Context + SharedContext>(
        &mut self,
        context: &C,
        matcher: &Matcher<C>,
        request: &PointRequest<'_, C>,
        most: usize,
    ) -> bool {
        if self.passed == 0 {
            self.total = matcher.ids(context).count();
            self.step = self.total.div_ceil(most).max(1);
        }
        let (end, step) = (Instant::now() + BUDGET, self.step);
        let ids = matcher.ids(context).skip(self.passed).step_by(step);
        for (nth, id) in ids.enumerate() {
            if nth % STRIDE == STRIDE - 1 && Instant::now() >= end {
                return false;
            }
            self.points.extend(request.point(context, id));
            self.passed += step;
        }
        true
    }
}
