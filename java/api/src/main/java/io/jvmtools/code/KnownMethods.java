package io.jvmtools.code;

import io.jvmtools.internal.code.MethodCache;
import io.jvmtools.internal.code.MethodFacts;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.code.Redefinitions;
import io.jvmtools.internal.environment.GeneralNatives;
import java.lang.ref.Reference;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods that somebody has seen so far. */
final class KnownMethods {

  private static final MethodCache<JvmMethod> CACHE = new MethodCache<>(new Source());

  /** So many events for a sweep, which costs as much as they do together. */
  private static final int EVENTS = 64;

  /** Since the last sweep for them. Threads that count at once may lose a few. */
  private static int events;

  private KnownMethods() {}

  /** Those with these ids, which the JVM has just told. */
  static JvmMethod[] of(long[] ids) {
    JvmMethod[] methods = new JvmMethod[ids.length];
    for (int i = 0; i < ids.length; i++) {
      methods[i] = CACHE.get(ids[i]);
    }
    CACHE.sweep();
    return methods;
  }

  /** One that the JVM has just told in an event, of which there are many: sweeps now and then. */
  static JvmMethod ofEvent(long id) {
    if (id == 0) {
      return JvmMethod.unloaded(id);
    }
    JvmMethod method = CACHE.get(id);
    int told = events + 1;
    events = told < EVENTS ? told : 0;
    if (told >= EVENTS) {
      CACHE.sweep();
    }
    return method;
  }

  /** Those of a class, which the JVM has just told; until they are named it stays. */
  @SuppressWarnings("ReachabilityFenceUsage") // If naming them fails, nobody wants them.
  static JvmMethod[] of(Class<?> type, long[] ids) {
    JvmMethod[] methods = of(ids);
    Reference.reachabilityFence(type);
    return methods;
  }

  /** These classes have been redefined: what their methods are like is asked for again. */
  static void areOutdated(Set<Class<?>> types) {
    CACHE.forEach(
        method -> {
          if (method.isOf(types)) {
            method.outdate();
          }
        });
    Redefinitions.tell(types);
  }

  private static final class Source implements MethodCache.Source<JvmMethod> {

    @Override
    public boolean isLive(JvmMethod method) {
      return method.isCurrent();
    }

    @Override
    public JvmMethod resolve(long id, @Nullable JvmMethod known) {
      MethodFacts facts = (MethodFacts) MethodNatives.resolve(GeneralNatives.metadata(), id);
      if (facts != null) {
        return new JvmMethod(facts);
      }
      return known != null ? known : JvmMethod.unloaded(id);
    }
  }
}
