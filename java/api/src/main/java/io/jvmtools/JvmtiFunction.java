package io.jvmtools;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the JVM TI functions that a method reaches, exactly as the specification spells them.
 *
 * <p>It makes the specification searchable from the API and the API from the specification.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface JvmtiFunction {

  /**
   * The function's name, for example {@code "GetThreadState"}.
   *
   * @return one name, or several where one answer takes several functions
   */
  String[] value();
}
