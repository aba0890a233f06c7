package io.jvmtools.code;

import io.jvmtools.RedefinitionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is wrong with class files that classes were to be made of, found by comparing the two: the
 * JVM only says of which kind it is, and not even of which class.
 */
final class Objections {

  /** How many are told. */
  private static final int MOST = 10;

  /** What both a class file and the JVM know of the flags of a member. */
  private static final int FLAGS = 0x1dff;

  private final Classes classes;

  Objections(Classes classes) {
    this.classes = classes;
  }

  /** The same refusal, with what there is to be said about it. */
  RedefinitionException explain(
      RedefinitionException refusal, Map<Class<?>, byte[]> classDefinitions) {
    List<String> found;
    try {
      found = found(refusal.reason(), classDefinitions).limit(MOST).toList();
    } catch (RuntimeException changedMeanwhile) {
      found = List.of();
    }
    if (found.isEmpty()) {
      found = classDefinitions.keySet().stream().map(Class::getName).limit(MOST).toList();
    }
    return new RedefinitionException(refusal.function(), refusal.error(), refusal.reason(), found);
  }

  private Stream<String> found(
      RedefinitionException.Reason reason, Map<Class<?>, byte[]> classDefinitions) {
    return classDefinitions.entrySet().stream()
        .flatMap(one -> found(reason, one.getKey(), ClassFileOutline.of(one.getValue())).stream());
  }

  private Collection<String> found(
      RedefinitionException.Reason reason, Class<?> type, Optional<ClassFileOutline> outline) {
    return switch (reason) {
      case UNMODIFIABLE_CLASS -> named(type, !classes.isModifiable(type));
      case INVALID_CLASS -> named(type, classes.status(type).isInError());
      case INVALID_CLASS_FORMAT -> named(type, outline.isEmpty());
      default -> outline.map(file -> found(reason, type, file)).orElse(List.of());
    };
  }

  private Collection<String> found(
      RedefinitionException.Reason reason, Class<?> type, ClassFileOutline file) {
    Collection<String> found =
        switch (reason) {
          case UNSUPPORTED_VERSION -> List.of("version " + file.version());
          case NAMES_DONT_MATCH -> otherNames(type, file);
          case UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED -> otherParents(type, file);
          case UNSUPPORTED_REDEFINITION_METHOD_ADDED ->
              without(file.methods().keySet(), methods(type).keySet());
          case UNSUPPORTED_REDEFINITION_METHOD_DELETED ->
              without(methods(type).keySet(), file.methods().keySet());
          case UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED ->
              otherFlags(methods(type), file.methods());
          case UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED -> otherFields(fields(type), file.fields());
          default -> List.of();
        };
    return found.stream().map(what -> type.getName() + ": " + what).toList();
  }

  private static List<String> named(Class<?> type, boolean so) {
    return so ? List.of(type.getName()) : List.of();
  }

  private static List<String> otherNames(Class<?> type, ClassFileOutline file) {
    return file.name().equals(inClassFiles(type)) ? List.of() : List.of(file.name());
  }

  private static List<String> otherParents(Class<?> type, ClassFileOutline file) {
    List<String> other = new ArrayList<>();
    // Of interfaces a class file says what reflection does not.
    String parent = type.getSuperclass() == null ? "" : inClassFiles(type.getSuperclass());
    if (!type.isInterface() && !file.superName().equals(parent)) {
      other.add("extends " + file.superName());
    }
    List<String> interfaces =
        Stream.of(type.getInterfaces()).map(Objections::inClassFiles).toList();
    if (!file.interfaces().equals(interfaces)) {
      other.add("implements " + file.interfaces());
    }
    return other;
  }

  private static Set<String> otherFields(Map<String, Integer> now, Map<String, Integer> then) {
    Set<String> other = without(now.keySet(), then.keySet());
    other.addAll(without(then.keySet(), now.keySet()));
    other.addAll(otherFlags(now, then));
    return other;
  }

  private static Set<String> otherFlags(Map<String, Integer> now, Map<String, Integer> then) {
    return now.keySet().stream()
        .filter(then::containsKey)
        .filter(key -> ((now.get(key) ^ then.get(key)) & FLAGS) != 0)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private Map<String, Integer> methods(Class<?> type) {
    Map<String, Integer> methods = new TreeMap<>();
    for (JvmMethod method : classes.methods(type)) {
      methods.put(method.name() + method.signature(), method.modifiers());
    }
    return methods;
  }

  private Map<String, Integer> fields(Class<?> type) {
    Map<String, Integer> fields = new TreeMap<>();
    for (JvmField field : classes.fields(type)) {
      fields.put(field.name() + ' ' + field.signature(), field.modifiers());
    }
    return fields;
  }

  private static String inClassFiles(Class<?> type) {
    return type.getName().replace('.', '/');
  }
}
