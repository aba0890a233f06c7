package io.jvmtools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InitializationsTest {

  /** Of reflection each JDK has natives of its own. */
  private static final int OF_OTHERS = 2;

  @Test
  void whatInitializesUnseenIsThereAndNative() {
    int there = 0;
    for (String name : Initializations.NATIVES) {
      int dot = name.lastIndexOf('.');
      Optional<Class<?>> type = find(name.substring(0, dot));
      if (type.isPresent()) {
        assertThat(type.get().getDeclaredMethods())
            .filteredOn(method -> method.getName().equals(name.substring(dot + 1)))
            .as(name)
            .isNotEmpty()
            .allMatch(method -> Modifier.isNative(method.getModifiers()));
        there++;
      }
    }
    assertThat(there).isGreaterThanOrEqualTo(Initializations.NATIVES.size() - OF_OTHERS);
  }

  private static Optional<Class<?>> find(String name) {
    try {
      return Optional.of(Class.forName(name, false, null));
    } catch (ClassNotFoundException ofAnotherJdk) {
      return Optional.empty();
    }
  }
}
