package io.jvmtools.dump;

import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which threads wait until another one has initialised a class. For the JVM they run, and it tells
 * nobody: only their frames do, that of the initialiser and the instruction before which a thread
 * stands. Who has begun with a class and waits for what that extends has no such frame yet: it
 * stands before the use of it.
 */
final class Initializations {

  /** What the method is called that initialises a class. */
  static final String INITIALIZER = "<clinit>";

  /** Natives of the JDK that initialise a class of which no frame tells. */
  static final Set<String> NATIVES =
      Set.of(
          "java.io.ObjectStreamClass.hasStaticInitializer",
          "java.lang.Class.forName0",
          "java.lang.ClassLoader.defineClass0",
          "jdk.internal.loader.NativeLibraries.load",
          "jdk.internal.misc.Unsafe.allocateInstance",
          "jdk.internal.misc.Unsafe.ensureClassInitialized0",
          "jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor.newInstance0",
          "jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0",
          "jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0",
          "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0");

  /**
   * A class that a thread initialises.
   *
   * @param type the class
   * @param row the row of the thread
   */
  record Initialization(Class<?> type, int row) {}

  /**
   * Before what a running thread stands.
   *
   * @param awaited what it waits for; null if it has to wait for none of those that are seen
   * @param begun the classes with which it has begun, or somebody else who is not seen
   */
  private record Stand(@Nullable Initialization awaited, List<Class<?>> begun) {}

  private final ClassUses uses = new ClassUses();
  private final Map<Class<?>, Initialization> all = new HashMap<>();
  private final Map<Integer, Stand> stands = new TreeMap<>();

  /** Who may have begun with a class and waits for what that extends; found once all are there. */
  private @Nullable Map<Class<?>, List<Integer>> waiters;

  /**
   * Those in a native method of the JDK that initialises classes, or that could not be looked at.
   */
  private final Set<Integer> unseen = new HashSet<>();

  /** Those in a native method of the program, or in none of Java. */
  private final Set<Integer> foreign = new HashSet<>();

  private final Set<Integer> initializers = new HashSet<>();

  /** The thread in a row has these frames. */
  void add(int row, StackTrace stack) {
    for (int depth = 0; depth < stack.size(); depth++) {
      StackFrame frame = stack.get(depth);
      if (frame.methodName().equals(INITIALIZER)) {
        initializers.add(row);
        Class<?> type = frame.method().declaringClass().orElse(null);
        if (type != null) {
          all.put(type, new Initialization(type, row));
          if (depth + 1 < stack.size()) {
            addBegun(row, type, stack.get(depth + 1));
          }
        }
      }
    }
  }

  /** The classes that extend it, with which who called for them has begun before. */
  private void addBegun(int row, Class<?> type, StackFrame caller) {
    Class<?> one = uses.neededBy(caller).orElse(null);
    while (one != null && one != type && type.isAssignableFrom(one)) {
      all.putIfAbsent(one, new Initialization(one, row));
      one = one.getSuperclass();
    }
  }

  boolean areAny() {
    return !all.isEmpty();
  }

  /** Whether a thread initialises one, as its frames tell. */
  boolean hasOne(int row) {
    return initializers.contains(row);
  }

  /** The thread in a row, which runs for the JVM, has these frames. All have been added. */
  void addRunning(int row, StackTrace stack) {
    stack.top().ifPresentOrElse(top -> addRunning(row, top), () -> foreign.add(row));
  }

  private void addRunning(int row, StackFrame top) {
    if (top.isNative()) {
      if (NATIVES.contains(top.className() + '.' + top.methodName())) {
        unseen.add(row);
      } else if (areAny() && ClassUses.isOfTheProgram(top)) {
        foreign.add(row);
      }
      return;
    }
    Class<?> type = uses.neededBy(top).orElse(null);
    if (type == null && uses.isIncomplete()) {
      unseen.add(row);
    }
    if (type != null && uses.isPending(type)) {
      List<Class<?>> begun = new ArrayList<>();
      Initialization awaited = await(row, type, begun);
      if (awaited != null || !begun.isEmpty()) {
        stands.put(row, new Stand(awaited, begun));
      }
    }
  }

  /** What a thread waits for. All that run have been added. */
  Optional<Initialization> awaitedBy(int row) {
    Stand stand = stands.get(row);
    if (stand == null) {
      return Optional.empty();
    }
    return Optional.ofNullable(stand.awaited()).or(() -> begunByOthers(row, stand.begun()));
  }

  /**
   * Whether a thread may wait though it is not seen for whom.
   *
   * @param row its row
   * @param framesAreSeen whether all frames are there
   */
  boolean mayWait(int row, boolean framesAreSeen) {
    boolean isSeen = framesAreSeen && !uses.isIncomplete();
    boolean others = initializers.size() > (hasOne(row) ? 1 : 0);
    if (unseen.contains(row)) {
      return !isSeen || others;
    }
    if (foreign.contains(row)) {
      return others || (!isSeen && hasOne(row));
    }
    return stands.containsKey(row) && awaitedBy(row).isEmpty();
  }

  /** Of several who stand before the same class one has begun: each of them waits for the same. */
  private Optional<Initialization> begunByOthers(int row, List<Class<?>> wanted) {
    if (waiters == null) {
      waiters = new HashMap<>();
      stands.forEach(this::addWaiter);
    }
    for (Class<?> type : wanted) {
      for (int other : waiters.getOrDefault(type, List.of())) {
        if (other != row) {
          return Optional.of(new Initialization(type, other));
        }
      }
    }
    return Optional.empty();
  }

  private void addWaiter(int row, Stand stand) {
    if (stand.awaited() != null) {
      for (Class<?> type : stand.begun()) {
        List<Integer> rows = waiters.computeIfAbsent(type, none -> new ArrayList<>());
        // One of them is another one than whoever asks.
        if (rows.size() < 2) {
          rows.add(row);
        }
      }
    }
  }

  /** What comes first of that with which the JVM begins for a class, and another one is at. */
  private @Nullable Initialization await(int row, Class<?> type, List<Class<?>> begun) {
    if (!uses.isPending(type)) {
      return null;
    }
    Initialization running = all.get(type);
    if (running != null) {
      return running.row() == row ? null : running;
    }
    begun.add(type);
    Class<?> above = type.isInterface() ? null : type.getSuperclass();
    Initialization awaited = above == null ? null : await(row, above, begun);
    return awaited != null || type.isInterface() ? awaited : awaitInterfaces(row, type);
  }

  private @Nullable Initialization awaitInterfaces(int row, Class<?> type) {
    for (Class<?> above : type.getInterfaces()) {
      Initialization awaited = awaitInterfaces(row, above);
      Initialization running = all.get(above);
      if (awaited == null && running != null && running.row() != row && uses.hasCode(above)) {
        awaited = uses.isPending(above) ? running : null;
      }
      if (awaited != null) {
        return awaited;
      }
    }
    return null;
  }
}
