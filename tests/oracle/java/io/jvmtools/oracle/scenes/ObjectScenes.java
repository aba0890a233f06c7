package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.GcUntil;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/** Tags, sizes and hash codes. */
final class ObjectScenes implements Scenes {

  private final Notes notes;
  private final Observer.Source source;
  private final Observer observer;

  ObjectScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
    this.observer = source.open("can_tag_objects");
  }

  @Override
  public void play() {
    tags();
    finding();
    collected();
    perEnvironment();
    sizesAndHashes();
    sampling();
    notes.answer(observer::disposeEnvironment);
  }

  private void sampling() {
    Observer samples = source.open("can_generate_sampled_object_alloc_events");
    for (int bytes : new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 512 * 1024}) {
      notes.note(
          "SetHeapSamplingInterval.of" + bytes, () -> samples.setHeapSamplingInterval(bytes));
    }
    notes.note(
        "SetHeapSamplingInterval.withoutCapability",
        () -> observer.setHeapSamplingInterval(512 * 1024));
    notes.answer(samples::disposeEnvironment);
  }

  private void tags() {
    Object object = Names.object("tagged");
    notes.note("GetTag.untagged", () -> observer.getTag(object));
    for (long tag : new long[] {1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 0}) {
      notes.note(
          "SetTag.value" + tag,
          () -> observer.setTag(object, tag),
          () -> observer.getTag(object),
          () -> observer.getObjectsWithTags(tag == 0 ? 1 : tag));
    }
    notes.note(
        "SetTag.clearUntagged", () -> observer.setTag(object, 0), () -> observer.getTag(object));
    Object[] objects = {String.class, Thread.currentThread(), int.class, "interned"};
    for (int i = 0; i < objects.length; i++) {
      Object special = objects[i];
      int tag = 100 + i;
      notes.note(
          "SetTag.special" + i,
          () -> observer.setTag(special, tag),
          () -> observer.getTag(special),
          () -> observer.getObjectsWithTags(tag),
          () -> observer.setTag(special, 0));
    }
    notes.note(
        "GetTag.interned",
        () -> observer.setTag("interned", 9),
        () -> observer.getTag(new String("interned").intern()),
        () -> observer.getTag(new String("interned")),
        () -> observer.setTag("interned", 0));
  }

  private void finding() {
    Object a = Names.object("a");
    Object b = Names.object("b");
    Object c = Names.object("c");
    notes.answer(() -> observer.setTag(a, 5));
    notes.answer(() -> observer.setTag(b, 5));
    notes.answer(() -> observer.setTag(c, -6));
    find("several", 5, -6, 99);
    find("oneTag", 5);
    find("unknown", 99);
    find("noTags");
    find("zero", 0);
    find("zeroAmongOthers", -6, 0);
    find("sameTagTwice", -6, -6);
    notes.note(
        "GetObjectsWithTags.afterClear",
        () -> observer.setTag(a, 0),
        () -> observer.getObjectsWithTags(5));
    notes.note(
        "GetObjectsWithTags.afterReplace",
        () -> observer.setTag(b, 7),
        () -> observer.getObjectsWithTags(5),
        () -> observer.getObjectsWithTags(7));
    notes.note("GetObjectsWithTags.alive", () -> observer.getObjectsWithTags(-6) + Names.of(c));
    notes.answer(() -> observer.setTag(b, 0));
    notes.answer(() -> observer.setTag(c, 0));
  }

  private void collected() {
    GcUntil.cleared(tagged(() -> Names.object("short-lived")));
    find("collected", 11);
    GcUntil.cleared(tagged(ObjectScenes::classOfItsOwnLoader));
    find("unloadedClass", 11);
    Object kept = Names.object("kept");
    notes.note(
        "GetTag.afterCollections",
        () -> observer.setTag(kept, 12),
        () -> {
          GcUntil.settled();
          return observer.getTag(kept);
        });
  }

  private void perEnvironment() {
    Observer other = source.open("can_tag_objects");
    Object object = Names.object("shared");
    notes.note(
        "GetTag.perEnvironment",
        () -> observer.setTag(object, 21),
        () -> other.getTag(object),
        () -> other.setTag(object, 22),
        () -> observer.getTag(object),
        () -> other.getTag(object));
    notes.note(
        "GetObjectsWithTags.perEnvironment",
        () -> other.getObjectsWithTags(21, 22),
        () -> observer.getObjectsWithTags(21, 22));
    notes.note("GetTag.otherDisposed", other::disposeEnvironment, () -> observer.getTag(object));
    Observer third = source.open("can_tag_objects");
    notes.note("GetTag.freshEnvironment", () -> third.getTag(object), third::disposeEnvironment);
  }

  private void sizesAndHashes() {
    Object[] objects = {
      Names.object("an object"),
      new int[0],
      new int[1000],
      new long[1 << 16],
      new Object[7],
      new boolean[9],
      "text",
      String.class,
      int.class,
      new Object[2][3]
    };
    for (int i = 0; i < objects.length; i++) {
      Object object = objects[i];
      notes.note("GetObjectSize.object" + i, () -> observer.getObjectSize(object));
      notes.note(
          "GetObjectHashCode.object" + i,
          () -> sameNumber(observer.getObjectHashCode(object), System.identityHashCode(object)));
    }
    Object fresh = new Object();
    notes.note(
        "GetObjectHashCode.beforeJavaAsks",
        () -> sameNumber(observer.getObjectHashCode(fresh), System.identityHashCode(fresh)),
        () -> {
          GcUntil.settled();
          return sameNumber(observer.getObjectHashCode(fresh), System.identityHashCode(fresh));
        });
  }

  private static String sameNumber(String answer, int expected) {
    return answer.equals(String.valueOf(expected)) ? "as Java says" : answer + " not " + expected;
  }

  private void find(String scenario, long... tags) {
    notes.note("GetObjectsWithTags." + scenario, () -> observer.getObjectsWithTags(tags));
  }

  private WeakReference<Object> tagged(Supplier<Object> made) {
    Object object = made.get();
    notes.answer(() -> observer.setTag(object, 11));
    return new WeakReference<>(object);
  }

  private static Object classOfItsOwnLoader() {
    return new OneClass().define(NativeCode.class);
  }

  /** Defines a copy of a class. */
  private static final class OneClass extends ClassLoader {
    Class<?> define(Class<?> type) {
      String file = type.getSimpleName() + ".class";
      try (InputStream in = type.getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(type.getName(), bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
