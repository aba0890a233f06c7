package io.jvmtools.snapshot;

import io.jvmtools.internal.Escapes;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.Descriptors;
import io.jvmtools.internal.code.FieldFacts;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.FieldValueFacts;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.stack.SlotValues;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what variables hold, into objects as far as was asked for. Fields are read as they are: no
 * method of the program is called, and no lock is taken.
 */
final class ValueReader implements Function<@Nullable Object, String> {

  private static final String OBJECT = "Ljava/lang/Object;";

  private static final JdkField MESSAGE = new JdkField(Throwable.class, "detailMessage");
  private static final JdkField THREAD_ID = new JdkField(Thread.class, "tid");

  /** Of an array or a collection. */
  private static final int MOST_ELEMENTS = 20;

  private final int objectDepth;
  private final int characters;
  private int left;

  ValueReader(SnapshotSettings settings) {
    objectDepth = settings.objectDepth;
    characters = settings.characters;
    left = settings.values;
  }

  /** What a variable of that type holds. */
  SnapshotValue read(String signature, @Nullable Object value) {
    return read(signature, value, 0);
  }

  /** Its class and its message, and its fields. */
  SnapshotValue throwable(Throwable made) {
    return object(made, 0);
  }

  /** The name of a type, as the language has it. */
  static String typeName(String signature) {
    return Descriptors.typeName(signature);
  }

  private SnapshotValue read(String signature, @Nullable Object value, int depth) {
    left--;
    char letter = signature.charAt(0);
    if (letter != 'L' && letter != '[') {
      return new SnapshotValue(typeName(signature), SlotValues.text(signature, value));
    }
    if (value == null) {
      return new SnapshotValue(typeName(signature), "null");
    }
    return object(value, depth);
  }

  private SnapshotValue object(Object object, int depth) {
    Class<?> type = object.getClass();
    String name = type.getTypeName();
    if (object instanceof String string) {
      return string(name, string);
    }
    if (JdkValues.isOne(type)) {
      return new SnapshotValue(name, JdkValues.text(object, characters));
    }
    if (object instanceof Character) {
      return new SnapshotValue(name, SlotValues.text("C", object));
    }
    if (object instanceof Class<?> of) {
      return new SnapshotValue(name, of.getTypeName());
    }
    if (object instanceof Enum<?> constant) {
      return new SnapshotValue(name, constant.name());
    }
    if (object instanceof Thread thread) {
      return named(name, thread);
    }
    if (type.isArray()) {
      return array(object, depth);
    }
    return JdkCollections.isOne(type) ? collection(object, depth) : fields(object, depth);
  }

  /** One that is being made has no name yet. */
  private SnapshotValue named(String type, Thread thread) {
    String name = thread.getName();
    return name == null ? new SnapshotValue(type, "null") : string(type, name);
  }

  private SnapshotValue string(String type, String string) {
    String shown = string.length() <= characters ? string : string.substring(0, characters);
    return new SnapshotValue(
        type, '"' + Escapes.quoted(shown, '"') + '"', List.of(), string.length() - shown.length());
  }

  private SnapshotValue array(Object array, int depth) {
    Class<?> element = array.getClass().getComponentType();
    int length = Array.getLength(array);
    List<SnapshotVariable> parts = new ArrayList<>();
    String signature = element.descriptorString();
    for (int i = 0; i < length && goesOn(depth, parts.size()); i++) {
      parts.add(new SnapshotVariable("", read(signature, Array.get(array, i), depth + 1)));
    }
    String text = simple(element) + "[" + length + "]";
    return new SnapshotValue(array.getClass().getTypeName(), text, parts, length - parts.size());
  }

  private SnapshotValue collection(Object collection, int depth) {
    List<@Nullable Object> elements = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    int size = JdkCollections.read(collection, MOST_ELEMENTS, keys, elements, this);
    List<SnapshotVariable> parts = new ArrayList<>();
    for (int i = 0; i < elements.size() && goesOn(depth, parts.size()); i++) {
      String name = keys.isEmpty() ? "" : keys.get(i);
      parts.add(new SnapshotVariable(name, read(OBJECT, elements.get(i), depth + 1)));
    }
    Class<?> type = collection.getClass();
    return new SnapshotValue(
        type.getTypeName(), simple(type) + "(" + size + ")", parts, size - parts.size());
  }

  /** The text of a key. No lambda: linking one could wait for a suspended thread. */
  @Override
  public String apply(@Nullable Object key) {
    return key instanceof String text ? cut(text) : read(OBJECT, key, objectDepth).toString();
  }

  /** Of its class first, then of those that this one extends. */
  private SnapshotValue fields(Object object, int depth) {
    List<SnapshotVariable> parts = new ArrayList<>();
    long omitted = 0;
    boolean isThrowable = object instanceof Throwable;
    Class<?> type = object.getClass();
    while (type != null && !(isThrowable && type == Throwable.class)) {
      omitted += fields(type, object, depth, parts);
      type = type.getSuperclass();
    }
    String text = simple(object.getClass());
    if (isThrowable) {
      text = object.getClass().getTypeName() + message((Throwable) object);
    } else if (parts.isEmpty()) {
      text += "@" + Integer.toHexString(System.identityHashCode(object));
    }
    return new SnapshotValue(object.getClass().getTypeName(), text, parts, omitted);
  }

  /** How many there are beside. */
  private int fields(Class<?> type, Object object, int depth, List<SnapshotVariable> parts) {
    long env = GeneralNatives.metadata();
    long[] ids = ClassNatives.getClassFields(env, type);
    FieldFacts facts = (FieldFacts) FieldNatives.resolve(env, type, ids);
    List<Integer> own = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      if (!Modifier.isStatic(facts.modifiers()[i])) {
        own.add(i);
      }
    }
    if (depth >= objectDepth) {
      return own.size();
    }
    long[] wanted = new long[own.size()];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = ids[own.get(i)];
    }
    FieldValueFacts values = (FieldValueFacts) FieldNatives.values(env, type, wanted, object);
    int read = 0;
    for (; read < wanted.length && goesOn(depth, 0); read++) {
      String signature = facts.signatures()[own.get(read)];
      Object value = SlotValues.boxed(signature, values.bits()[read], values.objects()[read]);
      parts.add(
          new SnapshotVariable(facts.names()[own.get(read)], read(signature, value, depth + 1)));
    }
    return wanted.length - read;
  }

  private String message(Throwable thrown) {
    FieldValueFacts value = MESSAGE.of(thrown);
    boolean isThere = value.objects().length > 0;
    return isThere && value.objects()[0] instanceof String text ? ": " + cut(text) : "";
  }

  /** The number of a thread, for which a class of the program's could answer another one. */
  static long threadId(Thread thread) {
    long[] bits = THREAD_ID.of(thread).bits();
    return bits.length == 0 ? 0 : bits[0];
  }

  private String cut(String text) {
    return text.length() <= characters ? text : text.substring(0, characters) + "...";
  }

  private boolean goesOn(int depth, int elements) {
    return depth < objectDepth && left > 0 && elements < MOST_ELEMENTS;
  }

  /** Without its package. */
  private static String simple(Class<?> type) {
    String name = type.getTypeName();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
