//! The tables as typed rows, checked for what the generators rely on.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use crate::asked::asked;
use crate::boundary::{self, Native, Record};
use crate::error::SpecError;
pub use crate::event::{Event, Parameter};
use crate::text::snake_case;
use crate::told::{Told, told};
use crate::tsv::{self, Row};

/// Number of slots of the function table.
pub const SLOTS: u32 = 156;
/// Number of the first event.
pub const FIRST_EVENT: u32 = 50;
/// Number of the last event.
pub const LAST_EVENT: u32 = 88;

#[derive(Debug, Clone)]
pub struct Function {
    pub slot: u32,
    pub name: String,
    pub category: String,
    pub stem: String,
    pub since: u32,
    pub requires: Vec<String>,
    pub enhanced_by: Vec<String>,
    pub parameters: Vec<Parameter>,
}

#[derive(Debug, Clone)]
pub struct Capability {
    pub bit: u32,
    pub name: String,
    pub since: u32,
    pub on_load_only: bool,
    pub solo: bool,
    /// The group of `prepare=` that it belongs to; none if it costs nothing and is prepared anyway.
    pub group: Option<String>,
    /// What it costs a program once it is prepared, as measured; those of a group have one.
    pub cost: Option<String>,
    pub description: String,
}

/// A named number of `jvmti.h`; `value` as the table writes it.
#[derive(Debug, Clone)]
pub struct Constant {
    pub name: String,
    pub value: String,
    pub since: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    Enum,
    Bits,
    Value,
}

#[derive(Debug, Clone)]
pub struct Group {
    pub name: String,
    pub kind: GroupKind,
    pub rust_type: String,
    pub prefix: String,
    pub description: String,
    pub constants: Vec<Constant>,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub c_type: String,
}

#[derive(Debug, Clone)]
pub struct Struct {
    pub name: String,
    pub since: u32,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone)]
pub struct CallbackType {
    pub name: String,
    pub since: u32,
    pub returns: String,
    pub parameters: Vec<Parameter>,
}

/// A function of JNI, by its place in the table, which is counted from 0.
#[derive(Debug, Clone)]
pub struct JniFunction {
    pub slot: u32,
    pub name: String,
    pub since: u32,
}

/// A number of the boundary between our Java and our native code.
#[derive(Debug, Clone)]
pub struct BridgeNumber {
    pub name: String,
    pub value: i32,
    pub meaning: String,
}

/// All tables.
#[derive(Debug, Clone)]
pub struct Spec {
    pub functions: Vec<Function>,
    pub events: Vec<Event>,
    /// Those of HotSpot that the specification does not have.
    pub extension_events: Vec<Event>,
    pub capabilities: Vec<Capability>,
    pub errors: Vec<Constant>,
    pub groups: Vec<Group>,
    pub structs: Vec<Struct>,
    pub callback_types: Vec<CallbackType>,
    pub jni_functions: Vec<JniFunction>,
    pub bridge: Vec<BridgeNumber>,
    /// Of ours.
    pub version: String,
    pub natives: Vec<Native>,
    pub records: Vec<Record>,
    /// What the oracle asks.
    pub asked: Vec<Native>,
    /// What Java is told of, in the order of their numbers; what has none comes last.
    pub told: Vec<Told>,
}

impl Spec {
    /// Reads and checks the tables of a directory.
    pub fn load(dir: &Path, version: String) -> Result<Self, SpecError> {
        let read = |name: &str| tsv::read(&dir.join(name));
        let mut parameters = parameters(&read("parameters.tsv")?)?;
        let mut take = |of: &str, owner: &str| {
            parameters
                .remove(&(of.to_owned(), owner.to_owned()))
                .unwrap_or_default()
        };
        let functions = rows(&read("functions.tsv")?, |row| {
            let name = row.name("name")?;
            Ok(Function {
                slot: row.number("slot")?,
                category: row.name("category")?,
                stem: row.name("stem")?,
                since: row.number("since")?,
                requires: row.list("requires")?,
                enhanced_by: row.list("enhanced_by")?,
                parameters: take("function", &name),
                name,
            })
        })?;
        let events = rows(&read("events.tsv")?, |row| {
            let name = row.name("name")?;
            Ok(Event {
                number: row.number("number")?,
                constant: row.name("const")?,
                since: row.number("since")?,
                by_thread: row.flag("filtered_by_thread")?,
                requires: row.list("requires")?,
                enhanced_by: row.list("enhanced_by")?,
                id: None,
                parameters: take("event", &name),
                name,
            })
        })?;
        let extension_events = rows(&read("extension-events.tsv")?, |row| {
            let name = row.name("name")?;
            Ok(Event {
                number: 0,
                constant: snake_case(&name).to_uppercase(),
                since: row.number("since")?,
                by_thread: false,
                requires: Vec::new(),
                enhanced_by: Vec::new(),
                id: Some(row.name("id")?),
                parameters: take("extension_event", &name),
                name,
            })
        })?;
        let callback_types = rows(&read("callback-types.tsv")?, |row| {
            let name = row.name("name")?;
            Ok(CallbackType {
                since: row.number("since")?,
                returns: row.name("returns")?,
                parameters: take("callback", &name),
                name,
            })
        })?;
        if let Some((of, owner)) = parameters.keys().next() {
            let problem = format!("parameters.tsv: no {of} is called {owner}");
            return Err(SpecError::Inconsistent(problem));
        }
        let natives = boundary::natives(dir)?;
        let spec = Self {
            asked: asked(
                dir,
                &functions.iter().map(|one| one.name.as_str()).collect(),
                &natives,
            )?,
            told: told(dir, &[&*events, &*extension_events].concat())?,
            functions,
            events,
            extension_events,
            callback_types,
            capabilities: rows(&read("capabilities.tsv")?, capability)?,
            errors: rows(&read("errors.tsv")?, |row| constant(row, "number"))?,
            groups: groups(&read("constant-groups.tsv")?, &read("constants.tsv")?)?,
            structs: structs(&read("structs.tsv")?)?,
            jni_functions: rows(&read("jni-functions.tsv")?, jni_function)?,
            bridge: rows(&read("bridge.tsv")?, bridge_number)?,
            version,
            natives,
            records: boundary::records(dir)?,
        };
        spec.check()?;
        Ok(spec)
    }

    /// The function in a slot, if it is not reserved.
    pub fn function_in(&self, slot: u32) -> Option<&Function> {
        self.functions.iter().find(|function| function.slot == slot)
    }

    /// The event with a number, if it is not reserved.
    pub fn event_numbered(&self, number: u32) -> Option<&Event> {
        self.events.iter().find(|event| event.number == number)
    }

    /// Stems of the function files, sorted.
    pub fn stems(&self) -> BTreeSet<&str> {
        self.functions
            .iter()
            .map(|function| function.stem.as_str())
            .collect()
    }

    fn check(&self) -> Result<(), SpecError> {
        let wrong = |problem: String| Err(SpecError::Inconsistent(problem));
        let mut slots = HashSet::new();
        for function in &self.functions {
            if function.slot == 0 || function.slot > SLOTS || !slots.insert(function.slot) {
                return wrong(format!(
                    "functions.tsv: slot {} of {}",
                    function.slot, function.name
                ));
            }
            for capability in &function.requires {
                if !self
                    .capabilities
                    .iter()
                    .any(|known| known.name == *capability)
                {
                    return wrong(format!(
                        "functions.tsv: {} requires {capability}",
                        function.name
                    ));
                }
            }
        }
        let mut numbers = HashSet::new();
        for event in &self.events {
            let in_range = (FIRST_EVENT..=LAST_EVENT).contains(&event.number);
            if !in_range || !numbers.insert(event.number) {
                return wrong(format!(
                    "events.tsv: number {} of {}",
                    event.number, event.name
                ));
            }
        }
        for (index, capability) in self.capabilities.iter().enumerate() {
            if capability.bit as usize != index || index >= 64 {
                return wrong(format!("capabilities.tsv: bit of {}", capability.name));
            }
        }
        Ok(())
    }
}

fn rows<T>(
    table: &[Row],
    read: impl FnMut(&Row) -> Result<T, SpecError>,
) -> Result<Vec<T>, SpecError> {
    table.iter().map(read).collect()
}

type Parameters = HashMap<(String, String), Vec<Parameter>>;

fn parameters(table: &[Row]) -> Result<Parameters, SpecError> {
    let mut all = Parameters::new();
    for row in table {
        let list = all
            .entry((row.name("of")?, row.name("owner")?))
            .or_default();
        if row.number::<usize>("position")? != list.len() + 1 {
            return Err(row.wrong("position", "out of order"));
        }
        list.push(Parameter {
            name: row.name("name")?,
            c_type: row.name("c_type")?,
            nullable: row.text("null")? == "allowed",
            count: Some(row.text("count_in")?).filter(|name| !name.is_empty()),
        });
    }
    Ok(all)
}

fn capability(row: &Row) -> Result<Capability, SpecError> {
    let given = |column| Ok(Some(row.name(column)?).filter(|text| text != "-"));
    let (group, cost) = (given("prepare")?, given("cost")?);
    if group.is_some() != cost.is_some() {
        return Err(row.wrong(
            "cost",
            "what has a group of `prepare` has a cost, and nothing else",
        ));
    }
    Ok(Capability {
        bit: row.number("bit")?,
        name: row.name("name")?,
        since: row.number("since")?,
        on_load_only: row.flag("on_load_only")?,
        solo: row.flag("solo")?,
        group,
        cost,
        description: row.name("description")?,
    })
}

fn constant(row: &Row, value: &str) -> Result<Constant, SpecError> {
    let text = row.name(value)?;
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text.as_str(), 10),
    };
    if i32::from_str_radix(digits, radix).is_err() {
        return Err(row.wrong(value, "not a 32-bit number"));
    }
    Ok(Constant {
        name: row.name("name")?,
        value: text,
        since: row.number("since")?,
    })
}

fn groups(groups: &[Row], constants: &[Row]) -> Result<Vec<Group>, SpecError> {
    let mut all = rows(groups, |row| {
        let kind = match row.name("kind")?.as_str() {
            "enum" => GroupKind::Enum,
            "bits" => GroupKind::Bits,
            "value" => GroupKind::Value,
            _ => return Err(row.wrong("kind", "neither enum, bits nor value")),
        };
        if row.text("rust_type")?.is_empty() != (kind == GroupKind::Value) {
            return Err(row.wrong("rust_type", "enum and bits have one, value has none"));
        }
        Ok(Group {
            name: row.name("group")?,
            kind,
            rust_type: row.text("rust_type")?,
            prefix: row.name("prefix")?,
            description: row.name("description")?,
            constants: Vec::new(),
        })
    })?;
    for row in constants {
        let name = row.name("group")?;
        let constant = constant(row, "value")?;
        let Some(group) = all.iter_mut().find(|group| group.name == name) else {
            return Err(row.wrong("group", "not in constant-groups.tsv"));
        };
        if !constant.name.starts_with(&group.prefix) {
            return Err(row.wrong("name", "lacks the prefix of its group"));
        }
        group.constants.push(constant);
    }
    Ok(all)
}

fn structs(table: &[Row]) -> Result<Vec<Struct>, SpecError> {
    let mut all: Vec<Struct> = Vec::new();
    for row in table {
        let name = row.name("struct")?;
        if all.last().is_none_or(|last| last.name != name) {
            all.push(Struct {
                name,
                since: row.number("since")?,
                fields: Vec::new(),
            });
        }
        if let Some(last) = all.last_mut() {
            if row.number::<usize>("position")? != last.fields.len() + 1 {
                return Err(row.wrong("position", "out of order"));
            }
            last.fields.push(Field {
                name: row.name("field")?,
                c_type: row.name("c_type")?,
            });
        }
    }
    Ok(all)
}

fn jni_function(row: &Row) -> Result<JniFunction, SpecError> {
    Ok(JniFunction {
        slot: row.number("slot")?,
        name: row.name("name")?,
        since: row.number("since")?,
    })
}

fn bridge_number(row: &Row) -> Result<BridgeNumber, SpecError> {
    Ok(BridgeNumber {
        name: row.name("name")?,
        value: row.number("value")?,
        meaning: row.name("meaning")?,
    })
}
