//! What both sides of the Java-native boundary know: numbers, and the class that is the door.

use crate::boundary::descriptors;
use crate::emit::door;
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;

/// Nobody but this needs to know.
const RELEASED: &str = "RELEASED";

pub fn rust(spec: &Spec) -> GeneratedFile {
    let mut text = header("//", &["bridge.tsv"]);
    text.push_str("\n\n//! What the Java side knows too.\n");
    for number in spec.bridge.iter().filter(|one| one.name != RELEASED) {
        text.push_str(&format!(
            "\n/// {}.\npub const {}: i32 = {};\n",
            sentence(&number.meaning),
            number.name,
            number.value
        ));
    }
    let lines = lines(&door::class_file(abi(spec)), |byte| {
        format!("\\x{byte:02x}")
    });
    text.push_str(&format!(
        "\n/// The class that admits copies of the Java classes to an image.
pub const DOOR: &str = \"{}\";

/// Its class file.
pub const DOOR_CLASS: &[u8] = b\"\\\n    {}\";\n",
        door::name(abi(spec)),
        lines.join("\\\n    "),
    ));
    generated("native/agent/src/bridge.rs", text)
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
    for number in spec.bridge.iter().filter(|one| one.name != RELEASED) {
        text.push_str(&format!(
            "  /** {}. */\n  public static final int {} = {};\n\n",
            sentence(&number.meaning),
            number.name,
            number.value
        ));
    }
    let lines = lines(&door::class_file(abi(spec)), |byte| format!("{byte:02x}"));
    text.push_str(&format!(
        "  /** The version that these classes are of. */
  public static final String VERSION = \"{}\";

  /** The class that admits copies of these classes to an image. */
  public static final String DOOR = \"{}\";

  /** Its class file, in hexadecimal digits. */
  public static final String DOOR_CLASS =
      \"{}\";

  private Bridge() {{}}
}}
",
        spec.version,
        door::name(abi(spec)).replace('/', "."),
        lines.join("\"\n          + \""),
    ));
    generated(
        "java/api/src/main/java/io/jvmtools/internal/Bridge.java",
        text,
    )
}

/// The list of all that crosses under the number that the boundary has now. One whose number is
/// published is written no more; `BridgeTest` holds the product to it.
pub fn list(spec: &Spec) -> Option<GeneratedFile> {
    let abi = abi(spec);
    if abi <= number(spec, RELEASED) {
        return None;
    }
    let mut lines = vec!["Probe.bind(ILjava/lang/String;)Ljava/lang/String;".to_owned()];
    for native in spec.natives.iter().filter(|one| one.class.contains('/')) {
        let class = native.class.replace('/', ".");
        lines.push(format!("{class}.{}{}", native.name, native.descriptor()));
    }
    for record in &spec.records {
        let components = descriptors(&record.components);
        let name = record.name.replace('/', ".");
        lines.push(format!("{name}.<init>({components})V"));
    }
    lines.sort();
    let header = header("#", &["natives.tsv", "records.tsv"]);
    let text = format!("{header}\n{}\n", lines.join("\n"));
    Some(generated(format!("spec/bridge-{abi}.txt"), text))
}

/// The number of the boundary as it is now.
fn abi(spec: &Spec) -> i32 {
    number(spec, "ABI")
}

/// What stands in one row.
fn number(spec: &Spec, name: &str) -> i32 {
    let row = spec.bridge.iter().find(|number| number.name == name);
    // Without that row nothing else would compile.
    row.map_or(0, |number| number.value)
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
