package io.jvmtools.fuzz;

import io.jvmtools.support.Installation;
import io.jvmtools.support.ProductClasses;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
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
    for (String name : exportedPackages()) {
      for (Class<?> type : ProductClasses.of(name)) {
        if (isPublic(type) && !isOnlyForOthersToImplement(type)) {
          found.addAll(Arrays.asList(type.getConstructors()));
          ProductClasses.publicMethods(type).stream()
              .filter(method -> !method.isSynthetic() && !isOfTheCompiler(method))
              .forEach(found::add);
        }
      }
    }
    List<Target> targets = new ArrayList<>(found.stream().map(Target::new).toList());
    targets.sort(Comparator.comparing(target -> target.executable().toGenericString()));
    return targets;
  }

  private static List<String> exportedPackages() {
    return ModuleFinder.of(Installation.jar())
        .findAll()
        .iterator()
        .next()
        .descriptor()
        .exports()
        .stream()
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .toList();
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
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
