package io.jvmtools.examples;

/** What is swapped while it is in use. */
final class E03Greeting {

  private E03Greeting() {}

  static String text() {
    return "hello";
  }
}
