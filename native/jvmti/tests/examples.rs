//! The examples are agents that work, in a JVM of each JDK that is there.

#![cfg(unix)]

mod jdks;

use std::path::{Path, PathBuf};
use std::process::Command;

use jdks::{jdks, output};

/// What Cargo has built beside this test.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let file = format!("lib{name}{}", std::env::consts::DLL_SUFFIX);
    let example = test.ancestors().nth(2).unwrap().join("examples").join(file);
    assert!(example.exists(), "{} is not built", example.display());
    example
}

/// What a JVM prints that does nothing but tell its version, with this agent.
fn printed(java: &Path, agent: &str, options: &str) -> String {
    let agent = example(agent).display().to_string();
    let agent = format!("-agentpath:{agent}{options}");
    output(Command::new(java).args([&agent, "-version"])).unwrap()
}

fn on_each_jdk(test: impl Fn(&Path)) {
    for jdk in jdks() {
        match jdk.java {
            Ok(java) => test(&java),
            Err(reason) => eprintln!("{}: skipped: {reason}", jdk.name),
        }
    }
}

#[test]
fn classes_are_printed_as_they_are_loaded() {
    on_each_jdk(|java| {
        let classes = printed(java, "classes", "");
        let shutdown = classes
            .lines()
            .find(|line| line.ends_with(" java/lang/Shutdown"));
        let bytes = shutdown.and_then(|line| line.split_whitespace().next()?.parse::<u32>().ok());
        assert!(bytes.is_some_and(|bytes| bytes > 500), "{classes}");
    });
}

#[test]
fn allocations_are_counted() {
    on_each_jdk(|java| {
        let allocations = printed(java, "allocations", "=0");
        assert!(allocations.contains(" samples of ["), "{allocations}");
    });
}

#[test]
fn an_agent_that_refuses_its_options_keeps_the_vm_from_starting() {
    on_each_jdk(|java| {
        let agent = format!("-agentpath:{}=many", example("allocations").display());
        let refused = output(Command::new(java).args([&agent, "-version"])).unwrap_err();
        assert!(refused.contains("agent: invalid digit"), "{refused}");
    });
}

#[test]
fn the_heap_is_counted() {
    on_each_jdk(|java| {
        let histogram = printed(java, "histogram", "");
        let bytes = histogram.lines().next().unwrap_or_default();
        assert!(bytes.contains(" objects of ["), "{histogram}");
        assert_eq!(histogram.lines().count(), 20);
    });
}
