package io.jvmtools.objects;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.objects.HeapNatives;
import io.jvmtools.internal.objects.MonitorFacts;
import io.jvmtools.internal.objects.ObjectNatives;
import io.jvmtools.internal.objects.TagFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Objects: their tags, sizes, hash codes and monitors.
 *
 * <p>A tag is a number other than 0 that an environment puts on an object, and with which it finds
 * the object again. It does not keep the object alive, and other environments do not see it. Each
 * costs some 63 bytes of native memory and lengthens young collections, so a tool clears its tags
 * or closes its environment when it is done.
 */
public final class LiveObjects {

  static {
    Makers.register(
        LiveObjects.class,
        new Maker<Environment, LiveObjects>() {
          @Override
          public LiveObjects make(Environment environment) {
            return new LiveObjects(environment);
          }
        });
  }

  private final Environment environment;

  LiveObjects(Environment environment) {
    this.environment = environment;
  }

  /**
   * Puts a tag on an object, in place of one it may have. Needs {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @param tag any number but 0
   * @throws IllegalArgumentException if the tag is 0: see {@link #clearTag(Object)}
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetTag")
  public void setTag(Object object, long tag) {
    requireNonNull(object, "object");
    HeapNatives.setTag(environment.handle(), object, requireTag(tag));
    environment.keep();
  }

  /**
   * Takes the tag off an object, if it has one. Needs {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetTag")
  public void clearTag(Object object) {
    requireNonNull(object, "object");
    HeapNatives.setTag(environment.handle(), object, 0);
    environment.keep();
  }

  /**
   * The tag of an object. Needs {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @return its tag, empty if this environment has put none on it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTag")
  public OptionalLong tag(Object object) {
    requireNonNull(object, "object");
    long tag = environment.keep(HeapNatives.getTag(environment.handle(), object));
    return tag == 0 ? OptionalLong.empty() : OptionalLong.of(tag);
  }

  /**
   * The objects of a type that carry a tag. Needs {@link Capability#CAN_TAG_OBJECTS}. Takes time in
   * proportion to the number of all tagged objects.
   *
   * @param <T> the type
   * @param tag any number but 0
   * @param type the type; objects with the tag that are not instances of it are left out
   * @return the objects in no particular order, in an unmodifiable list that keeps them alive
   * @throws IllegalArgumentException if the tag is 0
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetObjectsWithTags")
  public <T> List<T> withTag(long tag, Class<T> type) {
    requireNonNull(type, "type");
    List<T> found = new ArrayList<>();
    for (Object object : find(requireTag(tag)).objects()) {
      if (type.isInstance(object)) {
        found.add(type.cast(object));
      }
    }
    return Collections.unmodifiableList(found);
  }

  /**
   * The objects that carry one of several tags. Needs {@link Capability#CAN_TAG_OBJECTS}. Takes
   * time in proportion to the number of all tagged objects, and of the tags.
   *
   * @param tags any numbers but 0
   * @return the objects with their tags in no particular order, in an unmodifiable list that keeps
   *     them alive
   * @throws IllegalArgumentException if one of the tags is 0
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetObjectsWithTags")
  public List<TaggedObject> withTags(long... tags) {
    // The JVM would answer an object once for each time its tag is asked for.
    long[] wanted = Arrays.stream(requireNonNull(tags, "tags")).distinct().toArray();
    for (long tag : wanted) {
      requireTag(tag);
    }
    TagFacts facts = find(wanted);
    List<TaggedObject> found = new ArrayList<>(facts.objects().length);
    for (int i = 0; i < facts.objects().length; i++) {
      found.add(new TaggedObject(facts.objects()[i], facts.tags()[i]));
    }
    return Collections.unmodifiableList(found);
  }

  /**
   * The memory that an object takes by itself, without what it refers to. Needs no capability.
   *
   * @param object the object
   * @return its size in bytes, header and padding included
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetObjectSize")
  public long size(Object object) {
    requireNonNull(object, "object");
    return environment.keep(ObjectNatives.getObjectSize(environment.handle(), object));
  }

  /**
   * The hash code that the JVM gives to an object, whatever its class makes of {@link
   * Object#hashCode()}. Needs no capability.
   *
   * @param object the object
   * @return the hash code
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetObjectHashCode")
  public int identityHash(Object object) {
    requireNonNull(object, "object");
    return environment.keep(ObjectNatives.getObjectHashCode(environment.handle(), object));
  }

  /**
   * Who owns the monitor of an object, and who waits for it. Needs {@link
   * Capability#CAN_GET_MONITOR_INFO}.
   *
   * @param object the object
   * @return the threads
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetObjectMonitorUsage")
  public MonitorUsage monitorUsage(Object object) {
    requireNonNull(object, "object");
    Object facts = ObjectNatives.getObjectMonitorUsage(environment.handle(), object);
    return environment.keep(MonitorUsage.of((MonitorFacts) facts));
  }

  private TagFacts find(long... tags) {
    return environment.keep((TagFacts) HeapNatives.getObjectsWithTags(environment.handle(), tags));
  }

  private static long requireTag(long tag) {
    if (tag == 0) {
      throw new IllegalArgumentException("A tag is any number but 0, which stands for no tag");
    }
    return tag;
  }
}
