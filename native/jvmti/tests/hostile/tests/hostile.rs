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

#[path = "hostile/source.rs"]
mod source;
#[path = "hostile/wrong.rs"]
mod wrong;

use jdks::{Jdk, jdks, output, root};
use source::{Function, public_in};
use wrong::{Told, can_be_called};

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

/// Every function that is safe and public, read from the source.
fn public() -> Vec<Function> {
    let found = public_in(&root().join("native/jvmti/src"));
    assert!(found.len() > 70);
    found.into_iter().filter(can_be_called).collect()
}

/// Whether it is reached is seen when it runs, a minute later.
#[test]
fn every_safe_function_has_a_call() {
    let calls = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/calls");
    let mut written = String::new();
    for file in fs::read_dir(calls).unwrap() {
        written += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    let mut missing: BTreeSet<_> = public().into_iter().map(|one| one.name).collect();
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
        let told = Told::read(&text);
        say(&format!(
            "{name}: {} calls of {} functions",
            told.count,
            told.calls.len()
        ));
        let missing: Vec<_> = public
            .iter()
            .filter(|one| !told.calls.contains_key(one.name.as_str()))
            .map(|one| one.name.clone())
            .chain(public.iter().flat_map(|one| told.lacks(one)))
            .collect();
        if end != Some(0) || !text.contains("\nsurvived\n") || !missing.is_empty() {
            let log = log.display();
            failures.push(match end {
                Some(0) => format!(
                    "{name}: native/jvmti/tests/hostile/src/calls lacks a call with what is wrong of {missing:#?}; see {log}"
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
