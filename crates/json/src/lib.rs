//! JSON objects whose fields stay in the order in which they are written, each named once.
//!
//! ```
//! use servanda_json::Object;
//!
//! let object = Object::new("states", 3usize).with("deadlock", None::<String>).with_some("reason", None::<String>);
//! assert_eq!(object.pretty(), "{\n  \"states\": 3,\n  \"deadlock\": null\n}\n");
//! ```

mod state;

use serde::ser::{Serialize, Serializer};
use serde_json::Value;

pub use state::{legend, state};

/// A value.
pub enum Json {
    /// A truth value, a number, a text or nothing.
    Plain(Value),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Object),
}

/// An object.
#[derive(Default)]
pub struct Object(Vec<(String, Json)>);

impl Object {
    /// An object with one field.
    pub fn new(name: impl Into<String>, value: impl Into<Json>) -> Self {
        Object::default().with(name, value)
    }

    /// One field more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Json>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// One field more if there is a value for it.
    #[must_use]
    pub fn with_some(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The fields of another object after its own.
    #[must_use]
    pub fn and(mut self, other: Object) -> Self {
        self.0.extend(other.0);
        self
    }

    /// As text, with a line's end.
    pub fn pretty(&self) -> String {
        // Only keys that are no strings and failing writers make this fail, and there are none here.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Are there no fields?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A list of what becomes of each.
pub fn list<T, J: Into<Json>>(all: impl IntoIterator<Item = T>, each: impl FnMut(T) -> J) -> Vec<J> {
    all.into_iter().map(each).collect()
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Json::Object(object)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(list: Vec<T>) -> Self {
        Json::List(list.into_iter().map(Into::into).collect())
    }
}

impl From<&[String]> for Json {
    fn from(list: &[String]) -> Self {
        Json::List(list.iter().map(Into::into).collect())
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Plain(Value::Null), Into::into)
    }
}

macro_rules! plain {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Json {
            fn from(value: $kind) -> Self {
                Json::Plain(value.into())
            }
        }
    )*};
}

plain!(&str, String, bool, u8, i64, u64, usize, f64);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Plain(value) => value.serialize(serializer),
            Json::List(list) => serializer.collect_seq(list),
            Json::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
