//! No safe function of `jvmti` crashes a VM: in a JVM of each JDK of `tests/jdks.tsv` that is there,
//! an agent calls all of them with everything that is wrong, and the JVM ends as it should.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../../jdks/mod.rs"]
mod jdks;

use jdks::{Jdk, jdks, output, root};

/// What a JVM may take, however busy the machine is. Nobody waits for as long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// Also where a test that succeeds is not to be heard.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "hostile: {line}");
}

/// Compiles the Java side, which runs on each JDK; or the reason why not.
fn classes(into: &Path) -> Result<(), String> {
    let home = output(Command::new(root().join("gradle/jdk")).arg("17"))?;
    let mut javac = Command::new(Path::new(&home).join("bin/javac"));
    javac.args(["-Xlint:all", "-Werror", "-d"]).arg(into);
    javac.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("java/Hostile.java"));
    output(&mut javac).expect("it compiles");
    Ok(())
}

/// The agent, which Cargo has built beside this test.
fn agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let name = format!("libhostile{}", std::env::consts::DLL_SUFFIX);
    let agent = test.parent().unwrap().join(name);
    assert!(agent.exists(), "{} is not built", agent.display());
    agent
}

/// A JVM that is killed if it does not end.
struct Jvm(Child);

impl Jvm {
    fn start(java: &Path, classes: &Path, log: &Path) -> Self {
        let output = fs::File::create(log).unwrap();
        let child = Command::new(java)
            .args(["-Xmx128m", "-XX:-CreateCoredumpOnCrash"])
            // Some virtual threads keep their carriers; the last two JDK 21 lets sleep (docs/proofs/Asleep.java).
            .arg("-Djdk.virtualThreadScheduler.parallelism=16")
            .arg(format!("-XX:ErrorFile={}.hs_err", log.display()))
            .arg(format!("-agentpath:{}", agent().display()))
            .args([Path::new("-cp"), classes, Path::new("Hostile")])
            .stderr(output.try_clone().unwrap())
            .stdout(output)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    /// How it ended; none: it did not.
    fn end(mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return Some(status.code().unwrap_or(-1));
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The names of the functions that were called, in their order.
fn called(log: &str) -> Vec<&str> {
    let calls = log.lines().filter_map(|line| line.split_once("call\t"));
    calls
        .filter_map(|(_, call)| call.split('\t').next())
        .collect()
}

/// `Type::name` of every safe function that is public, read from the source.
fn public() -> BTreeSet<String> {
    public_in(&root().join("native/jvmti/src"))
}

/// But for those of `sys`, which call nothing.
fn public_in(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "rs") {
            found.extend(functions(&fs::read_to_string(file).unwrap()));
        } else if file.is_dir() && !file.ends_with("sys") {
            found.extend(public_in(&file));
        }
    }
    found
}

/// Those of one file that rustfmt has formatted.
fn functions(source: &str) -> Vec<String> {
    let mut of = "";
    let mut found = Vec::new();
    for line in source.lines() {
        if let Some(header) = line.strip_prefix("impl") {
            let header = match header.strip_prefix('<') {
                Some(generic) => generic.split_once("> ").map_or("", |(_, rest)| rest),
                None => header,
            };
            of = word(header.trim_start());
        }
        let function = ["    pub fn ", "    pub const fn "];
        if let Some(rest) = function.iter().find_map(|start| line.strip_prefix(start)) {
            found.push(format!("{of}::{}", word(rest)));
        }
        assert!(
            !line.starts_with("pub fn "),
            "a function of no type: {line}"
        );
    }
    found
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn functions_are_found_in_source() {
    let source = "
impl<'e, T: Element> Allocated<'e, T> {
    pub(crate) fn hidden() {}
}
impl Env {
    pub fn phase(&self) -> Result<Phase> {}
    pub unsafe fn from_raw() {}
}
impl StackInfos<'_> {
    pub const fn len(&self) -> usize {}
    pub fn class_loader<'l>(
}
";
    let found = ["Env::phase", "StackInfos::len", "StackInfos::class_loader"];
    assert_eq!(functions(source), found);
    assert!(public().len() > 70);
}

/// Whether it is reached is seen when it runs, a minute later.
#[test]
fn every_safe_function_has_a_call() {
    let calls = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/calls");
    let mut written = String::new();
    for file in fs::read_dir(calls).unwrap() {
        written += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    let mut missing = public();
    let is_written = |start: &str| {
        ["(", "::<"]
            .iter()
            .any(|end| written.contains(&format!("{start}{end}")))
    };
    missing.retain(|function| !is_written(function));
    assert!(
        missing.is_empty(),
        "native/jvmti/tests/hostile/src/calls lacks a call!(about, …) of {missing:?}"
    );
}

#[test]
fn every_safe_function_answers_whatever_it_is_given() {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR"));
    if let Err(reason) = classes(work) {
        say(&format!(
            "skipped on every JDK: nothing compiles the Java side: {reason}"
        ));
        return;
    }
    let public = public();
    let start = |jdk: &Jdk| {
        let log = work.join(format!("{}.log", jdk.name));
        let java = jdk.java.as_ref().map_err(Clone::clone)?;
        Ok::<_, String>((Jvm::start(java, work, &log), log))
    };
    // All at once, and each is looked at, whatever became of those before it.
    let started: Vec<_> = jdks()
        .into_iter()
        .map(|jdk| (start(&jdk), jdk.name))
        .collect();
    let mut failures = Vec::new();
    for (started, name) in started {
        let (jvm, log) = match started {
            Ok(started) => started,
            Err(reason) => {
                say(&format!("{name}: skipped: {reason}"));
                continue;
            }
        };
        let end = jvm.end();
        let text = String::from_utf8_lossy(&fs::read(&log).unwrap()).into_owned();
        let calls = called(&text);
        say(&format!("{name}: {} calls", calls.len()));
        let asked: BTreeSet<_> = calls.iter().map(|&call| call.to_owned()).collect();
        let missing: Vec<_> = public.difference(&asked).collect();
        if end != Some(0) || !text.contains("\nsurvived\n") || !missing.is_empty() {
            let log = log.display();
            failures.push(match end {
                Some(0) => format!(
                    "{name}: native/jvmti/tests/hostile/src/calls never calls {missing:?}; see {log}"
                ),
                _ => {
                    let last = text.lines().rfind(|line| line.starts_with("call\t"));
                    format!("{name} ended with {end:?} (None: not at all); last {last:?}; see {log}")
                }
            });
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
