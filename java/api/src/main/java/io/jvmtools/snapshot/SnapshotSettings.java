package io.jvmtools.snapshot;

import io.jvmtools.event.EventFrame;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** When a snapshot is taken, and what it keeps. A plan changes nothing but a copy of its own. */
final class SnapshotSettings {

  Predicate<? super EventFrame> condition = frame -> true;
  long limit = 100;
  int perSecond = 10;
  int frames = 64;
  List<String> packages = List.of();
  int objectDepth = 1;
  int values = 1_000;
  int characters = 200;
  Consumer<? super Throwable> onError = thrown -> {};

  SnapshotSettings copy() {
    SnapshotSettings copy = new SnapshotSettings();
    copy.condition = condition;
    copy.limit = limit;
    copy.perSecond = perSecond;
    copy.frames = frames;
    copy.packages = packages;
    copy.objectDepth = objectDepth;
    copy.values = values;
    copy.characters = characters;
    copy.onError = onError;
    return copy;
  }
}
