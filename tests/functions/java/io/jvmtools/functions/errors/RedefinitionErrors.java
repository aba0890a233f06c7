package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_CLASS;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.nullRefused;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.RedefinitionException.Reason;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.internal.code.ClassNatives;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Constant pools, and classes that get other class files. */
final class RedefinitionErrors implements ErrorRows {

  private static final String REDEFINE = "RedefineClasses";
  private static final String RETRANSFORM = "RetransformClasses";

  /** A class file with which it is wrong, for each. */
  private static final Map<Reason, Variant> WRONG = new EnumMap<>(Reason.class);

  static {
    WRONG.putAll(
        Map.of(
            Reason.INVALID_CLASS_FORMAT, Variant.NO_CLASS_FILE,
            Reason.UNSUPPORTED_VERSION, Variant.NEWER,
            Reason.NAMES_DONT_MATCH, Variant.OTHER_NAME,
            Reason.CIRCULAR_CLASS_DEFINITION, Variant.CIRCULAR,
            Reason.FAILS_VERIFICATION, Variant.BROKEN_CODE));
    WRONG.putAll(
        Map.of(
            Reason.UNSUPPORTED_REDEFINITION_METHOD_ADDED, Variant.METHOD_ADDED,
            Reason.UNSUPPORTED_REDEFINITION_METHOD_DELETED, Variant.METHOD_DELETED,
            Reason.UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED, Variant.FIELD_ADDED,
            Reason.UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED, Variant.OTHER_SUPERCLASS,
            Reason.UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED, Variant.FINAL,
            Reason.UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED, Variant.METHOD_STATIC,
            Reason.UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED, Variant.NEST));
  }

  @Override
  public List<Provocation> provoked() {
    List<Provocation> all = new ArrayList<>(pools());
    all.addAll(redefined());
    all.addAll(retransformed());
    return all;
  }

  private static List<Provocation> pools() {
    String function = "GetConstantPool";
    return List.of(
        answeredAsEmpty(
            function, ABSENT_INFORMATION, "an array", j -> j.classes().constantPool(int[].class)));
  }

  private static List<Provocation> redefined() {
    byte[] same = Variant.SAME.file();
    List<Provocation> all = new ArrayList<>();
    WRONG.forEach(
        (reason, wrong) ->
            all.add(
                provoke(
                    REDEFINE,
                    reason.name(),
                    "the class file " + wrong,
                    j -> j.classes().redefine(Changeable.type(), wrong.file()))));
    all.add(
        provoke(
            REDEFINE,
            Reason.UNMODIFIABLE_CLASS.name(),
            "an array",
            j -> j.classes().redefine(int[].class, same)));
    all.add(
        nullRefused(
            REDEFINE,
            INVALID_CLASS,
            "type",
            j -> j.classes().redefine(null, same),
            new DirectAnswer(
                INVALID_CLASS,
                env ->
                    ClassNatives.redefineClasses(
                        env, new Class<?>[1], same, new int[] {same.length}))));
    return all;
  }

  private static List<Provocation> retransformed() {
    List<Provocation> all = new ArrayList<>();
    WRONG.forEach(
        (reason, wrong) ->
            all.add(
                provoke(
                    RETRANSFORM,
                    reason.name(),
                    "a transformer that answers the class file " + wrong,
                    j -> j.classes().retransform(to(wrong), Changeable.type()))));
    all.add(
        provoke(
            RETRANSFORM,
            Reason.UNMODIFIABLE_CLASS.name(),
            "an array",
            j -> j.classes().retransform(int[].class)));
    all.add(
        nullRefused(
            RETRANSFORM,
            INVALID_CLASS,
            "types[0]",
            j -> j.classes().retransform((Class<?>) null),
            new DirectAnswer(
                INVALID_CLASS, env -> ClassNatives.retransformClasses(env, new Class<?>[1]))));
    return all;
  }

  private static ClassFileTransformer to(Variant variant) {
    return new ClassFileTransformer() {
      @Override
      public byte[] transform(
          ClassLoader loader, String name, Class<?> type, ProtectionDomain d, byte[] bytes) {
        return variant.file();
      }
    };
  }
}
