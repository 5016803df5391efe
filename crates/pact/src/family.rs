//! Names with indices: the elements declared under one name.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_syntax::{Code, Diagnostic, Span};

/// Everything of one kind (roles, variables, ...) by name and indices.
#[derive(Clone, Debug)]
pub(crate) struct Families<T> {
    /// What one element is called in messages: "role", "variable" ...
    what: &'static str,
    known: FxHashMap<Arc<str>, Family<T>>,
}

#[derive(Clone, Debug)]
struct Family<T> {
    dimensions: usize,
    elements: BTreeMap<Vec<i64>, (T, Span)>,
}

/// A name and its indices as declared or used: `Bidder[2]`.
pub(crate) fn full_name(name: &str, indices: &[i64]) -> String {
    let mut text = name.to_owned();
    for index in indices {
        text.push_str(&format!("[{index}]"));
    }
    text
}

impl<T> Families<T> {
    pub(crate) fn new(what: &'static str) -> Self {
        Families { what, known: FxHashMap::default() }
    }

    /// Adds an element, or says why it cannot be added.
    pub(crate) fn declare(
        &mut self,
        name: &Arc<str>,
        indices: &[i64],
        element: T,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let family = self
            .known
            .entry(name.clone())
            .or_insert_with(|| Family { dimensions: indices.len(), elements: BTreeMap::new() });
        let shown = full_name(name, indices);
        if let Some((_, first)) = family.elements.get(indices) {
            let message = format!("the {} `{shown}` is declared twice", self.what);
            let error = Diagnostic::error(Code::DuplicateName, message, span);
            return Err(Box::new(match *first == span {
                true => error.help(format!("inside `for` write an index, as in `{name}[i]`")),
                false => error.label(*first, "first declared here"),
            }));
        }
        if family.dimensions != indices.len() {
            let first = family.elements.values().next().map(|(_, first)| *first).unwrap_or_default();
            let message =
                format!("the {} `{name}` was declared with {}", self.what, count_indices(family.dimensions));
            let error = Diagnostic::error(Code::DuplicateName, message, span);
            return Err(Box::new(error.label(first, "first declared here")));
        }
        family.elements.insert(indices.to_vec(), (element, span));
        Ok(())
    }

    /// An element, or what is wrong with the name.
    pub(crate) fn find(&self, name: &str, indices: &[i64], span: Span) -> Result<&T, Box<Diagnostic>> {
        let Some(family) = self.known.get(name) else {
            return Err(Box::new(Diagnostic::unknown(self.what, name, span, self.names())));
        };
        match family.elements.get(indices) {
            Some((element, _)) => Ok(element),
            None => Err(Box::new(self.wrong_indices(family, name, indices, span))),
        }
    }

    /// Is there an element with these indices, those that are not known aside? Otherwise what is wrong with the name.
    pub(crate) fn find_some(
        &self,
        name: &str,
        indices: &[Option<i64>],
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(family) = self.known.get(name) else {
            return Err(Box::new(Diagnostic::unknown(self.what, name, span, self.names())));
        };
        if family.dimensions != indices.len() {
            return Err(Box::new(self.wrong_number(family, name, indices.len(), span)));
        }
        for (dimension, index) in indices.iter().enumerate() {
            if let Some(index) = index
                && !family.elements.keys().any(|element| element[dimension] == *index)
            {
                let shown: String = indices
                    .iter()
                    .map(|index| index.map_or("[_]".to_owned(), |i| format!("[{i}]")))
                    .collect();
                let message = format!("there is no {} `{name}{shown}`", self.what);
                let error = Diagnostic::error(Code::IndexOutOfRange, message, span);
                return Err(Box::new(error.help(format!("the elements are {}", family.describe(name)))));
            }
        }
        Ok(())
    }

    fn wrong_number(&self, family: &Family<T>, name: &str, found: usize, span: Span) -> Diagnostic {
        let dimensions = count_indices(family.dimensions);
        let message = format!("the {} `{name}` has {dimensions}, found {found}", self.what);
        let error = Diagnostic::error(Code::WrongIndices, message, span);
        match family.dimensions {
            0 => error,
            _ => error.help(format!("the elements are {}", family.describe(name))),
        }
    }

    fn wrong_indices(&self, family: &Family<T>, name: &str, indices: &[i64], span: Span) -> Diagnostic {
        if family.dimensions != indices.len() {
            return self.wrong_number(family, name, indices.len(), span);
        }
        let valid = family.describe(name);
        let message = format!("there is no {} `{}`", self.what, full_name(name, indices));
        Diagnostic::error(Code::IndexOutOfRange, message, span).help(format!("the elements are {valid}"))
    }

    /// Is anything declared under this name?
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// The names, without indices.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(|name| &**name)
    }

    /// The elements of an array, in the order of their indices; nothing for a name without indices.
    pub(crate) fn array(&self, name: &str) -> Vec<(&[i64], &T)> {
        match self.known.get(name) {
            Some(family) if family.dimensions > 0 => {
                family.elements.iter().map(|(indices, (element, _))| (indices.as_slice(), element)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl<T> Family<T> {
    /// `x[1..3][0..2]`: the smallest block of indices around all elements.
    fn describe(&self, name: &str) -> String {
        let mut text = format!("`{name}");
        for dimension in 0..self.dimensions {
            let values = || self.elements.keys().map(|indices| indices[dimension]);
            let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
            match low == high {
                true => text.push_str(&format!("[{low}]")),
                false => text.push_str(&format!("[{low}..{high}]")),
            }
        }
        text.push('`');
        text
    }
}

fn count_indices(dimensions: usize) -> String {
    match dimensions {
        0 => "no index".to_owned(),
        1 => "1 index".to_owned(),
        n => format!("{n} indices"),
    }
}
