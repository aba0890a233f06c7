package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.code.Fields;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.MemberSignature;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Unloaded;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What fields are, compared with what reflection knows. */
class FieldsTest {

  /** GetClassFields, GetFieldName, GetFieldDeclaringClass, GetFieldModifiers, IsFieldSynthetic. */
  @ParameterizedTest
  @MethodSource("classes")
  void whatReflectionKnowsIsTheSame(Class<?> type) {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_SYNTHETIC_ATTRIBUTE)) {
      Fields fields = jvmti.fields();
      List<JvmField> found = new ArrayList<>();
      for (Field reflected : type.getDeclaredFields()) {
        JvmField field = JvmField.of(reflected);
        assertThat(field.toReflected()).contains(reflected);
        assertThat(field.name()).isEqualTo(reflected.getName());
        assertThat(field.className()).isEqualTo(type.getName());
        assertThat(field.signature()).isEqualTo(reflected.getType().descriptorString());
        assertThat(field.isStatic()).isEqualTo(Modifier.isStatic(reflected.getModifiers()));
        assertThat(field.declaringClass()).contains(type);
        assertThat(fields.declaringClass(field)).isEqualTo(type);
        assertThat(fields.modifiers(field)).isEqualTo(reflected.getModifiers());
        assertThat(field.modifiers()).isEqualTo(reflected.getModifiers());
        assertThat(fields.isSynthetic(field)).isEqualTo(reflected.isSynthetic());
        assertThat(JvmTools.isFieldSynthetic(field)).isEqualTo(reflected.isSynthetic());
        assertThat(fields.signature(field))
            .isEqualTo(
                new MemberSignature(field.name(), field.signature(), field.genericSignature()));
        found.add(field);
      }
      assertThat(jvmti.classes().fields(type)).isEqualTo(found);
      assertThat(JvmTools.getClassFields(type)).isEqualTo(found);
    }
  }

  static Stream<Class<?>> classes() {
    int captured = Runtime.version().feature();
    Runnable lambda = () -> assertThat(captured).isPositive();
    return Stream.of(
        Integer.class,
        String.class,
        ArrayList.class,
        Runnable.class,
        Thread.State.class,
        Inner.class,
        lambda.getClass(),
        int[].class,
        int.class);
  }

  @Test
  void theGenericSignatureIsThatOfTheClassFile() throws NoSuchFieldException {
    JvmField items = JvmField.of(Inner.class.getDeclaredField("items"));
    assertThat(items.genericSignature()).hasValue("Ljava/util/List<-TT;>;");
    assertThat(items).hasToString(Inner.class.getName() + ".items");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.fields().signature(items))
          .hasToString("items Ljava/util/List; Ljava/util/List<-TT;>;");
    }
  }

  /** Their classes have the same name, and the JVM may number their fields alike. */
  @Test
  void fieldsOfTwoClassesOfOneNameAreTwo() {
    List<JvmField> fields = new ArrayList<>();
    for (String loader : List.of("one", "two")) {
      Runnable relay = new ClassFiles.Loader(loader).relay(ClassFiles.of(Relay.class), () -> {});
      fields.addAll(JvmTools.getClassFields(relay.getClass()));
      assertThat(JvmTools.getClassFields(relay.getClass()).get(0))
          .isEqualTo(fields.get(fields.size() - 1))
          .hasSameHashCodeAs(fields.get(fields.size() - 1));
    }
    assertThat(fields).hasSize(2).doesNotHaveDuplicates();
    assertThat(fields).extracting(JvmField::toString).containsOnly(Relay.class.getName() + ".next");
  }

  @Test
  void whatIsLeftOfAnUnloadedClassSaysSo() {
    JvmField field = Unloaded.one().field();
    assertThat(field.declaringClass()).isEmpty();
    assertThat(field.toReflected()).isEmpty();
    assertThat(field).hasToString("io.jvmtools.functions.Relay.next");
    assertThat(field.signature()).isEqualTo("Ljava/lang/Runnable;");
    assertThatThrownBy(() -> JvmTools.isFieldSynthetic(field))
        .isInstanceOf(MemberUnavailableException.class)
        .hasMessageContaining("unloaded");
  }

  @Test
  void nothingIsInitialised() throws NoSuchFieldException {
    JvmField field = JvmField.of(Untouched.class.getDeclaredField("number"));
    assertThat(field.isStatic()).isTrue();
    assertThat(JvmTools.getClassStatus(Untouched.class).isInitialized()).isFalse();
  }

  private static final class Untouched {
    static int number = Integer.parseInt("7");
  }

  /** Whoever takes the fields of a class one by one would take each as often as there are. */
  @Test
  void oneOfManyCostsNoMoreThanOneOfFew() {
    Field[] few = new Wide(4).type.getDeclaredFields();
    Field[] many = new Wide(4096).type.getDeclaredFields();
    assertThat(many).hasSize(4096);
    long forFew = allocated(few[0], few[3]);
    assertThat(allocated(many[0], many[4095])).isLessThan(2 * forFew);
  }

  private static long allocated(Field... fields) {
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    // The first round is for what is made once.
    for (int round = 0; round < 2; round++) {
      before = bean.getThreadAllocatedBytes(Thread.currentThread().getId());
      for (Field field : fields) {
        assertThat(JvmField.of(field).toReflected()).contains(field);
      }
    }
    return bean.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }

  /** Has so many fields, each second one of which is static. */
  private static final class Wide extends ClassLoader {

    private final Class<?> type;

    Wide(int fields) {
      ClassWriter writer = new ClassWriter(0);
      String object = Type.getInternalName(Object.class);
      writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "Wide", null, object, null);
      for (int i = 0; i < fields; i++) {
        writer.visitField(i % 2 == 0 ? 0 : Opcodes.ACC_STATIC, "field" + i, "I", null, null);
      }
      byte[] file = writer.toByteArray();
      this.type = defineClass(null, file, 0, file.length);
    }
  }

  /** Has a field that the compiler made, if it uses it. */
  private final class Inner<T> {

    static final int NUMBER = 7;
    volatile List<? super T> items;
    transient double[][] array;

    FieldsTest outer() {
      return FieldsTest.this;
    }
  }
}
