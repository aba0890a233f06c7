package io.jvmtools.consumers;

import java.util.List;

/**
 * A profile chooses the native jar of this machine; the versions come from the bill of materials.
 */
class MavenSlimConsumerTest extends MavenConsumerTest {
  @Override
  String source() {
    return "maven-slim";
  }

  @Override
  List<String> ours() {
    return slim("linux-x86_64");
  }
}
