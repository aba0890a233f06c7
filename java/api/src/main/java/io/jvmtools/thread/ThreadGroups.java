package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.thread.ThreadGroupChildrenFacts;
import io.jvmtools.internal.thread.ThreadGroupFacts;
import io.jvmtools.internal.thread.ThreadGroupNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.Arrays;
import java.util.List;

/** Thread groups: which there are and what is in them. Needs no capability. */
public final class ThreadGroups {

  static {
    Makers.register(
        ThreadGroups.class,
        new Maker<Environment, ThreadGroups>() {
          @Override
          public ThreadGroups make(Environment environment) {
            return new ThreadGroups(environment);
          }
        });
  }

  private final Environment environment;

  ThreadGroups(Environment environment) {
    this.environment = environment;
  }

  /**
   * The thread groups that are in no other group.
   *
   * @return an unmodifiable list; on HotSpot of the one group {@code system}
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTopThreadGroups")
  public List<ThreadGroup> top() {
    return environment.keep(List.of(ThreadGroupNatives.getTopThreadGroups(environment.handle())));
  }

  /**
   * Name, maximum priority, daemon status and parent of a thread group.
   *
   * @param group any group
   * @return the facts
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadGroupInfo")
  public ThreadGroupInfo info(ThreadGroup group) {
    requireNonNull(group, "group");
    Object facts = ThreadGroupNatives.getThreadGroupInfo(environment.handle(), group);
    return environment.keep(new ThreadGroupInfo((ThreadGroupFacts) facts));
  }

  /**
   * The live threads and the groups that are directly in a thread group. Virtual threads are not
   * among them, also not in the group that they say they belong to.
   *
   * <p>From JDK 19 on the JVM asks the group itself, which has a lock: a call waits while a thread
   * that owns it is suspended.
   *
   * @param group any group
   * @return the threads and the groups, without those of groups further down
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadGroupChildren")
  public ThreadGroupChildren children(ThreadGroup group) {
    requireNonNull(group, "group");
    ThreadGroupChildrenFacts facts =
        (ThreadGroupChildrenFacts)
            ThreadGroupNatives.getThreadGroupChildren(environment.handle(), group);
    return environment.keep(
        new ThreadGroupChildren(
            Arrays.stream(facts.threads()).filter(ThreadReferences::isBuilt).toList(),
            Arrays.asList(facts.groups())));
  }
}
