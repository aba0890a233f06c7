//! `io.jvmtools.internal.SpecFacts`.

use std::collections::BTreeSet;

use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;

pub fn file(spec: &Spec) -> GeneratedFile {
    let mut used = BTreeSet::new();
    let mut requirements = String::new();
    for function in &spec.functions {
        if function.requires.is_empty() {
            continue;
        }
        let names: Vec<String> = function
            .requires
            .iter()
            .map(|name| name.to_uppercase())
            .collect();
        let list = names.join(", ");
        used.extend(names);
        requirements.push_str(&format!(
            "      case \"{}\" -> List.of({list});\n",
            function.name
        ));
    }
    let imports: String = used
        .iter()
        .map(|name| format!("import static io.jvmtools.Capability.{name};\n"))
        .collect();
    let mut errors = String::new();
    for error in &spec.errors {
        let case = format!("      case {} -> ", error.value);
        let value = format!("Optional.of(\"{}\");\n", error.name);
        if case.len() + value.len() <= 101 {
            errors.push_str(&format!("{case}{value}"));
        } else {
            errors.push_str(&format!("{}\n          {value}", case.trim_end()));
        }
    }
    let header = header("//", &["functions.tsv", "errors.tsv"]);
    let text = format!(
        "{header}
package io.jvmtools.internal;

{imports}
import io.jvmtools.Capability;
import java.util.List;
import java.util.Optional;

/** Facts of the specification that messages are made of. */
public final class SpecFacts {{
  private SpecFacts() {{}}

  /**
   * The capabilities that a function requires, all of them.
   *
   * @param function its name in the specification, such as {{@code GetTag}}
   * @return the capabilities; empty if it requires none, or is unknown
   */
  public static List<Capability> requiredCapabilities(String function) {{
    return switch (function) {{
{requirements}      default -> List.of();
    }};
  }}

  /**
   * The C name of an error code.
   *
   * @param code a {{@code jvmtiError}}
   * @return the name, such as {{@code JVMTI_ERROR_THREAD_NOT_ALIVE}}; empty if it is unknown
   */
  public static Optional<String> errorName(int code) {{
    return switch (code) {{
{errors}      default -> Optional.empty();
    }};
  }}
}}
"
    );
    generated(
        "java/api/src/main/java/io/jvmtools/internal/SpecFacts.java",
        text,
    )
}
