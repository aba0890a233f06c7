package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.code.Constant;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.functions.ClassFiles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GetConstantPool. All classes of {@code java.base} are compared in {@link ClassFileTest}. */
class ConstantPoolTest {

  /** One constant of each kind that javac makes. */
  @SuppressWarnings("unused") // Found in its class file.
  private static final class Kinds {

    private static final String NUL = "\0\u00e4\ud83d\ude00";

    private long wide = 1L << 40;

    double numbers(float number) {
      return 100_000 + wide + number * 0.25f + 0.1;
    }

    Runnable lambda(List<String> list) {
      return () -> list.add(NUL);
    }
  }

  @Test
  void constantsAreThoseOfTheClassFile() {
    ConstantPool pool = JvmTools.getConstantPool(Kinds.class).orElseThrow();
    byte[] file = ClassFiles.of(Kinds.class);
    assertThat(pool.constants())
        .extracting(constant -> constant.index() + " " + constant)
        .isEqualTo(ParsedConstants.of(file));
    assertThat(pool.constants())
        .contains(pool.at(1).orElseThrow())
        .extracting(Object::getClass)
        .contains(
            Constant.Utf8.class,
            Constant.Numeric.class,
            Constant.ClassName.class,
            Constant.Text.class,
            Constant.Member.class,
            Constant.NameAndType.class,
            Constant.Handle.class,
            Constant.Type.class,
            Constant.Dynamic.class);
    // As many bytes as there, and each the same: indices of equal texts may be others.
    assertThat(pool.toByteArray().length).isLessThan(file.length);
    assertThat(pool.count()).isEqualTo(pool.toByteArray()[0] << 8 | pool.toByteArray()[1] & 0xff);
  }

  @Test
  void valuesAreTyped() {
    List<Constant> constants = JvmTools.getConstantPool(Kinds.class).orElseThrow().constants();
    assertThat(constants)
        .filteredOn(Constant.Numeric.class::isInstance)
        .extracting(constant -> ((Constant.Numeric) constant).value())
        .contains(1L << 40, 100_000L, 0.25f);
    assertThat(constants)
        .filteredOn(Constant.Text.class::isInstance)
        .extracting(constant -> ((Constant.Text) constant).value())
        .contains(Kinds.NUL);
    assertThat(constants)
        .filteredOn(Constant.Member.class::isInstance)
        .extracting(Object::toString)
        .contains(
            "INTERFACE_METHOD java/util/List.add(Ljava/lang/Object;)Z",
            "METHOD java/lang/Object.<init>()V");
  }

  @Test
  void whereNoConstantIsThereIsNone() {
    ConstantPool pool = JvmTools.getConstantPool(Kinds.class).orElseThrow();
    int wide =
        pool.constants().stream()
            .filter(one -> one instanceof Constant.Numeric n && n.value() instanceof Long)
            .findFirst()
            .orElseThrow()
            .index();
    for (int index : new int[] {Integer.MIN_VALUE, -1, 0, wide + 1, pool.count()}) {
      assertThat(pool.at(index)).as("%d", index).isEmpty();
    }
    assertThat(pool.at(wide)).hasValue(new Constant.Numeric(wide, 1L << 40));
  }

  @Test
  void itIsAValue() {
    Optional<ConstantPool> pool = JvmTools.getConstantPool(Kinds.class);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GET_CONSTANT_POOL)) {
      assertThat(jvmti.classes().constantPool(Kinds.class)).isEqualTo(pool);
      assertThat(jvmti.classes().constantPool(ConstantPoolTest.class)).isNotEqualTo(pool);
    }
    assertThat(pool.orElseThrow().toString()).contains(" = Class java/lang/Object\n");
  }

  @Test
  void hiddenClassesHaveOneToo() {
    Runnable lambda = () -> {};
    ConstantPool pool = JvmTools.getConstantPool(lambda.getClass()).orElseThrow();
    assertThat(pool.constants()).contains(pool.at(pool.count() - 1).orElseThrow());
    assertThat(pool.toString()).contains("Class java/lang/Runnable");
  }

  @ParameterizedTest
  @ValueSource(classes = {int.class, void.class, int[].class, String[][].class})
  void whatHasNoClassFileHasNoConstants(Class<?> type) {
    assertThat(JvmTools.getConstantPool(type)).isEmpty();
  }
}
