package io.jvmtools.fuzz;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.Samples;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The arguments of one call, drawn by the types of the parameters: forged, unless a subclass knows
 * better.
 */
public class Draw {

  private static final long LONGEST_FOR_EVERYBODY = 20_000_000;
  private static final int MANY = 1_000;

  protected final Random random;
  protected final Pools pools;
  protected final Target target;
  private boolean polluted;
  private boolean huge;

  /** For one call of a method. */
  public Draw(Random random, Pools pools, Target target) {
    this.random = random;
    this.pools = pools;
    this.target = target;
  }

  /** Whether a collection holds what its type does not allow. */
  boolean isPolluted() {
    return polluted;
  }

  /** Whether something was asked for that may take more memory than there is. */
  boolean isHuge() {
    return huge;
  }

  /** One for each parameter. */
  public Object[] arguments() {
    return Arrays.stream(target.parameters()).map(this::value).toArray();
  }

  /** A value of a type. */
  protected Object value(Type type) {
    Class<?> raw = rawOf(type);
    if (raw.isPrimitive()) {
      return number(raw);
    }
    if (forges(12)) {
      return null;
    }
    if (raw.isArray()) {
      return array(raw.getComponentType());
    }
    if (raw.isEnum()) {
      return pick(raw.getEnumConstants());
    }
    if (raw == Object.class) {
      return pools.object(random);
    }
    if (raw == Thread.class) {
      return target.reads() && oneOf(3) ? pools.reader(random) : pools.victims().any(random);
    }
    if (raw == Duration.class) {
      return duration();
    }
    if (raw == Optional.class) {
      return Optional.ofNullable(oneOf(3) ? null : value(argument(type, 0)));
    }
    if (raw == Map.class) {
      return map(type);
    }
    if (Iterable.class.isAssignableFrom(raw) && raw.isAssignableFrom(ArrayList.class)) {
      return list(argument(type, 0));
    }
    if (raw == Set.class) {
      return set(type);
    }
    return other(raw);
  }

  private Object other(Class<?> raw) {
    if (raw == String.class || raw == CharSequence.class) {
      return pick(Pools.STRINGS);
    } else if (raw == Class.class) {
      return pools.type(random);
    } else if (Throwable.class.isAssignableFrom(raw) && raw.getName().startsWith("java.")) {
      return pools.throwable(random);
    } else if (raw == ThreadGroup.class) {
      return pools.group(random);
    } else if (raw.getName().startsWith("io.jvmtools.") && !isCallback(raw)) {
      return pools.product(raw, random);
    } else if (raw.isInterface()) {
      return callback(raw);
    }
    return pick(Samples.all(raw).toArray());
  }

  private static boolean isCallback(Class<?> type) {
    return type.isAnnotationPresent(FunctionalInterface.class) || type == JvmtiFunction.class;
  }

  private Object number(Class<?> raw) {
    long bits = anyLong();
    if (raw == boolean.class) {
      return random.nextBoolean();
    } else if (raw == int.class) {
      return (int) bits;
    } else if (raw == long.class) {
      return bits;
    } else if (raw == short.class) {
      return (short) bits;
    } else if (raw == byte.class) {
      return (byte) bits;
    } else if (raw == char.class) {
      return (char) bits;
    } else if (raw == float.class) {
      return Float.intBitsToFloat((int) bits);
    }
    return Double.longBitsToDouble(bits);
  }

  /** A small number, an extreme one, one next to a power of two, or any. */
  protected long anyLong() {
    return switch (random.nextInt(8)) {
      case 0 -> pick(0L, -1L, 1L);
      case 1 ->
          pick(
              (long) Integer.MIN_VALUE,
              (long) Integer.MAX_VALUE,
              Long.MIN_VALUE,
              Long.MAX_VALUE,
              1L << 31,
              -1L << 32);
      case 2 -> (1L << random.nextInt(64)) + random.nextInt(3) - 1;
      case 3 -> random.nextLong();
      default -> random.nextInt(9);
    };
  }

  private Duration duration() {
    if (forges(6)) {
      return pick(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE));
    }
    if (!target.suspendsEverybody() && forges(3)) {
      return pick(
          Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofNanos(Long.MAX_VALUE));
    }
    // Two that suspend each other stand still until the deadline.
    return Duration.ofNanos(1 + (long) (random.nextDouble() * LONGEST_FOR_EVERYBODY));
  }

  /** Of an array or a collection. */
  protected int size() {
    return random.nextInt(40) == 0 ? MANY : random.nextInt(4);
  }

  private Object array(Class<?> component) {
    Object array = Array.newInstance(component, size());
    Object repeated = value(component);
    for (int i = 0; i < Array.getLength(array); i++) {
      Array.set(array, i, oneOf(4) ? repeated : value(component));
    }
    return array;
  }

  private List<Object> list(Type element) {
    List<Object> list = new ArrayList<>();
    int size = size();
    Object repeated = size == 0 ? null : value(element);
    for (int i = 0; i < size; i++) {
      // Few of a long list are new, or making threads would be all that happens.
      list.add(oneOf(4) ? value(element) : repeated);
    }
    if (forges(30) && rawOf(element) != Object.class) {
      polluted = true;
      list.add(new Object());
    }
    return oneOf(3) ? Collections.unmodifiableList(list) : list;
  }

  private Set<Object> set(Type type) {
    // Copied by identity where an element refuses to be hashed.
    Set<Object> set =
        rawOf(argument(type, 0)) == Thread.class
            ? Collections.newSetFromMap(new java.util.IdentityHashMap<>())
            : new HashSet<>();
    list(argument(type, 0)).stream().filter(e -> !(e instanceof Hostile.Value)).forEach(set::add);
    return set;
  }

  private Map<Object, Object> map(Type type) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Object key = value(argument(type, 0));
      if (!(key instanceof Hostile.Value || key instanceof Hostile.Subclass)) {
        map.put(key, value(argument(type, 1)));
      }
    }
    return map;
  }

  /** Something with one or more methods that return what they like, or throw. */
  private Object callback(Class<?> type) {
    int behaviour = forges(3) ? random.nextInt(3) : 3;
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getDeclaringClass() == Object.class && behaviour > 2) {
            return method.invoke(this, arguments);
          }
          switch (behaviour) {
            case 0 -> throw new Hostile.Failure();
            case 1 -> throw new Hostile.Fatal();
            case 2 -> throw throwsAnything(method.getExceptionTypes());
            default -> {
              return result(method.getReturnType());
            }
          }
        };
    return Proxy.newProxyInstance(Draw.class.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static Throwable throwsAnything(Class<?>[] declared) {
    boolean checked = List.of(declared).contains(Exception.class);
    return checked ? new Hostile.Checked() : new Hostile.Failure();
  }

  private static Object result(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == void.class || !type.isPrimitive()) {
      return null;
    }
    return Array.get(Array.newInstance(type, 1), 0);
  }

  /** Whether, once in so many times, to pass what nobody should. */
  protected boolean forges(int n) {
    return oneOf(n);
  }

  protected boolean oneOf(int n) {
    return random.nextInt(n) == 0;
  }

  @SafeVarargs
  protected final <T> T pick(T... all) {
    return all[random.nextInt(all.length)];
  }

  private static Type argument(Type type, int index) {
    return type instanceof ParameterizedType p ? p.getActualTypeArguments()[index] : Object.class;
  }

  protected static Class<?> rawOf(Type type) {
    if (type instanceof Class<?> raw) {
      return raw;
    }
    if (type instanceof ParameterizedType parameterized) {
      return rawOf(parameterized.getRawType());
    }
    if (type instanceof WildcardType wildcard) {
      return rawOf(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      return rawOf(variable.getBounds()[0]);
    }
    return rawOf(((GenericArrayType) type).getGenericComponentType()).arrayType();
  }

  /** The arguments as a line, without asking those that would not answer. */
  public static String describe(Object value) {
    if (value == null
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Enum<?>
        || value instanceof Duration) {
      return String.valueOf(value);
    }
    if (value instanceof String text) {
      String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
      return '"' + shown.replaceAll("[^\\x20-\\x7e]", "?") + '"';
    }
    if (value instanceof Object[] array) {
      return Arrays.stream(array).limit(6).map(Draw::describe).toList() + "/" + array.length;
    }
    if (value instanceof Collection<?> elements) {
      return elements.stream().limit(6).map(Draw::describe).toList() + "/" + elements.size();
    }
    if (value instanceof Hostile.Subclass) {
      return "a hostile thread";
    }
    if (value instanceof Thread thread) {
      return thread + " " + thread.getState();
    }
    return value.getClass().getName();
  }
}
