package io.jvmtools.pairs;

import io.jvmtools.Agent;
import io.jvmtools.Capability;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.event.AnswerableEventType;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.Profiles;
import io.jvmtools.fuzz.Draw;
import io.jvmtools.fuzz.Victims;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Parked;
import io.jvmtools.support.Redefinable;
import io.jvmtools.support.Samples;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;

/** Arguments that a method takes: no forged ones, and threads that live, most of the time. */
final class Valid extends Draw {

  private static final int A_MILLISECOND = 1_000_000;

  private static final int SMALL = 12;

  private final Operation operation;
  private final Stage stage;
  private final BiFunction<Victims, Random, Thread> named;
  private final Thread[] callers;

  /** Callers are the threads that call; somebody lets them go when they are suspended. */
  Valid(
      Random random,
      Stage stage,
      Operation operation,
      BiFunction<Victims, Random, Thread> named,
      Thread... callers) {
    super(random, stage.pools(), operation.target());
    this.operation = operation;
    this.stage = stage;
    this.named = named;
    this.callers = callers;
  }

  @Override
  public Object[] arguments() {
    Object[] drawn = super.arguments();
    return operation.namesVariables() && !oneOf(4) ? Variables.aimed(target, drawn) : drawn;
  }

  @Override
  protected Object value(Type type) {
    Class<?> raw = rawOf(type);
    if (raw == Thread.class) {
      return thread();
    }
    if (raw == ThreadGroup.class && operation.ownsTheLockOfAGroup()) {
      return new ThreadGroup("own");
    }
    if (raw == Capability.class) {
      return stage.asked().get(random.nextInt(stage.asked().size()));
    }
    if (raw == DumpOptions.class) {
      return options();
    }
    if (raw == EventType.class && operation.tellsAgain()) {
      return EventTypes.DYNAMIC_CODE_GENERATED;
    }
    if (raw == EventType.class) {
      return pick(
          EventTypes.THREAD_START,
          EventTypes.THREAD_END,
          EventTypes.CLASS_PREPARE,
          EventTypes.DYNAMIC_CODE_GENERATED);
    }
    if (raw == AnswerableEventType.class) {
      return pick(EventTypes.CLASS_FILE_LOAD_HOOK, EventTypes.NATIVE_METHOD_BIND);
    }
    if (raw == EventFilter.class) {
      return oneOf(2) ? EventFilter.ANY : EventFilter.ANY.threads(thread());
    }
    if (raw == CodePlace.class) {
      return pick(
          CodePlace.entry(Redefinable.Plain.class.getName(), "<init>"),
          CodePlace.creationIn(Redefinable.class.getPackageName()));
    }
    if (raw == int.class && target.owner() == Profiles.class) {
      return 1 << 19;
    }
    if (raw == ProfileOptions.class) {
      return ProfileOptions.DEFAULT.stacks(1 + random.nextInt(3));
    }
    if (raw == Duration.class && operation.waitsForAllOfIt()) {
      return Duration.ofNanos(1 + random.nextInt(A_MILLISECOND));
    }
    if (raw == StackFrame.class) {
      return Variables.frame(thread(), random);
    }
    if (raw == Path.class && target.owner() == NativeAddress.class) {
      return Agent.libraryPath();
    }
    if (raw == JniFunction.class && target.owner() == JniCallCounter.class && !oneOf(4)) {
      return JniFunction.GET_SUPERCLASS;
    }
    if (operation.marksClasses() && !oneOf(4)) {
      return mark(type, raw);
    }
    if (raw == JvmMethod.class || raw == JvmField.class) {
      return Samples.good(raw);
    }
    return operation.changesClasses() ? ofChange(type, raw) : super.value(type);
  }

  /** In the class that others redefine. */
  private Object mark(Type type, Class<?> raw) {
    if (raw == JvmMethod.class) {
      return JvmMethod.of(Redefinable.Plain.class.getDeclaredConstructors()[0]);
    } else if (raw == JvmField.class) {
      return JvmField.of(Redefinable.Plain.class.getFields()[0]);
    }
    return raw == long.class ? pick(0L, 1L, 4L) : super.value(type);
  }

  /** What the JVM accepts: a class with its own class file. */
  private Object ofChange(Type type, Class<?> raw) {
    if (raw == Class.class) {
      return Redefinable.Plain.class;
    } else if (raw == Class[].class) {
      return new Class<?>[] {Redefinable.Plain.class};
    } else if (raw == byte[].class) {
      return Redefinable.file();
    } else if (raw == Map.class) {
      return Map.of(Redefinable.Plain.class, Redefinable.file());
    }
    return raw == ClassFileTransformer.class ? new Same() : super.value(type);
  }

  /** Answers what it is given. */
  private static final class Same implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] file) {
      return file;
    }
  }

  private DumpOptions options() {
    DumpOptions options = DumpOptions.defaults().depth(size());
    options = random.nextBoolean() ? options : options.withoutSuspension();
    return random.nextBoolean() ? options : options.threads(List.of(thread(), thread()));
  }

  @Override
  protected boolean forges(int n) {
    return false;
  }

  @Override
  protected long anyLong() {
    return 1 + random.nextInt(SMALL);
  }

  @Override
  protected int size() {
    return 1 + random.nextInt(3);
  }

  private Thread thread() {
    Victims victims = pools.victims();
    if (operation.startsThread()) {
      // Before 19 a group stays when its threads have ended, which would be taken for a leak.
      return callers.length > 0 ? Victims.unstarted() : Parked.unstarted();
    }
    if (operation.wantsVirtualThreads()) {
      return Parked.hasVirtualThreads() ? victims.virtual(random) : victims.live(random);
    }
    if (operation.harmsNobody() && callers.length > 0 && oneOf(3)) {
      return callers[random.nextInt(callers.length)];
    }
    return target.reads() && callers.length > 0 && oneOf(6)
        ? pools.reader(random)
        : named.apply(victims, random);
  }
}
