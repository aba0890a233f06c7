//! The ABI of `jvmti::sys` against every installed `jvmti.h`: slots, callback offsets, struct
//! layouts, C types, numbers and capability bits, as a C compiler sees them.
//!
//! Headers are those of the JDKs in `JVMTOOLS_JDKS` (separated by colons), in `JAVA_HOME` and in
//! `/usr/lib/jvm`. What a header is too old for is left out by the `since` column of `spec/`, and
//! counted; names that a header has and `spec/` has not are errors too.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use jvmti::sys::{self, Capabilities, EventCallbacks, FunctionTable};

/// The oldest JDK that JvmTools supports.
const OLDEST: u32 = 17;

/// Names of a header that are no facts: they name its own newest entry.
const MOVING: [&str; 4] = [
    "JVMTI_VERSION",
    "JVMTI_ERROR_MAX",
    "JVMTI_MIN_EVENT_TYPE_VAL",
    "JVMTI_MAX_EVENT_TYPE_VAL",
];

/// What a header from `since` on must make of some keys; `before` is for older ones.
struct Fact {
    since: u32,
    values: Vec<(String, i64)>,
    before: Vec<(String, i64)>,
}

impl Fact {
    fn new(since: u32, values: Vec<(String, i64)>) -> Self {
        Self {
            since,
            values,
            before: Vec::new(),
        }
    }
}

fn typed(position: (String, i64), name: String, reserved: bool) -> Vec<(String, i64)> {
    let mut values = vec![position];
    if !reserved {
        values.push((format!("type.{name}"), 1));
    }
    values
}

macro_rules! slot {
    ($since:literal, $name:ident) => {{
        let (name, number) = (
            stringify!($name),
            offset_of!(FunctionTable, $name) / POINTER + 1,
        );
        let position = (format!("slot.{name}"), number as i64);
        let reserved = (format!("slot.reserved{number}"), number as i64);
        let mut fact = Fact::new($since, typed(position, name.to_owned(), $since == 0));
        fact.before.push(reserved);
        fact
    }};
}

macro_rules! event {
    ($since:literal, $name:ident) => {{
        let name = stringify!($name);
        let number = offset_of!(EventCallbacks, $name) / POINTER + 50;
        let position = (format!("event.{name}"), number as i64);
        let reserved = name.starts_with("reserved");
        Fact::new($since, typed(position, format!("event.{name}"), reserved))
    }};
}

macro_rules! layout {
    ($since:literal, $name:ident) => {{
        let size = size_of::<sys::$name>() as i64;
        Fact::new($since, vec![(format!("size.{}", stringify!($name)), size)])
    }};
}

macro_rules! field {
    ($since:literal, $name:ident, $field:ident) => {{
        let key = concat!(stringify!($name), ".", stringify!($field));
        // SAFETY: only an address within the value that `place` points to is computed.
        let size = size_of_field(|place: *const sys::$name| unsafe { &raw const (*place).$field });
        let offset = offset_of!(sys::$name, $field) as i64;
        let values = vec![
            (format!("offset.{key}"), offset),
            (format!("size.{key}"), size),
            (format!("type.{key}"), 1),
        ];
        Fact::new($since, values)
    }};
}

macro_rules! callback {
    ($since:literal, $name:ident) => {{
        let name = stringify!($name);
        let size = size_of::<Option<sys::$name>>() as i64;
        let values = vec![(format!("size.{name}"), size), (format!("type.{name}"), 1)];
        Fact::new($since, values)
    }};
}

macro_rules! numbers {
    ($($kind:ident $since:literal $name:ident = $value:expr;)*) => {
        vec![$(Fact::new(
            $since,
            vec![(
                concat!(stringify!($kind), ".", stringify!($name)).to_owned(),
                $kind($value),
            )],
        )),*]
    };
}

macro_rules! jni_slot {
    ($since:literal, $name:ident, $slot:literal) => {
        Fact::new(
            $since,
            vec![(concat!("jni.", stringify!($name)).to_owned(), $slot)],
        )
    };
}

// After the macros, which are seen only below their definition.
#[path = "abi/jni_functions.rs"]
mod jni_functions;
#[path = "abi/layout.rs"]
mod layout;
#[path = "abi/numbers.rs"]
mod numbers;

const POINTER: usize = size_of::<usize>();

fn size_of_field<S, F>(_: impl Fn(*const S) -> *const F) -> i64 {
    size_of::<F>() as i64
}

fn constant(value: i32) -> i64 {
    i64::from(value)
}

/// The only bit that is set in the memory of a set with this one capability.
fn capability(capability: sys::Capability) -> i64 {
    let mut set = Capabilities::empty();
    set.insert(capability);
    let bits = (0..128).filter(|bit| set.as_bytes()[bit / 8] >> (bit % 8) & 1 == 1);
    match bits.collect::<Vec<_>>().as_slice() {
        [bit] => *bit as i64,
        _ => -2,
    }
}

/// The facts whose value no generated list has.
fn whole_types(jdk: u32) -> Vec<Fact> {
    let last_event = match jdk {
        21.. => 88,
        _ => 86,
    };
    let callbacks = (last_event - 49) * POINTER;
    assert_eq!(size_of::<EventCallbacks>(), (88 - 49) * POINTER);
    let one = |key: &str, value: usize| Fact::new(0, vec![(key.to_owned(), value as i64)]);
    vec![
        one("size.jvmtiInterface_1_", size_of::<FunctionTable>()),
        one("size.jvmtiEventCallbacks", callbacks),
        one("size.jvmtiCapabilities", size_of::<Capabilities>()),
        one("align.jvmtiCapabilities", align_of::<Capabilities>()),
        one(
            "size.JNINativeInterface_",
            sys::jni_length(jdk.cast_signed()) * POINTER,
        ),
    ]
}

struct Header {
    include: PathBuf,
    jdk: u32,
}

/// The directories that may be JDKs, without repetitions.
fn candidates() -> BTreeSet<PathBuf> {
    let mut homes = Vec::new();
    if let Some(list) = env::var_os("JVMTOOLS_JDKS") {
        homes.extend(env::split_paths(&list));
    }
    homes.extend(env::var_os("JAVA_HOME").map(PathBuf::from));
    let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    homes.extend(installed.flatten().map(|entry| entry.path()));
    homes
        .iter()
        .filter_map(|home| fs::canonicalize(home).ok())
        .collect()
}

/// Every header of a supported JDK; a directory without one is no JDK for us.
fn headers(scratch: &Path) -> Vec<Header> {
    let mut found = Vec::new();
    for home in candidates() {
        let include = home.join("include");
        if !include.join("jvmti.h").is_file() {
            continue;
        }
        let output = run_probe(scratch, &include, "ONLY_VERSION");
        let jdk = u32::try_from(output["version"]).unwrap();
        if jdk < OLDEST {
            println!("JDK {jdk} is older than {OLDEST}: left out");
        } else {
            found.push(Header { include, jdk });
        }
    }
    found
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Compiles the probe against a header with one macro defined, runs it and reads its lines.
fn run_probe(scratch: &Path, include: &Path, define: &str) -> BTreeMap<String, i64> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let program = scratch.join("probe");
    let compiled = Command::new(&compiler)
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(format!("-D{define}"))
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(project("tests/abi/probe.c"))
        .output()
        .unwrap_or_else(|error| panic!("no C compiler: `{compiler}` does not start ({error})"));
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{}: {errors}", include.display());
    let output = Command::new(&program).output().unwrap();
    assert!(
        output.status.success(),
        "{}: {:?}",
        include.display(),
        output.status
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut values = BTreeMap::new();
    for line in text.lines() {
        let (key, value) = line.split_once('\t').unwrap();
        let value = value.parse().unwrap();
        assert_eq!(values.insert(key.to_owned(), value), None, "{key} twice");
    }
    values
}

/// What is wrong with one header, line by line; prints what was compared.
fn compare(header: &Header, found: &BTreeMap<String, i64>) -> Vec<String> {
    let mut expected = BTreeMap::new();
    let mut newer = 0;
    let facts = layout::facts().into_iter().chain(numbers::facts());
    let facts = facts.chain(jni_functions::facts());
    for fact in facts.chain(whole_types(header.jdk)) {
        let present = fact.since <= header.jdk;
        newer += u32::from(!present);
        expected.extend(if present { fact.values } else { fact.before });
    }
    let mut wrong = Vec::new();
    let mut counts = BTreeMap::<&str, u32>::new();
    for (key, value) in &expected {
        let kind = key.split('.').next().unwrap_or(key);
        *counts.entry(kind).or_default() += 1;
        match found.get(key) {
            Some(real) if real == value => {}
            Some(real) => wrong.push(format!("{key}: {value} here, {real} in the header")),
            None => wrong.push(format!("{key}: {value} here, nothing from the header")),
        }
    }
    let unexpected = found.keys().filter(|key| !expected.contains_key(*key));
    wrong.extend(unexpected.map(|key| format!("{key}: only from the header")));
    let counts: Vec<String> = counts
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    println!(
        "JDK {}: {} facts compared ({}); {newer} entries are newer than this JDK",
        header.jdk,
        expected.len(),
        counts.join(", ")
    );
    wrong
}

/// The names that a header has and the tables have not.
fn unknown_names(header: &Header) -> Vec<String> {
    let text = fs::read_to_string(header.include.join("jvmti.h")).unwrap();
    let known: BTreeSet<String> = numbers::facts()
        .into_iter()
        .flat_map(|fact| fact.values)
        .filter_map(|(key, _)| key.strip_prefix("constant.").map(str::to_owned))
        .collect();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let constants: BTreeSet<&str> = words.filter(|word| word.starts_with("JVMTI_")).collect();
    let capabilities = text
        .lines()
        .filter(|line| line.trim_end().ends_with(" : 1;"))
        .count();
    let structs = text.lines().filter(|line| {
        let start = line.starts_with("struct jvmti") || line.starts_with("union jvmti");
        start && line.ends_with('{')
    });
    let mut wrong: Vec<String> = constants
        .into_iter()
        .filter(|name| !known.contains(*name) && !MOVING.contains(name))
        .map(|name| format!("{name}: not in spec/"))
        .collect();
    let here = sys::Capability::ALL
        .iter()
        .filter(|c| u32::from(c.since()) <= header.jdk);
    if here.count() != capabilities {
        wrong.push(format!("{capabilities} capabilities in the header"));
    }
    let tables = layout::facts().into_iter().flat_map(|fact| fact.values);
    let sizes = tables.map(|(key, _)| key).filter(|key| {
        key.strip_prefix("size.jvmti").is_some_and(|name| {
            !name.contains('.') && !name.ends_with("Callback") && !name.ends_with("Function")
        }) && key != "size.jvmtiExtensionEvent"
    });
    let (structs, sizes) = (structs.count(), sizes.count());
    if structs != sizes {
        wrong.push(format!(
            "{structs} structures in the header, {sizes} in spec/"
        ));
    }
    wrong
}

#[test]
fn every_installed_header_agrees() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abi");
    fs::create_dir_all(&scratch).unwrap();
    let headers = headers(&scratch);
    assert!(
        !headers.is_empty(),
        "no jvmti.h of JDK {OLDEST} or newer: install a JDK with its headers, or name its \
         directory in JAVA_HOME or JVMTOOLS_JDKS"
    );
    let mut wrong = Vec::new();
    for header in &headers {
        let found = run_probe(&scratch, &header.include, &format!("JDK={}", header.jdk));
        let problems = compare(header, &found)
            .into_iter()
            .chain(unknown_names(header));
        wrong.extend(problems.map(|problem| format!("JDK {}: {problem}", header.jdk)));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
