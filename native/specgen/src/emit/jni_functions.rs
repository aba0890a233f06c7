//! The functions of JNI: how long their table is, and `io.jvmtools.system.JniFunction`.

use std::collections::BTreeMap;

use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::Spec;
use crate::text::header;

const SOURCE: &[&str] = &["jni-functions.tsv"];

pub fn rust(spec: &Spec) -> GeneratedFile {
    let mut lengths = BTreeMap::<u32, u32>::new();
    for one in &spec.jni_functions {
        let length = lengths.entry(one.since).or_default();
        *length = (*length).max(one.slot + 1);
    }
    let rows: String = lengths
        .iter()
        .rev()
        .map(|(since, length)| format!("        {since}.. => {length},\n"))
        .collect();
    let longest = lengths.values().max().unwrap_or(&0);
    let text = format!(
        "{}

//! The table of JNI functions.

/// How many slots it has in the newest JDK that is known here.
pub const JNI_LENGTH: usize = {longest};

/// How many slots it has in a JDK of a feature release; in a newer one than is known here at least.
pub const fn jni_length(jdk: i32) -> usize {{
    match jdk {{
{rows}        _ => 0,
    }}
}}
",
        header("//", SOURCE)
    );
    generated(format!("{SYS}/jni_functions.rs"), text)
}

pub fn java(spec: &Spec) -> GeneratedFile {
    let constants: Vec<String> = spec
        .jni_functions
        .iter()
        .map(|one| {
            let (name, slot, since) = (&one.name, one.slot, one.since);
            let line = format!("  {}(\"{name}\", {slot}, {since})", constant(name));
            format!("  /** {{@code {name}}}. */\n{line}")
        })
        .collect();
    let text = format!(
        "{}
package io.jvmtools.system;

/** The functions of JNI, in the order of their table. */
public enum JniFunction {{
{};

{BODY}}}
",
        header("//", SOURCE),
        constants.join(",\n")
    );
    generated(
        "java/api/src/main/java/io/jvmtools/system/JniFunction.java",
        text,
    )
}

/// `NEW_STRING_UTF` of `NewStringUTF`, `CALL_VOID_METHOD_A` of `CallVoidMethodA`.
fn constant(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut constant = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let begins_a_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                let after = letters.get(index + 1);
                before.is_lowercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if begins_a_word {
            constant.push('_');
        }
        constant.extend(letter.to_uppercase());
    }
    constant
}

const BODY: &str = r#"  private final String cName;
  private final int slot;
  private final int since;

  JniFunction(String cName, int slot, int since) {
    this.cName = cName;
    this.slot = slot;
    this.since = since;
  }

  /**
   * The name in the specification, such as {@code CallObjectMethodA}.
   *
   * @return the C name
   */
  public String cName() {
    return cName;
  }

  /**
   * The JDK feature release that has this function first.
   *
   * @return a number such as 21
   */
  public int since() {
    return since;
  }

  int slot() {
    return slot;
  }
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_capitals_is_one_word() {
        assert_eq!(constant("GetVersion"), "GET_VERSION");
        assert_eq!(constant("NewStringUTF"), "NEW_STRING_UTF");
        assert_eq!(
            constant("GetStringUTFLengthAsLong"),
            "GET_STRING_UTF_LENGTH_AS_LONG"
        );
        assert_eq!(constant("CallVoidMethodA"), "CALL_VOID_METHOD_A");
        assert_eq!(constant("GetJavaVM"), "GET_JAVA_VM");
    }
}
