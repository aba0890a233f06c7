package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.NOT_AVAILABLE;
import static io.jvmtools.functions.errors.ErrorNames.NULL_POINTER;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.provoke;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** System properties and class loader search. */
final class SystemErrors implements ErrorRows {

  private static final Path NOWHERE = Path.of("no such.jar");

  @Override
  public List<Provocation> provoked() {
    return List.of(
        answeredAsEmpty(
            "GetSystemProperty",
            NOT_AVAILABLE,
            "a property that there is not",
            jvmti -> jvmti.system().property("no.such")),
        provoke(
            "AddToBootstrapClassLoaderSearch",
            ILLEGAL_ARGUMENT,
            "a file that is not there",
            jvmti -> jvmti.system().addToBootstrapSearch(NOWHERE)),
        provoke(
            "AddToSystemClassLoaderSearch",
            ILLEGAL_ARGUMENT,
            "a file that is not there",
            jvmti -> jvmti.system().addToSystemSearch(NOWHERE)));
  }

  @Override
  public List<Impossible> impossible() {
    return Stream.of(loader(), notSet(), notNull()).flatMap(List::stream).toList();
  }

  private static List<Impossible> notSet() {
    return Impossible.impossible(
        NOT_AVAILABLE,
        "The option 'property' fails the start with it; AgentOptionsTest names one that there is"
            + " not, and one that may not be set.",
        "SetSystemProperty");
  }

  private static List<Impossible> notNull() {
    return Impossible.impossible(
        NULL_POINTER,
        "The option 'property' has a name, or fails the start; and a value, for some JVMs crash"
            + " without one.",
        "SetSystemProperty");
  }

  private static List<Impossible> loader() {
    return Impossible.impossible(
        ErrorNames.CLASS_LOADER_UNSUPPORTED,
        "The JDK's system class loader has the method; SystemClassLoaderTest has one without it.",
        "AddToSystemClassLoaderSearch");
  }
}
