// SPDX-License-Identifier: MIT

//! Reads every event of a recording with `jfrs`, and prints how many there are.

use jfrs::reader::JfrReader;
use std::fs::File;

fn main() {
    let path = std::env::args().nth(1).expect("a recording");
    let mut reader = JfrReader::new(File::open(path).expect("it cannot be opened"));
    let mut events = 0u64;
    for chunk in reader.chunks() {
        let (mut chunk_reader, chunk) = chunk.expect("a chunk");
        for event in chunk_reader.events(&chunk) {
            event.expect("an event");
            events += 1;
        }
    }
    println!("{events}");
}
