package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.FieldNatives;
import io.jvmtools.internal.code.MemberNameFacts;
import io.jvmtools.internal.environment.Environment;

/**
 * Fields: what the JVM knows of them. A {@link JvmField} is found by {@link JvmField#of} or by
 * {@link Classes#fields}.
 */
public final class Fields {

  static {
    Makers.register(
        Fields.class,
        new Maker<Environment, Fields>() {
          @Override
          public Fields make(Environment environment) {
            return new Fields(environment);
          }
        });
  }

  private final Environment environment;

  Fields(Environment environment) {
    this.environment = environment;
  }

  /**
   * What a field is called, its descriptor and its generic signature. Needs no capability.
   *
   * @param field any field
   * @return the name and the signatures
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFieldName")
  public MemberSignature signature(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("GetFieldName");
    Object facts = FieldNatives.getFieldName(environment.handle(), type, field.id());
    return environment.keep(MemberSignature.of((MemberNameFacts) facts));
  }

  /**
   * The class that declares a field. Needs no capability.
   *
   * @param field any field
   * @return the class
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFieldDeclaringClass")
  public Class<?> declaringClass(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("GetFieldDeclaringClass");
    return environment.keep(
        FieldNatives.getFieldDeclaringClass(environment.handle(), type, field.id()));
  }

  /**
   * The access flags of a field. Needs no capability.
   *
   * @param field any field
   * @return the flags, which {@link java.lang.reflect.Modifier} explains
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFieldModifiers")
  public int modifiers(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("GetFieldModifiers");
    return environment.keep(FieldNatives.getFieldModifiers(environment.handle(), type, field.id()));
  }

  /**
   * Whether a field was made by the compiler and stands in no source, such as the reference of an
   * inner class to its outer object. Needs {@link Capability#CAN_GET_SYNTHETIC_ATTRIBUTE}.
   *
   * @param field any field
   * @return whether it is synthetic
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("IsFieldSynthetic")
  public boolean isSynthetic(JvmField field) {
    requireNonNull(field, "field");
    Class<?> type = field.holder("IsFieldSynthetic");
    return environment.keep(FieldNatives.isFieldSynthetic(environment.handle(), type, field.id()));
  }
}
