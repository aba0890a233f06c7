package io.jvmtools.dump;

import io.jvmtools.internal.JsonWriter;
import io.jvmtools.internal.Nanos;
import io.jvmtools.stack.StackFrame;
import java.util.List;
import java.util.OptionalInt;

/**
 * A dump as JSON; {@link ThreadDump#toJson()} describes it. One thread is written after the other.
 */
final class DumpJson {

  private final JsonWriter json;

  private DumpJson(Appendable out) {
    this.json = new JsonWriter(out);
  }

  static void write(ThreadDump dump, Appendable out) {
    new DumpJson(out).dump(dump);
  }

  private void dump(ThreadDump dump) {
    json.begin('{');
    json.name("takenAt").value(dump.takenAt().toString());
    json.name("processId");
    dump.processId().ifPresentOrElse(json::value, this::nothing);
    json.name("vm").value(dump.vm());
    json.name("consistency").value(dump.consistency().name());
    json.name("threads").begin('[');
    dump.threads().forEach(this::thread);
    json.end(']');
    json.name("deadlocks");
    if (dump.hasDeadlocks() || dump.deadlocksKnown()) {
      deadlocks(dump.deadlocks());
    } else {
      nothing();
    }
    json.name("unknown").begin('[');
    dump.unknown().forEach(json::value);
    json.end(']');
    json.end('}');
  }

  private void deadlocks(List<Deadlock> deadlocks) {
    json.begin('[');
    for (Deadlock deadlock : deadlocks) {
      json.begin('{').name("threads").begin('[');
      deadlock.threads().forEach(thread -> json.value(thread.id()));
      json.end(']').end('}');
    }
    json.end(']');
  }

  private void thread(DumpedThread thread) {
    json.begin('{');
    json.name("name").value(thread.name());
    json.name("id").value(thread.id());
    json.name("virtual").value(thread.isVirtual());
    json.name("daemon").value(thread.isDaemon());
    json.name("priority").value(thread.priority());
    json.name("group").value(thread.group().orElse(null));
    json.name("state").value(thread.javaState().name());
    json.name("flags").begin('[');
    thread.state().flags().forEach(flag -> json.value(flag.name()));
    json.end(']');
    json.name("cpuNanos");
    thread.cpuTime().ifPresentOrElse(cpu -> json.value(Nanos.of(cpu)), this::nothing);
    json.name("elapsedNanos");
    thread.elapsedTime().ifPresentOrElse(elapsed -> json.value(Nanos.of(elapsed)), this::nothing);
    json.name("nativeId");
    thread.nativeId().ifPresentOrElse(json::value, this::nothing);
    json.name("carrier");
    thread.carrier().ifPresentOrElse(this::named, this::nothing);
    json.name("carried");
    thread.carried().ifPresentOrElse(this::named, this::nothing);
    json.name("container").value(thread.container().orElse(null));
    json.name("containerOwner");
    thread.containerOwner().ifPresentOrElse(this::named, this::nothing);
    json.name("waitsFor");
    thread.waitsFor().ifPresentOrElse(this::waitsFor, this::nothing);
    locks("ownedLocks", thread.ownedLocks());
    json.name("monitorsKnown").value(thread.monitorsKnown());
    locks("monitorsOfNoFrame", thread.monitorsOfNoFrame());
    json.name("frames").begin('[');
    thread.frames().forEach(this::frame);
    json.end(']');
    json.name("moreFrames").value(thread.hasMoreFrames());
    json.end('}');
  }

  private void waitsFor(DumpedWait wait) {
    json.begin('{');
    json.name("kind").value(wait.kind().name());
    json.name("lock");
    wait.lock().ifPresentOrElse(this::lock, this::nothing);
    json.name("owner");
    wait.owner().ifPresentOrElse(this::named, this::nothing);
    json.name("ownerHasEnded").value(wait.ownerHasEnded());
    json.end('}');
  }

  private void named(DumpedName thread) {
    json.begin('{');
    json.name("name").value(thread.name());
    json.name("id").value(thread.id());
    json.end('}');
  }

  private void frame(DumpedFrame dumped) {
    StackFrame frame = dumped.frame();
    json.begin('{');
    json.name("class").value(frame.className());
    json.name("method").value(frame.methodName());
    json.name("signature").value(frame.method().signature());
    json.name("file").value(frame.sourceFile().orElse(null));
    json.name("line");
    OptionalInt line = frame.line();
    if (line.isPresent()) {
      json.value(line.getAsInt());
    } else {
      nothing();
    }
    json.name("module").value(frame.module().orElse(null));
    json.name("location").value(frame.location());
    json.name("native").value(frame.isNative());
    locks("monitors", dumped.monitors());
    json.name("locals").begin('[');
    for (DumpedLocal local : dumped.locals()) {
      json.begin('{');
      json.name("name").value(local.name());
      json.name("signature").value(local.signature());
      json.name("value").value(local.value());
      json.end('}');
    }
    json.end(']');
    json.end('}');
  }

  private void locks(String name, List<DumpedLock> locks) {
    json.name(name).begin('[');
    locks.forEach(this::lock);
    json.end(']');
  }

  private void lock(DumpedLock lock) {
    json.begin('{');
    json.name("class").value(lock.className());
    json.name("identityHash").value(lock.identityHash());
    json.name("mirrored").value(lock.mirrored().orElse(null));
    json.end('}');
  }

  private void nothing() {
    json.value((String) null);
  }
}
