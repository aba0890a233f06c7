package io.jvmtools.functions;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A test of what can be had only with the agent: {@link UnderTheAgentTest} runs it. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(UnderTheAgentTest.ALWAYS)
@EnabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "it needs the agent at start")
public @interface OnlyUnderTheAgent {}
