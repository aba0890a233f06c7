package io.jvmtools.dump;

import org.jspecify.annotations.Nullable;

/** Writes JSON: commas, quotes and escapes. Nesting is up to the caller. */
final class JsonWriter {

  private final StringBuilder json = new StringBuilder();
  private boolean first = true;

  JsonWriter begin(char bracket) {
    comma();
    json.append(bracket);
    first = true;
    return this;
  }

  JsonWriter end(char bracket) {
    json.append(bracket);
    first = false;
    return this;
  }

  /** The name of a property, whose value comes next. */
  JsonWriter name(String name) {
    value(name);
    json.append(':');
    first = true;
    return this;
  }

  JsonWriter value(@Nullable String text) {
    comma();
    if (text == null) {
      json.append("null");
    } else {
      json.append('"').append(Escapes.quoted(text, '"')).append('"');
    }
    return this;
  }

  JsonWriter value(long number) {
    comma();
    json.append(number);
    return this;
  }

  JsonWriter value(boolean truth) {
    comma();
    json.append(truth);
    return this;
  }

  private void comma() {
    if (!first) {
      json.append(',');
    }
    first = false;
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
