package io.jvmtools.fuzz;

import io.jvmtools.support.ProductClasses;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every public method and constructor of the packages that the product exports. */
public final class Targets {

  private Targets() {}

  /** All of them, in an order that stays. */
  public static List<Target> all() {
    Set<Executable> found = new LinkedHashSet<>();
    for (Class<?> type : ProductClasses.exported()) {
      if (!isOnlyForOthersToImplement(type)) {
        found.addAll(Arrays.asList(type.getConstructors()));
        ProductClasses.publicMethods(type).stream()
            .filter(method -> !method.isSynthetic() && !isOfTheCompiler(method))
            .forEach(found::add);
      }
    }
    List<Target> targets = new ArrayList<>(found.stream().map(Target::new).toList());
    targets.sort(Comparator.comparing(target -> target.executable().toGenericString()));
    return targets;
  }

  /** Annotations and callbacks: a call would end in code of the test's own. */
  private static boolean isOnlyForOthersToImplement(Class<?> type) {
    return type.isAnnotation() || type.isAnnotationPresent(FunctionalInterface.class);
  }

  /** What {@code javac} makes of every enum. */
  private static boolean isOfTheCompiler(Method method) {
    return method.getDeclaringClass().isEnum()
        && Modifier.isStatic(method.getModifiers())
        && (method.getName().equals("values") || method.getName().equals("valueOf"));
  }
}
