package io.jvmtools.dump;

import io.jvmtools.internal.Escapes;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON: commas, quotes and escapes. Nesting is up to the caller. What its destination throws
 * comes as {@link UncheckedIOException}.
 */
final class JsonWriter {

  private final Appendable json;
  private boolean first = true;

  JsonWriter(Appendable json) {
    this.json = json;
  }

  JsonWriter begin(char bracket) {
    comma();
    append(String.valueOf(bracket));
    first = true;
    return this;
  }

  JsonWriter end(char bracket) {
    append(String.valueOf(bracket));
    first = false;
    return this;
  }

  /** The name of a property, whose value comes next. */
  JsonWriter name(String name) {
    value(name);
    append(":");
    first = true;
    return this;
  }

  JsonWriter value(@Nullable String text) {
    comma();
    if (text == null) {
      append("null");
    } else {
      append("\"");
      append(Escapes.quoted(text, '"'));
      append("\"");
    }
    return this;
  }

  JsonWriter value(long number) {
    comma();
    append(Long.toString(number));
    return this;
  }

  JsonWriter value(boolean truth) {
    comma();
    append(Boolean.toString(truth));
    return this;
  }

  private void comma() {
    if (!first) {
      append(",");
    }
    first = false;
  }

  private void append(String text) {
    try {
      json.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
