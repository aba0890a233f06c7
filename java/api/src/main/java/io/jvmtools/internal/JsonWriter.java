package io.jvmtools.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON: commas, quotes and escapes. Nesting is up to the caller. What its destination throws
 * comes as {@link UncheckedIOException}.
 */
public final class JsonWriter {

  private final Appendable json;
  private boolean first = true;

  /**
   * Writes to a destination.
   *
   * @param json the destination
   */
  public JsonWriter(Appendable json) {
    this.json = json;
  }

  /**
   * Begins an object or an array.
   *
   * @param bracket what opens it
   * @return this
   */
  public JsonWriter begin(char bracket) {
    comma();
    append(String.valueOf(bracket));
    first = true;
    return this;
  }

  /**
   * Ends an object or an array.
   *
   * @param bracket what closes it
   * @return this
   */
  public JsonWriter end(char bracket) {
    append(String.valueOf(bracket));
    first = false;
    return this;
  }

  /**
   * The name of a property, whose value comes next.
   *
   * @param name any
   * @return this
   */
  public JsonWriter name(String name) {
    value(name);
    append(":");
    first = true;
    return this;
  }

  /**
   * A text.
   *
   * @param text any
   * @return this
   */
  public JsonWriter value(@Nullable String text) {
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

  /**
   * A number.
   *
   * @param number any
   * @return this
   */
  public JsonWriter value(long number) {
    comma();
    append(Long.toString(number));
    return this;
  }

  /**
   * A truth value.
   *
   * @param truth any
   * @return this
   */
  public JsonWriter value(boolean truth) {
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
