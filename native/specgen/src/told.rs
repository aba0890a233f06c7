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
    /// The parameter whose class filters look at.
    pub class_of: Option<String>,
    pub answer: Answer,
    pub doc: String,
}

/// What a listener may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    /// What the method returns at once.
    Return,
    /// A class file.
    Bytes,
    /// An address.
    Address,
}

/// A component of such a record.
#[derive(Debug, Clone)]
pub struct Component {
    pub name: String,
    /// The parameter that it is made of.
    pub parameter: String,
    pub kind: Kind,
    /// Whether there may be none.
    pub is_optional: bool,
    pub doc: String,
}

/// What crosses to Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Thread,
    Object,
    Class,
    Loader,
    Domain,
    Throwable,
    Method,
    /// A method that may be gone, if it was told of before.
    KnownMethod,
    /// Of the class that the parameter `field_klass` says.
    Field,
    /// A value of any type, boxed.
    Value,
    Text,
    /// As the VM has it, for Java as Java writes it.
    ClassName,
    /// The number of a virtual thread, and that of its carrier.
    ThreadId,
    CarrierId,
    Bytes,
    Address,
    /// What is exhausted.
    Resources,
    /// When it happened.
    Time,
    /// How long it took.
    Duration,
    /// In milliseconds.
    Timeout,
    /// How many, which is an `int` for Java.
    Count,
    /// From which address on the code is of which bytecode.
    Map,
    /// Of which methods the code is.
    Inlined,
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
                answer: Answer::of(event),
                doc,
            });
            continue;
        }
        let told = all.last_mut().filter(|told| told.event.name == name);
        let told = told.ok_or_else(|| row.wrong("event", "no row for the event itself"))?;
        told.components
            .push(made(&row, &told.event, component, parameter, doc)?);
    }
    all.sort_by_key(|told| (told.event.id.is_some(), told.event.number));
    Ok(all)
}

fn made(
    row: &Row,
    event: &Event,
    name: String,
    parameter: String,
    doc: String,
) -> Result<Component, SpecError> {
    // What the VM does not pass is looked at when it happens.
    let own = match name.as_str() {
        "time" => Some(Kind::Time),
        "duration" => Some(Kind::Duration),
        _ => None,
    };
    if let Some(kind) = own {
        return Ok(Component {
            is_optional: false,
            name,
            parameter,
            kind,
            doc,
        });
    }
    let given = event.parameters.iter().find(|one| one.name == parameter);
    let given = given.ok_or_else(|| row.wrong("parameter", "no parameter of the event"))?;
    let kind = match (given.c_type.as_str(), parameter.as_str()) {
        ("jthread", _) if name == "carrierId" => Kind::CarrierId,
        ("jthread", _) if event.id.is_some() => Kind::ThreadId,
        ("jthread", _) => Kind::Thread,
        ("jclass", _) => Kind::Class,
        ("jobject", "exception") => Kind::Throwable,
        ("jobject", "loader") => Kind::Loader,
        ("jobject", "protection_domain") => Kind::Domain,
        ("jobject", _) => Kind::Object,
        ("jmethodID", _) if event.name == "CompiledMethodUnload" => Kind::KnownMethod,
        ("jmethodID", _) => Kind::Method,
        ("jfieldID", _) => Kind::Field,
        ("jvalue", _) => Kind::Value,
        ("const char*", _) if event.id.is_some() => Kind::ClassName,
        ("const char*", _) => Kind::Text,
        ("const unsigned char*", _) => Kind::Bytes,
        ("const void*", "compile_info") => Kind::Inlined,
        ("void*" | "const void*", _) => Kind::Address,
        ("const jvmtiAddrLocationMap*", _) => Kind::Map,
        ("jint", "flags") => Kind::Resources,
        ("jint", _) => Kind::Count,
        ("jlong", "size") => Kind::Size,
        ("jlong", "timeout") => Kind::Timeout,
        ("jlong" | "jlocation", _) => Kind::Long,
        ("jboolean", _) => Kind::Boolean,
        _ => return Err(row.wrong("parameter", "of no kind that crosses to Java")),
    };
    Ok(Component {
        is_optional: match kind {
            Kind::Value | Kind::KnownMethod => true,
            Kind::Inlined => false,
            _ => given.nullable,
        },
        name,
        parameter,
        kind,
        doc,
    })
}

impl Answer {
    fn of(event: &Event) -> Self {
        let has = |name| event.parameters.iter().any(|one| one.name == name);
        if has("new_class_data") {
            Self::Bytes
        } else if has("new_address_ptr") {
            Self::Address
        } else if matches!(event.name.as_str(), "Breakpoint" | "SingleStep") {
            Self::Return
        } else {
            Self::Nothing
        }
    }

    /// What Java answers to native code.
    pub fn descriptor(self) -> &'static str {
        match self {
            // What is to be returned is asked for by a call.
            Self::Nothing | Self::Return => "V",
            Self::Bytes => "[B",
            Self::Address => "J",
        }
    }
}

impl Told {
    /// Without it nobody can be told.
    pub fn capability(&self) -> Option<String> {
        let required = self.event.requires.first().cloned();
        // Who hears of class files without it is never asked about a retransformation any more.
        let of_files = || (self.answer == Answer::Bytes).then(|| "can_retransform_classes".into());
        required.or_else(of_files).map(|name| name.to_uppercase())
    }

    pub fn component(&self, kind: Kind) -> Option<&Component> {
        self.components.iter().find(|one| one.kind == kind)
    }

    /// Whether no Java may run when it happens: it is recorded, and told later. Those of HotSpot come in the middle of
    /// something, though they have an environment of JNI.
    pub fn is_recorded(&self) -> bool {
        let mut parameters = self.event.parameters.iter();
        self.event.id.is_some() || !parameters.any(|one| one.name == "jni_env")
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

impl Component {
    /// In the record.
    pub fn java(&self) -> String {
        let one = self.kind.java();
        match self.is_optional {
            true => format!("Optional<{one}>"),
            false => one.to_owned(),
        }
    }

    /// What native code hands over: names and types.
    pub fn raw(&self) -> Vec<(String, &'static str)> {
        let name = &self.name;
        match self.kind {
            Kind::Field => vec![(format!("{name}Class"), "Class<?>"), (name.clone(), "long")],
            Kind::Value => vec![
                (format!("{name}Type"), "char"),
                (format!("{name}Bits"), "long"),
                (name.clone(), "Object"),
            ],
            Kind::Method
            | Kind::KnownMethod
            | Kind::Address
            | Kind::Time
            | Kind::Duration
            | Kind::Timeout
            | Kind::Count => vec![(name.clone(), "long")],
            Kind::Map | Kind::Inlined => vec![(name.clone(), "long[]")],
            Kind::Resources => vec![(name.clone(), "int")],
            kind => vec![(name.clone(), kind.java())],
        }
    }

    /// How the component is made of that.
    pub fn made(&self) -> String {
        let name = &self.name;
        match self.kind {
            Kind::Method if self.is_optional => format!("methodIfAny({name})"),
            Kind::Method => format!("method({name})"),
            Kind::KnownMethod => format!("known({name}, address)"),
            Kind::Field => format!("field({name}Class, {name})"),
            Kind::Value => format!("Values.of({name}Type, {name}Bits, {name})"),
            Kind::ClassName => format!("Values.className({name})"),
            Kind::Address => format!("new NativeAddress({name})"),
            Kind::Resources => format!("ExhaustedResource.of({name})"),
            Kind::Time => format!("Values.instant({name})"),
            Kind::Duration => format!("Duration.ofNanos({name})"),
            Kind::Timeout => format!("Duration.ofMillis({name})"),
            Kind::Count => format!("(int) {name}"),
            Kind::Map => format!("CodeLocation.of({name})"),
            Kind::Inlined => format!("inlined({name})"),
            _ if self.is_optional => format!("Optional.ofNullable({name})"),
            _ => name.clone(),
        }
    }
}

impl Kind {
    fn java(self) -> &'static str {
        match self {
            Self::Thread => "Thread",
            Self::Object | Self::Value => "Object",
            Self::Class => "Class<?>",
            Self::Loader => "ClassLoader",
            Self::Domain => "ProtectionDomain",
            Self::Throwable => "Throwable",
            Self::Method | Self::KnownMethod => "JvmMethod",
            Self::Field => "JvmField",
            Self::Text | Self::ClassName => "String",
            Self::Bytes => "byte[]",
            Self::Address => "NativeAddress",
            Self::Resources => "Set<ExhaustedResource>",
            Self::Long | Self::Size | Self::ThreadId | Self::CarrierId => "long",
            Self::Boolean => "boolean",
            Self::Time => "Instant",
            Self::Duration | Self::Timeout => "Duration",
            Self::Count => "int",
            Self::Map => "List<CodeLocation>",
            Self::Inlined => "List<InlinedCode>",
        }
    }

    /// What a record that has it must import.
    pub fn import(self) -> Option<&'static str> {
        match self {
            Self::Method | Self::KnownMethod => Some("io.jvmtools.code.JvmMethod"),
            Self::Field => Some("io.jvmtools.code.JvmField"),
            Self::Address => Some("io.jvmtools.code.NativeAddress"),
            Self::Domain => Some("java.security.ProtectionDomain"),
            Self::Resources => Some("java.util.Set"),
            Self::Time => Some("java.time.Instant"),
            Self::Duration | Self::Timeout => Some("java.time.Duration"),
            Self::Map | Self::Inlined => Some("java.util.List"),
            _ => None,
        }
    }

    /// Of what native code hands over.
    pub fn descriptor(self) -> &'static str {
        match self {
            Self::Thread => "Ljava/lang/Thread;",
            Self::Object => "Ljava/lang/Object;",
            Self::Class => "Ljava/lang/Class;",
            Self::Loader => "Ljava/lang/ClassLoader;",
            Self::Domain => "Ljava/security/ProtectionDomain;",
            Self::Throwable => "Ljava/lang/Throwable;",
            Self::Text | Self::ClassName => "Ljava/lang/String;",
            Self::Field => "Ljava/lang/Class;J",
            Self::Value => "CJLjava/lang/Object;",
            Self::Bytes => "[B",
            Self::Resources => "I",
            Self::Map | Self::Inlined => "[J",
            Self::Method
            | Self::KnownMethod
            | Self::Address
            | Self::Long
            | Self::Size
            | Self::ThreadId
            | Self::CarrierId
            | Self::Time
            | Self::Duration
            | Self::Timeout
            | Self::Count => "J",
            Self::Boolean => "Z",
        }
    }
}
