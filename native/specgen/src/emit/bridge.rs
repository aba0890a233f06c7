//! What both sides of the Java-native boundary know: numbers, and the class that is the door.

use crate::emit::{door, generated};
use crate::output::GeneratedFile;
use crate::spec::Spec;
use crate::text::header;

pub fn rust(spec: &Spec) -> GeneratedFile {
    let mut text = header("//", &["bridge.tsv"]);
    text.push_str("\n\n//! What the Java side knows too.\n");
    for number in &spec.bridge {
        text.push_str(&format!(
            "\n/// {}.\npub const {}: i32 = {};\n",
            sentence(&number.meaning),
            number.name,
            number.value
        ));
    }
    let lines = lines(&door::class_file(spec), |byte| format!("\\x{byte:02x}"));
    text.push_str(&format!(
        "\n/// The class that admits copies of the Java classes to an image.
pub const DOOR: &str = \"{}\";

/// Its class file.
pub const DOOR_CLASS: &[u8] = b\"\\\n    {}\";\n",
        door::name(spec),
        lines.join("\\\n    "),
    ));
    generated("native/agent/src/boundary/bridge.rs", text)
}

pub fn java(spec: &Spec) -> GeneratedFile {
    let header = header("//", &["bridge.tsv"]);
    let mut text = format!(
        "{header}
package io.jvmtools.internal;

/** What the native side knows too. */
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
    let lines = lines(&door::class_file(spec), |byte| format!("{byte:02x}"));
    text.push_str(&format!(
        "  /** The class that admits copies of these classes to an image. */
  public static final String DOOR = \"{}\";

  /** Its class file, in hexadecimal digits. */
  public static final String DOOR_CLASS =
      \"{}\";

  private Bridge() {{}}
}}
",
        door::name(spec).replace('/', "."),
        lines.join("\"\n          + \""),
    ));
    generated(
        "java/api/src/main/java/io/jvmtools/internal/Bridge.java",
        text,
    )
}

/// Bytes as text, so many on a line that each fits.
fn lines(bytes: &[u8], text: impl Fn(&u8) -> String) -> Vec<String> {
    bytes
        .chunks(20)
        .map(|line| line.iter().map(&text).collect())
        .collect()
}

fn sentence(meaning: &str) -> String {
    let mut letters = meaning.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
