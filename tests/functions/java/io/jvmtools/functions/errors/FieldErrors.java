package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_FIELDID;
import static io.jvmtools.functions.errors.Provocation.unavailable;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.code.Fields;
import io.jvmtools.code.JvmField;
import io.jvmtools.functions.Unloaded;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.FieldNatives;
import java.util.List;
import java.util.function.BiConsumer;

/** Fields. */
final class FieldErrors implements ErrorRows {

  private static final String WITH_ITS_CLASS = "A field is asked about with the class it is of.";

  @Override
  public List<Provocation> provoked() {
    return List.of(
        gone("GetFieldName", (fields, field) -> fields.signature(field)),
        gone("GetFieldDeclaringClass", (fields, field) -> fields.declaringClass(field)),
        gone("GetFieldModifiers", (fields, field) -> fields.modifiers(field)),
        gone("IsFieldSynthetic", (fields, field) -> fields.isSynthetic(field)),
        withoutCapability(
            "IsFieldSynthetic", jvmti -> jvmti.fields().isSynthetic(JvmField.of(field()))));
  }

  @Override
  public List<Impossible> impossible() {
    return List.of(
        ofNoClass("GetFieldName", FieldNatives::getFieldName),
        ofNoClass("GetFieldDeclaringClass", FieldNatives::getFieldDeclaringClass),
        ofNoClass("GetFieldModifiers", FieldNatives::getFieldModifiers),
        ofNoClass("IsFieldSynthetic", FieldNatives::isFieldSynthetic));
  }

  /** A native of a field, with its class and its id. */
  private interface Native {
    Object ask(long env, Class<?> type, long id);
  }

  private static Provocation gone(String function, BiConsumer<Fields, JvmField> call) {
    return unavailable(
        function, INVALID_FIELDID, jvmti -> call.accept(jvmti.fields(), Unloaded.one().field()));
  }

  private static Impossible ofNoClass(String function, Native direct) {
    return Impossible.impossible(
        INVALID_CLASS,
        WITH_ITS_CLASS,
        function,
        new DirectAnswer(
            INVALID_CLASS,
            env -> direct.ask(env, null, ClassNatives.getClassFields(env, Integer.class)[0])));
  }

  private static java.lang.reflect.Field field() {
    return Integer.class.getDeclaredFields()[0];
  }
}
