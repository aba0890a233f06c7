package io.jvmtools.fuzz;

import io.jvmtools.Jvmti;
import io.jvmtools.support.Parked;
import io.jvmtools.support.ProductClasses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/** What arguments and receivers are taken from. */
public final class Pools {

  static final String[] STRINGS = {
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udc00\ud800",
    "\ud83d\ude00",
    "%s%n%d%",
    "${x}\"\\\n\r\t\u001b[31m\u2028",
    "JVMTI_ERROR_NONE",
    "Ljava/lang/Object;",
    "x".repeat(70_000),
    "\u00e4\ud83d\ude00".repeat(5_000),
  };

  private static final int KEPT_OF_A_TYPE = 16;
  private static final int ELEMENTS = 8;

  private final Environments environments = new Environments();
  private final Victims victims = new Victims();
  private final Map<Class<?>, List<Object>> returned = new ConcurrentHashMap<>();
  private final List<Object> objects = new ArrayList<>();
  private final List<Class<?>> types = new ArrayList<>();
  private final List<Thread> readers = new CopyOnWriteArrayList<>();
  private final List<ThreadGroup> groups = new ArrayList<>();
  private final Map<Class<?>, Method> facets = new ConcurrentHashMap<>();

  /** With all threads that there are now to be read. */
  public Pools() {
    IntSupplier lambda = () -> 1;
    types.addAll(
        List.of(
            int.class,
            void.class,
            Object.class,
            String.class,
            Thread.class,
            int[].class,
            Object[][].class,
            Runnable.class,
            Override.class,
            Thread.State.class,
            lambda.getClass(),
            ofAnotherLoader()));
    objects.addAll(
        List.of(
            new Object(),
            "text",
            STRINGS[STRINGS.length - 1],
            new int[1 << 20],
            new Object[0],
            new Object[1_000],
            new byte[0],
            lambda,
            Thread.State.NEW,
            Thread.currentThread(),
            Parked.ended(),
            new Hostile.Value(),
            7,
            getClass().getModule(),
            Object.class.getModule()));
    objects.addAll(types);
    Thread.getAllStackTraces().keySet().forEach(readers::add);
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    groups.addAll(List.of(group, group.getParent(), new ThreadGroup("\0\ud800")));
    groups.add(Parked.unstarted().getThreadGroup());
    keepConstants();
    for (Method method : Jvmti.class.getMethods()) {
      if (method.getParameterCount() == 0
          && method.getReturnType().getName().startsWith("io.jvmtools.")
          && !method.getReturnType().isEnum()
          && !method.getReturnType().isRecord()) {
        facets.put(method.getReturnType(), method);
      }
    }
  }

  /** Those of our classes that are no enums: the kinds of events, and the filter to begin with. */
  private void keepConstants() {
    Random random = new Random(0);
    for (Class<?> type : ProductClasses.exported()) {
      for (Field field : type.getFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && field.getType().getName().startsWith("io.jvmtools.")
            && !field.getType().isEnum()) {
          keep(constant(field), random);
        }
      }
    }
  }

  private static Object constant(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Threads that may be disturbed. */
  public Victims victims() {
    return victims;
  }

  Environments environments() {
    return environments;
  }

  /** Lets a thread be read: the fuzzing ones. */
  void addReader(Thread thread) {
    readers.add(thread);
  }

  /** A thread that nobody may disturb. */
  public Thread reader(Random random) {
    return random.nextBoolean()
        ? Thread.currentThread()
        : readers.get(random.nextInt(readers.size()));
  }

  Object object(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> new Object();
      case 1 -> victims.any(random);
      case 2 -> environments;
      default -> objects.get(random.nextInt(objects.size()));
    };
  }

  Class<?> type(Random random) {
    return types.get(random.nextInt(types.size()));
  }

  ThreadGroup group(Random random) {
    return groups.get(random.nextInt(groups.size()));
  }

  Throwable throwable(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Hostile.Failure();
      case 1 -> new Hostile.Checked();
      case 2 -> new IllegalStateException("\0\ud800", new Hostile.Failure());
      default -> new Hostile.Fatal();
    };
  }

  /** An environment, a facet of one, or what an earlier call has returned; null if nothing has. */
  Object product(Class<?> type, Random random) {
    if (type == Jvmti.class) {
      return environments.any(random);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    Method facet = facets.get(type);
    if (facet != null && random.nextInt(4) != 0) {
      try {
        return facet.invoke(environments.any(random));
      } catch (ReflectiveOperationException closedMeanwhile) {
        return null;
      }
    }
    List<Object> fitting = new ArrayList<>();
    returned.forEach(
        (found, values) -> {
          if (type.isAssignableFrom(found)) {
            fitting.addAll(values);
          }
        });
    return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
  }

  /** Keeps what a call has returned or thrown, and what is in it. */
  void keep(Object result, Random random) {
    if (result instanceof Jvmti environment) {
      environments.add(environment, random);
    } else if (result instanceof Optional<?> optional) {
      optional.ifPresent(value -> keep(value, random));
    } else if (result instanceof Object[] array) {
      Arrays.stream(array).limit(ELEMENTS).forEach(value -> keep(value, random));
    } else if (result instanceof Map<?, ?> map) {
      map.values().stream().limit(ELEMENTS).forEach(value -> keep(value, random));
    } else if (result != null) {
      if (result.getClass().getName().startsWith("io.jvmtools.")
          && !result.getClass().getPackageName().equals(Pools.class.getPackageName())) {
        keepValue(result, random);
      }
      if (result instanceof Collection<?> elements) {
        elements.stream().limit(ELEMENTS).forEach(value -> keep(value, random));
      }
    }
  }

  private void keepValue(Object value, Random random) {
    List<Object> kept =
        returned.computeIfAbsent(value.getClass(), t -> new CopyOnWriteArrayList<>());
    if (kept.size() < KEPT_OF_A_TYPE) {
      kept.add(value);
    } else {
      kept.set(random.nextInt(KEPT_OF_A_TYPE), value);
    }
  }

  void forgetReturned() {
    returned.clear();
    keepConstants();
  }

  /** A class of a loader that nothing else refers to. */
  private static Class<?> ofAnotherLoader() {
    try (InputStream file = Pools.class.getResourceAsStream("Hostile$Value.class")) {
      byte[] bytes = file.readAllBytes();
      return new ClassLoader(null) {
        Class<?> define() {
          return defineClass(null, bytes, 0, bytes.length);
        }
      }.define();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
