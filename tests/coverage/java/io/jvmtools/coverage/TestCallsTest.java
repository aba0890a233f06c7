package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestCallsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Locals: {@link Locals#intAt}, GetLocalInt. */ class A {}",
        "class A { /* jvmti.locals().intAt(thread, 0, 0); */ }",
        "class A { // jvmti.locals().intAt(thread, 0, 0);\n}",
        "class A { String a = \"\\\" jvmti.locals().intAt(thread, 0, 0) GetLocalInt\"; }",
        "class A { String a = \"\"\"\n \" jvmti.locals().intAt(thread, 0, 0) \"\"\"; }",
        "class A { char a = '\"'; // jvmti.locals().intAt() \"\n }",
        "class A { void a() { other.intAt(thread, 0, 0); } }",
        "class A { void a() { jvmti.locals().all(frame); } }",
      })
  void whatIsNoCallOfItIsNoTest(String source) {
    assertThat(TestCalls.inSource(source)).doesNotContain("GetLocalInt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "class A { void a() { jvmti.locals().intAt(thread, 0, 0); } }",
        "class A { void a() { jvmti\n .locals()\n .intAt(thread, 0, 0); } }",
        "class A { String a = \"/*\"; void a() { jvmti.locals().intAt(thread, 0, 0); } }",
        "class A { Object a = asked(Locals::intAt); }",
      })
  void whatIsACallOfItIsATest(String source) {
    assertThat(TestCalls.inSource(source)).contains("GetLocalInt");
  }

  @Test
  void theStaticDoorCounts() {
    assertThat(TestCalls.inSource("class A { Object a = JvmTools.getThreadState(thread); }"))
        .containsExactly("GetThreadState");
  }
}
