package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.HeapFunctions;
import io.jvmtools.oracle.asked.Names;

/** The stem {@code heap} through the public API. */
interface OursHeap extends HeapFunctions, OurEnvironment {

  @Override
  default String setTag(Object object, long tag) {
    if (tag == 0) {
      jvmti().objects().clearTag(object);
    } else {
      jvmti().objects().setTag(object, tag);
    }
    return "NONE";
  }

  @Override
  default String getTag(Object object) {
    return String.valueOf(jvmti().objects().tag(object).orElse(0));
  }

  @Override
  default String getObjectsWithTags(long... tags) {
    return Names.sorted(
        jvmti().objects().withTags(tags).stream()
            .map(tagged -> Names.of(tagged.object()) + "=" + tagged.tag()),
        ",");
  }

  @Override
  default String setHeapSamplingInterval(int bytes) {
    jvmti().profile().setHeapSamplingInterval(bytes);
    return "NONE";
  }
}
