//! Bodies of answers: ours, or those of the target, looked at as they pass.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::Side;
use crate::sse::{Data, Events};

/// The longest event that is kept.
const LONGEST_EVENT: usize = 16 << 20;

/// What is told of an answer that passes.
pub(super) enum Part {
    /// The data of an event.
    Event(Vec<u8>),
    /// Something that is too long to be kept.
    Long(u64),
    /// It is over.
    End,
    /// It broke off.
    Broken(String),
}

/// Who is told.
pub(super) type Line = Box<dyn Fn(Side, Part) + Send + Sync>;

/// The body of an answer.
pub(super) enum Answer {
    Own(Full<Bytes>),
    Passing(Passing),
}

/// A body that passes.
pub(super) struct Passing {
    body: Incoming,
    line: Line,
    /// For event streams.
    events: Option<Events>,
    bytes: u64,
    is_over: bool,
}

impl Passing {
    /// A stream of events, each told before the bytes that end it go on.
    pub(super) fn events(body: Incoming, line: Line) -> Self {
        Passing { body, line, events: Some(Events::new(LONGEST_EVENT)), bytes: 0, is_over: false }
    }

    /// Something long: how long is told at its end.
    pub(super) fn counted(body: Incoming, line: Line) -> Self {
        Passing { body, line, events: None, bytes: 0, is_over: false }
    }

    fn look(&mut self, data: &[u8]) {
        self.bytes += data.len() as u64;
        let line = &self.line;
        if let Some(events) = &mut self.events {
            events.feed(data, |data| match data {
                Data::Whole(data) => line(Side::Server, Part::Event(data)),
                Data::Long(bytes) => line(Side::Server, Part::Long(bytes)),
            });
        }
    }

    fn end(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        match self.events {
            Some(_) => (self.line)(Side::Server, Part::End),
            None => (self.line)(Side::Server, Part::Long(self.bytes)),
        }
    }
}

impl Drop for Passing {
    /// The client went away before the end.
    fn drop(&mut self) {
        if !self.is_over {
            (self.line)(Side::Client, Part::End);
        }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match self.get_mut() {
            Answer::Own(body) => Pin::new(body).poll_frame(context).map_err(|never| match never {}),
            Answer::Passing(passing) => {
                let frame = ready!(Pin::new(&mut passing.body).poll_frame(context));
                match &frame {
                    Some(Ok(frame)) => {
                        if let Some(data) = frame.data_ref() {
                            passing.look(data);
                        }
                        if passing.body.is_end_stream() {
                            passing.end();
                        }
                    }
                    Some(Err(error)) => {
                        passing.is_over = true;
                        (passing.line)(Side::Server, Part::Broken(error.to_string()));
                    }
                    None => passing.end(),
                }
                Poll::Ready(frame)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Answer::Own(body) => body.is_end_stream(),
            Answer::Passing(passing) => passing.is_over,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Answer::Own(body) => body.size_hint(),
            Answer::Passing(passing) => passing.body.size_hint(),
        }
    }
}
