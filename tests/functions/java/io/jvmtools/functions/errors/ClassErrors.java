package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ABSENT_INFORMATION;
import static io.jvmtools.functions.errors.ErrorNames.CLASS_NOT_PREPARED;
import static io.jvmtools.functions.errors.Provocation.answeredAsEmpty;
import static io.jvmtools.functions.errors.Provocation.provoke;

import io.jvmtools.support.SourceMapped;
import java.util.List;

/** Classes. */
final class ClassErrors implements ErrorRows {

  @Override
  public List<Provocation> provoked() {
    return List.of(
        provoke(
            "GetImplementedInterfaces",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().implementedInterfaces(SourceMapped.type("Unlinked", ""))),
        answeredAsEmpty(
            "GetSourceDebugExtension",
            ABSENT_INFORMATION,
            "a class whose file has none",
            jvmti -> jvmti.classes().sourceDebugExtension(String.class)),
        provoke(
            "GetClassMethods",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().methods(SourceMapped.type("Unlinked", ""))),
        provoke(
            "GetClassFields",
            CLASS_NOT_PREPARED,
            "a class that is not linked",
            jvmti -> jvmti.classes().fields(SourceMapped.type("Unlinked", ""))),
        answeredAsEmpty(
            "GetSourceFileName",
            ABSENT_INFORMATION,
            "an array",
            jvmti -> jvmti.classes().sourceFileName(int[].class)),
        answeredAsEmpty(
            "GetClassVersionNumbers",
            ABSENT_INFORMATION,
            "an array",
            jvmti -> jvmti.classes().version(int[].class)));
  }
}
