//! The names that a script has defined so far, and their numbers: the groups, collectors, indexes and
//! entities are each numbered in order of creation.

/// The names of the groups, collectors or indexes of a script.
pub(crate) struct Names {
    sort: &'static str,
    example: &'static str,
    names: Vec<String>,
}

impl Names {
    /// Creates an empty list. `sort` and `example` are for error messages: what the names are of, and
    /// how one is defined.
    pub(crate) fn new(sort: &'static str, example: &'static str) -> Self {
        Self {
            sort,
            example,
            names: Vec::new(),
        }
    }

    /// Adds a new name with the next number.
    pub(crate) fn add(&mut self, name: &str) -> Result<(), String> {
        if self.names.iter().any(|known| known == name) {
            return Err(format!(
                "there is a {} `{name}` already; take another name",
                self.sort
            ));
        }
        self.names.push(name.into());
        Ok(())
    }

    /// Returns the number of a name.
    pub(crate) fn number(&self, name: &str) -> Result<usize, String> {
        let place = self.names.iter().position(|known| known == name);
        place.ok_or_else(|| {
            let there = match self.names.as_slice() {
                [] => format!("there is none yet; make one first: `{}`", self.example),
                names => format!("known are {}", names.join(", ")),
            };
            format!("no {} is called `{name}`: {there}", self.sort)
        })
    }
}

/// How many entities a script has created. Their names are derived from their numbers.
#[derive(Default)]
pub(crate) struct EntityNames {
    created: usize,
}

impl EntityNames {
    /// Counts a new entity.
    pub(crate) fn add(&mut self) {
        self.created += 1;
    }

    /// Returns the number in an entity's name.
    pub(crate) fn number(&self, name: &str) -> Result<usize, String> {
        let number = name
            .strip_prefix('e')
            .and_then(|digits| digits.parse::<usize>().ok())
            .filter(|number| format!("e{number}") == name)
            .ok_or_else(|| {
                format!("`{name}` is no entity; entities are e0, e1, … in order of creation")
            })?;
        match self.created.checked_sub(1) {
            Some(last) if number <= last => Ok(number),
            Some(last) => Err(format!(
                "there is no entity {name} yet; the last one created is e{last}"
            )),
            None => Err(format!(
                "there is no entity {name} yet; `create` makes e0, the next one e1"
            )),
        }
    }
}
