package io.jvmtools.functions.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.ThreadGroupChildren;
import io.jvmtools.thread.ThreadGroupInfo;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadGroupsTest {

  @Test
  void topIsTheRootOfEveryGroup() {
    assertThat(JvmTools.getTopThreadGroups()).containsExactly(root());
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.threadGroups().top()).containsExactly(root());
    }
  }

  @Test
  void infoIsWhatTheGroupSaysOfItself() {
    ThreadGroup outer = new ThreadGroup("outer");
    outer.setMaxPriority(7);
    ThreadGroup inner = new ThreadGroup(outer, "inner");
    inner.setMaxPriority(3);
    for (ThreadGroup group = inner; group != null; group = group.getParent()) {
      assertInfo(group);
    }
    assertThat(JvmTools.getThreadGroupInfo(root()).parent()).isEmpty();
  }

  @Test
  @SuppressWarnings("removal") // It is what the JVM answers, too.
  void infoOfADaemonGroupSaysSo() {
    ThreadGroup group = new ThreadGroup("daemons");
    group.setDaemon(true);
    assertInfo(group);
    assertThat(JvmTools.getThreadGroupInfo(group).isDaemon()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a\0b\0", "gr\u00fc\u00dfe", "\ud83d\ude00 supplementary", "unpaired \ud800"})
  void nameSurvivesTheRoundTrip(String name) {
    assertThat(JvmTools.getThreadGroupInfo(new ThreadGroup(name)).name()).isEqualTo(name);
  }

  @Test
  void infoIsAValue() {
    ThreadGroup group = new ThreadGroup(new ThreadGroup("outer"), "inner");
    group.setMaxPriority(4);
    ThreadGroupInfo info = JvmTools.getThreadGroupInfo(group);
    ThreadGroupInfo again = JvmTools.getThreadGroupInfo(group);
    assertThat(info).isEqualTo(again).hasSameHashCodeAs(again);
    assertThat(info).hasToString("\"inner\" maximum priority 4, in group outer");
    group.setMaxPriority(3);
    assertThat(JvmTools.getThreadGroupInfo(group)).isNotEqualTo(info);
  }

  @Test
  void childrenAreThoseThatTheGroupEnumerates() {
    ThreadGroup group = new ThreadGroup("parent");
    ThreadGroup first = new ThreadGroup(group, "first");
    ThreadGroup second = new ThreadGroup(group, "second");
    ThreadGroup below = new ThreadGroup(first, "below");
    CountDownLatch over = new CountDownLatch(1);
    Thread unstarted = new Thread(group, () -> {}, "unstarted");
    List<Thread> threads = new ArrayList<>();
    List<Thread> deeper = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        threads.add(started(group, over));
        deeper.add(started(first, over));
      }
      try (Jvmti jvmti = Jvmti.open()) {
        for (ThreadGroupChildren children :
            List.of(JvmTools.getThreadGroupChildren(group), jvmti.threadGroups().children(group))) {
          assertThat(children.threads()).containsExactlyInAnyOrderElementsOf(threads);
          assertThat(children.threads()).containsExactlyInAnyOrderElementsOf(enumerated(group));
          assertThat(children.threads()).doesNotContain(unstarted);
          assertThat(children.groups()).containsExactlyInAnyOrder(first, second);
        }
      }
      assertThat(JvmTools.getThreadGroupChildren(first).threads())
          .containsExactlyInAnyOrderElementsOf(deeper);
      assertThat(JvmTools.getThreadGroupChildren(first).groups()).containsExactly(below);
    } finally {
      over.countDown();
      threads.forEach(ThreadGroupsTest::join);
      deeper.forEach(ThreadGroupsTest::join);
    }
    assertThat(JvmTools.getThreadGroupChildren(group).threads()).isEmpty();
    // From JDK 19 on a group does not keep those in it alive.
    Reference.reachabilityFence(second);
    Reference.reachabilityFence(below);
  }

  @Test
  void everyLiveThreadIsAChildOfItsGroup() {
    try (Parked worker = Parked.inPark()) {
      for (Thread thread : List.of(worker.thread(), Thread.currentThread())) {
        ThreadGroup group = thread.getThreadGroup();
        assertThat(JvmTools.getThreadGroupChildren(group).threads()).contains(thread);
        assertThat(JvmTools.getThreadInfo(thread).group()).containsSame(group);
      }
    }
  }

  @Test
  void childrenCannotBeChanged() {
    ThreadGroupChildren children = JvmTools.getThreadGroupChildren(root());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> children.threads().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> children.groups().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> JvmTools.getTopThreadGroups().clear());
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreNoChildrenOfTheirGroup() {
    try (Parked worker = Parked.virtual()) {
      ThreadGroup group = worker.thread().getThreadGroup();
      assertInfo(group);
      assertThat(JvmTools.getThreadGroupInfo(group).name()).isEqualTo("VirtualThreads");
      assertThat(JvmTools.getThreadGroupChildren(group).threads()).isEmpty();
    }
  }

  @SuppressWarnings("removal") // ThreadGroup.isDaemon
  private static void assertInfo(ThreadGroup group) {
    try (Jvmti jvmti = Jvmti.open()) {
      for (ThreadGroupInfo info :
          List.of(JvmTools.getThreadGroupInfo(group), jvmti.threadGroups().info(group))) {
        assertThat(info.name()).isEqualTo(group.getName());
        assertThat(info.maxPriority()).isEqualTo(group.getMaxPriority());
        assertThat(info.isDaemon()).isEqualTo(group.isDaemon());
        assertThat(info.parent()).isEqualTo(Optional.ofNullable(group.getParent()));
      }
    }
  }

  private static ThreadGroup root() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  private static List<Thread> enumerated(ThreadGroup group) {
    Thread[] threads = new Thread[100];
    return Arrays.asList(threads).subList(0, group.enumerate(threads, false));
  }

  private static Thread started(ThreadGroup group, CountDownLatch over) {
    Thread thread = new Thread(group, () -> await(over), "child");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
