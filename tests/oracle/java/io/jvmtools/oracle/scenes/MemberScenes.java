package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Methods and fields. */
final class MemberScenes implements Scenes {

  private final Notes notes;
  private final Observer observer;
  private final Observer bare;

  MemberScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer =
        source.open("can_get_bytecodes", "can_get_line_numbers", "can_get_synthetic_attribute");
    this.bare = source.open();
  }

  /** One of each kind. */
  @SuppressWarnings("unused") // Found by reflection.
  private abstract static class Kinds<T extends Comparable<T>> implements Supplier<T> {

    static final long NUMBER = 7;
    protected transient volatile double ratio;
    List<? super T> generic;
    int[][] array;

    Kinds(int number, long wide) {
      ratio = number + wide;
    }

    abstract void nothing();

    static synchronized double twice(double number) {
      return number * 2;
    }

    final <E extends Exception> T any(List<T> all, long at, String... names) throws E {
      for (T one : all) {
        switch (names.length) {
          case 1, 2:
            return one;
          case 100_000:
            continue;
          default:
            generic = null;
        }
      }
      return get();
    }

    @Override
    public abstract T get();
  }

  /** Has a bridge, and a field that the compiler made. */
  private final class Inner extends Kinds<String> {

    Inner() {
      super(1, 2);
    }

    @Override
    void nothing() {}

    @Override
    public String get() {
      return MemberScenes.this.toString();
    }
  }

  @Override
  public void play() {
    Runnable lambda = () -> {};
    methods("", Kinds.class.getDeclaredMethods());
    methods("", Kinds.class.getDeclaredConstructors());
    methods("inner-", Inner.class.getDeclaredMethods());
    methods("inner-", Inner.class.getDeclaredConstructors());
    methods("lambda-", lambda.getClass().getDeclaredMethods());
    methods("native-", only(Object.class.getDeclaredMethods(), "hashCode"));
    methods("unsafe-", only(Thread.class.getDeclaredMethods(), "currentThread"));
    methods("library-", only(List.class.getDeclaredMethods(), "get", "size", "sort"));
    fields("", Kinds.class.getDeclaredFields());
    fields("inner-", Inner.class.getDeclaredFields());
    fields("library-", only(String.class.getDeclaredFields(), "value", "hash", "COMPACT_STRINGS"));
    Executable any = Inner.class.getDeclaredConstructors()[0];
    notes.note("GetBytecodes.withoutCapability", () -> bare.getBytecodes(any));
    notes.note("GetLineNumberTable.withoutCapability", () -> bare.getLineNumberTable(any));
    notes.note("IsMethodSynthetic.withoutCapability", () -> bare.isMethodSynthetic(any));
    Field field = Inner.class.getDeclaredFields()[0];
    notes.note("IsFieldSynthetic.withoutCapability", () -> bare.isFieldSynthetic(field));
    notes.answer(observer::disposeEnvironment);
    notes.answer(bare::disposeEnvironment);
  }

  private void methods(String prefix, Executable... all) {
    for (Executable one : all) {
      String scenario = prefix + nameOf(one) + one.getParameterCount();
      if (one.isSynthetic()) {
        scenario += "-" + Names.of(((Method) one).getReturnType());
      }
      method(scenario.replaceAll("\\W", "-"), one);
    }
  }

  private static String nameOf(Executable one) {
    return one instanceof Constructor ? "new" : one.getName();
  }

  private void method(String scenario, Executable method) {
    notes.note("GetMethodName." + scenario, () -> observer.getMethodName(method));
    notes.note(
        "GetMethodDeclaringClass." + scenario, () -> observer.getMethodDeclaringClass(method));
    notes.note("GetMethodModifiers." + scenario, () -> observer.getMethodModifiers(method));
    notes.note("GetMaxLocals." + scenario, () -> observer.getMaxLocals(method));
    notes.note("GetArgumentsSize." + scenario, () -> observer.getArgumentsSize(method));
    notes.note("GetLineNumberTable." + scenario, () -> observer.getLineNumberTable(method));
    notes.note("GetMethodLocation." + scenario, () -> observer.getMethodLocation(method));
    notes.note("GetBytecodes." + scenario, () -> observer.getBytecodes(method));
    notes.note("IsMethodNative." + scenario, () -> observer.isMethodNative(method));
    notes.note("IsMethodSynthetic." + scenario, () -> observer.isMethodSynthetic(method));
    notes.note("IsMethodObsolete." + scenario, () -> observer.isMethodObsolete(method));
  }

  private void fields(String prefix, Field... all) {
    for (Field one : all) {
      String scenario = prefix + one.getName();
      notes.note("GetFieldName." + scenario, () -> observer.getFieldName(one));
      notes.note("GetFieldDeclaringClass." + scenario, () -> observer.getFieldDeclaringClass(one));
      notes.note("GetFieldModifiers." + scenario, () -> observer.getFieldModifiers(one));
      notes.note("IsFieldSynthetic." + scenario, () -> observer.isFieldSynthetic(one));
    }
  }

  private static <T extends Member> T[] only(T[] all, String... names) {
    return Stream.of(all)
        .filter(one -> List.of(names).contains(one.getName()))
        .toArray(length -> Arrays.copyOf(all, length));
  }
}
