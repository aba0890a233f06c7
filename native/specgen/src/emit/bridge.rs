//! The numbers that both sides of the Java-native boundary know.

use crate::emit::generated;
use crate::output::GeneratedFile;
use crate::spec::Spec;
use crate::text::header;

pub fn rust(spec: &Spec) -> GeneratedFile {
    let mut text = header("//", &["bridge.tsv"]);
    text.push_str("\n\n//! Numbers that the Java side knows too.\n");
    for number in &spec.bridge {
        text.push_str(&format!(
            "\n/// {}.\npub const {}: i32 = {};\n",
            sentence(&number.meaning),
            number.name,
            number.value
        ));
    }
    generated("native/agent/src/bridge.rs", text)
}

pub fn java(spec: &Spec) -> GeneratedFile {
    let header = header("//", &["bridge.tsv"]);
    let mut text = format!(
        "{header}
package io.jvmtools.internal;

/** Numbers that the native side knows too. */
public final class Bridge {{
"
    );
    for number in &spec.bridge {
        text.push_str(&format!(
            "  /** {}. */\n  public static final int {} = {};\n\n",
            sentence(&number.meaning),
            number.name,
            number.value
        ));
    }
    text.push_str("  private Bridge() {}\n}\n");
    generated(
        "java/api/src/main/java/io/jvmtools/internal/Bridge.java",
        text,
    )
}

fn sentence(meaning: &str) -> String {
    let mut letters = meaning.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
