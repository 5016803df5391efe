//! JSON as it is written, read once from front to back: nothing is copied, rounded or built.

use std::fmt;

/// How deep arrays and objects may lie in each other: deeper ones are mistakes of their writer, and each level costs stack.
pub const DEEPEST: usize = 128;

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// What is wrong.
    pub what: &'static str,
    /// At which byte, from 0.
    pub at: usize,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at + 1)
    }
}

/// What a value is, as far as it is known without looking into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number as it is written.
    Number,
    /// A string without escapes.
    Plain,
    /// A string with escapes.
    Escaped,
    /// An object.
    Object,
    /// An array.
    Array,
}

/// A position in a text.
#[derive(Clone, Copy, Debug)]
pub struct Json<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Json<'t> {
    /// Starts at the beginning.
    pub fn new(text: &'t str) -> Self {
        Json { text, at: 0 }
    }

    /// The byte it is at.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn bad<T>(&self, what: &'static str) -> Result<T, Bad> {
        Err(Bad { what, at: self.at })
    }

    /// Steps over spaces and gives the next byte.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    /// After a value: is the text at its end?
    pub fn end(&mut self) -> Result<(), Bad> {
        if self.peek().is_some() { self.bad("more text after the value") } else { Ok(()) }
    }

    /// Steps over a value, which is checked wholly, and says what it was and where its text is: of a string what is between the quotes.
    pub fn value(&mut self, depth: usize) -> Result<(Shape, usize, usize), Bad> {
        let first = self.peek();
        let start = self.at;
        let shape = match first {
            Some(b'"') => {
                let (inner, end, escaped) = self.string()?;
                return Ok((if escaped { Shape::Escaped } else { Shape::Plain }, inner, end));
            }
            Some(b'{') => {
                self.object(depth, |json, _, depth| json.value(depth).map(drop))?;
                Shape::Object
            }
            Some(b'[') => {
                self.array(depth, |json, _, depth| json.value(depth).map(drop))?;
                Shape::Array
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Shape::Number
            }
            Some(b't') => self.word("true", Shape::True)?,
            Some(b'f') => self.word("false", Shape::False)?,
            Some(b'n') => self.word("null", Shape::Null)?,
            Some(_) => return self.bad("no value begins with this"),
            None => return self.bad("a value is missing"),
        };
        Ok((shape, start, self.at))
    }

    /// Goes through an object; `each` is given the text between the quotes of a key and whether it has escapes, and steps over the value.
    #[inline]
    pub fn object(
        &mut self,
        depth: usize,
        mut each: impl FnMut(&mut Self, (&'t str, bool), usize) -> Result<(), Bad>,
    ) -> Result<(), Bad> {
        self.list(depth, (b'}', "expected `,` or `}`"), |this, _, depth| {
            if this.peek() != Some(b'"') {
                return this.bad("expected a key");
            }
            let (start, end, escaped) = this.string()?;
            if this.peek() != Some(b':') {
                return this.bad("expected `:`");
            }
            this.at += 1;
            each(this, (this.text.get(start..end).unwrap_or(""), escaped), depth)
        })
    }

    /// Goes through an array; `each` is given the position of an element, from 0, and steps over it.
    #[inline]
    pub fn array(
        &mut self,
        depth: usize,
        each: impl FnMut(&mut Self, usize, usize) -> Result<(), Bad>,
    ) -> Result<(), Bad> {
        self.list(depth, (b']', "expected `,` or `]`"), each)
    }

    /// Goes through what stands between brackets with commas between, up to the closing one; with what is wrong where neither follows.
    #[inline]
    fn list(
        &mut self,
        depth: usize,
        (close, missing): (u8, &'static str),
        mut each: impl FnMut(&mut Self, usize, usize) -> Result<(), Bad>,
    ) -> Result<(), Bad> {
        if depth == 0 {
            return self.bad("nested too deeply");
        }
        self.at += 1;
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        for position in 0.. {
            each(self, position, depth - 1)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(next) if next == close => break,
                _ => return self.bad(missing),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str, shape: Shape) -> Result<Shape, Bad> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(shape)
        } else {
            self.bad("no value begins with this")
        }
    }

    fn digits(&mut self) -> Result<(), Bad> {
        let start = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.bad("expected a digit") } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), Bad> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Steps over a string: where the text between its quotes begins and ends, and whether it has escapes.
    #[inline]
    fn string(&mut self) -> Result<(usize, usize, bool), Bad> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let end = start + plain(bytes.get(start..).unwrap_or_default());
        if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok((start, end, false));
        }
        self.at = end;
        self.rest_of_string(start)
    }

    /// Steps over the rest of a string that does not end at the first byte that stands not for itself.
    fn rest_of_string(&mut self, start: usize) -> Result<(usize, usize, bool), Bad> {
        let mut escaped = false;
        loop {
            self.at += plain(&self.text.as_bytes()[self.at..]);
            match self.byte() {
                Some(b'"') => {
                    let end = self.at;
                    self.at += 1;
                    return Ok((start, end, escaped));
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return self.bad("a control character in a string"),
                None => return self.bad("a string without its end"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Bad> {
        match self.text.as_bytes().get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let digits = self.text.as_bytes().get(self.at + 2..self.at + 6).unwrap_or_default();
                if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
                    return self.bad("`\\u` without four digits");
                }
                self.at += 6;
            }
            _ => return self.bad("there is no such escape"),
        }
        Ok(())
    }
}

/// How many bytes of a string stand for themselves: up to a quote, a backslash or a control character. Eight at a time.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES * 0x80;
    let zero = |x: u64| x.wrapping_sub(ONES) & !x & HIGH;
    let mut count = 0;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let found = control | zero(word ^ (ONES * 0x22)) | zero(word ^ (ONES * 0x5c));
        if found != 0 {
            // A borrow can only mark bytes above one that is marked rightly.
            return count + (found.trailing_zeros() / 8) as usize;
        }
        count += 8;
    }
    count + rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count()
}
