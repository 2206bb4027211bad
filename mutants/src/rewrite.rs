//! Inserts mutants into the text of a file, each behind its switch.

use std::ops::Range;

/// The placeholder in an [`Edit`] for the test whether the mutant is active.
pub const SWITCH: &str = "MUTANT";

/// A text that replaces another one, which is usually empty.
#[derive(Clone)]
pub struct Edit {
    pub place: Range<usize>,
    pub text: String,
    /// Whether it closes what an earlier edit has opened.
    pub closes: bool,
}

/// A text with mutants, and the place of each.
pub struct Rewritten {
    pub text: String,
    pub places: Vec<(u32, Range<usize>)>,
}

/// Applies the edits of mutants, which are listed outer before inner, to a text.
pub fn rewrite(text: &str, mutants: &[(u32, &[Edit])]) -> Rewritten {
    let mut edits: Vec<_> = (0_isize..)
        .zip(mutants)
        .flat_map(|(nth, (id, edits))| edits.iter().map(move |edit| (nth, *id, edit)))
        .collect();
    // At the same place, closing edits come before opening ones, and inner closing ones before outer.
    edits.sort_by_key(|(nth, _, edit)| {
        (
            edit.place.start,
            !edit.closes,
            if edit.closes { -nth } else { *nth },
        )
    });
    let mut rewritten = Rewritten {
        text: String::new(),
        places: Vec::new(),
    };
    let mut from = 0;
    for (_, id, edit) in edits {
        rewritten.text += &text[from..edit.place.start];
        from = edit.place.end;
        let start = rewritten.text.len();
        let switch = format!("crate::mutants::is({id})");
        rewritten.text += &edit.text.replace(SWITCH, &switch);
        rewritten.places.push((id, start..rewritten.text.len()));
    }
    rewritten.text += &text[from..];
    rewritten.places = whole(rewritten.places);
    rewritten
}

/// Returns one place for each mutant, from its first edit to its last.
fn whole(mut places: Vec<(u32, Range<usize>)>) -> Vec<(u32, Range<usize>)> {
    places.sort_by_key(|(id, place)| (*id, place.start));
    places.dedup_by(|next, whole| {
        let same = next.0 == whole.0;
        if same {
            whole.1.end = next.1.end;
        }
        same
    });
    places
}
