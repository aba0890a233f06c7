//! The public safe functions of `jvmti`, and what each takes, read from the source that rustfmt has formatted.

use std::fs;
use std::path::Path;

/// A function that can be called without `unsafe`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// `Type::name`.
    pub(crate) name: String,
    /// The types of its parameters but for `self`, as they are written.
    pub(crate) takes: Vec<String>,
    /// Whether it is a trait's own, which whoever implements that may replace.
    pub(crate) provided: bool,
}

/// Those of all files in `folder` but for `sys`, which calls nothing.
pub(crate) fn public_in(folder: &Path) -> Vec<Function> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "rs") {
            found.extend(functions(&fs::read_to_string(file).unwrap()));
        } else if file.is_dir() && !file.ends_with("sys") {
            found.extend(public_in(&file));
        }
    }
    found
}

/// An `impl` or a public trait, until a brace that is as far from the margin.
struct Block<'s> {
    margin: usize,
    of: &'s str,
    is_trait: bool,
}

/// Those of one file, wherever they stand: in modules and macros too.
pub(crate) fn functions(source: &str) -> Vec<Function> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((line, after)) = rest.split_once('\n') {
        let text = line.trim_start();
        let margin = line.len() - text.len();
        if text == "}" && blocks.last().is_some_and(|block| block.margin == margin) {
            blocks.pop();
        }
        blocks.extend(block(text, margin));
        let in_trait = blocks
            .last()
            .is_some_and(|block| block.is_trait && margin == block.margin + 4);
        let from = &rest[margin..];
        if let Some(declared) = safe_function(text, in_trait).map(|name| declared(name, from)) {
            let (name, takes, has_body) = declared;
            let of = blocks.last().map_or("", |block| block.of);
            assert!(
                !of.is_empty() && !name.is_empty(),
                "a function that has no name or no type here: {line}"
            );
            if has_body {
                let name = format!("{of}::{name}");
                found.push(Function {
                    name,
                    takes,
                    provided: in_trait,
                });
            }
        }
        rest = after;
    }
    found
}

/// What begins on this line.
fn block(text: &str, margin: usize) -> Option<Block<'_>> {
    if text.ends_with('}') {
        return None;
    }
    let of_trait = ["pub trait ", "pub unsafe trait "]
        .iter()
        .find_map(|start| text.strip_prefix(start));
    let header = match of_trait {
        Some(name) => name,
        None => {
            let header = text.strip_prefix("unsafe ").unwrap_or(text);
            let header = header.strip_prefix("impl")?;
            match header.starts_with('<') {
                true => past_generics(header),
                false => header.strip_prefix(' ')?,
            }
        }
    };
    Some(Block {
        margin,
        of: word(header.trim_start()),
        is_trait: of_trait.is_some(),
    })
}

/// What follows `fn`, where that is public, or of a public trait, and not unsafe.
fn safe_function(text: &str, in_trait: bool) -> Option<&str> {
    let declared = match in_trait {
        true => text,
        false => text.strip_prefix("pub ")?,
    };
    let (before, name) = match declared.strip_prefix("fn ") {
        Some(name) => ("", name),
        None => declared.split_once(" fn ")?,
    };
    let mut before = before.split(' ').filter(|word| !word.is_empty());
    before
        .all(|word| ["const", "async", "extern"].contains(&word) || word.starts_with('"'))
        .then_some(name)
}

/// The name and the types of a function, and whether it has a body; `from` begins with its line.
fn declared<'s>(name: &'s str, from: &'s str) -> (&'s str, Vec<String>, bool) {
    let start = from.find(name).expect("it is on this line");
    let name = word(&from[start..]);
    let list = past_generics(&from[start + name.len()..]);
    let list = list.strip_prefix('(').expect("parameters");
    let (parameters, after) = split(list);
    let mut lines = after.lines();
    let has_body = lines.find_map(|line| match line.contains('{') {
        true => Some(true),
        false => line.ends_with(';').then_some(false),
    });
    let types = parameters.into_iter().filter_map(|parameter| {
        let (_, type_of) = parameter.split_once(": ")?;
        Some(type_of.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    (name, types.collect(), has_body == Some(true))
}

/// What follows `<…>`, or all if nothing of the kind is there.
fn past_generics(text: &str) -> &str {
    match text.strip_prefix('<') {
        Some(list) => split(list).1.trim_start(),
        None => text,
    }
}

/// The parts between commas up to the bracket that closes the list, and what follows that.
fn split(list: &str) -> (Vec<&str>, &str) {
    let (mut depth, mut start, mut before) = (0, 0, ' ');
    let mut parts = Vec::new();
    for (place, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            '>' if before == '-' => (),
            ')' | ']' | '>' if depth == 0 => {
                parts.push(list[start..place].trim());
                return (parts, &list[place + 1..]);
            }
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..place].trim());
                start = place + 1;
            }
            _ => (),
        }
        before = letter;
    }
    panic!("a list without an end: {list:.80}");
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn functions_are_found_in_source() {
    let source = "
impl<'e, T: Element> Allocated<'e, T> {
    pub(crate) fn hidden() {}
}
impl Env {
    pub fn phase(&self) -> Result<Phase> {}
    pub unsafe fn from_raw() {}
    pub const unsafe fn new() {}
    fn private() {}
}
impl<T: Fn() -> bool> StackInfos<'_, T> {
    pub const fn len(&self) -> usize {}
    pub fn class_loader<'l, F: Fn(i32) -> Vec<u8>>(
        &self,
        jni: &jni::Env<'l>,
        action: impl FnOnce(&mut jni::Env<'l>, u8) -> T,
        depths: &[(u32, i64)],
    ) -> Result<()> {
    }
}
pub unsafe trait Visitor: Send {
    fn asked(&self, one: i32) -> [u8; 4];
    fn provided(
        &self,
        two: u16,
    ) -> [u8; 4] {
        fn inside() {}
    }
}
impl Visitor for Count {}
macro_rules! made {
    () => {
        mod inner {
            impl $crate::Made {}
            impl Made {
                pub const fn id(self) {}
            }
        }
    };
}
";
    let found = functions(source);
    let found: Vec<_> = found
        .iter()
        .map(|one| (one.name.as_str(), one.takes.join("; "), one.provided))
        .collect();
    let takes = "&jni::Env<'l>; impl FnOnce(&mut jni::Env<'l>, u8) -> T; &[(u32, i64)]";
    let expected = [
        ("Env::phase", "", false),
        ("StackInfos::len", "", false),
        ("StackInfos::class_loader", takes, false),
        ("Visitor::provided", "u16", true),
        ("Made::id", "", false),
    ];
    assert_eq!(
        found,
        expected.map(|(name, takes, provided)| (name, takes.to_owned(), provided))
    );
}

#[test]
#[should_panic(expected = "no type here")]
fn a_function_of_no_type_is_named() {
    functions("mod inner {\n    pub const fn alone() {}\n}\n");
}
