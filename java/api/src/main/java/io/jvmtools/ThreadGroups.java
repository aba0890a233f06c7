package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.ThreadGroupChildrenFacts;
import io.jvmtools.internal.ThreadGroupFacts;
import io.jvmtools.internal.ThreadGroupNatives;
import java.util.Arrays;
import java.util.List;

/** Thread groups: which there are and what is in them. Needs no capability. */
public final class ThreadGroups {

  private final Jvmti jvmti;

  ThreadGroups(Jvmti jvmti) {
    this.jvmti = jvmti;
  }

  /**
   * The groups that are in no other group.
   *
   * @return an unmodifiable list; on HotSpot of the one group {@code system}
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTopThreadGroups")
  public List<ThreadGroup> top() {
    return jvmti.keep(List.of(ThreadGroupNatives.getTopThreadGroups(jvmti.handle())));
  }

  /**
   * Name, maximum priority, daemon status and parent of a group.
   *
   * @param group any group
   * @return the facts
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadGroupInfo")
  public ThreadGroupInfo info(ThreadGroup group) {
    requireNonNull(group, "group");
    Object facts = ThreadGroupNatives.getThreadGroupInfo(jvmti.handle(), group);
    return jvmti.keep(new ThreadGroupInfo((ThreadGroupFacts) facts));
  }

  /**
   * The live threads and the groups that are directly in a group. Virtual threads are not among
   * them, also not in the group that they say they belong to.
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
        (ThreadGroupChildrenFacts) ThreadGroupNatives.getThreadGroupChildren(jvmti.handle(), group);
    return jvmti.keep(
        new ThreadGroupChildren(
            Arrays.stream(facts.threads()).filter(Threads::isBuilt).toList(),
            Arrays.asList(facts.groups())));
  }
}
