//! `io.jvmtools.Capability`.

use crate::output::{GeneratedFile, generated};
use crate::spec::{Capability, Spec};
use crate::text::header;

pub fn file(spec: &Spec) -> GeneratedFile {
    let constants: Vec<String> = spec.capabilities.iter().map(constant).collect();
    let header = header("//", &["capabilities.tsv"]);
    let text = format!(
        "{header}
package io.jvmtools;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an environment may do beyond the basics, one constant per JVM TI capability, in the order of
 * their bits.
 */
public enum Capability {{
{constants};

{BODY}}}
",
        constants = constants.join(",\n\n")
    );
    generated("java/api/src/main/java/io/jvmtools/Capability.java", text)
}

fn constant(capability: &Capability) -> String {
    let Capability {
        bit,
        name,
        since,
        description,
        ..
    } = capability;
    let obtainable = if capability.on_load_only {
        "only when the JVM starts with the agent"
    } else {
        "at any time"
    };
    let mut facts = format!("Since JDK {since}. Obtainable {obtainable}");
    if capability.solo {
        facts.push_str(", by one environment at a time");
    }
    facts.push('.');
    if let (Some(group), Some(cost)) = (&capability.group, &capability.cost) {
        facts.push_str(&format!(
            " Slows the application until it ends (CPU time of an indexing program: {cost}), and so is \
             obtainable only if the agent's option says so: {{@code prepare={name}}}, or {{@code prepare={group}}} \
             with others."
        ));
    }
    let group = match &capability.group {
        Some(group) => format!("\"{group}\""),
        None => "null".to_owned(),
    };
    let mut traits = String::new();
    for (has, name) in [
        (capability.on_load_only, "ON_LOAD_ONLY"),
        (capability.solo, "SOLO"),
    ] {
        if has {
            traits.push_str(&format!(", Trait.{name}"));
        }
    }
    let facts = wrapped(&format!("<p>{facts}"));
    let name = name.to_uppercase();
    format!(
        "  /**\n   * {description}\n   *\n{facts}   */\n  {name}({bit}, {since}, {group}{traits})"
    )
}

/// Javadoc lines of at most 100 columns.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::from("   *");
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > 100 {
            lines.push_str(&line);
            lines.push('\n');
            line = String::from("   *");
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push_str(&line);
    lines.push('\n');
    lines
}

const BODY: &str = r#"  private enum Trait {
    ON_LOAD_ONLY,
    SOLO
  }

  private final int bit;
  private final int since;
  private final @Nullable String group;
  private final Set<Trait> traits;

  Capability(int bit, int since, @Nullable String group, Trait... traits) {
    this.bit = bit;
    this.since = since;
    this.group = group;
    this.traits = Set.of(traits);
  }

  /**
   * The name in the specification, such as {@code can_tag_objects}.
   *
   * @return the C name
   */
  public String cName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The JDK feature release that has this capability first.
   *
   * @return a number such as 21
   */
  public int since() {
    return since;
  }

  /**
   * Whether it can be obtained only when the JVM starts with the agent.
   *
   * @return whether a library that is loaded later can never obtain it by itself
   */
  public boolean onLoadOnly() {
    return traits.contains(Trait.ON_LOAD_ONLY);
  }

  /**
   * Whether only one environment of the whole VM can hold it at a time.
   *
   * @return whether another environment, a debugger's perhaps, can keep it from this one
   */
  public boolean solo() {
    return traits.contains(Trait.SOLO);
  }

  /**
   * Whether it slows the application until it ends once it could be had: the agent prepares it only
   * if its option {@code prepare} names it.
   *
   * @return whether it has a lasting cost
   */
  public boolean costly() {
    return group != null;
  }

  /**
   * What the agent's option {@code prepare} calls it and all others that such a tool needs, {@code
   * debugging} or {@code tracing}.
   *
   * @return the name; empty for what has no lasting cost, and so need not be named
   */
  public Optional<String> prepareGroup() {
    return Optional.ofNullable(group);
  }

  int bit() {
    return bit;
  }

  /** The set of a native mask; bits unknown here are left out. */
  static Set<Capability> fromBits(long bits) {
    EnumSet<Capability> set = EnumSet.noneOf(Capability.class);
    for (Capability capability : values()) {
      if ((bits & 1L << capability.bit) != 0) {
        set.add(capability);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  /** The native mask of a set. */
  static long toBits(Collection<Capability> capabilities) {
    long bits = 0;
    for (Capability capability : capabilities) {
      bits |= 1L << capability.bit;
    }
    return bits;
  }
"#;
