//! A server in a thread, and a client that says what it is told to, byte by byte.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
use servanda_serve::{Limits, Program, Server, Settings};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

/// A server that ends with the test.
pub(crate) struct Bench {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    pub(crate) directory: TempDir,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.head, self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.into_iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// A shell script in the place of a program.
pub(crate) fn script(text: &str) -> Program {
    Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), text.into()] }
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench::with("cat", Limits::default())
    }

    /// A server whose jobs and language servers are a script.
    pub(crate) fn with(text: &str, limits: Limits) -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let settings = Settings {
            directory: directory.path().to_owned(),
            listen: "127.0.0.1:0".to_owned(),
            job: script(text),
            language: script(text),
            library: Vec::new(),
            limits,
        };
        let server = Server::new(settings).unwrap();
        let address = server.address();
        let token = server.link().split_once("?token=").unwrap().1.to_owned();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || server.run(async { drop(stopped.await) }).unwrap());
        Bench { address, token, directory, stop: Some(stop), thread: Some(thread) }
    }

    /// Ends the server, and everything that it began.
    pub(crate) fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends a request as it stands, with its end.
    pub(crate) fn raw(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        answer(&mut stream)
    }

    /// Sends a request that the page would send, with other headers.
    pub(crate) fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request =
            format!("{method} {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", self.address);
        let token = ("x-servanda-token", self.token.as_str());
        let has_token = headers.iter().any(|(name, _)| *name == token.0);
        for (name, value) in headers.iter().copied().chain((!has_token).then_some(token)) {
            request += &format!("{name}: {value}\r\n");
        }
        self.raw(&format!("{request}content-length: {}\r\n\r\n{body}", body.len()))
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[], "")
    }

    pub(crate) fn put(&self, path: &str, version: &str, text: &str) -> Answer {
        self.ask("PUT", &format!("/api/file?path={path}"), &[("x-servanda-version", version)], text)
    }

    /// Opens a socket as the page does.
    pub(crate) fn socket(&self, target: &str) -> Socket {
        self.socket_from(target, &[("origin", &format!("http://{}", self.address))]).unwrap()
    }

    /// Opens a socket with headers; where that is refused, the status.
    pub(crate) fn socket_from(&self, target: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        let mut request =
            format!("ws://{}{target}?token={}", self.address, self.token).into_client_request().unwrap();
        for (name, value) in headers {
            let name: tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(refused))) => {
                Err(refused.status().as_u16())
            }
            Err(other) => panic!("{other}"),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.end();
    }
}

/// Reads an answer to its end.
pub(crate) fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut piece = [0; 65536];
    // Who refuses a body does not wait for the rest of it, and then the connection may end abruptly.
    while let Ok(length @ 1..) = stream.read(&mut piece) {
        bytes.extend_from_slice(&piece[..length]);
    }
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

/// A socket as the page has one.
pub(crate) struct Socket(pub(crate) WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// The next text; none where the other side has closed.
    pub(crate) fn hear(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next text as JSON.
    pub(crate) fn told(&mut self) -> Value {
        serde_json::from_str(&self.hear().expect("the socket was closed")).unwrap()
    }

    /// How the other side closed.
    pub(crate) fn closed(&mut self) -> (u16, String) {
        loop {
            match self.0.read() {
                Ok(Message::Close(Some(frame))) => {
                    return (frame.code.into(), frame.reason.as_str().to_owned());
                }
                Ok(Message::Close(None)) | Err(_) => return (0, String::new()),
                Ok(_) => {}
            }
        }
    }
}
