package io.jvmtools.internal.code;

import org.jspecify.annotations.Nullable;

/**
 * What the metadata environment knows about a method.
 *
 * @param id its id
 * @param declaringClass the class that declares it
 * @param name its name
 * @param signature its descriptor
 * @param modifiers its access flags
 * @param isNative whether it is native
 * @param sourceFile its source file, null if the class does not say
 * @param lines start location and line, in turn, in the order of the table; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record MethodFacts(
    long id,
    Class<?> declaringClass,
    String name,
    String signature,
    int modifiers,
    boolean isNative,
    @Nullable String sourceFile,
    int[] lines) {}
