package io.jvmtools;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the JVM TI event that a class stands for, exactly as the specification spells it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface JvmtiEvent {

  /**
   * The event's name, for example {@code "MonitorContendedEnter"}.
   *
   * @return the name
   */
  String value();
}
