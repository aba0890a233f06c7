//! What crosses the boundary between our Java and our native code: natives, and the records they answer with.

use std::path::Path;

use crate::error::SpecError;
use crate::tsv::{self, Row};

/// A static native of one of our Java classes.
#[derive(Debug, Clone)]
pub struct Native {
    /// Its room and class, `thread/ThreadNatives`; without a room it is a test's.
    pub class: String,
    pub name: String,
    pub parameters: Vec<Component>,
    pub result: Option<JavaType>,
    pub doc: String,
}

/// A Java record that natives make.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its room and name, `thread/ThreadFacts`.
    pub name: String,
    pub components: Vec<Component>,
    pub doc: String,
}

/// A parameter, or the component of a record.
#[derive(Debug, Clone)]
pub struct Component {
    pub name: String,
    pub kind: JavaType,
    pub doc: String,
}

/// `int`, `Thread?`, `Object?[]?`: a question mark says that it may be null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaType {
    pub base: String,
    /// Whether the base, or each element of the array, may be null.
    pub base_nullable: bool,
    /// An array, and whether it may be null.
    pub array: Option<bool>,
}

/// The classes of `java.lang` that may cross.
const CLASSES: &[&str] = &[
    "Class",
    "ClassLoader",
    "Module",
    "Object",
    "Runnable",
    "String",
    "Thread",
    "ThreadGroup",
    "Throwable",
];

const PRIMITIVES: &[(&str, &str)] = &[
    ("boolean", "Z"),
    ("byte", "B"),
    ("double", "D"),
    ("float", "F"),
    ("int", "I"),
    ("long", "J"),
];

/// Records are made by native code; for Java they come as objects.
const RECORD: &str = "Facts";

/// The handle of an environment: `env` stands for it.
pub const HANDLE: &str = "env";

impl JavaType {
    fn parse(text: &str) -> Option<Self> {
        let (text, array) = match text.strip_suffix("[]?") {
            Some(element) => (element, Some(true)),
            None => match text.strip_suffix("[]") {
                Some(element) => (element, Some(false)),
                None => (text, None),
            },
        };
        let base = text.strip_suffix('?').unwrap_or(text).to_owned();
        let kind = Self {
            base_nullable: base != text,
            base,
            array,
        };
        let known = CLASSES.contains(&kind.base.as_str()) || kind.is_record();
        let primitive = kind.primitive().is_some();
        ((known || primitive) && !(primitive && kind.base_nullable)).then_some(kind)
    }

    pub fn is_record(&self) -> bool {
        self.base.ends_with(RECORD)
    }

    fn primitive(&self) -> Option<&'static str> {
        let found = PRIMITIVES.iter().find(|(name, _)| *name == self.base);
        found.map(|(_, letter)| *letter)
    }

    pub fn is_primitive(&self) -> bool {
        self.array.is_none() && self.primitive().is_some()
    }

    pub fn is_nullable(&self) -> bool {
        self.array.unwrap_or(self.base_nullable)
    }

    fn java_base(&self) -> &str {
        match self.base.as_str() {
            "Class" => "Class<?>",
            _ if self.is_record() => "Object",
            base => base,
        }
    }

    /// Without a word on null: `Thread`, `int[]`.
    pub fn java_type(&self) -> String {
        let array = if self.array.is_some() { "[]" } else { "" };
        format!("{}{array}", self.java_base())
    }

    /// `@Nullable Thread`, `int @Nullable []`.
    pub fn java(&self) -> String {
        let base = self.java_base();
        let null = if self.base_nullable { "@Nullable " } else { "" };
        let array = match self.array {
            None => "",
            Some(false) => "[]",
            Some(true) => " @Nullable []",
        };
        format!("{null}{base}{array}")
    }

    /// `[Ljava/lang/Thread;`.
    pub fn descriptor(&self) -> String {
        let array = if self.array.is_some() { "[" } else { "" };
        match self.primitive() {
            Some(letter) => format!("{array}{letter}"),
            None if self.is_record() => "Ljava/lang/Object;".to_owned(),
            None => format!("{array}Ljava/lang/{};", self.base),
        }
    }
}

impl Component {
    /// Its name in Rust, of which `type` is a keyword.
    pub fn rust_name(&self) -> String {
        match self.name.as_str() {
            "type" => "class".to_owned(),
            name => snake(name),
        }
    }
}

impl Native {
    /// The class without its room.
    pub fn class_name(&self) -> &str {
        without_room(&self.class)
    }

    /// The module of its Rust function.
    pub fn module(&self) -> String {
        snake(self.class_name().trim_end_matches("Natives"))
    }

    /// The function of the specification that it would be called after.
    pub fn function(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        first.to_uppercase() + rest
    }

    pub fn descriptor(&self) -> String {
        let result = self.result.as_ref();
        let result = result.map_or("V".to_owned(), JavaType::descriptor);
        format!("({}){result}", descriptors(&self.parameters))
    }
}

impl Record {
    /// Without its room.
    pub fn simple_name(&self) -> &str {
        without_room(&self.name)
    }

    /// `thread_group` of `ThreadGroupFacts`.
    pub fn stem(&self) -> String {
        snake(self.simple_name().trim_end_matches(RECORD))
    }
}

pub fn descriptors(components: &[Component]) -> String {
    let kinds = components.iter().map(|one| one.kind.descriptor());
    kinds.collect()
}

fn without_room(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, name)| name)
}

/// `get_jlocation_format` of `getJLocationFormat`.
pub fn snake(camel: &str) -> String {
    let mut snake = String::new();
    let mut after_capital = true;
    for letter in camel.chars() {
        if letter.is_uppercase() && !after_capital {
            snake.push('_');
        }
        after_capital = letter.is_uppercase();
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// `getPhase` of `get_phase`.
pub fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(1.min(word.len()));
        camel += &first.to_uppercase();
        camel += rest;
    }
    camel
}

pub fn natives(dir: &Path) -> Result<Vec<Native>, SpecError> {
    together(&tsv::read(&dir.join("natives.tsv"))?)
}

/// The rows of a class are one group, which is generated as a whole.
fn together(rows: &[Row]) -> Result<Vec<Native>, SpecError> {
    let mut natives: Vec<Native> = Vec::new();
    for row in rows {
        let one = native(row)?;
        let is_next = natives.last().is_some_and(|last| last.class == one.class);
        if !is_next && natives.iter().any(|before| before.class == one.class) {
            return Err(row.wrong("class", "the rows of a class stand together"));
        }
        natives.push(one);
    }
    Ok(natives)
}

fn native(row: &Row) -> Result<Native, SpecError> {
    let result = row.text("result")?;
    Ok(Native {
        class: row.name("class")?,
        name: row.name("name")?,
        parameters: parameters(row)?,
        result: match result.as_str() {
            "" => None,
            result => Some(kind(row, "result", result)?),
        },
        doc: row.text("doc")?,
    })
}

/// The cell `parameters`.
pub fn parameters(row: &Row) -> Result<Vec<Component>, SpecError> {
    let text = row.text("parameters")?;
    let parts = text.split(", ").filter(|part| !part.is_empty());
    let part = |part: &str| {
        let (name, text) = match part {
            HANDLE => (HANDLE, "long"),
            part => part
                .split_once(": ")
                .ok_or_else(|| row.wrong("parameters", "not `name: Type`"))?,
        };
        Ok(Component {
            name: name.to_owned(),
            kind: kind(row, "parameters", text)?,
            doc: String::new(),
        })
    };
    parts.map(part).collect()
}

fn kind(row: &Row, column: &str, text: &str) -> Result<JavaType, SpecError> {
    let wrong = || row.wrong(column, &format!("{text} is no type that may cross"));
    JavaType::parse(text).ok_or_else(wrong)
}

/// A row without a component begins a record.
pub fn records(dir: &Path) -> Result<Vec<Record>, SpecError> {
    let mut records: Vec<Record> = Vec::new();
    for row in tsv::read(&dir.join("records.tsv"))? {
        let name = row.name("record")?;
        let component = row.text("component")?;
        let doc = row.name("doc")?;
        match records.last_mut() {
            _ if component.is_empty() => records.push(Record {
                name,
                components: Vec::new(),
                doc,
            }),
            Some(record) if record.name == name => record.components.push(Component {
                kind: kind(&row, "type", &row.name("type")?)?,
                name: component,
                doc,
            }),
            _ => return Err(row.wrong("record", "the record's own row comes first")),
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_and_written() {
        for (text, java, descriptor) in [
            ("int", "int", "I"),
            ("Thread?", "@Nullable Thread", "Ljava/lang/Thread;"),
            ("long[]?", "long @Nullable []", "[J"),
            (
                "Object?[]?",
                "@Nullable Object @Nullable []",
                "[Ljava/lang/Object;",
            ),
            ("Class", "Class<?>", "Ljava/lang/Class;"),
            ("ThreadFacts", "Object", "Ljava/lang/Object;"),
        ] {
            let kind = JavaType::parse(text).unwrap();
            assert_eq!(
                (kind.java().as_str(), kind.descriptor().as_str()),
                (java, descriptor)
            );
        }
        for wrong in ["int?", "Integer", "", "[]"] {
            assert_eq!(JavaType::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_row_away_from_its_class_is_named() {
        let row = |class: &str, name: &str| format!("{class}\t{name}\tenv\tint\t\n");
        let read = |rows: &[String]| {
            let header = "class\tname\tparameters\tresult\tdoc\n";
            together(&tsv::parse("n.tsv", &(header.to_owned() + &rows.concat())).unwrap())
        };
        let [a, b, other] = [row("x/A", "a"), row("x/A", "b"), row("x/B", "c")];
        let rows = [a, b, other];
        assert_eq!(read(&rows).unwrap().len(), 3);
        let [a, b, other] = rows;
        assert_eq!(
            read(&[a, other, b]).unwrap_err().to_string(),
            "n.tsv:4, column class: the rows of a class stand together"
        );
    }

    #[test]
    fn names_change_their_case() {
        assert_eq!(snake("getJLocationFormat"), "get_jlocation_format");
        assert_eq!(snake("ThreadGroup"), "thread_group");
        assert_eq!(camel("get_thread_state"), "getThreadState");
        assert_eq!(camel("open"), "open");
        let parameter = |name: &str| Component {
            name: name.to_owned(),
            kind: JavaType::parse("Class").unwrap(),
            doc: String::new(),
        };
        assert_eq!(parameter("type").rust_name(), "class");
        assert_eq!(parameter("startDepth").rust_name(), "start_depth");
    }
}
