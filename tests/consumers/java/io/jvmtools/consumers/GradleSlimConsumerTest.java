package io.jvmtools.consumers;

import java.util.List;

/**
 * Attributes choose the native jar of this machine; the versions come from the bill of materials.
 */
class GradleSlimConsumerTest extends GradleConsumerTest {
  @Override
  String source() {
    return "gradle-slim";
  }

  @Override
  List<String> ours() {
    return slim("linux-x86_64");
  }
}
