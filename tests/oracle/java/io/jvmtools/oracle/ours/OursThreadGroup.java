package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.ThreadGroupFunctions;
import io.jvmtools.thread.ThreadGroupChildren;
import io.jvmtools.thread.ThreadGroupInfo;

/** The stem {@code thread_group} through the public API. */
interface OursThreadGroup extends ThreadGroupFunctions, OurEnvironment {

  @Override
  default String getTopThreadGroups() {
    return Names.ofAll(jvmti().threadGroups().top());
  }

  @Override
  default String getThreadGroupInfo(ThreadGroup group) {
    ThreadGroupInfo info = jvmti().threadGroups().info(group);
    return info.name()
        + " max "
        + info.maxPriority()
        + " daemon "
        + info.isDaemon()
        + " parent "
        + Names.of(info.parent().orElse(null));
  }

  @Override
  default String getThreadGroupChildren(ThreadGroup group) {
    ThreadGroupChildren children = jvmti().threadGroups().children(group);
    return "threads ["
        + Names.ofAll(children.threads())
        + "] groups ["
        + Names.ofAll(children.groups())
        + "]";
  }
}
