package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Profile;
import io.jvmtools.event.Subscription;
import io.jvmtools.fuzz.Target;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.snapshot.SnapshotPlan;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.Samples;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.Function;

/** What operations are called on, in an environment. */
final class Receivers {

  private static final Function<Jvmti, RawMonitor> MONITORS =
      environment -> environment.rawMonitors().create("one of many");

  private static final Function<Jvmti, JniCallCounter> COUNTERS =
      environment -> environment.jniFunctions().count(JniFunction.GET_SUPERCLASS);

  private static final Function<Jvmti, ThreadDump> DUMPS =
      environment -> environment.dumps().take(DumpOptions.defaults().depth(1).withoutSuspension());

  private static final Function<Jvmti, Subscription> SUBSCRIPTIONS =
      environment -> environment.events().on(EventTypes.THREAD_END, event -> {});

  /** In an environment of its own, of which nobody takes the capability. */
  private static final Function<Jvmti, Profile> PROFILES =
      environment -> Counting.JVMTI.profile().contention();

  private static final Function<Jvmti, SnapshotPlan> PLANS =
      environment -> environment.snapshots().at(Samples.good(CodePlace.class));

  private static final Function<Jvmti, PlaceSubscription> PLACES =
      environment -> environment.events().at(Samples.good(CodePlace.class), frame -> {});

  private static final Function<Jvmti, SnapshotPoint> POINTS =
      environment -> PLANS.apply(environment).forEach(snapshot -> {});

  /** What is neither an environment nor one of its facets. */
  private static final Map<Class<?>, Shared<?>> OTHERS =
      Map.of(
          PlaceSubscription.class,
          new Shared<>(PLACES),
          SnapshotPoint.class,
          new Shared<>(POINTS),
          RawMonitor.class,
          new Shared<>(MONITORS),
          JniCallCounter.class,
          new Shared<>(COUNTERS),
          ThreadDump.class,
          new Shared<>(DUMPS),
          Subscription.class,
          new Shared<>(SUBSCRIPTIONS),
          Profile.class,
          new Shared<>(PROFILES),
          SnapshotPlan.class,
          new Shared<>(PLANS));

  private Receivers() {}

  private static final class Counting {
    static final Jvmti JVMTI = Jvmti.open(Capability.CAN_GENERATE_MONITOR_EVENTS);
  }

  /** What to call a method on. */
  static Object of(Target target, boolean closes, Jvmti environment)
      throws ReflectiveOperationException {
    if (target.owner() == Jvmti.class) {
      return environment;
    }
    Shared<?> shared = OTHERS.get(target.owner());
    if (shared != null) {
      return closes ? shared.maker.apply(environment) : shared.in(environment);
    }
    for (Method method : Jvmti.class.getMethods()) {
      if (method.getReturnType() == target.owner()) {
        return method.invoke(environment);
      }
    }
    throw new IllegalStateException(
        "There is no receiver for " + target + ": Receivers.OTHERS has what is no facet");
  }

  /** The same one for all who call it in an environment; two may make one each at first. */
  private static final class Shared<T> {

    private record Kept<T>(Jvmti environment, T object) {}

    private final Function<Jvmti, T> maker;
    private volatile Kept<T> kept;

    Shared(Function<Jvmti, T> maker) {
      this.maker = maker;
    }

    T in(Jvmti environment) {
      Kept<T> known = kept;
      if (known == null || known.environment != environment) {
        known = new Kept<>(environment, maker.apply(environment));
        kept = known;
      }
      return known.object;
    }
  }
}
