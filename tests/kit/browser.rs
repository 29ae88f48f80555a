//! A browser without a window, told what to do by the DevTools protocol.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(20);

/// One page in a browser that ends with this value.
pub struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    /// Exceptions, and what the page's policy or the network refused.
    pub faults: Vec<String>,
}

impl Browser {
    /// Starts the browser that `ARTICULA_BROWSER` names.
    pub fn open(name: &str) -> Browser {
        let program = std::env::var("ARTICULA_BROWSER").expect("ARTICULA_BROWSER, a Chromium to test with");
        let profile =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&profile).expect("a folder");
        let process = Command::new(&program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "--window-size=1280,1000"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let address = wait("the browser's port", || {
            let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).ok()?;
            let (port, path) = text.split_once('\n')?;
            Some((port.parse::<u16>().ok()?, path.trim().to_owned()))
        });
        let stream = TcpStream::connect(("127.0.0.1", address.0)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let url = format!("ws://127.0.0.1:{}{}", address.0, address.1);
        let (socket, _) = tungstenite::client(url, stream).expect("a socket");
        let mut browser =
            Browser { process, profile, socket, session: String::new(), next: 0, faults: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for part in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(part, json!({}));
        }
        browser
    }

    /// One command, and its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).expect("sent");
        loop {
            let answer = self.read();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn read(&mut self) -> Value {
        let message = self.socket.read().expect("an answer in time");
        let answer: Value = serde_json::from_str(message.to_text().expect("text")).expect("JSON");
        if answer["method"] == "Runtime.exceptionThrown" || answer["method"] == "Log.entryAdded" {
            self.faults.push(answer["params"].to_string());
        }
        answer
    }

    /// Loads an address, whole.
    pub fn load(&mut self, address: &str) {
        // Away first: an address that differs only behind `#` would not be loaded again.
        for url in ["about:blank", address] {
            self.call("Page.navigate", json!({"url": url}));
            self.wait(&format!("{url} loaded"), |page| {
                let there = page.evaluate("[location.href, document.readyState]");
                (there == json!([url, "complete"])).then_some(())
            });
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// What `until` finds, asked again until it does.
    pub fn wait<X>(&mut self, what: &str, mut until: impl FnMut(&mut Self) -> Option<X>) -> X {
        wait(what, || until(self))
    }

    /// A key, pressed and let go.
    pub fn key(&mut self, key: &str, code: &str, number: u32) {
        let event = json!({"key": key, "code": code, "windowsVirtualKeyCode": number, "type": "rawKeyDown"});
        self.call("Input.dispatchKeyEvent", event.clone());
        let mut up = event;
        up["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Where a part of the element that a selector finds is in the window, after scrolling to it.
    pub fn place(&mut self, selector: &str, across: f64, down: f64) -> (f64, f64) {
        let find = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const b = e.getBoundingClientRect(); return [b.x + {across} * b.width, b.y + {down} * b.height]; }})()"
        );
        let [x, y]: [f64; 2] = serde_json::from_value(self.evaluate(&find)).expect("a place");
        (x, y)
    }

    /// A mouse event at a place: `mousePressed`, `mouseMoved`, `mouseReleased`, `mouseWheel`.
    pub fn mouse(&mut self, kind: &str, (x, y): (f64, f64), wheel: f64) {
        let held = u32::from(kind != "mouseWheel");
        let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": held, "clickCount": 1,
                           "deltaX": 0, "deltaY": wheel});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// A click.
    pub fn click(&mut self, selector: &str, across: f64) {
        let at = self.place(selector, across, 0.5);
        self.mouse("mousePressed", at, 0.0);
        self.mouse("mouseReleased", at, 0.0);
    }
}

fn wait<X>(what: &str, mut until: impl FnMut() -> Option<X>) -> X {
    let start = Instant::now();
    loop {
        if let Some(found) = until() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself, and its files go with the target folder anyway.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
