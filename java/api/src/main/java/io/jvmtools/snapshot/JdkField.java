package io.jvmtools.snapshot;

import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.FieldFacts;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.FieldValueFacts;
import io.jvmtools.internal.environment.GeneralNatives;
import java.util.List;

/**
 * A field of a class of the JDK, which is looked for once: that costs more than most snapshots.
 * Without a lock, for who asks may be suspended.
 */
final class JdkField {

  private final Class<?> type;
  private final String name;

  /** What the JVM knows it by; none before it is looked for, or if there is none. */
  private volatile long[] id = {};

  JdkField(Class<?> type, String name) {
    this.type = type;
    this.name = name;
  }

  /** What it holds in that object; nothing if there is no such field. */
  FieldValueFacts of(Object object) {
    if (id.length == 0) {
      id = find();
    }
    return (FieldValueFacts) FieldNatives.values(GeneralNatives.metadata(), type, id, object);
  }

  private long[] find() {
    long env = GeneralNatives.metadata();
    long[] ids = ClassNatives.getClassFields(env, type);
    FieldFacts facts = (FieldFacts) FieldNatives.resolve(env, type, ids);
    int place = List.of(facts.names()).indexOf(name);
    return place < 0 ? new long[0] : new long[] {ids[place]};
  }
}
