package io.jvmtools.code;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Several arrays as one, as natives take them. */
final class JoinedBytes {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Integer> lengths = new ArrayList<>();

  void add(byte[] part) {
    bytes.writeBytes(part);
    lengths.add(part.length);
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** How long each is. */
  int[] lengths() {
    return lengths.stream().mapToInt(Integer::intValue).toArray();
  }
}
