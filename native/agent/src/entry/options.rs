//! The agent's options: `key=value` pairs, separated by commas.

use std::ffi::CString;

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
    #[error("option '{0}' is not key=value")]
    NotAPair(String),
    #[error("unknown option '{0}': known are prepare, hold, run, property and record")]
    UnknownKey(String),
    #[error("option '{0}' is given twice")]
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

/// The one that may be given more than once.
pub(super) const PROPERTY: &str = "property";
/// The one of early events.
pub(super) const RECORD: &str = "record";

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
                "prepare" => (options.groups, options.prepare) = prepared(key, value)?,
                "hold" => options.hold = capabilities(key, value)?,
                "run" => options.run = Some(class_name(value)?),
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

/// What would be right: a name that is nearly the same, or what there is besides capabilities.
fn hint(key: &str, name: &str) -> String {
    let near = near(name);
    if key != "prepare" || !near.is_empty() {
        return near;
    }
    let groups: Vec<_> = Capability::GROUPS.iter().map(|(name, _)| *name).collect();
    format!(", nor a group: there are {}", groups.join(" and "))
}

/// Shorter ones are in names by chance.
const SHORTEST_WORD: usize = 3;

/// A hint for a name that is nearly right.
fn near(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let word = name.trim_start_matches("can_");
    let candidate = Capability::ALL.iter().map(|one| one.name()).find(|one| {
        (word.len() >= SHORTEST_WORD && one.contains(word)) || name.contains(&one[4..])
    });
    candidate.map_or_else(String::new, |one| format!(": did you mean {one}?"))
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
            ("nonsense", "option 'nonsense' is not key=value"),
            (
                "log=x",
                "unknown option 'log': known are prepare, hold, run, property and record",
            ),
            ("run=A,run=B", "option 'run' is given twice"),
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
            ("hold=can_x", "option 'hold' names no capability 'can_x'"),
            (
                "prepare=",
                "option 'prepare' names no capability '', nor a group: there are debugging and tracing",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(Options::parse(text).unwrap_err().to_string(), message);
        }
    }
}
