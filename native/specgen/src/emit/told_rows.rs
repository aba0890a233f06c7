//! The rows of `told.rs`: what of each event is handed over to Java, and what is kept of those that are told later.

use crate::emit::listener::{method_name, type_name};
use crate::java_text::WIDTH;
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;
use crate::told::{Answer, Component, Kind, Told};

/// Of an event, of one of HotSpot's, and of what is made of all of them.
pub const SPECIFIED: &[&str] = &["java-events.tsv", "events.tsv"];
pub const OF_HOTSPOT: &[&str] = &["java-events.tsv", "extension-events.tsv"];
pub const ALL: &[&str] = &["*events.tsv"];

/// `told.rs`: a row of a macro for each.
pub fn file(spec: &Spec) -> GeneratedFile {
    let rows: String = spec
        .told
        .iter()
        .enumerate()
        .map(|(place, told)| row(place, told))
        .collect();
    let text = format!(
        "{}

//! The events that Java is told of, and what of each is handed over.

/// Hands them to a macro.
#[rustfmt::skip]
macro_rules! each_told {{
    ($hand_to:ident) => {{
        $hand_to! {{
            (env, jni, event, now)
{rows}        }}
    }};
}}

pub(super) use each_told;
",
        header("//", ALL)
    );
    generated("native/agent/src/event/told.rs", text)
}

fn row(place: usize, told: &Told) -> String {
    let name = &told.event.name;
    let descriptors: String = told
        .components
        .iter()
        .map(|one| one.kind.descriptor())
        .collect();
    let values: String = told
        .components
        .iter()
        .flat_map(if told.is_recorded() { recorded } else { values })
        .map(|value| format!("                {value},\n"))
        .collect();
    let value = match told.component(Kind::Value) {
        None => String::new(),
        Some(_) if name == "MethodExit" => {
            "let value = typed(event.return_value.get(env, jni)?);".to_owned()
        }
        Some(_) => "let value = typed(&event.new_value);".to_owned(),
    };
    let answers = match told.answer {
        Answer::Nothing if told.event.id.is_some() => "keeps",
        Answer::Nothing if told.is_recorded() => "records",
        Answer::Nothing => "tells",
        Answer::Return => "lets_return",
        Answer::Bytes => "asks_for_a_file",
        Answer::Address => "asks_for_an_address",
    };
    format!(
        "            {place} {} {} {} {}
            [{}] {answers} \"{}\"
{}            {{
{}            }}
            {{ {value} }}
            [
{values}            ]
",
        type_name(name),
        told.constant(),
        method_name(name),
        told.event.by_thread,
        told.capability().unwrap_or_default(),
        told.java_method(),
        signature(&format!("(I{descriptors}){}", told.answer.descriptor())),
        subject(told),
    )
}

/// A literal, on two lines if one is too short for it.
fn signature(text: &str) -> String {
    let room = WIDTH - "            \"\"".len();
    let half = text[..room.min(text.len())]
        .rfind(';')
        .map_or(0, |at| at + 1);
    match text.len() <= room {
        true => format!("            \"{text}\"\n"),
        false => format!(
            "            \"{}\\\n             {}\"\n",
            &text[..half],
            &text[half..]
        ),
    }
}

/// What filters look at.
fn subject(told: &Told) -> String {
    let thread = match told.component(Kind::Thread) {
        Some(thread) if thread.is_optional => format!("event.{}.as_ref()", thread.parameter),
        Some(thread) => format!("Some(&event.{})", thread.parameter),
        None => "None".to_owned(),
    };
    let method = told.component(Kind::Method);
    let method_id = match method {
        Some(method) => format!("Some(event.{})", method.parameter),
        None => "None".to_owned(),
    };
    let class_of = |name: &String| {
        let component = told.components.iter().find(|one| one.parameter == *name);
        match component.map(|one| one.kind) {
            // Only a name is left, and asked for when it is told.
            _ if told.is_recorded() => "Of::Nothing".to_owned(),
            Some(Kind::Class) => format!("Of::Class(&event.{name})"),
            Some(Kind::Method) => format!("Of::Method(event.{name})"),
            Some(Kind::Text) => {
                let class = "event.class_being_redefined.as_ref()";
                format!("Of::File({class}, event.{name}, event.class_data)")
            }
            // It is no component: the field has it.
            None => "Of::Class(event.field.class())".to_owned(),
            Some(_) => format!("Of::Object(event.{name}.as_ref())"),
        }
    };
    let class = told.class_of.as_ref().map(class_of);
    let size = match told.component(Kind::Size) {
        Some(size) => format!("event.{}.cast_unsigned()", size.parameter),
        None => "u64::MAX".to_owned(),
    };
    let object = match (told.component(Kind::Size), told.component(Kind::Object)) {
        (Some(_), Some(object)) => format!("Some(&event.{})", object.parameter),
        _ => "None".to_owned(),
    };
    [
        ("thread", thread),
        ("class", class.unwrap_or_else(|| "Of::Nothing".to_owned())),
        ("method", method_id),
        ("size", size),
        ("object", object),
    ]
    .iter()
    .map(|(name, value)| format!("                {name}: {value},\n"))
    .collect()
}

/// The same of what is kept until it is told.
fn recorded(one: &Component) -> Vec<String> {
    let name = &one.parameter;
    vec![match one.kind {
        Kind::Time => "time()".to_owned(),
        Kind::Duration => "now".to_owned(),
        Kind::Method => format!("kept_method(env, event.{name})"),
        Kind::KnownMethod => format!("kept_id(event.{name})"),
        Kind::Address => format!("kept_address(event.{name})"),
        Kind::Count => format!("kept_count(event.{name})"),
        Kind::Map => format!("kept_map(event.{name})"),
        Kind::Inlined => "kept_inlining(env, &event.compile_info.inlined())".to_owned(),
        Kind::Text | Kind::ClassName => format!("kept_text(event.{name})"),
        Kind::ThreadId => format!("kept_thread_id(jni, &event.{name})"),
        Kind::CarrierId => format!("kept_carrier_id(jni, &event.{name})"),
        _ => format!("Value::Number(event.{name})"),
    }]
}

fn values(one: &Component) -> Vec<String> {
    let name = &one.parameter;
    match one.kind {
        Kind::Thread
        | Kind::Object
        | Kind::Class
        | Kind::Throwable
        | Kind::Loader
        | Kind::Domain
            if one.is_optional =>
        {
            vec![format!("object_if_any(event.{name}.as_ref())")]
        }
        Kind::Thread
        | Kind::Object
        | Kind::Class
        | Kind::Throwable
        | Kind::Loader
        | Kind::Domain => vec![format!("object(&event.{name})")],
        Kind::Method if one.is_optional => vec![format!("method(event.{name})")],
        Kind::Method => vec![format!("method(Some(event.{name}))")],
        Kind::Field => vec![
            "object(event.field.class())".to_owned(),
            "field(event.field.get())".to_owned(),
        ],
        Kind::Value => vec![
            "value.letter".to_owned(),
            "value.bits".to_owned(),
            "value.object".to_owned(),
        ],
        Kind::Text if one.is_optional => vec![format!("text_if_any(jni, event.{name})?")],
        Kind::Text => vec![format!("text_if_any(jni, Some(event.{name}))?")],
        // As the listener before has made it.
        Kind::Bytes | Kind::Address => vec!["now".to_owned()],
        Kind::Resources => vec![format!("int(event.{name}.bits())")],
        Kind::Long | Kind::Size | Kind::Timeout => vec![format!("long(event.{name})")],
        // Only what is recorded has those.
        Kind::Time
        | Kind::Duration
        | Kind::Count
        | Kind::Map
        | Kind::Inlined
        | Kind::ClassName
        | Kind::ThreadId
        | Kind::CarrierId
        | Kind::KnownMethod => recorded(one),
        Kind::Boolean => vec![format!("boolean(event.{name})")],
    }
}
