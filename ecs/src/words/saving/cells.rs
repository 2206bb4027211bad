//! The fields of a component as cells, of which a delta has those that changed.
//!
//! ```text
//! field with a step       a number per float: the multiple of the step that is nearest to it
//! field without a step    its bytes
//! ```
//!
//! A number beyond 2^51 steps, an infinity or a NaN has no such multiple. Its cell has the bits of the
//! float, which no multiple has.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::formats::packed::{Message, Packer};

/// The maximum number of cells of a component: one bit each.
pub(crate) const MOST: usize = 64;

/// The highest multiple of a step. The bits of an infinity, of a NaN, and of a float that is further
/// from zero, are further from zero than that.
const FARTHEST: i64 = 1 << 51;

/// The bits that stand for every NaN.
const NAN: u64 = 0x7ff8 << 48;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Number(i64),
    Bytes(Arc<[u8]>),
}

/// How a field is divided into cells.
pub struct FieldCells {
    /// 0 if it is sent as it is.
    step: f64,
    /// The number of cells.
    count: usize,
    /// Whether numbers are `f64`.
    wide: bool,
}

/// A field type that can have a step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a step: it does not consist of floating-point numbers",
    label = "not `f32`, `f64`, or an array of them",
    note = "to send other fields when they change, write `#[component(delta)]` above the component, and \
            `#[component(delta(step = ..))]` above the fields that are numbers"
)]
pub trait Quantized {
    /// The number of floats.
    const COUNT: usize;
    /// Whether they are `f64`.
    const WIDE: bool;
    /// Calls the function with each of them.
    fn each(&self, each: &mut dyn FnMut(f64));
}

impl Quantized for f32 {
    const COUNT: usize = 1;
    const WIDE: bool = false;

    fn each(&self, each: &mut dyn FnMut(f64)) {
        each((*self).into());
    }
}

impl Quantized for f64 {
    const COUNT: usize = 1;
    const WIDE: bool = true;

    fn each(&self, each: &mut dyn FnMut(f64)) {
        each(*self);
    }
}

impl<T: Quantized, const N: usize> Quantized for [T; N] {
    const COUNT: usize = T::COUNT * N;
    const WIDE: bool = T::WIDE;

    fn each(&self, each: &mut dyn FnMut(f64)) {
        self.iter().for_each(|item| item.each(&mut *each));
    }
}

impl FieldCells {
    /// A field without a step.
    pub const PLAIN: Self = Self {
        step: 0.0,
        count: 1,
        wide: false,
    };

    /// A field with a step.
    pub const fn stepped<T: Quantized>(step: f64) -> Self {
        Self {
            step,
            count: T::COUNT,
            wide: T::WIDE,
        }
    }

    /// Whether its cells are numbers.
    pub(crate) fn has_numbers(&self) -> bool {
        self.step > 0.0
    }
}

/// How values of a component are divided into cells.
pub struct Cells<T: 'static> {
    pub(crate) layout: &'static [FieldCells],
    /// The fields with their steps, for messages.
    pub(crate) text: &'static str,
    pub(crate) write: fn(&T, &mut CellWriter),
}

impl<T> Cells<T> {
    /// Divides values by these fields.
    pub const fn new(
        text: &'static str,
        layout: &'static [FieldCells],
        write: fn(&T, &mut CellWriter),
    ) -> Self {
        let (mut at, mut count) = (0, 0);
        while at < layout.len() {
            count += layout[at].count;
            at += 1;
        }
        assert!(
            count <= MOST,
            "a component with `delta` has at most 64 fields and numbers in them: divide it"
        );
        Self {
            layout,
            text,
            write,
        }
    }
}

/// Divides a value into cells.
#[derive(Default)]
pub struct CellWriter {
    cells: Vec<Cell>,
    failed: bool,
}

impl CellWriter {
    /// Appends a field with a step.
    pub fn stepped<T: Quantized>(&mut self, value: &T, step: f64) {
        value.each(&mut |number| self.cells.push(Cell::Number(multiple_of(number, step))));
    }

    /// Appends a field without one.
    pub fn plain<T: Serialize + ?Sized>(&mut self, value: &T) {
        let mut to = Packer::default();
        self.failed |= value.serialize(&mut to).is_err();
        self.cells.push(Cell::Bytes(to.into_bytes().into()));
    }

    /// A writer that uses the memory of a list.
    pub(crate) fn over(mut cells: Vec<Cell>) -> Self {
        cells.clear();
        let failed = false;
        Self { cells, failed }
    }

    /// The cells, and whether all fields could be written.
    pub(crate) fn finish(self) -> (Vec<Cell>, bool) {
        (self.cells, !self.failed)
    }
}

/// The multiple of a step that is nearest to a number, or its bits.
fn multiple_of(number: f64, step: f64) -> i64 {
    let steps = number / step;
    match steps.abs() <= FARTHEST as f64 {
        true => (steps + 0.5_f64.copysign(steps)) as i64,
        false if number.is_nan() => NAN as i64,
        false => number.to_bits() as i64,
    }
}

/// The number of a cell.
fn number_of(cell: i64, step: f64) -> f64 {
    match cell.unsigned_abs() <= FARTHEST.unsigned_abs() {
        true => cell as f64 * step,
        false => f64::from_bits(cell as u64),
    }
}

/// Writes the value of cells, as its type does.
pub(crate) fn write_value(
    cells: &[Cell],
    layout: &[FieldCells],
    to: &mut Packer,
) -> Result<(), Message> {
    let mut cells = cells.iter();
    for field in layout {
        for cell in cells.by_ref().take(field.count) {
            match cell {
                Cell::Bytes(bytes) => to.raw(bytes),
                Cell::Number(number) => {
                    let number = number_of(*number, field.step);
                    match field.wide {
                        true => number.serialize(&mut *to)?,
                        false => (number as f32).serialize(&mut *to)?,
                    }
                }
            }
        }
    }
    Ok(())
}

/// For each cell of a layout, whether it is a number.
pub(crate) fn kinds(layout: &[FieldCells]) -> impl Iterator<Item = bool> + '_ {
    let fields = layout.iter();
    fields.flat_map(|field| (0..field.count).map(|_| field.has_numbers()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(number: f64, step: f64) -> f64 {
        number_of(multiple_of(number, step), step)
    }

    #[test]
    fn numbers_are_at_most_half_a_step_off() {
        for (number, step) in [
            (0.0, 0.01),
            (1.234_567, 0.01),
            (-1.005, 0.01),
            (1e9, 0.5),
            (-123.456, 10.0),
            (f64::MIN_POSITIVE, 1.0),
        ] {
            let off = (sent(number, step) - number).abs();
            assert!(off <= step * 0.500_001, "{number} by {step}: {off}");
        }
    }

    #[test]
    fn what_has_no_multiple_is_exact() {
        for number in [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e20] {
            assert_eq!(sent(number, 0.01), number);
            assert_eq!(sent(-number, 0.01), -number);
        }
        assert!(sent(f64::NAN, 0.01).is_nan() && sent(-f64::NAN, 0.01).is_nan());
    }

    #[test]
    fn a_sent_number_has_the_same_multiple() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = f32::from_bits((state >> 32) as u32);
            let step = [0.01, 0.1, 1.0 / 3.0, 0.125, 7.0][(state >> 16) as usize % 5];
            let multiple = multiple_of(number.into(), step);
            let again = f64::from(number_of(multiple, step) as f32);
            assert_eq!(multiple_of(again, step), multiple, "{number:e} by {step}");
        }
    }
}
