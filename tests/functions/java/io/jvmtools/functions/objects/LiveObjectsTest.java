package io.jvmtools.functions.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.objects.TaggedObject;
import io.jvmtools.support.GcUntil;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveObjectsTest {

  private final Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS);

  @AfterEach
  void close() {
    jvmti.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 42, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32})
  void tagComesBack(long tag) {
    Object object = new Object();
    jvmti.objects().setTag(object, tag);
    assertThat(jvmti.objects().tag(object)).hasValue(tag);
    assertThat(jvmti.objects().withTag(tag, Object.class)).containsExactly(object);
    assertThat(jvmti.objects().withTags(tag)).containsExactly(new TaggedObject(object, tag));
    jvmti.objects().clearTag(object);
    assertThat(jvmti.objects().tag(object)).isEmpty();
    assertThat(jvmti.objects().withTag(tag, Object.class)).isEmpty();
  }

  @Test
  void tagComesBackThroughTheStaticDoor() {
    Order order = new Order();
    assertThat(JvmTools.getTag(order)).isZero();
    JvmTools.setTag(order, -7);
    assertThat(JvmTools.getTag(order)).isEqualTo(-7);
    assertThat(JvmTools.getObjectsWithTag(-7, Order.class)).containsExactly(order);
    assertThat(JvmTools.getObjectsWithTags(-7)).containsExactly(new TaggedObject(order, -7));
    JvmTools.clearTag(order);
    assertThat(JvmTools.getTag(order)).isZero();
    assertThat(JvmTools.getObjectsWithTag(-7, Order.class)).isEmpty();
  }

  @Test
  void laterTagReplacesTheEarlier() {
    Object object = new Object();
    jvmti.objects().setTag(object, 1);
    jvmti.objects().setTag(object, 2);
    assertThat(jvmti.objects().tag(object)).hasValue(2);
    assertThat(jvmti.objects().withTags(1)).isEmpty();
  }

  @Test
  void clearingAnObjectWithoutATagDoesNothing() {
    Object object = new Object();
    jvmti.objects().clearTag(object);
    assertThat(jvmti.objects().tag(object)).isEmpty();
  }

  @Test
  void tagsBelongToOneEnvironment() {
    Object object = new Object();
    try (Jvmti other = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      jvmti.objects().setTag(object, 5);
      assertThat(other.objects().tag(object)).isEmpty();
      assertThat(other.objects().withTags(5)).isEmpty();
      other.objects().setTag(object, 6);
      assertThat(jvmti.objects().tag(object)).hasValue(5);
      assertThat(JvmTools.getTag(object)).isZero();
    }
    assertThat(jvmti.objects().tag(object)).hasValue(5);
  }

  @Test
  void tagsEndWithTheirEnvironment() {
    Object object = new Object();
    try (Jvmti first = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      first.objects().setTag(object, 5);
    }
    try (Jvmti second = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      assertThat(second.objects().tag(object)).isEmpty();
    }
  }

  @Test
  void zeroIsNotATag() {
    Object object = new Object();
    List<Consumer<Object>> calls =
        List.of(
            o -> jvmti.objects().setTag(o, 0),
            o -> jvmti.objects().withTag(0, Object.class),
            o -> jvmti.objects().withTags(1, 0),
            o -> JvmTools.setTag(o, 0),
            o -> JvmTools.getObjectsWithTag(0, Object.class),
            o -> JvmTools.getObjectsWithTags(0));
    for (Consumer<Object> call : calls) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> call.accept(object))
          .withMessage("A tag is any number but 0, which stands for no tag");
    }
  }

  @Test
  void severalTagsAreFoundAtOnceWithTheirObjects() {
    Map<Object, Long> expected = new IdentityHashMap<>();
    for (long tag : new long[] {3, -4, 5, 3, 3}) {
      Object object = new Order();
      jvmti.objects().setTag(object, tag);
      if (tag != 5) {
        expected.put(object, tag);
      }
    }
    Map<Object, Long> found = new IdentityHashMap<>();
    for (TaggedObject tagged : jvmti.objects().withTags(3, -4, 99)) {
      assertThat(found.put(tagged.object(), tagged.tag())).isNull();
    }
    assertThat(found).isEqualTo(expected).hasSize(4);
    assertThat(jvmti.objects().withTags()).isEmpty();
  }

  @Test
  void aTagThatIsAskedForTwiceFindsItsObjectsOnce() {
    Object object = new Object();
    jvmti.objects().setTag(object, 3);
    assertThat(jvmti.objects().withTags(3, 3)).containsExactly(new TaggedObject(object, 3));
  }

  @Test
  void tenThousandObjectsWithOneTagAreFound() {
    List<Object> tagged = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Object object = new Object();
      tagged.add(object);
      jvmti.objects().setTag(object, 8);
    }
    assertThat(identities(jvmti.objects().withTag(8, Object.class))).isEqualTo(identities(tagged));
    assertThat(jvmti.objects().withTags(8)).hasSize(10_000).allMatch(t -> t.tag() == 8);
  }

  @Test
  void otherTypesWithTheTagAreLeftOut() {
    Order order = new Order();
    Object other = new Object();
    jvmti.objects().setTag(order, 9);
    jvmti.objects().setTag(other, 9);
    assertThat(jvmti.objects().withTag(9, Order.class)).containsExactly(order);
    assertThat(jvmti.objects().withTag(9, Object.class)).containsExactlyInAnyOrder(order, other);
    assertThat(jvmti.objects().withTag(9, String.class)).isEmpty();
  }

  @Test
  void classesThreadsArraysAndInternedStringsCanBeTagged() {
    Object[] objects = {Order.class, Thread.currentThread(), new int[0], "interned", int.class};
    for (int i = 0; i < objects.length; i++) {
      jvmti.objects().setTag(objects[i], 100 + i);
    }
    for (int i = 0; i < objects.length; i++) {
      assertThat(jvmti.objects().tag(objects[i])).hasValue(100 + i);
      assertThat(jvmti.objects().withTag(100 + i, Object.class)).containsExactly(objects[i]);
    }
    assertThat(jvmti.objects().tag(new String("interned").intern())).hasValue(103);
  }

  @Test
  void tagSurvivesCollectionsAndKeepsNothingAlive() {
    Order kept = new Order();
    jvmti.objects().setTag(kept, 11);
    WeakReference<Object> dropped = new WeakReference<>(tagged(11));
    GcUntil.cleared(dropped);
    assertThat(jvmti.objects().tag(kept)).hasValue(11);
    assertThat(jvmti.objects().withTag(11, Object.class)).containsExactly(kept);
  }

  @Test
  void foundObjectsCannotBeChanged() {
    jvmti.objects().setTag(this, 12);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(jvmti.objects().withTag(12, Object.class)::clear);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(jvmti.objects().withTags(12)::clear);
  }

  @Test
  void taggedObjectPrintsIdentityOnly() {
    Order order = new Order();
    assertThat(new TaggedObject(order, 42))
        .hasToString(
            Order.class.getName()
                + "@"
                + Integer.toHexString(System.identityHashCode(order))
                + " tagged 42");
  }

  static Stream<Arguments> tagFunctions() {
    return Stream.of(
        tagFunction("SetTag", j -> j.objects().setTag("x", 1)),
        tagFunction("SetTag", j -> j.objects().clearTag("x")),
        tagFunction("GetTag", j -> j.objects().tag("x")),
        tagFunction("GetObjectsWithTags", j -> j.objects().withTag(1, Object.class)),
        tagFunction("GetObjectsWithTags", j -> j.objects().withTags(1, 2)));
  }

  @ParameterizedTest
  @MethodSource("tagFunctions")
  void tagWithoutItsCapabilityNamesTheRemedy(String function, Consumer<Jvmti> call) {
    try (Jvmti bare = Jvmti.open()) {
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(() -> call.accept(bare))
          .withMessage(
              function
                  + ": JVMTI_ERROR_MUST_POSSESS_CAPABILITY (99): CAN_TAG_OBJECTS is free, but this"
                  + " environment did not ask for it: open one with Jvmti.open(CAN_TAG_OBJECTS), or"
                  + " call add(CAN_TAG_OBJECTS) on your own Jvmti")
          .satisfies(
              e -> {
                assertThat(e.capability()).isEqualTo(Capability.CAN_TAG_OBJECTS);
                assertThat(e.reason()).isEqualTo(Reason.NOT_REQUESTED);
                assertThat(e.function()).isEqualTo(function);
                assertThat(e.code()).isEqualTo(99);
              });
      bare.add(Capability.CAN_TAG_OBJECTS);
      call.accept(bare);
    }
  }

  static Stream<IntFunction<Object>> makers() {
    return Stream.of(
        i -> new Object(),
        i -> new Order(),
        i -> new byte[i % 3 + 1000],
        i -> new long[100],
        i -> new Object[17],
        i -> new byte[0],
        i -> new ArrayList<>(0));
  }

  @ParameterizedTest
  @MethodSource("makers")
  void sizeIsWhatTheAllocationTook(IntFunction<Object> maker) {
    ThreadMXBean management = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int count = 20_000;
    Object[] objects = new Object[count];
    long expected = 0;
    maker.apply(0);
    long before = management.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < count; i++) {
      objects[i] = maker.apply(i);
    }
    long allocated = management.getCurrentThreadAllocatedBytes() - before;
    for (Object object : objects) {
      long size = JvmTools.getObjectSize(object);
      assertThat(size % 8).isZero();
      assertThat(jvmti.objects().size(object)).isEqualTo(size);
      expected += size;
    }
    // What the thread's buffers left unused is counted in.
    assertThat(allocated).isBetween(expected, expected + expected / 10);
  }

  @Test
  void sizeOfAnArrayGrowsWithItsLength() {
    long header = JvmTools.getObjectSize(new byte[0]);
    assertThat(header).isBetween(8L, 24L);
    for (int length : new int[] {8, 1_000, 1_000_000, 50_000_000}) {
      assertThat(JvmTools.getObjectSize(new byte[length]) - header)
          .isBetween(length - 8L, length + 8L);
    }
    assertThat(JvmTools.getObjectSize(new long[1_000]) - header).isBetween(7_992L, 8_008L);
  }

  @Test
  void sizeOfAClassIsThatOfItsMirror() {
    assertThat(JvmTools.getObjectSize(Object.class)).isBetween(64L, 1_024L);
    assertThat(JvmTools.getObjectSize(int.class)).isBetween(64L, 1_024L);
  }

  @Test
  void hashCodeIsTheIdentityHashCode() {
    Object[] objects = {new Object(), new Order(), "text", new int[3], Order.class, this};
    for (Object object : objects) {
      int expected = System.identityHashCode(object);
      assertThat(JvmTools.getObjectHashCode(object)).isEqualTo(expected);
      assertThat(jvmti.objects().identityHash(object)).isEqualTo(expected);
    }
  }

  @Test
  void hashCodeThatTheJvmGaveFirstIsTheIdentityHashCode() {
    Object object = new Object();
    int given = JvmTools.getObjectHashCode(object);
    assertThat(System.identityHashCode(object)).isEqualTo(given);
    GcUntil.settled();
    assertThat(JvmTools.getObjectHashCode(object)).isEqualTo(given);
  }

  private Object tagged(long tag) {
    Object object = new Object();
    jvmti.objects().setTag(object, tag);
    return object;
  }

  private static Set<Object> identities(List<Object> objects) {
    Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    distinct.addAll(objects);
    assertThat(distinct).hasSameSizeAs(objects);
    return distinct;
  }

  private static Arguments tagFunction(String function, Consumer<Jvmti> call) {
    return Arguments.of(function, call);
  }

  /** An object whose own methods lie. */
  private static final class Order {
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public String toString() {
      return "not its identity";
    }
  }
}
