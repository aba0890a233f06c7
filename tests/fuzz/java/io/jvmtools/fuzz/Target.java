package io.jvmtools.fuzz;

import io.jvmtools.JvmtiFunction;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** A public method or constructor of the product, and how often it was called. */
public final class Target {

  private final Executable executable;
  private final AtomicLong returns = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /** One that can be called. */
  public Target(Executable executable) {
    this.executable = executable;
  }

  /** The method itself. */
  public Executable executable() {
    return executable;
  }

  /** The class that declares it. */
  public Class<?> owner() {
    return executable.getDeclaringClass();
  }

  /** Whether it is called on an object. */
  public boolean needsReceiver() {
    return executable instanceof Method && !Modifier.isStatic(executable.getModifiers());
  }

  Type[] parameters() {
    return executable.getGenericParameterTypes();
  }

  /** Whether it only reads, so that it may see the threads that call and those of the JVM. */
  public boolean reads() {
    return !functions().isEmpty() && functions().stream().allMatch(n -> n.startsWith("Get"));
  }

  /** The functions of the specification that it says it reaches. */
  public List<String> functions() {
    JvmtiFunction function = executable.getAnnotation(JvmtiFunction.class);
    return function == null ? List.of() : List.of(function.value());
  }

  /** Whether code of its arguments may run in it, or of what a value holds. */
  boolean takesObjects() {
    return !executable.isAnnotationPresent(JvmtiFunction.class)
            && (needsReceiver() && !owner().getSimpleName().equals("Dumps"))
        || Arrays.stream(executable.getParameterTypes())
            .anyMatch(type -> !type.isPrimitive() && type != Duration.class);
  }

  /** Whether it can suspend every thread of the process for as long as a parameter says. */
  boolean suspendsEverybody() {
    List<Class<?>> types = List.of(executable.getParameterTypes());
    return types.contains(Duration.class)
        && types.stream().noneMatch(t -> t == Thread.class || t == Collection.class);
  }

  /** Whether one call takes as long as thousands of others. */
  boolean isSlow() {
    return suspendsEverybody()
        || executable
            .getName()
            .matches("(?i).*(attach|dump|verbose|allvirtual|open|redefine|retransform).*");
  }

  /** Calls it, and throws what it throws. */
  public Object call(Object receiver, Object[] arguments) throws Throwable {
    try {
      Object result =
          executable instanceof Constructor<?> constructor
              ? constructor.newInstance(arguments)
              : ((Method) executable).invoke(receiver, arguments);
      returns.incrementAndGet();
      return result;
    } catch (InvocationTargetException e) {
      failures.incrementAndGet();
      throw e.getCause();
    }
  }

  boolean wasCalled() {
    return returns.get() + failures.get() > 0;
  }

  /** Whether a call has returned. */
  public boolean hasReturned() {
    return returns.get() > 0;
  }

  /** As in a stack trace, with the simple names of the parameters' types. */
  @Override
  public String toString() {
    String name = executable instanceof Constructor<?> ? "new" : executable.getName();
    return Arrays.stream(executable.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", owner().getSimpleName() + "." + name + "(", ")"));
  }
}
