package io.jvmtools;

import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.EarlyEvent;
import io.jvmtools.event.EarlyEventKind;
import io.jvmtools.event.EarlyEvents;
import io.jvmtools.internal.event.EarlyFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes values of what native code has kept. */
final class EarlyReader {

  /** Kind, phase, time, and a size or an address. */
  private static final int NUMBERS = 4;

  /** Class or thread, method, and its descriptor. */
  private static final int TEXTS = 3;

  private final EarlyFacts facts;
  private final List<EarlyEventKind> kinds;

  private EarlyReader(EarlyFacts facts) {
    this.facts = facts;
    kinds = Arrays.stream(facts.kinds()).map(EarlyEventKind::valueOf).toList();
  }

  static EarlyEvents read(@Nullable EarlyFacts facts) {
    return facts == null
        ? new EarlyEvents(Set.of(), Instant.EPOCH, List.of(), 0)
        : new EarlyReader(facts).all();
  }

  private EarlyEvents all() {
    List<EarlyEvent> events = new ArrayList<>();
    for (int i = 0; i < facts.numbers().length / NUMBERS; i++) {
      events.add(one(i));
    }
    Instant began = Instant.EPOCH.plusNanos(facts.began());
    return new EarlyEvents(Set.copyOf(kinds), began, events, facts.lost());
  }

  private EarlyEvent one(int place) {
    EarlyEventKind kind = kinds.get((int) number(place, 0));
    long number = number(place, 3);
    boolean isFile = kind == EarlyEventKind.CLASS_FILE_LOAD_HOOK;
    boolean isThread = kind == EarlyEventKind.THREAD_START;
    boolean isBind = kind == EarlyEventKind.NATIVE_METHOD_BIND;
    Optional<String> first = text(place, 0);
    return new EarlyEvent(
        kind,
        Phase.of((int) number(place, 1)),
        Duration.ofNanos(number(place, 2)),
        isThread ? Optional.empty() : first.map(name -> className(isFile, name)),
        isFile ? OptionalInt.of((int) number) : OptionalInt.empty(),
        isThread ? first : Optional.empty(),
        text(place, 1),
        text(place, 2),
        isBind ? Optional.of(new NativeAddress(number)) : Optional.empty());
  }

  private long number(int event, int place) {
    return facts.numbers()[event * NUMBERS + place];
  }

  private Optional<String> text(int event, int place) {
    return Optional.ofNullable(facts.texts()[event * TEXTS + place]);
  }

  /** Of a name with slashes, or of a descriptor; that of a hidden class has a dot in it. */
  private static String className(boolean isName, String text) {
    String name = isName ? text : text.substring(1, text.length() - 1);
    StringBuilder written = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      written.append(letter == '/' ? '.' : letter == '.' ? '/' : letter);
    }
    return written.toString();
  }
}
