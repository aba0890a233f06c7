package io.jvmtools.neighbour;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What became of the messages of one producer, which are numbered from 0. */
final class Deliveries {

  private final Map<Integer, Long> waiting = new ConcurrentHashMap<>();
  private final BitSet acknowledged = new BitSet();
  private final BitSet read = new BitSet();

  /** A message is about to be sent. */
  void sent(int number, long nanos) {
    waiting.put(number, nanos);
  }

  /** Answers whether it is the first time. */
  boolean acknowledged(int number) {
    waiting.remove(number);
    return setOnce(acknowledged, number);
  }

  /** It will not be acknowledged any more. */
  void given(int number) {
    waiting.remove(number);
  }

  /** Answers whether it is the first time. */
  boolean read(int number) {
    return setOnce(read, number);
  }

  /** When the one was sent that waits longest for its acknowledgement. */
  Optional<Long> oldestWaiting() {
    return waiting.values().stream().min(Long::compare);
  }

  int waiting() {
    return waiting.size();
  }

  int acknowledged() {
    synchronized (acknowledged) {
      return acknowledged.cardinality();
    }
  }

  /** How many are acknowledged and not read. */
  int unread() {
    synchronized (acknowledged) {
      synchronized (read) {
        BitSet missing = (BitSet) acknowledged.clone();
        missing.andNot(read);
        return missing.cardinality();
      }
    }
  }

  private static boolean setOnce(BitSet set, int number) {
    synchronized (set) {
      boolean first = !set.get(number);
      set.set(number);
      return first;
    }
  }
}
