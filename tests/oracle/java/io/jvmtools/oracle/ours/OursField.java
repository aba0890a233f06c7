package io.jvmtools.oracle.ours;

import io.jvmtools.code.JvmField;
import io.jvmtools.oracle.asked.FieldFunctions;
import io.jvmtools.oracle.asked.Names;
import java.lang.reflect.Field;

/** The stem {@code field} through the public API. */
interface OursField extends FieldFunctions, OurEnvironment {

  private static JvmField of(Object field) {
    return JvmField.of((Field) field);
  }

  @Override
  default String getFieldName(Object field) {
    return jvmti().fields().signature(of(field)).toString();
  }

  @Override
  default String getFieldDeclaringClass(Object field) {
    return Names.of(jvmti().fields().declaringClass(of(field)));
  }

  @Override
  default String getFieldModifiers(Object field) {
    return String.valueOf(jvmti().fields().modifiers(of(field)));
  }

  @Override
  default String isFieldSynthetic(Object field) {
    return String.valueOf(jvmti().fields().isSynthetic(of(field)));
  }
}
