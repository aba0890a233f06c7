package io.jvmtools.code;

import io.jvmtools.RedefinitionException;
import io.jvmtools.TransformationException;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.environment.Environment;
import java.lang.instrument.ClassFileTransformer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transformer makes of classes.
 *
 * <p>It is called while the JVM does nothing to the classes: in the middle of a retransformation
 * everybody else who changes one of them waits, and a transformer that waits for one of those would
 * never return. So the class files are asked for first, and handed in when they are transformed. If
 * somebody else has made something else of a class meanwhile, all begins anew.
 */
final class Retransformation {

  /** Who makes something else of a class each time would keep us for ever. */
  private static final int ROUNDS = 5;

  /** What a class is made from, and what it becomes. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  private record Change(byte[] from, byte[] to) {}

  private final Environment environment;
  private final ClassFileTransformer transformer;

  Retransformation(Environment environment, ClassFileTransformer transformer) {
    this.environment = environment;
    this.transformer = transformer;
  }

  /** Changes some of the classes, and answers which. */
  List<Class<?>> of(Classes classes, Class<?>... types) {
    Map<Class<?>, Change> changes = unknown(types);
    for (int round = 0; round < ROUNDS && !changes.isEmpty(); round++) {
      Object[] files = change(classes, changes);
      if (files == null) {
        break;
      }
      changes = transformed(List.copyOf(changes.keySet()), files);
      if (round == ROUNDS - 1 && !changes.isEmpty()) {
        throw new IllegalStateException(
            "Somebody else, a thread or an agent, makes something else each time of "
                + changes.keySet());
      }
    }
    return List.copyOf(changes.keySet());
  }

  private static Map<Class<?>, Change> unknown(Class<?>... types) {
    Map<Class<?>, Change> changes = new LinkedHashMap<>();
    for (Class<?> type : types) {
      changes.put(type, new Change(new byte[0], new byte[0]));
    }
    return changes;
  }

  /** The class files, if they are not what the changes begin with. */
  private Object @Nullable [] change(Classes classes, Map<Class<?>, Change> changes) {
    JoinedBytes files = new JoinedBytes();
    for (Change change : changes.values()) {
      files.add(change.from);
      files.add(change.to);
    }
    Class<?>[] types = changes.keySet().toArray(new Class<?>[0]);
    try {
      Object[] unlike =
          ClassNatives.retransformFrom(environment.handle(), types, files.bytes(), files.lengths());
      KnownMethods.areOutdated(changes.keySet());
      return environment.keep(unlike);
    } catch (RedefinitionException refusal) {
      Map<Class<?>, byte[]> made = new LinkedHashMap<>();
      changes.forEach((type, change) -> made.put(type, change.to));
      throw new Objections(classes).explain(refusal, made);
    }
  }

  private Map<Class<?>, Change> transformed(List<Class<?>> types, Object[] files) {
    Map<Class<?>, Change> changes = new LinkedHashMap<>();
    for (int i = 0; i < files.length; i++) {
      byte[] from = (byte[]) files[i];
      byte[] to = transformed(types.get(i), from.clone());
      if (to != null) {
        changes.put(types.get(i), new Change(from, to.clone()));
      }
    }
    return changes;
  }

  private byte @Nullable [] transformed(Class<?> type, byte[] file) {
    try {
      return transformer.transform(
          type.getModule(),
          type.getClassLoader(),
          type.getName().replace('.', '/'),
          type,
          type.getProtectionDomain(),
          file);
    } catch (Throwable thrown) {
      throw new TransformationException(type.getName(), thrown);
    }
  }
}
