package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.FieldFunctions;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Observer;
import java.lang.reflect.Field;

/** What Java says itself of the stem {@code field}. */
interface JavaField extends FieldFunctions {

  private static Field of(Object field) {
    return (Field) field;
  }

  /** Its signature that is generic is not told. */
  @Override
  default String getFieldName(Object field) {
    if (!of(field).toGenericString().equals(of(field).toString())) {
      throw new Observer.NoAnswer();
    }
    return of(field).getName() + " " + of(field).getType().descriptorString();
  }

  @Override
  default String getFieldDeclaringClass(Object field) {
    return Names.of(of(field).getDeclaringClass());
  }

  @Override
  default String getFieldModifiers(Object field) {
    return String.valueOf(of(field).getModifiers());
  }

  @Override
  default String isFieldSynthetic(Object field) {
    return String.valueOf(of(field).isSynthetic());
  }
}
