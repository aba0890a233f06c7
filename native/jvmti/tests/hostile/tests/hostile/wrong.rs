//! What each parameter has to have been given, by its type.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::Function;

/// Types of which nothing can be wrong, or nothing that Rust lets anybody write.
const RIGHT: [&str; 7] = ["Env", "Field", "HotSpotEvent", "JavaVM", "T", "bool", "str"];

/// What only the VM makes: nobody else calls what takes one of these.
const OF_THE_VM: [&str; 3] = ["HeapField", "HeapObject", "HeapReference"];

/// What HotSpot does not survive, and is therefore not given to a function.
const SPARED: [(&str, &str); 1] = [("Env::named_module", "a loader without constructor")];

/// The other side of a pair of columns that a JVM has written.
type Columns<'s> = BTreeMap<&'s str, BTreeSet<&'s str>>;

/// What a JVM has told of: the victims by their type, and what is said about each call by its function.
#[derive(Default)]
pub(crate) struct Told<'s> {
    victims: Columns<'s>,
    pub(crate) calls: Columns<'s>,
    pub(crate) count: usize,
}

impl<'s> Told<'s> {
    pub(crate) fn read(log: &'s str) -> Self {
        let mut told = Self::default();
        let row = |line: &'s str, kind| line.split_once(kind)?.1.split_once('\t');
        for line in log.lines() {
            if let Some((function, about)) = row(line, "call\t") {
                told.calls.entry(function).or_default().insert(about);
                told.count += 1;
            } else if let Some((of, name)) = row(line, "victim\t") {
                told.victims.entry(of).or_default().insert(name);
            }
        }
        told
    }

    /// What `function` was not given, each with the place among its parameters that can be wrong.
    ///
    /// What is said about a call begins with what each of those is, in their order.
    pub(crate) fn lacks(&self, function: &Function) -> Vec<String> {
        let calls = self.calls.get(function.name.as_str());
        let given: Vec<Vec<_>> = calls
            .into_iter()
            .flatten()
            .map(|one| one.split(", ").collect())
            .collect();
        let mut lacking = Vec::new();
        for (place, parameter) in wrong(function).into_iter().enumerate() {
            let given = given.iter().filter_map(|words| words.get(place));
            let given: BTreeSet<_> = given.map(|word| parameter.of(word)).collect();
            for demanded in self.demanded(&parameter) {
                let spared = SPARED.contains(&(&function.name, &demanded));
                if !spared && !given.contains(demanded.as_str()) {
                    lacking.push(format!("{}({place}: {demanded})", function.name));
                }
            }
        }
        lacking
    }

    /// All that a parameter can be.
    fn demanded(&self, parameter: &Parameter<'_>) -> Vec<String> {
        let mut demanded = match parameter.numbers() {
            Some(numbers) => numbers,
            None => {
                let victims = self.victims.get(parameter.of_type);
                let victims = victims.into_iter().flatten();
                victims.map(|&name| name.to_owned()).collect()
            }
        };
        assert!(
            !demanded.is_empty(),
            "what can be wrong of a {}? It is no victim, no number, and not among what is right",
            parameter.of_type
        );
        demanded.extend(parameter.may_be_none.then(|| "none".to_owned()));
        demanded
    }
}

/// Whether anybody but the VM can call it.
pub(crate) fn can_be_called(function: &Function) -> bool {
    let mut takes = function.takes.iter().map(|written| Parameter::new(written));
    !function.provided || takes.all(|one| !OF_THE_VM.contains(&one.of_type))
}

/// The parameters that can be wrong.
fn wrong(function: &Function) -> Vec<Parameter<'_>> {
    let takes = function.takes.iter();
    let takes =
        takes.filter(|written| !written.starts_with("&mut ") && !written.starts_with("impl "));
    let takes = takes.map(|written| Parameter::new(written));
    takes.filter(|one| !RIGHT.contains(&one.of_type)).collect()
}

struct Parameter<'s> {
    of_type: &'s str,
    may_be_none: bool,
}

impl<'s> Parameter<'s> {
    /// Of a list what is in it, without references, lifetimes and where the type stands.
    fn new(written: &'s str) -> Self {
        let bare = written.strip_prefix("Option<");
        let mut of_type = bare.unwrap_or(written);
        loop {
            of_type = of_type.trim_start_matches(['&', '[', ' ']);
            match of_type.strip_prefix('\'') {
                Some(lifetime) => of_type = lifetime.split_once(' ').map_or("", |(_, rest)| rest),
                None => break,
            }
        }
        of_type = of_type.split(['<', ']', '>']).next().unwrap_or(of_type);
        Self {
            of_type: of_type.rsplit("::").next().unwrap_or(of_type),
            may_be_none: bare.is_some(),
        }
    }

    /// What is said of it, for a number without what it is called.
    fn of<'w>(&self, word: &'w str) -> &'w str {
        match self.numbers() {
            Some(_) => word.rsplit(' ').next().unwrap_or(word),
            None => word,
        }
    }

    /// The outermost numbers, if it is one.
    fn numbers(&self) -> Option<Vec<String>> {
        let text = |number: &dyn ToString| number.to_string();
        Some(match self.of_type {
            "Error" | "Event" | "EventMode" | "HeapFilter" | "HeapObjectFilter" | "VerboseFlag"
            | "i32" => [i32::MIN, -1, 0, i32::MAX].map(|one| text(&one)).into(),
            "i64" => [i64::MIN, -1, 0, i64::MAX].map(|one| text(&one)).into(),
            "u16" => [0, u16::MAX].map(|one| text(&one)).into(),
            "u32" => [0, u32::MAX].map(|one| text(&one)).into(),
            "Capabilities" => [0, u64::MAX].map(|one| text(&one)).into(),
            "usize" => [0, usize::MAX].map(|one| text(&one)).into(),
            _ => return None,
        })
    }
}

#[test]
fn a_call_with_what_is_right_alone_is_not_enough() {
    let log = "victim\tJThread\tnull\nvictim\tJThread\tan ended one\nvictim\tJThread\ta live one
call\tEnv::pop\tnull, depth 0, soon\ncall\tEnv::pop\tan ended one, depth 4294967295
call\tEnv::pop\tnone, depth 1\ncall\tEnv::pop\t4294967295, a live one\n";
    let function = |name: &str| Function {
        name: name.to_owned(),
        takes: ["&jni::Env<'l>", "Option<&'a [JThread<'_>]>", "u32"]
            .map(String::from)
            .into(),
        provided: false,
    };
    let told = Told::read(log);
    assert_eq!(
        told.lacks(&function("Env::pop")),
        ["Env::pop(0: a live one)"]
    );
    assert_eq!(told.lacks(&function("Env::push")).len(), 6);
}
