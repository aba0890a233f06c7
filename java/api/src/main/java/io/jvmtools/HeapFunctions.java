package io.jvmtools;

import io.jvmtools.object.LiveObjects;
import io.jvmtools.object.TaggedObject;
import java.util.List;

/** Tags. A part of {@link JvmTools}. */
abstract sealed class HeapFunctions extends ObjectFunctions permits FrameFunctions {

  /**
   * Puts a tag on an object, in place of one it may have. Adds {@link Capability#CAN_TAG_OBJECTS}.
   * The tag does not keep the object alive; {@link LiveObjects} says what it costs.
   *
   * @param object the object
   * @param tag any number but 0
   * @throws IllegalArgumentException if the tag is 0: see {@link #clearTag(Object)}
   */
  @JvmtiFunction("SetTag")
  public static void setTag(Object object, long tag) {
    DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().setTag(object, tag);
  }

  /**
   * Takes the tag off an object, if it has one. Adds {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   */
  @JvmtiFunction("SetTag")
  public static void clearTag(Object object) {
    DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().clearTag(object);
  }

  /**
   * The tag of an object. Adds {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @return its tag, 0 if it has none
   */
  @JvmtiFunction("GetTag")
  public static long getTag(Object object) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().tag(object).orElse(0);
  }

  /**
   * The objects of a type that carry a tag. Adds {@link Capability#CAN_TAG_OBJECTS}. Takes time in
   * proportion to the number of all tagged objects.
   *
   * @param <T> the type
   * @param tag any number but 0
   * @param type the type; objects with the tag that are not instances of it are left out
   * @return the objects in no particular order, in an unmodifiable list that keeps them alive
   * @throws IllegalArgumentException if the tag is 0
   */
  @JvmtiFunction("GetObjectsWithTags")
  public static <T> List<T> getObjectsWithTag(long tag, Class<T> type) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().withTag(tag, type);
  }

  /**
   * The objects that carry one of several tags. Adds {@link Capability#CAN_TAG_OBJECTS}. Takes time
   * in proportion to the number of all tagged objects, and of the tags.
   *
   * @param tags any numbers but 0
   * @return the objects with their tags in no particular order, in an unmodifiable list that keeps
   *     them alive
   * @throws IllegalArgumentException if one of the tags is 0
   */
  @JvmtiFunction("GetObjectsWithTags")
  public static List<TaggedObject> getObjectsWithTags(long... tags) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().withTags(tags);
  }
}
