//! `event/each.rs`: every event as a row of the macro that makes its type, its method and its callback.

use crate::c_type::{Imports, rust_type};
use crate::error::SpecError;
use crate::output::{GeneratedFile, generated};
use crate::spec::{Event, FIRST_EVENT, LAST_EVENT, Parameter, Spec};
use crate::text::{header, snake_case};

/// What a parameter becomes: its name, its type, and what makes it of what the VM passes.
struct Field {
    name: String,
    rust: String,
    made: String,
}

pub fn file(spec: &Spec) -> Result<GeneratedFile, SpecError> {
    let mut rows = String::new();
    for number in FIRST_EVENT..=LAST_EVENT {
        if let Some(event) = spec.event_numbered(number) {
            rows.push_str(&row(spec, event)?);
        }
    }
    let of_hotspot: Result<String, SpecError> = spec
        .extension_events
        .iter()
        .map(|event| row(spec, event))
        .collect();
    let of_hotspot = of_hotspot?;
    let header = header(
        "//",
        &["events.tsv", "extension-events.tsv", "parameters.tsv"],
    );
    Ok(generated(
        "native/jvmti/src/event/each.rs",
        format!(
            "{header}

//! Every event: what it is called, what the VM passes, and what a listener gets of that.

/// Hands every event to a macro, and after a semicolon those that HotSpot has beyond.
macro_rules! each_event {{
    ($hand_to:ident) => {{
        $hand_to! {{
            (env, jni)
{rows}            ;
{of_hotspot}        }}
    }};
}}

pub(super) use each_event;
"
        ),
    ))
}

fn row(spec: &Spec, event: &Event) -> Result<String, SpecError> {
    let mut raw = Vec::new();
    for parameter in &event.parameters[1..] {
        let rust = rust_type(spec, &parameter.c_type, &mut Imports::default())?;
        let unused = if parameter.name == "reserved" {
            "_"
        } else {
            ""
        };
        raw.push(format!("{unused}{}: {rust}", parameter.name));
    }
    let has_jni = event.parameters.iter().any(|one| one.name == "jni_env");
    let raw = &raw[usize::from(has_jni)..];
    let names = match &event.id {
        Some(_) => format!("{} {}", type_name(&event.name), method_name(&event.name)),
        None => format!(
            "{} {} {} {}",
            if has_jni { "upcall" } else { "record" },
            event.name,
            type_name(&event.name),
            method_name(&event.name)
        ),
    };
    let known = known(event)?;
    let mut text = comment(12, &documentation(event));
    text.push_str(&format!(
        "            #[doc(alias = \"{}\")]\n",
        event.id.as_ref().unwrap_or(&event.constant)
    ));
    let line = format!("            {names}({})", raw.join(", "));
    let separator = ",\n                ";
    match line.len() + " {\n".len() <= WIDTH {
        true => text.push_str(&line),
        false => text.push_str(&format!(
            "            {names}(\n                {}\n            )",
            raw.join(separator)
        )),
    }
    text.push_str(&format!("{known} {{\n"));
    for field in fields(event)? {
        text.push_str(&comment(16, meaning(&event.name, &field.name)?));
        let line = format!(
            "                {}: {} = {},\n",
            field.name, field.rust, field.made
        );
        match line.len() <= WIDTH {
            true => text.push_str(&line),
            false => text.push_str(&line.replacen(" = ", " =\n                    ", 1)),
        }
    }
    text.push_str("            }\n");
    Ok(text)
}

/// What the VM says of an event of HotSpot's: its name, and for each parameter after the first its kind and its type.
fn known(event: &Event) -> Result<String, SpecError> {
    let Some(id) = &event.id else {
        return Ok(String::new());
    };
    let mut parameters = Vec::new();
    for parameter in &event.parameters[1..] {
        parameters.push(match parameter.c_type.as_str() {
            "JNIEnv*" => "IN_PTR JNIENV",
            "const char*" => "IN_PTR CCHAR",
            "jthread" => "IN JTHREAD",
            other => {
                return Err(SpecError::Inconsistent(format!(
                    "{id}: nothing is known of how HotSpot describes the C type {other}"
                )));
            }
        });
    }
    Ok(format!(
        "\n                \"{id}\" [{}]",
        parameters.join(", ")
    ))
}

/// A line, with its end.
const WIDTH: usize = 101;

/// As lines of documentation.
fn comment(indent: usize, text: &str) -> String {
    let start = format!("{}///", " ".repeat(indent));
    let mut lines = vec![start.clone()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, String::len);
        if last + 1 + word.len() >= WIDTH {
            lines.push(start.clone());
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn documentation(event: &Event) -> String {
    let name = event.id.as_ref().unwrap_or(&event.constant);
    let mut text = format!("`{name}`, since JDK {}.", event.since);
    let names = |all: &[String]| {
        let names: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
        names.join(" or ")
    };
    if !event.requires.is_empty() {
        text.push_str(&format!(" Capability: {}.", names(&event.requires)));
    }
    if !event.enhanced_by.is_empty() {
        text.push_str(&format!(" More of it with {}.", names(&event.enhanced_by)));
    }
    text
}

fn fields(event: &Event) -> Result<Vec<Field>, SpecError> {
    let counts: Vec<&str> = event
        .parameters
        .iter()
        .filter_map(|one| one.count.as_deref())
        .collect();
    let mut fields = Vec::new();
    for parameter in &event.parameters {
        // The length of a list, and the class that a field comes with.
        let is_told_by_another =
            counts.contains(&parameter.name.as_str()) || parameter.name == "field_klass";
        let is_of_every_event =
            ["jvmti_env", "jni_env", "reserved"].contains(&parameter.name.as_str());
        if !is_told_by_another && !is_of_every_event && parameter.name != "new_class_data_len" {
            fields.push(field(parameter)?);
        }
    }
    Ok(fields)
}

fn field(parameter: &Parameter) -> Result<Field, SpecError> {
    let name = parameter.name.as_str();
    let reference = |kind: &str| match parameter.nullable {
        true => (
            format!("Option<{kind}<'l>>"),
            format!("given::<{kind}<'_>>(jni, {name})"),
        ),
        false => (
            format!("{kind}<'l>"),
            format!("reference::<{kind}<'_>>(jni, {name})"),
        ),
    };
    let plain = |kind: &str, made: String| (kind.to_owned(), made);
    let (rust, made) = match (parameter.c_type.as_str(), name) {
        ("jthread", _) => reference("JThread"),
        ("jclass", _) => reference("JClass"),
        ("jobject", "loader") => reference("JClassLoader"),
        ("jobject", "exception") => reference("JThrowable"),
        ("jobject", _) => reference("JObject"),
        ("jmethodID", _) if parameter.nullable => {
            plain("Option<MethodId>", format!("method_if_any({name})"))
        }
        ("jmethodID", _) => plain("MethodId", format!("MethodId::from_raw({name})")),
        ("jfieldID", _) => plain(
            "FieldOf<'l>",
            format!("FieldOf::of(jni, field_klass, {name})"),
        ),
        ("jlocation" | "jlong", _) => plain("i64", name.to_owned()),
        ("jint", "flags") => plain(
            "ResourceExhaustion",
            format!("ResourceExhaustion::from_bits_retain({name})"),
        ),
        ("jint", _) => plain("usize", format!("size({name})")),
        ("jboolean", _) => plain("bool", name.to_owned()),
        ("char", _) => plain("u8", format!("{name} as u8")),
        ("jvalue", "return_value") => plain(
            "ReturnedValue<'l>",
            format!("ReturnedValue::of(method, was_popped_by_exception, {name})"),
        ),
        ("jvalue", _) => plain(
            "JValueOwned<'l>",
            format!("typed_value(jni, signature_type as u8, {name})"),
        ),
        ("const char*", _) if parameter.nullable => {
            plain("Option<&'l JNIStr>", format!("text_if_any({name})"))
        }
        ("const char*", _) => plain("&'l JNIStr", format!("text({name})")),
        ("const unsigned char*", _) => {
            plain("&'l [u8]", format!("list({name}, {})", count(parameter)?))
        }
        ("const jvmtiAddrLocationMap*", _) => plain(
            "&'l [sys::jvmtiAddrLocationMap]",
            format!("list({name}, {})", count(parameter)?),
        ),
        ("unsigned char**", _) => plain(
            "NewClassFile<'l>",
            format!("NewClassFile::of(env, {name}, new_class_data_len)"),
        ),
        ("void**", _) => plain("NewAddress<'l>", format!("NewAddress::of({name})")),
        ("const void*", "compile_info") => plain(
            "CompileInfo<'l>",
            "CompileInfo::of(compile_info)".to_owned(),
        ),
        ("void*" | "const void*", _) => plain("*const c_void", format!("{name}.cast()")),
        (other, _) => {
            return Err(SpecError::Inconsistent(format!(
                "no field of an event for the C type {other}"
            )));
        }
    };
    Ok(Field {
        name: name.to_owned(),
        rust,
        made,
    })
}

fn count(parameter: &Parameter) -> Result<&str, SpecError> {
    parameter.count.as_deref().ok_or_else(|| {
        SpecError::Inconsistent(format!(
            "{} has no parameter for its length",
            parameter.name
        ))
    })
}

/// `VMObjectAlloc` as `VmObjectAlloc`.
pub(super) fn type_name(event: &str) -> String {
    event
        .strip_prefix("VM")
        .map_or_else(|| event.to_owned(), |rest| format!("Vm{rest}"))
}

/// `VMObjectAlloc` as `vm_object_alloc`.
pub(super) fn method_name(event: &str) -> String {
    snake_case(&type_name(event))
}

/// What a field says.
fn meaning(event: &str, name: &str) -> Result<&'static str, SpecError> {
    Ok(match name {
        "thread" => "The thread that it happens on, which is the current one.",
        "virtual_thread" => "The virtual thread, which is the current one.",
        "class_being_redefined" => {
            "The class that is redefined or retransformed; none if it is loaded."
        }
        "loader" => "Its class loader; none for the bootstrap loader.",
        "name" if event == "ClassFileLoadHook" => "Its name, with slashes; none if it has none.",
        "name" if event == "ClassUnload" => "Its name, with slashes.",
        "name" => "What the code is called.",
        "protection_domain" => "Its protection domain.",
        "class_data" => "The class file as it is until now.",
        "new_class_data" => "The class file that it shall have instead.",
        "klass" => "The class.",
        "method" => "The method.",
        "location" => "Where in the method: the index of a bytecode.",
        "exception" => "What is thrown.",
        "catch_method" => {
            "The method that will catch it, as far as the VM can tell; none if none does."
        }
        "catch_location" => "Where in that method.",
        "was_popped_by_exception" => "Whether the frame is left by an exception.",
        "object" if event.starts_with("Field") => {
            "The object whose field it is; none for a static one."
        }
        "object" if event.starts_with("Monitor") => "The object that the monitor belongs to.",
        "object" => "The object.",
        "field" => "The field, and its class.",
        "signature_type" => "The first letter of the field's descriptor.",
        "new_value" => "What is written.",
        "return_value" => "What is returned; nothing if the frame is left by an exception.",
        "address" | "code_addr" => "Where the code is.",
        "new_address_ptr" => "The address that shall be bound instead.",
        "code_size" | "length" => "How many bytes of code there are.",
        "map" => {
            "From which address on the code is of which bytecode; empty if the VM does not tell."
        }
        "compile_info" => "What was inlined, as `jvmticmlr.h` has it.",
        "timeout" => "For how many milliseconds it waits; 0 for any time.",
        "timed_out" => "Whether that time has passed.",
        "flags" => "What is exhausted: `JVMTI_RESOURCE_EXHAUSTED_…`.",
        "description" => "What the VM says of it.",
        "tag" => "The tag that the object had.",
        "object_klass" => "The class of the object.",
        "size" => "How many bytes it has.",
        _ => {
            return Err(SpecError::Inconsistent(format!(
                "nothing is said of {name} of {event}"
            )));
        }
    })
}
