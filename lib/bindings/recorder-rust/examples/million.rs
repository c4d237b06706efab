// SPDX-License-Identifier: MIT
//! Emit so many events, say how far it is, and wait.
//!
//! usage: million COUNT REPOSITORY

use jfrec_recorder::{EventType, Kind, Recorder, Unit, Value};
use std::io::Write;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count: i64 = args[1].parse().expect("a count");
    let mark = EventType::new("rust.Mark", "Mark", "Rust", &[
        ("number", "Number", Kind::Long, Unit::Plain),
        ("text", "Text", Kind::Text, Unit::Plain),
    ]);
    let _recorder = Recorder::start(None, Some(&args[2]), 200 << 20).expect("a recording");
    let mut out = std::io::stdout();

    for number in 0..count {
        let mut span = mark.span([Value::Long(number), Value::None]);
        span.set(1, Value::Text("event"));
        drop(span);
        if number % 1000 == 999 {
            writeln!(out, "{}", number + 1).and_then(|_| out.flush()).expect("to say so");
        }
    }
    std::thread::sleep(std::time::Duration::from_secs(600));
}
