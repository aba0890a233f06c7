//! The agent's options: `key=value` pairs, separated by commas.

use std::ffi::CString;
use std::mem;

use jvmti::sys::{Capabilities, Capability};

use crate::event::early::{RECORDABLE, Recordable};

/// What `-agentpath:…=OPTIONS` asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `prepare=can_a+can_b`: make obtainable for the life of the VM, beside what always is.
    pub(crate) prepare: Vec<Capability>,
    /// `prepare=debugging`: the same for all of a group that there are.
    pub(crate) groups: Capabilities,
    /// `hold=can_a+can_b`: keep for ourselves from the start.
    pub(crate) hold: Vec<Capability>,
    /// `run=com.acme.Main`: the class whose `main` runs when the VM is initialised.
    pub(crate) run: Option<String>,
    /// `property=java.library.path=/x`: set this property of the VM's; as often as one likes.
    pub(crate) properties: Vec<Property>,
    /// `record=thread_start+native_method_bind`: what to record until the VM is initialised.
    pub(crate) record: Vec<&'static Recordable>,
}

/// A property of the VM's and its value, as the VM has text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: CString,
    pub(crate) value: CString,
}

/// A wrong option, in one line that says what would be right.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum OptionError {
    #[error("option '{0}' is not key=value: {right}", right = pairs(.0))]
    NotAPair(String),
    #[error("unknown option '{0}': {right}", right = pairs(.0))]
    UnknownKey(String),
    #[error("option '{0}' is given twice: {right}", right = once(.0))]
    Twice(String),
    #[error("option '{key}' names no capability '{name}'{}", hint(.key, .name))]
    UnknownCapability { key: String, name: String },
    #[error("option 'run' takes the name of a class, such as com.acme.Main, not '{0}'")]
    NotAClass(String),
    #[error(
        "option 'property' takes a name and a value, such as java.library.path=/lib, not '{0}'"
    )]
    NotAProperty(String),
    #[error(
        "option 'property': this VM does not let '{0}' be set: it must be there already, by -D for instance"
    )]
    NotThere(String),
    #[error("option 'property': this VM lets nobody set '{0}', which is its own: leave it out")]
    NotSettable(String),
    #[error("option 'record' names no early event '{0}': there are {known}", known = early_events())]
    UnknownEvent(String),
    #[error("this VM cannot give {0} (option '{1}')")]
    NotOffered(&'static str, &'static str),
    #[error(
        "another agent, such as a debugger, holds {0}, which only one can have (option '{1}'): leave out one of the two"
    )]
    HeldByAnother(&'static str, &'static str),
    #[error(
        "option '{0}' works only when the JVM starts with the agent (-agentpath), not by attach"
    )]
    OnlyAtStart(&'static str),
    #[error("options are not valid UTF-8")]
    NotUtf8,
}

pub(super) const PREPARE: &str = "prepare";
pub(super) const HOLD: &str = "hold";
const RUN: &str = "run";
/// The one that may be given more than once.
pub(super) const PROPERTY: &str = "property";
/// The one of early events.
pub(super) const RECORD: &str = "record";

/// All there are, and what each may be.
const KNOWN: [(&str, &str); 5] = [
    (PREPARE, "debugging+tracing"),
    (HOLD, "can_suspend"),
    (RUN, "com.acme.Main"),
    (PROPERTY, "java.library.path=/lib"),
    (RECORD, "class_load+thread_start"),
];

impl Property {
    /// For people to read.
    pub(super) fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }
}

impl Options {
    pub(crate) fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        let mut seen = Vec::new();
        for pair in text
            .split(',')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| OptionError::NotAPair(pair.to_owned()))?;
            if key != PROPERTY && seen.contains(&key) {
                return Err(OptionError::Twice(key.to_owned()));
            }
            seen.push(key);
            match key {
                PREPARE => (options.groups, options.prepare) = prepared(key, value)?,
                HOLD => options.hold = capabilities(key, value)?,
                RUN => options.run = Some(class_name(value)?),
                RECORD => options.record = recorded(value)?,
                PROPERTY => options.properties.push(property(value)?),
                _ => return Err(OptionError::UnknownKey(key.to_owned())),
            }
        }
        Ok(options)
    }
}

fn capabilities(key: &str, value: &str) -> Result<Vec<Capability>, OptionError> {
    let named = |name: &str| {
        by_name(name).ok_or_else(|| OptionError::UnknownCapability {
            key: key.to_owned(),
            name: name.to_owned(),
        })
    };
    value.split('+').map(named).collect()
}

/// Whole groups, and what is named by itself.
fn prepared(key: &str, value: &str) -> Result<(Capabilities, Vec<Capability>), OptionError> {
    let (mut groups, mut named) = (Capabilities::empty(), Vec::new());
    for name in value.split('+') {
        match group(name) {
            Some(group) => groups = groups.union(&group),
            None => named.extend(capabilities(key, name)?),
        }
    }
    Ok((groups, named))
}

fn group(name: &str) -> Option<Capabilities> {
    let mut groups = Capability::GROUPS.iter();
    let found = groups.find(|(group, _)| group.eq_ignore_ascii_case(name));
    found.map(|(_, capabilities)| *capabilities)
}

fn by_name(name: &str) -> Option<Capability> {
    Capability::ALL
        .iter()
        .copied()
        .find(|one| one.name().eq_ignore_ascii_case(name))
}

/// What would be right in place of a pair: one of that key, or what keys there are.
fn pairs(key: &str) -> String {
    match KNOWN.iter().find(|(known, _)| *known == key) {
        Some((key, value)) => format!("such as {key}={value}"),
        None => {
            let keys: Vec<_> = KNOWN.iter().map(|(key, _)| *key).collect();
            let (last, others) = keys.split_last().unwrap_or((&"", &[]));
            format!(
                "known are {} and {last}, such as {}={}",
                others.join(", "),
                KNOWN[0].0,
                KNOWN[0].1
            )
        }
    }
}

/// What would be right in place of a key that is given twice.
fn once(key: &str) -> String {
    match key {
        RUN => format!("one class can run, and only {PROPERTY} may be repeated"),
        key => format!("{key}=A+B takes several names"),
    }
}

/// What would be right: a name that is nearly the same, or what there is.
fn hint(key: &str, name: &str) -> String {
    if key != PREPARE && group(name).is_some() {
        return ", but a group, which is for prepare: name capabilities, such as can_suspend"
            .into();
    }
    if let Some(near) = near(key, name) {
        return format!(": did you mean {near}?");
    }
    if key != PREPARE {
        return ": docs/capabilities.md lists them, such as can_suspend".into();
    }
    format!(
        ", nor a group: groups are {}, docs/capabilities.md lists capabilities, such as can_pop_frame",
        groups().join(" and ")
    )
}

fn groups() -> Vec<&'static str> {
    Capability::GROUPS.iter().map(|(name, _)| *name).collect()
}

/// Shorter ones are in names by chance.
const SHORTEST_WORD: usize = 3;

/// Of so many letters one may be wrong.
const LETTERS_TO_ERR: usize = 4;

/// A name that is nearly the same: one is within the other, or a few letters differ.
fn near(key: &str, name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let word = bare(&name);
    let mut known = if key == PREPARE { groups() } else { Vec::new() };
    known.extend(Capability::ALL.iter().map(|one| one.name()));
    let is_within = |one: &&str| {
        (word.len() >= SHORTEST_WORD && one.contains(word)) || name.contains(bare(one))
    };
    known.iter().copied().find(is_within).or_else(|| {
        let far = |one: &&str| distance(word, bare(one));
        let nearest = known.iter().copied().min_by_key(far)?;
        (far(&nearest) <= word.len() / LETTERS_TO_ERR).then_some(nearest)
    })
}

/// A name without what all capabilities begin with.
fn bare(name: &str) -> &str {
    name.strip_prefix("can_").unwrap_or(name)
}

/// How many letters have to be put in, left out or replaced to make one of the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (done, letter) in one.chars().enumerate() {
        let mut diagonal = mem::replace(&mut row[0], done + 1);
        for (column, same) in other.chars().map(|o| o == letter).enumerate() {
            let least = (diagonal + usize::from(!same)).min(row[column].min(row[column + 1]) + 1);
            diagonal = mem::replace(&mut row[column + 1], least);
        }
    }
    row[row.len() - 1]
}

fn recorded(value: &str) -> Result<Vec<&'static Recordable>, OptionError> {
    let named = |name: &str| {
        let mut all = RECORDABLE.iter();
        let found = all.find(|one| one.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| OptionError::UnknownEvent(name.to_owned()))
    };
    value.split('+').map(named).collect()
}

/// Their names.
fn early_events() -> String {
    let names: Vec<_> = RECORDABLE.iter().map(|one| one.name).collect();
    names.join(", ")
}

fn class_name(value: &str) -> Result<String, OptionError> {
    let good = |part: &str| {
        part.chars()
            .next()
            .is_some_and(|first| !first.is_ascii_digit())
            && part
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    if value.split('.').all(good) {
        Ok(value.to_owned())
    } else {
        Err(OptionError::NotAClass(value.to_owned()))
    }
}

fn property(text: &str) -> Result<Property, OptionError> {
    let wrong = || OptionError::NotAProperty(text.to_owned());
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    if name.is_empty() {
        return Err(wrong());
    }
    // Options are text of C, in which no zero is.
    let c_text = |text: &str| CString::new(text).map_err(|_| wrong());
    Ok(Property {
        name: c_text(name)?,
        value: c_text(value)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_options_ask_for_nothing() {
        assert_eq!(Options::parse(""), Ok(Options::default()));
    }

    #[test]
    fn pairs_are_read() {
        let options =
            Options::parse("prepare=can_generate_exception_events+can_pop_frame,run=com.acme.Main")
                .unwrap();
        assert_eq!(
            options.prepare,
            [
                Capability::CAN_GENERATE_EXCEPTION_EVENTS,
                Capability::CAN_POP_FRAME
            ]
        );
        assert_eq!(options.hold, []);
        assert_eq!(options.run.as_deref(), Some("com.acme.Main"));
    }

    #[test]
    fn a_group_stands_for_all_that_it_takes() {
        let tracing: Capabilities = [
            Capability::CAN_GENERATE_METHOD_ENTRY_EVENTS,
            Capability::CAN_GENERATE_METHOD_EXIT_EVENTS,
        ]
        .into_iter()
        .collect();
        assert_eq!(Options::parse("prepare=tracing").unwrap().groups, tracing);
        let all = Options::parse("prepare=Debugging+can_pop_frame+tracing").unwrap();
        assert_eq!(all.groups, Capability::COSTLY);
        assert_eq!(all.prepare, [Capability::CAN_POP_FRAME]);
        assert!(Options::parse("hold=debugging").is_err());
    }

    #[test]
    fn early_events_are_named() {
        let options = Options::parse("record=thread_start+Early_Class_Hooks").unwrap();
        let names: Vec<_> = options.record.iter().map(|one| one.name).collect();
        assert_eq!(names, ["thread_start", "early_class_hooks"]);
    }

    #[test]
    fn properties_are_as_many_as_one_likes() {
        let options = Options::parse("property=a.b=c=d,property=e=,property=a.b=f").unwrap();
        let read: Vec<_> = options
            .properties
            .iter()
            .map(|one| (&*one.name, &*one.value))
            .collect();
        assert_eq!(read, [(c"a.b", c"c=d"), (c"e", c""), (c"a.b", c"f")]);
    }

    #[test]
    fn a_wrong_option_says_what_is_wrong() {
        let cases = [
            (
                "nonsense",
                "option 'nonsense' is not key=value: known are prepare, hold, run, property and record, such as prepare=debugging+tracing",
            ),
            (
                "prepare",
                "option 'prepare' is not key=value: such as prepare=debugging+tracing",
            ),
            (
                "property",
                "option 'property' is not key=value: such as property=java.library.path=/lib",
            ),
            (
                "log=x",
                "unknown option 'log': known are prepare, hold, run, property and record, such as prepare=debugging+tracing",
            ),
            (
                "run=A,run=B",
                "option 'run' is given twice: one class can run, and only property may be repeated",
            ),
            (
                "prepare=tracing,prepare=debugging",
                "option 'prepare' is given twice: prepare=A+B takes several names",
            ),
            (
                "run=a/b",
                "option 'run' takes the name of a class, such as com.acme.Main, not 'a/b'",
            ),
            (
                "property=a",
                "option 'property' takes a name and a value, such as java.library.path=/lib, not 'a'",
            ),
            (
                "property==a",
                "option 'property' takes a name and a value, such as java.library.path=/lib, not '=a'",
            ),
            (
                "record=class_load+gc",
                "option 'record' names no early event 'gc': there are class_file_load_hook, class_load, class_prepare, thread_start, native_method_bind, vm_start, vm_init, early_class_hooks, early_vm_start",
            ),
            (
                "hold=suspend",
                "option 'hold' names no capability 'suspend': did you mean can_suspend?",
            ),
            (
                "hold=can_x",
                "option 'hold' names no capability 'can_x': docs/capabilities.md lists them, such as can_suspend",
            ),
            (
                "hold=debugging",
                "option 'hold' names no capability 'debugging', but a group, which is for prepare: name capabilities, such as can_suspend",
            ),
            (
                "prepare=can_sspend",
                "option 'prepare' names no capability 'can_sspend': did you mean can_suspend?",
            ),
            (
                "prepare=debuging",
                "option 'prepare' names no capability 'debuging': did you mean debugging?",
            ),
            (
                "prepare=can_foo",
                "option 'prepare' names no capability 'can_foo', nor a group: groups are debugging and tracing, docs/capabilities.md lists capabilities, such as can_pop_frame",
            ),
            (
                "prepare=",
                "option 'prepare' names no capability '', nor a group: groups are debugging and tracing, docs/capabilities.md lists capabilities, such as can_pop_frame",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(Options::parse(text).unwrap_err().to_string(), message);
        }
    }
}
