// SPDX-License-Identifier: MIT
//! Events of Rust programs, by libjfrec-recorder.
//!
//! ```no_run
//! use jfrec_recorder::{EventType, Kind, Recorder, Unit, Value};
//!
//! let order = EventType::new("shop.Order", "Order", "Shop", &[
//!     ("number", "Order Number", Kind::Long, Unit::Plain),
//!     ("customer", "Customer", Kind::Text, Unit::Plain),
//! ]);
//! let recorder = Recorder::start(Some("shop.jfr"), None, 0).unwrap();
//! {
//!     let mut span = order.span([Value::Long(1), Value::None]);
//!     span.set(1, Value::Text("Ann"));
//! } // the event ends here
//! recorder.stop().unwrap();
//! ```
//!
//! An example of a binding, without other crates.

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr;

#[repr(C)]
struct RawError {
    sys: c_int,
    text: [c_char; 256],
}

#[repr(C)]
struct RawOptions {
    struct_size: usize,
    name: *const c_char,
    repository: *const c_char,
    filename: *const c_char,
    max_age_ns: u64,
    max_size: u64,
    max_chunk: u64,
    memory_size: u64,
    flush_ns: u64,
    keep_repository: bool,
    no_attach: bool,
    settings: *const c_char,
}

#[repr(C)]
struct RawField {
    name: *const c_char,
    label: *const c_char,
    kind: c_int,
    unit: c_int,
}

#[repr(C)]
struct RawType {
    struct_size: usize,
    name: *const c_char,
    label: *const c_char,
    category: *const c_char,
    description: *const c_char,
    flags: c_uint,
    threshold_ns: u64,
    fields: *const RawField,
    field_count: usize,
    on: *const u8,
    id: u32,
}

#[repr(C)]
struct RawPen {
    at: *mut u8,
    end: *mut u8,
    start: *mut u8,
    writer: *mut c_void,
    buffer: *mut c_void,
    type_id: u32,
    is_long: bool,
    is_full: bool,
}

extern "C" {
    fn jfrec_event_register(event: *mut RawType);
    fn jfrec_event_open(pen: *mut RawPen, event: *const RawType, begin: u64, room: usize) -> bool;
    fn jfrec_event_close(pen: *mut RawPen);
    fn jfrec_recorder_now() -> u64;
    fn jfrec_recorder_start(options: *const RawOptions, err: *mut RawError) -> c_int;
    fn jfrec_recorder_dump(path: *const c_char, err: *mut RawError) -> c_int;
    fn jfrec_recorder_stop(err: *mut RawError) -> c_int;
}

/// What a field holds; the numbers are those of C.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Long = 0,
    Int = 2,
    Bool = 6,
    Double = 8,
    Text = 9,
}

/// What its number is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Unit {
    Plain = 0,
    Bytes = 1,
    Nanoseconds = 2,
    Milliseconds = 3,
    Percentage = 5,
}

/// The value of a field; None: 0, or no text.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    None,
    Long(i64),
    Int(i32),
    Bool(bool),
    Double(f64),
    Text(&'a str),
}

const HAS_DURATION: c_uint = 1;
const MOST_TEXT: usize = 32767;

/// A type of events, which stays for the rest of the process.
pub struct EventType {
    raw: *mut RawType,
    kinds: Vec<Kind>,
}

// C keeps what it needs of a type behind a lock, and `on` is a byte that is read alone.
unsafe impl Send for EventType {}
unsafe impl Sync for EventType {}

fn text(from: &str) -> *const c_char {
    CString::new(from.replace('\0', "")).unwrap().into_raw()
}

static OFF: u8 = 0;

impl EventType {
    /// Each field has a name, a label, a kind and a unit.
    pub fn new(name: &str, label: &str, category: &str, fields: &[(&str, &str, Kind, Unit)]) -> EventType {
        let raw_fields: Vec<RawField> = fields
            .iter()
            .map(|f| RawField { name: text(f.0), label: text(f.1), kind: f.2 as c_int, unit: f.3 as c_int })
            .collect();
        let raw = Box::into_raw(Box::new(RawType {
            struct_size: std::mem::size_of::<RawType>(),
            name: text(name),
            label: text(label),
            category: text(category),
            description: ptr::null(),
            flags: HAS_DURATION,
            threshold_ns: 0,
            fields: Box::leak(raw_fields.into_boxed_slice()).as_ptr(),
            field_count: fields.len(),
            on: &OFF,
            id: 0,
        }));
        unsafe { jfrec_event_register(raw) };
        EventType { raw, kinds: fields.iter().map(|f| f.2).collect() }
    }

    /// Is it recorded now?
    pub fn enabled(&self) -> bool {
        unsafe { ptr::read_volatile((*self.raw).on) != 0 }
    }

    /// An event that lasts until it is dropped.
    pub fn span<'a, const N: usize>(&'a self, values: [Value<'a>; N]) -> Span<'a, N> {
        let begin = if self.enabled() { unsafe { jfrec_recorder_now() } } else { 0 };
        Span { event: self, begin, values }
    }

    /// Write an event that began then.  A value of another kind than its field's counts as None.
    pub fn emit(&self, begin: u64, values: &[Value]) {
        if !self.enabled() || values.len() != self.kinds.len() {
            return;
        }
        let room = values.iter().map(|v| if let Value::Text(t) = v { t.len() + 10 } else { 9 }).sum();
        let mut pen = RawPen {
            at: ptr::null_mut(),
            end: ptr::null_mut(),
            start: ptr::null_mut(),
            writer: ptr::null_mut(),
            buffer: ptr::null_mut(),
            type_id: 0,
            is_long: false,
            is_full: false,
        };
        unsafe {
            if jfrec_event_open(&mut pen, self.raw, begin, room) {
                for (kind, value) in self.kinds.iter().zip(values) {
                    pen.put(*kind, value);
                }
                jfrec_event_close(&mut pen);
            }
        }
    }
}

impl RawPen {
    unsafe fn bytes(&mut self, data: &[u8]) {
        if (self.end as usize) - (self.at as usize) < data.len() {
            self.is_full = true;
            return;
        }
        ptr::copy_nonoverlapping(data.as_ptr(), self.at, data.len());
        self.at = self.at.add(data.len());
    }

    /// Seven bits a byte, the lowest first; the ninth byte has eight.
    unsafe fn varint(&mut self, mut value: u64) {
        let mut data = [0u8; 9];
        let mut n = 0;
        while value >= 0x80 && n < 8 {
            data[n] = value as u8 | 0x80;
            value >>= 7;
            n += 1;
        }
        data[n] = value as u8;
        self.bytes(&data[..n + 1]);
    }

    unsafe fn text(&mut self, value: &str) {
        let mut len = value.len().min(MOST_TEXT);
        while !value.is_char_boundary(len) {
            len -= 1;
        }
        if len == 0 {
            return self.bytes(&[1]);
        }
        self.bytes(&[3]);
        self.varint(len as u64);
        self.bytes(&value.as_bytes()[..len]);
    }

    unsafe fn put(&mut self, kind: Kind, value: &Value) {
        match (kind, value) {
            (Kind::Long, Value::Long(n)) => self.varint(*n as u64),
            (Kind::Int, Value::Int(n)) => self.varint(*n as u32 as u64),
            (Kind::Bool, Value::Bool(b)) => self.bytes(&[*b as u8]),
            (Kind::Double, Value::Double(d)) => self.bytes(&d.to_be_bytes()),
            (Kind::Double, _) => self.bytes(&[0; 8]),
            (Kind::Text, Value::Text(t)) => self.text(t),
            _ => self.bytes(&[0]),
        }
    }
}

/// An event that ends when it is dropped, also by a panic.
pub struct Span<'a, const N: usize> {
    event: &'a EventType,
    begin: u64,
    values: [Value<'a>; N],
}

impl<'a, const N: usize> Span<'a, N> {
    /// Set the value of a field, by its place.
    pub fn set(&mut self, field: usize, value: Value<'a>) {
        self.values[field] = value;
    }
}

impl<'a, const N: usize> Drop for Span<'a, N> {
    fn drop(&mut self) {
        if self.begin != 0 {
            self.event.emit(self.begin, &self.values);
        }
    }
}

/// The recording of this program.
pub struct Recorder(());

fn checked(result: c_int, err: &RawError) -> Result<(), String> {
    if result == 0 {
        return Ok(());
    }
    Err(unsafe { CStr::from_ptr(err.text.as_ptr()) }.to_string_lossy().into_owned())
}

fn no_error() -> RawError {
    RawError { sys: 0, text: [0; 256] }
}

impl Recorder {
    /// filename: where it is written when it stops; repository: where its chunks are until then;
    /// memory_size: of the events that were not flushed yet; 0 is 10 MB.
    pub fn start(filename: Option<&str>, repository: Option<&str>, memory_size: u64) -> Result<Recorder, String> {
        let owned = |t: Option<&str>| t.map(|t| CString::new(t).unwrap_or_default());
        let (filename, repository) = (owned(filename), owned(repository));
        let pointer = |t: &Option<CString>| t.as_ref().map_or(ptr::null(), |t| t.as_ptr());
        let options = RawOptions {
            struct_size: std::mem::size_of::<RawOptions>(),
            name: ptr::null(),
            repository: pointer(&repository),
            filename: pointer(&filename),
            max_age_ns: 0,
            max_size: 0,
            max_chunk: 0,
            memory_size,
            flush_ns: 0,
            keep_repository: false,
            no_attach: false,
            settings: ptr::null(),
        };
        let mut err = no_error();
        checked(unsafe { jfrec_recorder_start(&options, &mut err) }, &err).map(|_| Recorder(()))
    }

    /// Write what is recorded up to now; it goes on.
    pub fn dump(&self, path: &str) -> Result<(), String> {
        let mut err = no_error();
        let path = CString::new(path).map_err(|e| e.to_string())?;
        checked(unsafe { jfrec_recorder_dump(path.as_ptr(), &mut err) }, &err)
    }

    pub fn stop(self) -> Result<(), String> {
        let mut err = no_error();
        checked(unsafe { jfrec_recorder_stop(&mut err) }, &err)
    }
}
