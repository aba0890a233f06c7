//! The events that Java is told of, and what its listeners get of each.

use std::path::Path;

use crate::error::SpecError;
use crate::event::Event;
use crate::tsv::{self, Row};

/// An event, and the Java record that its listeners get.
#[derive(Debug, Clone)]
pub struct Told {
    pub event: Event,
    pub components: Vec<Component>,
    /// The component whose class filters look at.
    pub class_of: Option<String>,
    pub doc: String,
}

/// A component of such a record.
#[derive(Debug, Clone)]
pub struct Component {
    pub name: String,
    /// The parameter that it is made of.
    pub parameter: String,
    pub kind: Kind,
    pub doc: String,
}

/// What crosses to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Thread,
    Object,
    Class,
    Throwable,
    Method,
    /// A method, or none.
    MethodIfAny,
    Long,
    /// A size, which is a `long` for Java.
    Size,
    Boolean,
}

/// Reads `java-events.tsv`: after a row for the event itself one for each component.
pub fn told(dir: &Path, events: &[Event]) -> Result<Vec<Told>, SpecError> {
    let mut all: Vec<Told> = Vec::new();
    for row in tsv::read(&dir.join("java-events.tsv"))? {
        let (name, component) = (row.name("event")?, row.text("component")?);
        let (parameter, doc) = (row.text("parameter")?, row.name("doc")?);
        if component.is_empty() {
            let event = events.iter().find(|one| one.name == name);
            let event = event.ok_or_else(|| row.wrong("event", "no event"))?;
            all.push(Told {
                event: event.clone(),
                components: Vec::new(),
                class_of: Some(parameter).filter(|name| !name.is_empty()),
                doc,
            });
            continue;
        }
        let told = all.last_mut().filter(|told| told.event.name == name);
        let told = told.ok_or_else(|| row.wrong("event", "no row for the event itself"))?;
        let kind = kind(&row, &told.event, &parameter)?;
        told.components.push(Component {
            name: component,
            parameter,
            kind,
            doc,
        });
    }
    all.sort_by_key(|told| told.event.number);
    Ok(all)
}

fn kind(row: &Row, event: &Event, name: &str) -> Result<Kind, SpecError> {
    let parameter = event.parameters.iter().find(|one| one.name == name);
    let parameter = parameter.ok_or_else(|| row.wrong("parameter", "no parameter of the event"))?;
    Ok(match (parameter.c_type.as_str(), name) {
        ("jthread", _) => Kind::Thread,
        ("jclass", _) => Kind::Class,
        ("jobject", "exception") => Kind::Throwable,
        ("jobject", _) => Kind::Object,
        ("jmethodID", _) if parameter.nullable => Kind::MethodIfAny,
        ("jmethodID", _) => Kind::Method,
        ("jlong", "size") => Kind::Size,
        ("jlong" | "jlocation", _) => Kind::Long,
        ("jboolean", _) => Kind::Boolean,
        _ => return Err(row.wrong("parameter", "of no kind that crosses to Java")),
    })
}

impl Told {
    pub fn component(&self, kind: Kind) -> Option<&Component> {
        self.components.iter().find(|one| one.kind == kind)
    }

    /// `monitorContendedEnter`: of Java's method for it.
    pub fn java_method(&self) -> String {
        let name = &self.event.name;
        match name.strip_prefix("VM") {
            Some(rest) => format!("vm{rest}"),
            None => format!("{}{}", name[..1].to_lowercase(), &name[1..]),
        }
    }

    /// `MonitorContendedEnterEvent`.
    pub fn java_record(&self) -> String {
        format!("{}Event", self.event.name)
    }

    /// `MONITOR_CONTENDED_ENTER`.
    pub fn constant(&self) -> &str {
        self.event
            .constant
            .strip_prefix("JVMTI_EVENT_")
            .unwrap_or(&self.event.constant)
    }
}

impl Kind {
    /// In the record.
    pub fn java(self) -> &'static str {
        match self {
            Self::Thread => "Thread",
            Self::Object => "Object",
            Self::Class => "Class<?>",
            Self::Throwable => "Throwable",
            Self::Method => "JvmMethod",
            Self::MethodIfAny => "Optional<JvmMethod>",
            Self::Long | Self::Size => "long",
            Self::Boolean => "boolean",
        }
    }

    /// Of what native code hands over.
    pub fn java_raw(self) -> &'static str {
        match self {
            Self::Method | Self::MethodIfAny => "long",
            _ => self.java(),
        }
    }

    pub fn descriptor(self) -> &'static str {
        match self {
            Self::Thread => "Ljava/lang/Thread;",
            Self::Object => "Ljava/lang/Object;",
            Self::Class => "Ljava/lang/Class;",
            Self::Throwable => "Ljava/lang/Throwable;",
            Self::Method | Self::MethodIfAny | Self::Long | Self::Size => "J",
            Self::Boolean => "Z",
        }
    }
}
