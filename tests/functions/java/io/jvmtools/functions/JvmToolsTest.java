package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capabilities;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Parked;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Spec;
import io.jvmtools.thread.ThreadState;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(UnderTheAgentTest.ONCE)
class JvmToolsTest {

  /** What the specification has no function for. */
  private static final Set<String> OURS = Set.of("threadDump");

  @Test
  void capabilitiesAreAddedWhenTheyAreNeeded() {
    ChildResult child = ChildJvm.of(AddsAsNeeded.class).run().succeeds();
    assertThat(child.line("at first ")).isEqualTo("[]");
    assertThat(child.line("then ")).isEqualTo("[CAN_TAG_OBJECTS]");
    assertThat(child.line("and then ")).isEqualTo("[CAN_TAG_OBJECTS, CAN_GET_THREAD_CPU_TIME]");
    assertThat(child.line("at last "))
        .isEqualTo("[CAN_TAG_OBJECTS, CAN_GET_CURRENT_THREAD_CPU_TIME, CAN_GET_THREAD_CPU_TIME]");
  }

  @Test
  void soloCapabilitiesAreNeverHeld() {
    JvmTools.setTag(this, 1);
    JvmTools.clearTag(this);
    assertThat(JvmTools.capabilities().held()).noneMatch(Capability::solo);
  }

  @Test
  void tagsAreKeptFromEnvironmentsOfOnesOwn() {
    JvmTools.setTag(this, 77);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      assertThat(jvmti.objects().withTags(77)).isEmpty();
    } finally {
      JvmTools.clearTag(this);
    }
  }

  @Test
  void methodsHaveTheNamesOfTheSpecification() {
    Set<String> functions =
        Spec.rows("functions").stream().map(row -> row.get("name")).collect(Collectors.toSet());
    for (Method method : ProductClasses.publicMethods(JvmTools.class)) {
      assertThat(Modifier.isStatic(method.getModifiers())).as(method.toString()).isTrue();
      if (OURS.contains(method.getName())) {
        continue;
      }
      JvmtiFunction annotation = method.getAnnotation(JvmtiFunction.class);
      assertThat(annotation).as(method.toString()).isNotNull();
      assertThat(functions).as(method.toString()).containsAll(List.of(annotation.value()));
    }
  }

  @Test
  void methodsCanBeReferredToAndFound() throws Throwable {
    Function<Thread, ThreadState> reference = JvmTools::getThreadState;
    assertThat(reference.apply(Parked.unstarted()).bits()).isZero();
    MethodHandle handle =
        MethodHandles.publicLookup()
            .findStatic(
                JvmTools.class,
                "getThreadState",
                MethodType.methodType(ThreadState.class, Thread.class));
    assertThat(((ThreadState) handle.invokeExact(Parked.unstarted())).bits()).isZero();
  }

  static final class AddsAsNeeded {
    public static void main(String[] args) {
      JvmTools.getThreadState(Thread.currentThread());
      Child.say("at first " + held());
      JvmTools.setTag("x", 1);
      Child.say("then " + held());
      JvmTools.getThreadCpuTimeNanos(Thread.currentThread());
      Child.say("and then " + held());
      JvmTools.getCurrentThreadCpuTimerInfo();
      Child.say("at last " + held());
    }

    private static Set<Capability> held() {
      Capabilities now = JvmTools.capabilities();
      return now.held();
    }
  }
}
